/** Pseudo-random numbers in [0, 1), the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/**
 * Runs `work` with the process's randomness replaced by one seed: `Math.random` (jitter) and `crypto.getRandomValues`
 * (identifiers). `setTimeout` waits in simulated time where `simulated` is true. All are restored at the end, so a
 * process can do only one run at a time.
 */
export async function deterministic<T>(
  seed: number,
  timers: { simulated: () => boolean; wait: (ms: number) => Promise<void> },
  work: () => Promise<T>,
): Promise<T> {
  const realRandom = Math.random;
  const realTimeout = globalThis.setTimeout;
  const random = seeded(seed);
  Math.random = random;
  crypto.getRandomValues = ((bytes: Uint8Array) => {
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(random() * 256);
    return bytes;
  }) as typeof crypto.getRandomValues;
  globalThis.setTimeout = ((callback: () => void, ms?: number, ...args: []) => {
    if (!timers.simulated()) return realTimeout(callback, ms, ...args);
    void timers.wait(ms ?? 0).then(() => callback(...args));
    return 0;
  }) as typeof setTimeout;
  try {
    return await work();
  } finally {
    Math.random = realRandom;
    globalThis.setTimeout = realTimeout;
    Reflect.deleteProperty(crypto, 'getRandomValues');
  }
}
