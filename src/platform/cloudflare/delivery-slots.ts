/** The objects of one isolate share a thread. With too many at work at once, answers wait too long to be read. */
const minConcurrency = 128;

/** Enough to fill the batches of a few delivery objects. */
const maxConcurrency = 512;

/**
 * After work that took less than this, a tenth of the time limit of a push, one more may run at once; after slower work
 * half as many.
 */
const fastMs = 500;

/** Longer than a delivery takes: a slot held for longer belonged to an object that the runtime has ended. */
const lostAfterMs = 60_000;

/** After 5 to 15 seconds waiting work tries again by itself, if nothing has woken it. */
const defaultRetryMs = 10_000;

/**
 * Runs as much work at once as there are slots. Finished work wakes the next, also that of another object: the runtime
 * continues it there (its flag `handle_cross_request_promise_resolution`, which its date implies).
 */
export function createDeliverySlots(
  now: () => number,
  { min = minConcurrency, max = maxConcurrency, retryMs = defaultRetryMs } = {},
) {
  /** Taken slots and their times, in the order in which they were taken. */
  const taken = new Map<symbol, number>();
  const waiting = new Set<() => void>();
  let concurrency = min;

  function take(): symbol | undefined {
    for (const [slot, at] of taken) {
      if (at + lostAfterMs >= now()) break;
      taken.delete(slot);
    }
    if (taken.size >= concurrency) return;
    const slot = Symbol();
    taken.set(slot, now());
    return slot;
  }

  async function waitForSlot(): Promise<symbol> {
    for (;;) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, retryMs * (0.5 + Math.random()));
      waiting.add(resolve);
      await promise;
      clearTimeout(timer);
      waiting.delete(resolve);
      const slot = take();
      if (slot) return slot;
    }
  }

  /** Woken work takes a slot if it is still there, so that waking work that the runtime has ended costs nothing. */
  function wakeNext() {
    for (const wake of waiting.values().take(Math.max(concurrency - taken.size, 0))) {
      waiting.delete(wake);
      wake();
    }
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    const slot = take() ?? (await waitForSlot());
    const since = now();
    try {
      return await work();
    } finally {
      concurrency = now() - since < fastMs ? Math.min(concurrency + 1, max) : Math.max(concurrency >> 1, min);
      taken.delete(slot);
      wakeNext();
    }
  };
}
