/** An occurrence that would be pushed. */
export interface Candidate {
  /** Its local date. */
  on: string;
  study: string;
  /** Epoch ms: when the user began to take part in the study. */
  joinedAt: number;
}

/** The user's occurrences of one date in one study: how many were sent, and how many are pending. */
export interface DayTally extends Candidate {
  sent: number;
  pending: number;
}

/**
 * The candidates that fit into `max` pushes a date. Studies that the user joined first are served first: their pending
 * occurrences keep their room, even if they are due later.
 */
export function withinDailyLimit<C extends Candidate>(
  candidates: readonly C[],
  tallies: readonly DayTally[],
  max: number,
): Set<C> {
  const allowed = new Set<C>();
  const inOrder = candidates.toSorted((a, b) => (isOlder(a, b) ? -1 : isOlder(b, a) ? 1 : 0));
  for (const candidate of inOrder) {
    const ofDate = tallies.filter(({ on }) => on === candidate.on);
    const sent = sum(ofDate, (tally) => tally.sent);
    const granted = [...allowed].filter(({ on }) => on === candidate.on).length;
    const older = <T extends Candidate>(list: readonly T[]) =>
      list.filter((one) => one.on === candidate.on && isOlder(one, candidate));
    const reserved = sum(older(ofDate), (tally) => tally.pending) - older(candidates).length;
    if (sent + granted + Math.max(0, reserved) < max) allowed.add(candidate);
  }
  return allowed;
}

const isOlder = (a: Candidate, b: Candidate) =>
  a.joinedAt < b.joinedAt || (a.joinedAt === b.joinedAt && a.study < b.study);

const sum = <T>(list: readonly T[], of: (one: T) => number) =>
  list.reduce((total, one) => total + of(one), 0);
