import { count, formatDate, formatNumber, formatShare } from '../../format.ts';
import type { DayState } from './day-states.ts';

export const strings = {
  title: 'Compliance',
  about: 'Each participant, day by day. A day opens the reminders of that day.',
  caption: 'Participants by days: how the reminders of each day ended',
  participant: 'Participant',
  states: {
    answered: 'Answered',
    partly: 'Some answered (their number)',
    opened: 'Opened, not answered',
    sent: 'Sent, not opened',
    failed: 'Failed',
    skipped: 'Not sent (paused, no phone, …)',
  } satisfies Record<DayState, string>,
  legend: 'Meaning of the signs',
  nothingDue: 'Nothing due',
  cell: {
    answered: 'Answered',
    opened: 'Opened, not answered',
    sent: 'Sent, not opened',
    failed: 'Failed',
    skipped: 'Not sent',
  } satisfies Record<Exclude<DayState, 'partly'>, string>,
  partly: (answered: number, due: number) => `${formatNumber(answered)} of ${formatNumber(due)} answered`,
  ofMany: (due: number) => `, ${count(due, 'reminder')}`,
  justChanged: ', just changed',
  late: (n: number) => `, ${formatNumber(n)} late`,
  where: (name: string, date: string, what: string) => `${name}, ${formatDate(date)}: ${what}`,
  rate: (answered: number, due: number) =>
    due > 0 ? `${formatShare(answered, due)} answered` : 'nothing due',
  range: 'Period',
  ranges: { 28: '4 weeks', 91: '13 weeks', 182: '26 weeks', 366: 'A year' } as Record<number, string>,
  otherRange: 'From … to …',
  period: (from: string, to: string) =>
    `${formatDate(from)} to ${formatDate(to)}, by each participant’s own date.`,
  pages: 'Pages of participants',
  shown: (first: number, last: number) =>
    first === last
      ? `Participant ${formatNumber(first)}`
      : `Participants ${formatNumber(first)} to ${formatNumber(last)}`,
  previous: 'Previous',
  next: 'Next',
  noneFound: 'No participant matches these filters',
  clearFilters: 'Show everyone',
  csv: 'Save as CSV',
} as const;
