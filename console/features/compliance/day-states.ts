/* One day of one participant, from the counts of their reminders. */

/** In the order of the legend. `partly`: some of the day's reminders were answered. */
export const dayStates = ['answered', 'partly', 'opened', 'sent', 'failed', 'skipped'] as const;
export type DayState = (typeof dayStates)[number];

/** The lists of a participant, each with a number for every date. */
export interface DayCounts {
  due: readonly number[];
  sent: readonly number[];
  failed: readonly number[];
  opened: readonly number[];
  answered: readonly number[];
  answeredLate: readonly number[];
}

/** The best outcome of a day; undefined if no reminder was due. */
export function stateOf(counts: DayCounts, day: number): DayState | undefined {
  const { due, answered } = counts;
  if (!due[day]) return undefined;
  if ((answered[day] ?? 0) >= due[day]) return 'answered';
  if (answered[day]) return 'partly';
  return (['opened', 'sent', 'failed'] as const).find((name) => counts[name][day]) ?? 'skipped';
}

/** Signs that differ without colours. The number of answers stands for itself, as far as there is room. */
const marks = { answered: '✓', opened: 'o', sent: '·', failed: '×', skipped: '–' };
const maxShown = 9;

export const markOf = (state: DayState, answered = 0): string =>
  state !== 'partly' ? marks[state] : answered > maxShown ? '+' : String(answered);

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0);
