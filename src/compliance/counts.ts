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

/** The outcomes that are counted for one user, each by its letter. */
export const countedOutcomes = ['sent', 'failed', ...reasons.map((reason) => skippedFor + reason)];
export const outcomeLetters = 'abcdefghijklmnopqrstuvwxyz'.slice(0, countedOutcomes.length);

/** Of one user: the numbers of notifications that were shown, opened, answered and answered late; and a letter for each that was due. */
export type Sums = readonly [
  shown: number | null,
  opened: number | null,
  answered: number | null,
  answeredLate: number | null,
  letters: string | null,
];

export function countsIn([shown, opened, answered, answeredLate, letters]: Sums): Counts {
  const numbers = new Map<string, number>();
  for (const letter of letters ?? '') numbers.set(letter, (numbers.get(letter) ?? 0) + 1);
  const outcomes = [...numbers].map(([letter, n]) => {
    // A newer version, which runs beside this one during a deployment, may know more reasons.
    const outcome = countedOutcomes[outcomeLetters.indexOf(letter)] ?? `${skippedFor}unknown`;
    return { outcome, n, shown: 0, opened: 0, answered: 0, answeredLate: 0 };
  });
  return {
    ...sumOf(outcomes),
    shown: shown ?? 0,
    opened: opened ?? 0,
    answered: answered ?? 0,
    answeredLate: answeredLate ?? 0,
  };
}
