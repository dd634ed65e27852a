import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { catalogue, Problem } from '../errors.ts';
import type { RateLimits } from '../services.ts';
import type { Env } from './context.ts';
import { remember } from './remember.ts';

/** Limits each caller with a valid token, from any address. @throws rate.limited */
export const limitUsers = createMiddleware<Env>(async (c, next) => {
  const { issuer, subject } = c.get('identity');
  const waitSeconds = await count(c, 'user', `${issuer} ${subject}`);
  if (waitSeconds > 0) throw tooMany(waitSeconds);
  await next();
});

/**
 * Limits refused requests without a valid token by address. Requests with a valid token are not counted by address: a
 * whole hospital may share one. An address over its limit is refused before any work is done, unless its request may
 * have a valid token. @throws rate.limited
 */
export function limitRefused() {
  /** The end of each address's refusal, in epoch ms, by what was counted. */
  const refusedUntil = new Map<string, number>();
  return createMiddleware<Env>(async (c, next) => {
    const { address } = c.env ?? {};
    if (!address) return next();
    const network = networkOf(address);
    // Wrong codes of participants are counted apart, and fewer of them are answered.
    const kind = isOfCodes(c.req.path) ? 'code' : 'address';
    const key = `${kind} ${network}`;
    const { now } = c.get('services');
    const leftMs = (refusedUntil.get(key) ?? 0) - now();
    if (leftMs > 0 && !mayHaveToken(c)) throw tooMany(Math.ceil(leftMs / 1000));
    await next();
    const { status } = c.res;
    if (c.get('identity') || status < 400 || status >= 500 || uncounted.has(status)) return;
    // Only a right code conflicts with something, and its use was counted.
    if (kind === 'code' && status === catalogue['information.changed'].status) return;
    const waitSeconds = await count(c, kind, network);
    if (waitSeconds === 0) return;
    remember(refusedUntil, key, now() + waitSeconds * 1000);
    // The 429 replaces the answer that was counted.
    c.res.headers.delete('www-authenticate');
    throw tooMany(waitSeconds);
  });
}

/** A caller who hung up did nothing wrong, nor did the next person of a hall, whose code was right. */
const uncounted: ReadonlySet<number> = new Set([
  catalogue['client.closed'].status,
  catalogue['rate.limited'].status,
]);

/** Counts the use of a right code for the address, before it is used; looks at what a code is for are counted apart. @throws rate.limited */
export async function countUse(c: Context<Env>, kind: 'use' | 'about'): Promise<void> {
  const { address } = c.env ?? {};
  const key = address && (kind === 'use' ? networkOf(address) : `about ${networkOf(address)}`);
  const waitSeconds = key ? await count(c, 'enrol', key) : 0;
  if (waitSeconds > 0) throw tooMany(waitSeconds);
}

/** The push relay signs its messages instead, and participants enrol by a code: their headers carry no token. */
const mayHaveToken = (c: Context<Env>) =>
  c.req.header('authorization') !== undefined && !/^\/relay\//.test(c.req.path) && !isOfCodes(c.req.path);

const isOfCodes = (path: string) => path === '/enrol' || path === '/enrol/about';

/** Counts a request of the caller; resolves with the seconds to wait, 0 if it is allowed. */
async function count(
  c: Context<Env>,
  kind: Exclude<keyof RateLimits, 'charge'>,
  key: string,
): Promise<number> {
  const allowance = await c.get('services').rateLimits?.[kind](key);
  return !allowance || allowance.allowed ? 0 : allowance.retryAfterSeconds;
}

const tooMany = (retryAfterSeconds: number) =>
  new Problem('rate.limited', `Expected fewer requests: wait ${retryAfterSeconds} s.`, { retryAfterSeconds });

/**
 * The address to count: in IPv6 the /64, since a subscriber has at least that many addresses (RFC 6177). Some proxies add
 * the port, `1.2.3.4:5678` or `[2001:db8::1]:5678`, which does not count.
 */
export function networkOf(address: string): string {
  const host = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');
  const bare = host.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
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
