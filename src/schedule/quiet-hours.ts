import { timeOf } from './civil.ts';
import { clockOf, instantOf, offsetAt } from './clocks.ts';
import { dayMs } from './days.ts';

/** Wall times (`HH:MM`) between which a user is not disturbed: from the first, up to the second, past midnight if need be. */
export interface QuietHours {
  from: string;
  to: string;
}

/**
 * When the quiet hours around the instant `at` end, by the clocks of `timeZone`; null when `at` is outside of them.
 * Instants are epoch ms. An end that the clocks skip comes after the gap, and of one that happens twice it is the next.
 */
export function quietUntil(at: number, quietHours: QuietHours | null, timeZone: string): number | null {
  if (quietHours === null) return null;
  const clock = clockOf(timeZone);
  const wall = at + offsetAt(clock, at);
  const midnight = Math.floor(wall / dayMs) * dayMs;
  const [from, to, time] = [timeOf(quietHours.from), timeOf(quietHours.to), wall - midnight];
  const isQuiet = from < to ? from <= time && time < to : from <= time || time < to;
  if (!isQuiet) return null;
  const end = midnight + to + (time < to ? 0 : dayMs);
  const until = instantOf(clock, end);
  return until > at ? until : end - offsetAt(clock, at);
}

/** What people are told of an occurrence that waits; `until` in epoch ms. */
export const waitNote = (until: number): string =>
  `Quiet hours: waits until ${new Date(until).toISOString()}`;

/** What people are told of an occurrence that quiet hours put off, or outlast; undefined when they do not. */
export function quietNote(
  dueAt: number,
  {
    quietHours,
    timeZone,
    expiresAfter,
  }: { quietHours: QuietHours | null; timeZone: string; expiresAfter: number },
): string | undefined {
  const until = quietUntil(dueAt, quietHours, timeZone);
  if (until === null) return undefined;
  return until < dueAt + expiresAfter * 60_000
    ? waitNote(until)
    : 'Quiet hours: will be skipped, since the reminder expires before they end';
}
