/** One operation of a history. Times are counts of what began and ended before; one without an answer never ended. */
export interface Operation<Op> {
  client: string;
  op: Op;
  began: number;
  ended: number;
}

/**
 * Whether some order of the operations explains every answer: one that keeps what ended before something else began in
 * front of it (Herlihy and Wing, 1990; the search is that of Wing and Gong, with the memory of Lowe). `step` gives the
 * state after an operation with its answer, or undefined when that answer cannot come from the state. An operation
 * without an answer may have happened at any time since, or not at all.
 */
export function isLinearizable<Op, State>(
  history: Operation<Op>[],
  initial: State,
  step: (state: State, op: Op) => State | undefined,
): boolean {
  const answered = history.filter(({ ended }) => ended !== Infinity).length;
  const seen = new Set<string>();

  const search = (done: bigint, answeredDone: number, state: State): boolean => {
    if (answeredDone === answered) return true;
    const key = `${done} ${JSON.stringify(state)}`;
    if (seen.has(key)) return false;
    seen.add(key);
    let firstEnd = Infinity;
    history.forEach(({ ended }, n) => {
      if (!((done >> BigInt(n)) & 1n)) firstEnd = Math.min(firstEnd, ended);
    });
    return history.some(({ op, began, ended }, n) => {
      if ((done >> BigInt(n)) & 1n || began > firstEnd) return false;
      const next = step(state, op);
      return (
        next !== undefined &&
        search(done | (1n << BigInt(n)), answeredDone + Number(ended !== Infinity), next)
      );
    });
  };
  return search(0n, 0, initial);
}

/** A history for people to read, and for a program to check again. */
export const published = <Op>(history: Operation<Op>[]): string =>
  history
    .toSorted((a, b) => a.began - b.began)
    .map(({ client, op, began, ended }) =>
      JSON.stringify({ began, ended: ended === Infinity ? null : ended, client, ...op }),
    )
    .join('\n');
