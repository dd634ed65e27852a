/** Compliance of some occurrences. */
export interface Counts {
  due: number;
  sent: number;
  failed: number;
  /** By reason. */
  skipped: Record<string, number>;
  shown: number;
  opened: number;
  answered: number;
  answeredLate: number;
}

/** The outcome of one due occurrence. */
export interface Booked {
  user: string;
  survey: string;
  revision: number;
  /** The date; with windows the key of one of its occurrences. */
  on: string;
  state: string;
  reason: string | null;
  shown: boolean;
  opened: boolean;
  answered: boolean;
  /** The answer was late. */
  late: boolean;
}

export interface Asked {
  from: string;
  to: string;
  survey?: string | undefined;
}

const dateOf = ({ on }: Pick<Booked, 'on'>) => on.slice(0, 10);

/** Occurrences that are due in a period. */
export const bookedIn = <Row extends Booked>(all: readonly Row[], { from, to, survey }: Asked): Row[] =>
  all.filter(
    (one) => from <= dateOf(one) && dateOf(one) <= to && (survey === undefined || one.survey === survey),
  );

/** By counting them, one after the other. */
export function count(some: readonly Booked[]): Counts {
  const counts: Counts = {
    due: 0,
    sent: 0,
    failed: 0,
    skipped: {},
    shown: 0,
    opened: 0,
    answered: 0,
    answeredLate: 0,
  };
  for (const { state, reason, shown, opened, answered, late } of some) {
    counts.due++;
    if (state === 'sent') counts.sent++;
    else if (state === 'failed') counts.failed++;
    else counts.skipped[reason ?? ''] = (counts.skipped[reason ?? ''] ?? 0) + 1;
    if (shown) counts.shown++;
    if (opened) counts.opened++;
    // Participants who answer early have answered.
    const isEarly = state === 'skipped' && reason === 'answered';
    if (answered || isEarly) counts.answered++;
    if (late && !isEarly) counts.answeredLate++;
  }
  return counts;
}

/** The counts of a row of compliance alone, with the reasons in one order. */
export function countsIn(counts: Counts): Counts {
  const { due, sent, failed, skipped, shown, opened, answered, answeredLate } = counts;
  const inOrder = Object.entries(skipped).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { due, sent, failed, skipped: Object.fromEntries(inOrder), shown, opened, answered, answeredLate };
}

/** Each date from the first to the last. */
export function datesOf({ from, to }: Asked): string[] {
  const dates: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000)
    dates.push(new Date(at).toISOString().slice(0, 10));
  return dates;
}

/** Whether a user left the last three due occurrences of one survey unanswered. */
export function isSilent(all: readonly Booked[], { user, survey }: Pick<Booked, 'user' | 'survey'>): boolean {
  const theirs = all
    .filter((one) => one.user === user && one.survey === survey)
    .toSorted((a, b) => a.revision - b.revision || (a.on < b.on ? -1 : 1))
    .slice(-3);
  return theirs.length === 3 && theirs.every(({ answered, reason }) => !answered && reason !== 'answered');
}
