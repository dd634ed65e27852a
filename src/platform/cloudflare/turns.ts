/** The objects of one isolate share a thread, on which too many at once would keep each other's answers unread. */
const minAtOnce = 128;

/** Enough to fill the batches of a few delivery objects. */
const maxAtOnce = 512;

/** One more may run at once after work that took less than this, a tenth of the time of a push; half as many after other. */
const fastMs = 500;

/** Longer than a delivery takes: a turn that is held longer was that of an object that the runtime has ended. */
const lostAfterMs = 60_000;

/** Longest time until a delivery that waits looks for a turn again. */
const maxWaitMs = 10_000;

/** Runs some of the work that it is given at once, and has the rest look again: one object may not wake another. */
export function createTurns(now: () => number, { min = minAtOnce, max = maxAtOnce } = {}) {
  /** In the order in which they were taken. */
  const taken = new Map<symbol, number>();
  let atOnce = min;
  let waiting = 0;
  /** How long the last work took. */
  let tookMs = 0;

  function take(): symbol | undefined {
    for (const [turn, at] of taken) {
      if (at + lostAfterMs >= now()) break;
      taken.delete(turn);
    }
    if (taken.size >= atOnce) return;
    const turn = Symbol();
    taken.set(turn, now());
    return turn;
  }

  async function waitForTurn(): Promise<symbol> {
    waiting += 1;
    for (;;) {
      // They look as often as turns become free, and at most once a millisecond.
      const waitMs = Math.random() * waiting * Math.max(tookMs / atOnce, 1);
      await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, maxWaitMs)));
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
      tookMs = now() - (taken.get(turn) ?? now());
      atOnce = tookMs < fastMs ? Math.min(atOnce + 1, max) : Math.max(atOnce >> 1, min);
      taken.delete(turn);
    }
  };
}
