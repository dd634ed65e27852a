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

/** A number for a text (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193);
  return hash;
}

/** A stream of numbers in [0, 1) of its own for each text. */
const streamOf = (seed: number, text: string) => seeded(seed ^ hashOf(text));

/**
 * Draws for somebody who asks, by the minute: a service that asks more often in one minute, or in another order, meets the
 * same study in the next.
 */
export function drawsByMinute(seed: number, at: () => number): (who: string) => number {
  const streams = new Map<string, () => number>();
  let minute = 0;
  return (who) => {
    if (Math.floor(at() / 60_000) !== minute) streams.clear();
    minute = Math.floor(at() / 60_000);
    const stream = streams.get(who) ?? streamOf(seed, `${who} ${minute}`);
    streams.set(who, stream);
    return stream();
  };
}

export interface Simulated {
  /** The name of the work under way, which no other work has; undefined: the work is none of the simulation's. */
  work(): string | undefined;
  wait(ms: number): Promise<void>;
}

/**
 * Runs `work` with the process's randomness replaced by one seed: `Math.random` (jitter) and `crypto.getRandomValues`
 * (identifiers and secrets, of which each work has a stream for each length). `setTimeout` waits in simulated time within
 * the simulation's work. All are restored at the end, so a process can do only one run at a time.
 */
export async function deterministic<T>(
  seed: number,
  simulated: Simulated,
  work: () => Promise<T>,
): Promise<T> {
  const realRandom = Math.random;
  const realTimeout = globalThis.setTimeout;
  const streams = new Map<string, () => number>();
  Math.random = seeded(seed);
  crypto.getRandomValues = ((bytes: Uint8Array) => {
    const key = `${simulated.work() ?? ''} ${bytes.length}`;
    const stream = streams.get(key) ?? streamOf(seed, key);
    streams.set(key, stream);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(stream() * 256);
    return bytes;
  }) as typeof crypto.getRandomValues;
  globalThis.setTimeout = ((callback: () => void, ms?: number, ...args: []) => {
    if (simulated.work() === undefined) return realTimeout(callback, ms, ...args);
    void simulated.wait(ms ?? 0).then(() => callback(...args));
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
