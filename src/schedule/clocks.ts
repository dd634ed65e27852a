import { dayMs } from './days.ts';
import { type Change, changesAround } from './yearly.ts';
import type { Zone } from './zone-text.ts';
import { zoneOf } from './zones.ts';

/** The clocks of a zone. They keep the period of the last question, since the next one is mostly about the same. */
export interface Clock {
  zone: Zone;
  latest: Stretch;
}

/** From `from` up to `to` (epoch ms) the clocks are `offset` ms ahead of UTC. */
interface Stretch {
  from: number;
  to: number;
  offset: number;
}

const clocks = new Map<string, Clock>();

/** The clocks of a zone of the tz database. Throws a RangeError for another name. */
export function clockOf(timeZone: string): Clock {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const clock = createClock(zoneOf(timeZone));
  clocks.set(timeZone, clock);
  return clock;
}

/** The clocks that follow these rules. */
export const createClock = (zone: Zone): Clock => ({ zone, latest: findStretch(zone, 0) });

/** The offset of the clock at the instant `at` (epoch ms), in ms. */
export const offsetAt = (clock: Clock, at: number): number => stretchAt(clock, at).offset;

/**
 * The instant at which the clock shows `wall` (ms, as if it were UTC). Skipped times move forward by the gap, and of
 * repeated times the first counts: Temporal's `compatible`.
 */
export function instantOf(clock: Clock, wall: number): number {
  // Offsets are less than a day: if the offset of a day before equals that of a day after, it holds between them.
  const { offset: before, to } = stretchAt(clock, wall - dayMs);
  if (wall + dayMs < to || offsetAt(clock, wall - before) === before) return wall - before;
  const after = offsetAt(clock, wall + dayMs);
  return wall - (offsetAt(clock, wall - after) === after ? after : before);
}

/** Whether the clock shows `wall` a second time, after the instant of {@link instantOf}. */
export function isRepeated(clock: Clock, wall: number): boolean {
  const last = wall - offsetAt(clock, wall + dayMs);
  return last > instantOf(clock, wall) && last + offsetAt(clock, last) === wall;
}

function stretchAt(clock: Clock, at: number): Stretch {
  const { latest } = clock;
  if (latest.from <= at && at < latest.to) return latest;
  clock.latest = findStretch(clock.zone, at);
  return clock.latest;
}

function findStretch({ initial, changes, yearly }: Zone, at: number): Stretch {
  // The period of no instant would be kept for those that follow.
  if (!Number.isFinite(at)) throw new RangeError(`no instant: ${at}`);
  const count = countUpTo(changes, at);
  let current = changes[count - 1] ?? { at: Number.NEGATIVE_INFINITY, offset: initial };
  const following =
    count < changes.length || yearly === null ? changes.slice(count, count + 1) : changesAround(yearly, at);
  for (const change of following) {
    if (change.at > at) return { from: current.at, to: change.at, offset: current.offset };
    if (change.at > current.at) current = change;
  }
  return { from: current.at, to: Number.POSITIVE_INFINITY, offset: current.offset };
}

/** The number of changes, in order of time, that have come by the instant `at`. */
function countUpTo(changes: readonly Change[], at: number): number {
  let [low, high] = [0, changes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((changes[middle] as Change).at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
