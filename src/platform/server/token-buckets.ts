import type { Allowance } from '../../services.ts';

const maxKeys = 10_000;

/**
 * `limit` requests in a period (ten seconds) for each key, counted in this process: a bucket that holds that many tokens
 * and fills at an even pace. 0 disables the limit. The least recently used bucket is dropped, so that memory is bounded.
 * `charge` takes tokens whether or not they are there: the bucket then owes them, at most as many as it holds when full.
 */
export function tokenBuckets(limit: number, now: () => number = () => performance.now(), periodMs = 10_000) {
  const buckets = new Map<string, { tokens: number; at: number }>();
  const perMs = limit / periodMs;

  const filled = (key: string, at: number) => {
    const known = buckets.get(key);
    return known ? Math.min(limit, known.tokens + Math.max(0, at - known.at) * perMs) : limit;
  };

  const keep = (key: string, bucket: { tokens: number; at: number }) => {
    buckets.delete(key);
    buckets.set(key, bucket);
    for (const oldest of buckets.keys()) {
      if (buckets.size <= maxKeys) break;
      buckets.delete(oldest);
    }
  };

  const count = async (key: string): Promise<Allowance> => {
    if (limit === 0) return { allowed: true };
    const at = now();
    const tokens = filled(key, at);
    const allowed = tokens >= 1;
    keep(key, { tokens: allowed ? tokens - 1 : tokens, at });
    if (allowed) return { allowed };
    return { allowed, retryAfterSeconds: Math.ceil((1 - tokens) / perMs / 1000) };
  };

  const charge = (key: string, taken: number): void => {
    const at = now();
    keep(key, { tokens: Math.max(-limit, filled(key, at) - taken), at });
  };
  return Object.assign(count, { charge });
}
