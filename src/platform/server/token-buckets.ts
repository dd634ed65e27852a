import type { Allowance } from '../../services.ts';

const periodMs = 10_000;
const maxKeys = 10_000;

/**
 * `limit` requests in ten seconds for each key, counted in this process: a bucket that holds that many tokens and fills
 * at an even pace. 0 disables the limit. The least recently used bucket is dropped, so that memory is bounded.
 */
export function tokenBuckets(limit: number, now: () => number = () => performance.now()) {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const perMs = limit / periodMs;

  return async (key: string): Promise<Allowance> => {
    if (limit === 0) return { allowed: true };
    const at = now();
    const known = buckets.get(key);
    const tokens = known ? Math.min(limit, known.tokens + Math.max(0, at - known.at) * perMs) : limit;
    const allowed = tokens >= 1;
    buckets.delete(key);
    buckets.set(key, { tokens: allowed ? tokens - 1 : tokens, at });
    for (const oldest of buckets.keys()) {
      if (buckets.size <= maxKeys) break;
      buckets.delete(oldest);
    }
    if (allowed) return { allowed };
    return { allowed, retryAfterSeconds: Math.ceil((1 - tokens) / perMs / 1000) };
  };
}
