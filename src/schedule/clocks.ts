import { Temporal } from 'temporal-polyfill';
import { DAY_MS } from './days.ts';

/** What is known of a zone's clocks: stretches without a change, the newest found first. It grows by being asked. */
export interface Clock {
  timeZone: string;
  stretches: Stretch[];
}

/** From `from` up to `to` (epoch ms) the clocks are `offset` ms ahead of UTC. */
interface Stretch {
  from: number;
  to: number;
  offset: number;
}

/** No zone has ever changed its clocks twice in so short a time; the fewest days between were 7 (in Brazil, 2000). */
const stepMs = 4 * DAY_MS;
/** Those of many years, and parts of them between which nobody asked yet. */
const mostStretches = 200;

const clocks = new Map<string, Clock>();

export const clockOf = (timeZone: string): Clock => clocks.get(timeZone) ?? { timeZone, stretches: [] };

/** Milliseconds to add to the instant `at` (epoch ms) for what the clock shows then. */
export const offsetAt = (clock: Clock, at: number): number => stretchAt(clock, at).offset;

/**
 * When the clock shows `wall` (ms, as if it were UTC). What is skipped moves forward by the gap, of what is repeated it
 * is the first: Temporal's `compatible`.
 */
export function instantOf(clock: Clock, wall: number): number {
  // Offsets are less than a day: what does not change from a day before to a day after is the offset then.
  const { offset: before, to } = stretchAt(clock, wall - DAY_MS);
  if (wall + DAY_MS < to || offsetAt(clock, wall - before) === before) return wall - before;
  const after = offsetAt(clock, wall + DAY_MS);
  return wall - (offsetAt(clock, wall - after) === after ? after : before);
}

/** Whether the clock shows `wall` a second time, after the instant of {@link instantOf}. */
export function isRepeated(clock: Clock, wall: number): boolean {
  const last = wall - offsetAt(clock, wall + DAY_MS);
  return last > instantOf(clock, wall) && last + offsetAt(clock, last) === wall;
}

function stretchAt(clock: Clock, at: number): Stretch {
  for (const stretch of clock.stretches) if (stretch.from <= at && at < stretch.to) return stretch;
  return learn(clock, at);
}

function learn(clock: Clock, at: number): Stretch {
  const { timeZone, stretches } = clock;
  const found = look(timeZone, at);
  const parts = stretches.filter(
    ({ from, to, offset }) => offset === found.offset && (to === found.from || from === found.to),
  );
  for (const { from, to } of parts) {
    found.from = Math.min(found.from, from);
    found.to = Math.max(found.to, to);
  }
  const others = stretches.filter((stretch) => !parts.includes(stretch));
  clock.stretches = [found, ...others].slice(0, mostStretches);
  clocks.set(timeZone, clock);
  return found;
}

/** The step in which `at` lies, or the part of it on this side of a change. */
function look(timeZone: string, at: number): Stretch {
  const from = Math.floor(at / stepMs) * stepMs;
  const to = from + stepMs;
  const [before, after] = [ask(timeZone, from), ask(timeZone, to)];
  if (before === after) return { from, to, offset: before };
  let [old, change] = [from, to];
  while (change - old > 1000) {
    const middle = old + Math.floor((change - old) / 2000) * 1000;
    if (ask(timeZone, middle) === before) old = middle;
    else change = middle;
  }
  return at < change ? { from, to: change, offset: before } : { from: change, to, offset: after };
}

const ask = (timeZone: string, at: number) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6;
