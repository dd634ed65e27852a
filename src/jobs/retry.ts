const firstMs = 5_000;
const longestMs = 5 * 60_000;

/** When to try again after `attempts` tries: growing, jittered, and no later than the end of validity. */
export function retryAt(now: number, attempts: number, expiresAt: number): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** (attempts - 1));
  const delay = ceiling / 2 + Math.random() * (ceiling / 2);
  return Math.min(now + Math.round(delay), expiresAt);
}
