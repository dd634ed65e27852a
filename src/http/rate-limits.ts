import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { Problem } from '../errors.ts';
import type { Env } from './context.ts';

/** Each caller with a valid token has an allowance of their own, wherever they call from. @throws rate.limited */
export const limitUsers = createMiddleware<Env>(async (c, next) => {
  const { issuer, subject } = c.get('identity');
  await count(c, 'user', `${issuer} ${subject}`);
  await next();
});

/**
 * Whoever is refused without a valid token is counted by address. Valid tokens never are: a whole hospital may stand
 * behind one address. @throws rate.limited
 */
export const limitRefused = createMiddleware<Env>(async (c, next) => {
  await next();
  const { address } = c.env ?? {};
  if (!address || c.get('identity') || c.res.status < 400 || c.res.status >= 500) return;
  await count(c, 'address', networkOf(address));
});

async function count(c: Context<Env>, kind: 'user' | 'address', key: string) {
  const allowance = await c.get('services').rateLimits?.[kind](key);
  if (!allowance || allowance.allowed) return;
  const { retryAfterSeconds } = allowance;
  // A refusal that was counted is not what is answered.
  c.res.headers.delete('www-authenticate');
  throw new Problem('rate.limited', `Expected fewer requests: wait ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}

/** One subscriber of IPv6 has at least 2^64 addresses (RFC 6177): they count as one. */
export function networkOf(address: string): string {
  const bare = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!bare.includes(':')) return bare;
  const [head = '', tail] = bare.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = [...before, ...Array(Math.max(0, 8 - before.length - after.length)).fill('0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
