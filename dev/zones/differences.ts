import { type Clock, createClock, offsetAt } from '../../src/schedule/clocks.ts';
import { nextChange } from '../../src/schedule/yearly.ts';
import type { openZones, Zone } from '../../src/schedule/zone-text.ts';

type Zones = ReturnType<typeof openZones>;

/** A yearly rule repeats after 400 years, day by day. */
const comparedUntil = Date.UTC(2500, 0);

/** What an upgrade from `old` to `new` changes, a line for each name: it is new or gone, or has other clocks from an instant on. */
export function differences(old: Zones, next: Zones): string[] {
  const names = [...new Set([...old.names, ...next.names])].sort();
  return names.flatMap((name) => {
    const [before, after] = [old.find(name), next.find(name)];
    if (before === undefined) return [`${name} is new`];
    if (after === undefined) return [`${name} is gone`];
    const at = firstDifference(before, after);
    return at === null ? [] : [`${name} has other clocks from ${isoOf(at)} on`];
  });
}

function firstDifference(before: Zone, after: Zone): number | null {
  if (before.initial !== after.initial) return Number.NEGATIVE_INFINITY;
  const [one, other]: [Clock, Clock] = [createClock(before), createClock(after)];
  const instants = [...changesOf(before), ...changesOf(after)].sort((a, b) => a - b);
  return instants.find((at) => offsetAt(one, at) !== offsetAt(other, at)) ?? null;
}

function* changesOf({ changes, yearly }: Zone): Generator<number> {
  for (const { at } of changes) yield at;
  let at = changes.at(-1)?.at ?? comparedUntil;
  while (yearly !== null && at < comparedUntil) {
    at = nextChange(yearly, at)?.at ?? comparedUntil;
    yield at;
  }
}

const isoOf = (at: number) => (Number.isFinite(at) ? new Date(at).toISOString() : 'the beginning');
