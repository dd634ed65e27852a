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

/** By outcome, as they are stored. */
type Stored = Readonly<Record<string, number>>;

/** What became of a survey's notifications of a month, as JSON: by day of the month and outcome, `14 sent`. */
interface Month {
  month: string;
  counts: string;
}

/** The counts of the dates of a period, both included, on which anything was due. */
export function countsByDate(
  months: readonly Month[],
  { from, to }: { from: string; to: string },
): Map<string, Stored> {
  const byDate = new Map<string, Record<string, number>>();
  for (const { month, counts } of months)
    for (const [key, n] of Object.entries<number>(JSON.parse(counts))) {
      const date = `${month}-${key.slice(0, 2)}`;
      if (date < from || date > to) continue;
      const stored = byDate.get(date) ?? {};
      const outcome = key.slice(3);
      stored[outcome] = (stored[outcome] ?? 0) + n;
      byDate.set(date, stored);
    }
  return byDate;
}

export function sumOf(some: Iterable<Stored>): Counts {
  const sum: Record<string, number> = {};
  for (const stored of some)
    for (const [outcome, n] of Object.entries(stored)) sum[outcome] = (sum[outcome] ?? 0) + n;
  return toCounts(sum);
}

export function toCounts(stored: Stored): Counts {
  const { sent = 0, failed = 0, shown = 0, opened = 0, answered = 0 } = stored;
  const skipped = Object.fromEntries(
    Object.entries(stored)
      .filter(([outcome, n]) => outcome.startsWith(skippedFor) && n !== 0)
      .map(([outcome, n]) => [outcome.slice(skippedFor.length), n]),
  );
  const due = Object.values(skipped).reduce((sum, n) => sum + n, sent + failed);
  return { due, sent, failed, skipped, shown, opened, answered };
}
