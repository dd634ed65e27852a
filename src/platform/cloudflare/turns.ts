/** The objects of one isolate share a thread. With too many at work at once, answers wait too long to be read. */
const minConcurrency = 128;

/** Enough to fill the batches of a few delivery objects. */
const maxConcurrency = 512;

/**
 * After work that took less than this, a tenth of the time limit of a push, one more may run at once; after slower work
 * half as many.
 */
const fastMs = 500;

/** Longer than a delivery takes: a turn that is held longer belonged to an object that the runtime has ended. */
const lostAfterMs = 60_000;

/** Longest time after which a waiting delivery asks for a turn again. */
const maxWaitMs = 10_000;

/**
 * Runs as much of the given work at once as there are turns. The rest asks again later, since one object may not wake
 * another.
 */
export function createTurns(now: () => number, { min = minConcurrency, max = maxConcurrency } = {}) {
  /** In the order in which they were taken. */
  const taken = new Map<symbol, number>();
  let concurrency = min;
  let waiting = 0;
  /** How long the last work took. */
  let tookMs = 0;

  function take(): symbol | undefined {
    for (const [turn, at] of taken) {
      if (at + lostAfterMs >= now()) break;
      taken.delete(turn);
    }
    if (taken.size >= concurrency) return;
    const turn = Symbol();
    taken.set(turn, now());
    return turn;
  }

  async function waitForTurn(): Promise<symbol> {
    waiting += 1;
    for (;;) {
      // They ask as often as turns become free, but at most once a millisecond.
      const waitMs = Math.random() * waiting * Math.max(tookMs / concurrency, 1);
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
      concurrency = tookMs < fastMs ? Math.min(concurrency + 1, max) : Math.max(concurrency >> 1, min);
      taken.delete(turn);
    }
  };
}
