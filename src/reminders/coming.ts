import { dayMs } from '../schedule/days.ts';
import { type Occurrence, occurrences } from '../schedule/occurrences.ts';
import type { UserReminders } from './state.ts';

/** Occurrences that are compared before a change and after it. */
export const compared = 3;

/** Reminders that come more often than this have come within it. */
const lately = 2 * dayMs;

/** The next occurrences (epoch ms), after the newest one that is due and has not expired: it is pushed at once. */
export function comingOf(state: UserReminders, now: number): number[] {
  const open = now - state.expiresAfter * 60_000;
  const recent = comingAfter(state, Math.max(open, now - lately), now);
  const isComplete = open >= now - lately || (recent[0] !== undefined && recent[0] <= now);
  return (isComplete ? recent : comingAfter(state, open, now)).slice(0, compared);
}

/** In order: the last one that is due by now, if any, and the next ones. */
function comingAfter(state: UserReminders, from: number, now: number): number[] {
  let due: Occurrence | undefined;
  const found: number[] = [];
  for (const occurrence of occurrences(state, from)) {
    if (occurrence.dueAt <= now) due = occurrence;
    else if (found.push(occurrence.dueAt) === compared) break;
  }
  return due ? [due.dueAt, ...found] : found;
}
