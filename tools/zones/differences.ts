import { type Clock, createClock, offsetAt } from '../../src/schedule/clocks.ts';
import { nextChange } from '../../src/schedule/yearly.ts';
import type { openZones, Zone } from '../../src/schedule/zone-text.ts';

type Zones = ReturnType<typeof openZones>;

/** A yearly rule repeats after 400 years, day by day. */
const comparedUntil = Date.UTC(2500, 0);

/**
 * The differences between `old` and `next`, a line for each name: the name is new or gone, or its clocks differ from one
 * instant to another.
 */
export function differences(old: Zones, next: Zones): string[] {
  const names = [...new Set([...old.names, ...next.names])].sort();
  return names.flatMap((name) => {
    const [before, after] = [old.find(name), next.find(name)];
    if (before === undefined) return [`${name} is new`];
    if (after === undefined) return [`${name} is gone`];
    const span = differingSpan(before, after);
    return span === null ? [] : [`${name} has other clocks ${span}`];
  });
}

function differingSpan(before: Zone, after: Zone): string | null {
  const [one, other]: [Clock, Clock] = [createClock(before), createClock(after)];
  const changes = [...changesOf(before), ...changesOf(after)].sort((a, b) => a - b);
  const instants = [Number.NEGATIVE_INFINITY, ...changes];
  const differs = (at: number) => offsetAt(one, at) !== offsetAt(other, at);
  const first = instants.find(differs);
  if (first === undefined) return null;
  const end = instants[instants.findLastIndex(differs) + 1];
  const from = Number.isFinite(first) ? `from ${isoOf(first)}` : 'from the beginning';
  return end === undefined || end >= comparedUntil ? `${from} on` : `${from} to ${isoOf(end)}`;
}

function* changesOf({ changes, yearly }: Zone): Generator<number> {
  for (const { at } of changes) yield at;
  let at = changes.at(-1)?.at ?? comparedUntil;
  while (yearly !== null && at < comparedUntil) {
    at = nextChange(yearly, at)?.at ?? comparedUntil;
    yield at;
  }
}

const isoOf = (at: number) => new Date(at).toISOString();
