import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { catalogue, Problem } from '../errors.ts';
import type { Env } from './context.ts';

/** Limits each caller with a valid token, from whatever address they call. @throws rate.limited */
export const limitUsers = createMiddleware<Env>(async (c, next) => {
  const { issuer, subject } = c.get('identity');
  await count(c, 'user', `${issuer} ${subject}`);
  await next();
});

/**
 * Limits refused requests without a valid token by address. Requests with a valid token are not counted by address: a
 * whole hospital may share one. @throws rate.limited
 */
export const limitRefused = createMiddleware<Env>(async (c, next) => {
  await next();
  const { address } = c.env ?? {};
  const { status } = c.res;
  if (!address || c.get('identity') || status < 400 || status >= 500 || status === hungUp) return;
  await count(c, 'address', networkOf(address));
});

const hungUp = catalogue['client.closed'].status;

async function count(c: Context<Env>, kind: 'user' | 'address', key: string) {
  const allowance = await c.get('services').rateLimits?.[kind](key);
  if (!allowance || allowance.allowed) return;
  const { retryAfterSeconds } = allowance;
  // The 429 replaces the answer that was counted.
  c.res.headers.delete('www-authenticate');
  throw new Problem('rate.limited', `Expected fewer requests: wait ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  });
}

/** The address to count: in IPv6 the /64, since a subscriber has at least that many addresses (RFC 6177). */
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
