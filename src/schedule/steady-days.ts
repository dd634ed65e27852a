import { Temporal } from 'temporal-polyfill';
import { DAY_MS } from './days.ts';

/** A zone's offset from UTC: milliseconds to add, and as it is written, such as `+02:00`. */
export interface Offset {
  ms: number;
  text: string;
}

const known = new Map<string, Offset | null>();
/** Zones times the dates that are planned at a time. */
const mostKnown = 5_000;

/**
 * The offset that `timeZone` has throughout a day (a number as of `dayOf`), and the day before and the day after;
 * null when its clocks change in that time. Within such a day a wall time is an instant by addition alone, which
 * is what makes planning for thousands of users of a zone cheap.
 */
export function steadyOffset(day: number, timeZone: string): Offset | null {
  const key = `${day} ${timeZone}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  if (known.size === mostKnown) known.clear();
  const found = look(day, timeZone);
  known.set(key, found);
  return found;
}

function look(day: number, timeZone: string): Offset | null {
  const [ms = 0, ...others] = [-1, 0, 1, 2].map((n) => offsetAt((day + n) * DAY_MS, timeZone));
  const isWritable = ms % 60_000 === 0;
  return isWritable && others.every((other) => other === ms) ? { ms, text: written(ms / 60_000) } : null;
}

const offsetAt = (at: number, timeZone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).offsetNanoseconds / 1e6;

function written(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
