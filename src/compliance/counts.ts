import { reasons } from '../schedule/verdicts.ts';

/** Counts of the notifications that were due in a period: `due` is the sum of sent, failed and skipped. */
export interface Counts {
  due: number;
  sent: number;
  failed: number;
  /** By reason. */
  skipped: Record<string, number>;
  shown: number;
  opened: number;
  answered: number;
  /** Of those, the ones whose answer was late. */
  answeredLate: number;
}

/** Notifications with the same outcome: `sent`, `failed` or `skipped:<reason>`; and the number that their users noticed. */
export interface OutcomeCount {
  outcome: string;
  n: number;
  shown: number;
  opened: number;
  answered: number;
  answeredLate: number;
}

const skippedFor = 'skipped:';
/** Of an occurrence whose survey was answered before, on its day: it counts as answered, whatever came after it was due. */
export const answeredBefore = `${skippedFor}answered`;

/** Counts without anything due. */
export const nothing: Counts = {
  due: 0,
  sent: 0,
  failed: 0,
  skipped: {},
  shown: 0,
  opened: 0,
  answered: 0,
  answeredLate: 0,
};

export function sumOf(some: Iterable<OutcomeCount>): Counts {
  const counts: Counts = { ...nothing, skipped: {} };
  for (const { outcome, n, shown, opened, answered, answeredLate } of some) {
    if (n === 0) continue;
    counts.due += n;
    if (outcome === 'sent' || outcome === 'failed') counts[outcome] += n;
    else {
      const reason = outcome.slice(skippedFor.length);
      counts.skipped[reason] = (counts.skipped[reason] ?? 0) + n;
    }
    counts.shown += shown;
    counts.opened += opened;
    counts.answered += outcome === answeredBefore ? n : answered;
    counts.answeredLate += outcome === answeredBefore ? 0 : answeredLate;
  }
  return counts;
}

/** The outcomes that are summed up for one user, in the order in which {@link countsIn} reads the sums. */
export const countedOutcomes = ['sent', 'failed', ...reasons.map((reason) => skippedFor + reason)];

/** `sums`: the number of notifications; of those that were shown, opened, answered and answered late; and of each outcome. */
export function countsIn(sums: readonly (number | null)[]): Counts {
  const [due = 0, shown = 0, opened = 0, answered = 0, answeredLate = 0, ...numbers] = sums.map(
    (sum) => sum ?? 0,
  );
  // A newer version, which runs beside this one during a deployment, may know more reasons.
  const others = due - numbers.reduce((sum, n) => sum + n, 0);
  const outcomes = [...countedOutcomes, `${skippedFor}unknown`].map((outcome, n) => {
    return { outcome, n: numbers[n] ?? others, shown: 0, opened: 0, answered: 0, answeredLate: 0 };
  });
  return { ...sumOf(outcomes), shown, opened, answered, answeredLate };
}
