import { type Facts, stamp } from './facts.ts';

/** Longest time between reading the state of a study and settling by it, with every retry. */
const decidingMs = 3 * 60_000;

/** Reminders are skipped as `study-frozen` while their study is frozen, and return when the freeze has ended. */
export function findWrongFreezes({ run, rows }: Facts): string[] {
  const { frozen } = run.records.study;
  // Rows are settled by the server's clock, which such a fault moves away from true time.
  const clockMoves = run.scenario.faults.some(({ what }) => what === 'clock');
  return rows.flatMap(({ on, reason, settledAt }) => {
    if (reason !== 'study-frozen' || settledAt === null) return [];
    const during: [number, number] = clockMoves
      ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
      : [settledAt - decidingMs, settledAt + decidingMs];
    return frozen.possible(...during).includes(true)
      ? []
      : [`${on}: skipped as study-frozen at ${stamp(settledAt)}, when the study was not frozen`];
  });
}
