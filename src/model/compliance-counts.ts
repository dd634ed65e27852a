/** What became of the notifications that were due in a period: `due` is what was sent, failed and skipped together. */
export interface Counts {
  due: number;
  sent: number;
  failed: number;
  /** By reason. */
  skipped: Record<string, number>;
  shown: number;
  opened: number;
  answered: number;
}

const skippedFor = 'skipped:';

/** From counts by outcome, as they are stored. */
export function toCounts(stored: Readonly<Record<string, number>>): Counts {
  const { sent = 0, failed = 0, shown = 0, opened = 0, answered = 0 } = stored;
  const skipped = Object.fromEntries(
    Object.entries(stored)
      .filter(([outcome, n]) => outcome.startsWith(skippedFor) && n !== 0)
      .map(([outcome, n]) => [outcome.slice(skippedFor.length), n]),
  );
  const due = Object.values(skipped).reduce((sum, n) => sum + n, sent + failed);
  return { due, sent, failed, skipped, shown, opened, answered };
}
