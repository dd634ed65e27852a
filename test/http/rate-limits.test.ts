import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { networkOf } from '../../src/http/rate-limits.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { logStart } from '../../src/platform/cloudflare/start.ts';
import { tokenBuckets } from '../../src/platform/server/token-buckets.ts';
import type { LogEntry } from '../../src/services.ts';
import type { Answer, Person } from '../support/people.ts';
import { readChecked } from '../support/worker/contract.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { send, signUp, tokenOf } from '../support/worker/world.ts';

let ada: Person;
let bruno: Person;

beforeAll(async () => {
  [ada, bruno] = await Promise.all([signUp('Ada'), signUp('Bruno')]);
});

/** Buckets whose time stands still, so that none fills while a test is slow. */
const standing = (limit: number) => tokenBuckets(limit, () => 0);

/** An app with small limits, and a way to call it from an address. */
function limited({ user = 0, address = 0, code = 0 }) {
  const rateLimits = {
    user: standing(user),
    address: standing(address),
    code: standing(code),
    enrol: tokenBuckets(0),
  };
  const app = createApp({ ...createServices(env), rateLimits, log: () => {} }, readConfig(env));
  return async (path: string, from?: string, headers: Record<string, string> = {}): Promise<Answer> => {
    return readChecked('GET', path, await app.request(path, { headers }, { address: from }));
  };
}

const as = (token: string) => ({ authorization: `Bearer ${token}` });
const many = (times: number, ask: () => Promise<Answer>) => Promise.all(Array.from({ length: times }, ask));
const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

test('one request too many of a user is 429 with Retry-After, from whatever address; others go on', async () => {
  const call = limited({ user: 5 });
  const me = () => call('/user/me', `203.0.113.${Math.floor(Math.random() * 250)}`, as(ada.token));
  expect(statuses(await many(5, me))).toEqual(Array(5).fill(200));
  const refused = await me();
  expectProblem(refused, 'rate.limited');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(refused.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  expect((await call('/user/me', '203.0.113.1', as(bruno.token))).status).toBe(200);
});

test('a user is counted before anything is read: signed up or not', async () => {
  const call = limited({ user: 2 });
  const token = await tokenOf('nobody-yet');
  const answers = await many(3, () => call('/user/me', undefined, as(token)));
  expect(statuses(answers).toSorted()).toEqual([403, 403, 429]);
});

test('callers without a valid token are counted by address; callers with one pass, behind the same address', async () => {
  const call = limited({ address: 4 });
  const tries = [{}, as('nonsense'), as(await tokenOf('ada', { expiresIn: -3600 })), as('a.b.c')];
  for (const headers of tries) expect((await call('/user/me', '203.0.113.7', headers)).status).toBe(401);
  for (const headers of tries) {
    const refused = await call('/user/me', '203.0.113.7', headers);
    expectProblem(refused, 'rate.limited');
    expect(refused.headers.get('www-authenticate')).toBeNull();
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
  expect((await call('/user/me', '203.0.113.8')).status, 'another address').toBe(401);
  const behind = await many(20, () => call('/user/me', '203.0.113.7', as(ada.token)));
  expect(statuses(behind)).toEqual(Array(20).fill(200));
});

test('an address over its limit is refused before any work is done, until its time is over', async () => {
  const work = vi.fn();
  let now = Date.now();
  const services = { ...createServices(env), log: () => {}, now: () => now };
  const address = async () => {
    work();
    return { allowed: false as const, retryAfterSeconds: 10 };
  };
  const user = tokenBuckets(0);
  const app = createApp(
    { ...services, rateLimits: { user, address, code: user, enrol: user } },
    readConfig(env),
  );
  const ask = async () => (await app.request('/user/me', {}, { address: '203.0.113.7' })).status;
  expect([await ask(), await ask(), await ask()]).toEqual([429, 429, 429]);
  expect(work).toHaveBeenCalledTimes(1);
  now += 10_000;
  expect(await ask()).toBe(429);
  expect(work).toHaveBeenCalledTimes(2);
});

test('health and the pages of problems are exempt, and answer whoever is limited', async () => {
  const call = limited({ user: 1, address: 1 });
  await many(3, () => call('/user/me', '203.0.113.7'));
  for (const path of ['/health', '/problems/rate.limited'])
    expect(statuses(await many(10, () => call(path, '203.0.113.7'))), path).toEqual(Array(10).fill(200));
});

test('X-Forwarded-For counts for nothing here', async () => {
  const call = limited({ address: 2 });
  let n = 0;
  const spoofed = () => call('/user/me', '203.0.113.7', { 'x-forwarded-for': `198.51.100.${n++}` });
  expect(statuses(await many(3, spoofed)).toSorted()).toEqual([401, 401, 429]);
});

describe('the bindings of Cloudflare', () => {
  test('are asked, with the key of the caller, and refuse beyond the number in wrangler.toml', async () => {
    const { rateLimits } = createServices({ ...env, RATE_LIMIT_USER: '1', RATE_LIMIT_ADDRESS: '1' } as never);
    let refused: unknown;
    for (let n = 0; n < 1000 && !refused; n++) {
      const allowance = await rateLimits?.user('somebody');
      if (!allowance?.allowed) refused = allowance;
    }
    expect(refused).toEqual({ allowed: false, retryAfterSeconds: 10 });
    expect(await rateLimits?.user('somebody else')).toEqual({ allowed: true });
    expect(await rateLimits?.address('203.0.113.7')).toEqual({ allowed: true });
  });

  test('are not asked when switched off, and let everybody pass when they fail', async () => {
    const broken = {
      limit: async () => {
        throw new Error('out of reach');
      },
    };
    const asked = (RATE_LIMIT_USER: string, USER_RATE: RateLimit) =>
      createServices({ ...env, USER_RATE, RATE_LIMIT_USER } as never).rateLimits?.user('ada');
    expect(await asked('300', broken)).toEqual({ allowed: true });
    expect(await asked('0', { limit: async () => ({ success: false }) })).toEqual({ allowed: true });
    expect(await asked('300', { limit: async () => ({ success: false }) })).toMatchObject({ allowed: false });
  });

  test.each([
    [{ RATE_LIMIT_USER: '500', RATE_LIMIT_ADDRESS: '50' }, 'RATE_LIMIT_USER RATE_LIMIT_ADDRESS'],
    [{ RATE_LIMIT_USER: '0', RATE_LIMIT_ADDRESS: '50' }, 'RATE_LIMIT_ADDRESS'],
    [{ RATE_LIMIT_USER: '0', RATE_LIMIT_ADDRESS: '0' }, undefined],
    [{ RATE_LIMIT_USER: '', RATE_LIMIT_ADDRESS: undefined }, undefined],
  ])('a number in the environment has no effect, and the start says so: %j', async (given, ignored) => {
    const lines: LogEntry[] = [];
    logStart({ log: (line) => lines.push(line) }, { ...env, ...given });
    expect(lines[0]).toMatchObject({ event: 'start', runtime: 'workerd' });
    expect(lines.slice(1).map(({ event, settings }) => [event, settings])).toEqual(
      ignored ? [['settings.ignored', ignored]] : [],
    );
  });

  test('the front door reads the address that Cloudflare tells', async () => {
    const answer = await send('/user/me', { headers: { 'cf-connecting-ip': '203.0.113.7' } });
    expect(answer.status).toBe(401);
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:5678', '203.0.113.7'],
  ['[2001:db8:1:2::9]:5678', '2001:db8:1:2'],
  ['::ffff:203.0.113.7%eth0', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
