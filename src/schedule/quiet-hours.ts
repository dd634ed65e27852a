import { timeOf } from './civil.ts';
import { clockOf, instantOf, offsetAt } from './clocks.ts';
import { dayMs } from './days.ts';

/** Wall times (`HH:MM`) between which a user is not disturbed: from the first, up to the second; they may span midnight. */
export interface QuietHours {
  from: string;
  to: string;
}

/**
 * The end of the quiet hours around the instant `at`, by the clocks of `timeZone`; null if `at` is outside of them.
 * Instants are epoch ms. An end that the clocks skip comes after the gap, and if it happens twice the next one counts.
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

/** The note about an occurrence that waits; `until` in epoch ms. */
export const waitNote = (until: number): string =>
  `Quiet hours: waits until ${new Date(until).toISOString()}`;

/** The note about an occurrence that quiet hours delay or skip; undefined if they do not. */
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
