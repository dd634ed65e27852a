import { dateOf, dayOf, lastDay } from './days.ts';

/** The first and the last date of somebody's time in a study, on the clock of the reminders; null or absent: no bound. */
export interface Participation {
  from?: string | null | undefined;
  until?: string | null | undefined;
}

/** Whether a date is not within the time. */
export const isOutside = ({ from, until }: Participation = {}, date: string): boolean =>
  (from != null && date < from) || (until != null && date > until);

/** The inputs of somebody's time in a study. Dates, both included. */
interface Given {
  joinedOn: string;
  own: Participation | null;
  /** Days of the study from joining on; null: without an end. */
  participationDays: number | null;
}

/** The first date of somebody's time in a study, and the last one; null: without an end. */
export interface Time {
  from: string;
  until: string | null;
}

/** Their own time, or as many days as the study says: from the day of joining on, or from the first day of somebody who begins later. */
export function timeOf({ joinedOn, own, participationDays }: Given): Time {
  const { from: first, until } = own ?? {};
  const from = first != null && first > joinedOn ? first : joinedOn;
  if (until != null) return { from, until };
  if (participationDays === null) return { from, until: null };
  return { from, until: dateOf(Math.min(dayOf(from) + participationDays - 1, lastDay)) };
}

/** Whether a date is before, in or after the time. */
export function stateOn({ from, until }: Time, date: string): 'before' | 'in' | 'after' {
  if (date < from) return 'before';
  return until !== null && date > until ? 'after' : 'in';
}
