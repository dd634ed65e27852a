/** What the objects of one isolate do at once: they share a thread, on which more would keep each other's answers unread. */
const maxAtOnce = 128;

/** Longer than a delivery takes: who has a turn for so long was in an object that the runtime has ended. */
const lostAfterMs = 60_000;

/** Whoever waits looks again about when it is likely to have a turn, and after this long at the latest. */
const maxWaitMs = 10_000;

/** Runs some of the work that it is given at once, and has the rest look again: one object may not wake another. */
export function createTurns(now: () => number, max = maxAtOnce) {
  /** In the order in which they were taken. */
  const taken = new Map<symbol, number>();
  let waiting = 0;
  /** How long the last work took; at least a millisecond for each turn, so that few look in vain. */
  let tookMs = max;

  function take(): symbol | undefined {
    for (const [turn, at] of taken) {
      if (at + lostAfterMs >= now()) break;
      taken.delete(turn);
    }
    if (taken.size >= max) return;
    const turn = Symbol();
    taken.set(turn, now());
    return turn;
  }

  async function waitForTurn(): Promise<symbol> {
    waiting += 1;
    for (;;) {
      const waitMs = Math.min((waiting / max) * tookMs * (0.5 + Math.random()), maxWaitMs);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      const turn = take();
      if (!turn) continue;
      waiting -= 1;
      return turn;
    }
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    const turn = take() ?? (await waitForTurn());
    try {
      return await work();
    } finally {
      tookMs = Math.max(max, now() - (taken.get(turn) ?? now()));
      taken.delete(turn);
    }
  };
}
