import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWebPush, type WebPushSettings } from '../../../src/push/web-push/push.ts';
import { snsDefaults } from '../../../tools/fakes/sns/defaults.ts';
import { type LocalSns, startSns } from '../../../tools/fakes/sns/server.ts';
import { settingDefaults } from '../../../tools/settings/defaults.ts';
import { browserToken, plantFault, subscribe } from '../../support/phones.ts';

let local: LocalSns;
let world: { snsUrl: string };

beforeAll(async () => {
  local = await startSns({ ...snsDefaults, port: 0 });
  world = { snsUrl: local.url };
});
afterAll(() => local.close());

const vapid = { privateKey: settingDefaults.VAPID_PRIVATE_KEY, subject: settingDefaults.VAPID_SUBJECT };
const newPush = (more: Partial<WebPushSettings> = {}) =>
  createWebPush({ ...vapid, hosts: [`127.0.0.1:${local.port}`], local: true, ...more });

const data = { survey: 'b'.repeat(32), investigation: 'c'.repeat(32), notification: 'd'.repeat(32) };
const reminderFor = (endpoint: string) => ({
  endpoint,
  title: 'Sleep diary',
  body: 'Guten Morgen, Zoë! Wie hast du geschlafen? 😴',
  data,
  collapseId: data.notification,
  ttlSeconds: 3600.7,
});

/** A registered browser: its name for pushes, and its token at the push service. */
async function newBrowser(push = newPush()) {
  const subscription = await subscribe(world, await push.webPushKey?.());
  const canonical = push.canonicalToken?.({ platform: 'web', token: JSON.stringify(subscription) });
  if (!canonical || 'expected' in canonical) throw new Error(canonical?.expected);
  const registration = await push.register({ platform: 'web', token: canonical.token });
  if (registration.state !== 'registered') throw new Error(registration.error);
  return { subscription, endpoint: registration.endpoint, token: browserToken(subscription) };
}

const inboxOf = (token: string) => local.inbox.list().filter((push) => push.token === token);

test.each([
  [0.2, '1'],
  [1e9, String(28 * 24 * 3600)],
])('a push that is good for %s s has the TTL %s', async (ttlSeconds, TTL) => {
  const push = newPush();
  const { endpoint, token } = await newBrowser(push);
  await push.send({ ...reminderFor(endpoint), ttlSeconds });
  expect(inboxOf(token)).toMatchObject([{ attributes: { TTL } }]);
});

describe('the answer of the push service', () => {
  test.each([
    [30, 30_000],
    ['Mon, 01 Mar 2027 12:00:10 GMT', 10_000],
    ['Mon, 01 Mar 2027 11:00:00 GMT', undefined],
    ['soon', undefined],
  ])('Retry-After: %s', async (retryAfter, retryAfterMs) => {
    const push = newPush({ now: () => Date.UTC(2027, 2, 1, 12) });
    const { endpoint, token } = await newBrowser();
    await plantFault(world, { action: 'WebPush', token, status: 429, retryAfter });
    expect(await push.send(reminderFor(endpoint))).toEqual({
      state: 'retry',
      error: 'HTTP 429',
      ...(retryAfterMs && { retryAfterMs }),
    });
  });
});

test('of a message that its push service names by a long URL, the history has the end', async () => {
  const { endpoint } = await newBrowser();
  const idOf = async (location: string) => {
    const answer = async () => new Response(null, { status: 201, headers: { location } });
    const outcome = await newPush({ fetch: answer }).send(reminderFor(endpoint));
    return outcome.state === 'sent' ? outcome.messageId : outcome;
  };
  expect(await idOf('https://fcm.googleapis.com/0:1700000000%31bd1c9631bd1c96')).toBe(
    '0:1700000000%31bd1c9631bd1c96',
  );
  expect(await idOf(`https://updates.push.services.mozilla.com/m/${'s'.repeat(200)}end/`)).toBe(
    `${'s'.repeat(37)}end`,
  );
});

/** The end of the token of a push's request, in epoch seconds. */
const expiryOf = (headers: Headers) => {
  const [, claims = ''] = (headers.get('authorization') ?? '').split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).exp as number;
};

test.each([
  ['ahead', 40 * 3600_000],
  ['ahead by a little', 30_000],
  ['behind', -40 * 3600_000],
])('a token that was signed while the clock was %s is not kept once it is right', async (_, wrongMs) => {
  const right = Date.parse('2027-03-01T08:00:00Z');
  let now = right + wrongMs;
  const expiries: number[] = [];
  const push = newPush({
    now: () => now,
    fetch: async (_, init) => {
      expiries.push(expiryOf(new Headers(init?.headers)));
      return new Response(null, { status: 201 });
    },
  });
  const { endpoint } = await newBrowser(push);
  await push.send(reminderFor(endpoint));
  now = right;
  await push.send(reminderFor(endpoint));
  now += 60_000;
  await push.send(reminderFor(endpoint));
  const [wrong = 0, ...others] = expiries;
  const end = right / 1000 + 12 * 3600;
  expect(wrong).toBe(end + wrongMs / 1000);
  // Signed once more, and then kept.
  expect(others).toEqual([end, end]);
});

test('a key that is none, which the operator can repair, keeps pushes waiting', async () => {
  const { endpoint } = await newBrowser();
  const push = newPush({ privateKey: 'A'.repeat(43) });
  expect(await push.send(reminderFor(endpoint))).toEqual({
    state: 'misconfigured',
    error: 'InvalidVapidKey',
  });
});

describe('a subscription', () => {
  const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
  const auth = 'BTBZMqHH6r4Tts7J_aSIgg';
  const fcm = { endpoint: 'https://fcm.googleapis.com/fcm/send/abc', keys: { p256dh, auth } };
  const hosts = [
    'fcm.googleapis.com',
    '*.push.services.mozilla.com',
    'push.example.org:8443',
    'localhost:8788',
  ];
  const read = (subscription: unknown, local = false) => {
    const canonical = createWebPush({ ...vapid, hosts, local }).canonicalToken?.({
      platform: 'web',
      token: typeof subscription === 'string' ? subscription : JSON.stringify(subscription),
    });
    return canonical && 'token' in canonical ? JSON.parse(canonical.token) : canonical;
  };

  test('has one text, whatever form its JSON has', () => {
    const base64 = (text: string) => `${text.replaceAll('-', '+').replaceAll('_', '/')}=`;
    for (const same of [
      fcm,
      { keys: { auth, p256dh, more: 1 }, expirationTime: null, endpoint: fcm.endpoint },
      { ...fcm, endpoint: 'HTTPS://FCM.googleapis.com:443/fcm/./send/abc' },
      { ...fcm, keys: { p256dh: base64(p256dh), auth: `${base64(auth)}=` } },
    ])
      expect(read(same)).toEqual(fcm);
  });

  test.each([
    'https://fcm.googleapis.com/x',
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://push.example.org:8443/x',
    'https://localhost:8788/x',
  ])('at %s is taken', (endpoint) => expect(read({ ...fcm, endpoint })).toMatchObject({ endpoint }));

  test.each([
    'http://fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8443/x',
    'https://fcm.googleapis.com./x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evil.example/fcm.googleapis.com',
    'https://evil.example#.push.services.mozilla.com',
    'https://user:secret@fcm.googleapis.com/x',
    'https://fcm.googleapis.com@evil.example/x',
    'https://evilpush.services.mozilla.com/x',
    'https://push.services.mozilla.com/x',
    'https://push.example.org/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/x',
    'https://10.0.0.1/x',
    'http://localhost:8788/x',
    'ftp://fcm.googleapis.com/x',
    'fcm.googleapis.com',
    '',
  ])('at %s is refused', (endpoint) => {
    expect(read({ ...fcm, endpoint })).toEqual({ expected: expect.stringContaining('`endpoint`') });
  });

  test('at a listed loopback address is taken by http in local mode, and at no other', () => {
    const at = (endpoint: string) => read({ ...fcm, endpoint }, true);
    expect(at('http://localhost:8788/x')).toMatchObject({ endpoint: 'http://localhost:8788/x' });
    for (const other of ['http://localhost:8789/x', 'http://127.0.0.1:8788/x', 'http://fcm.googleapis.com/x'])
      expect(at(other)).toHaveProperty('expected');
  });

  test.each([
    ['no JSON', 'a-token'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '5'],
    ['no keys', { endpoint: fcm.endpoint }],
    ['a key of another length', { ...fcm, keys: { p256dh: p256dh.slice(4), auth } }],
    ['a compressed point', { ...fcm, keys: { p256dh: `A${p256dh.slice(1, 44)}`, auth } }],
    ['a key in another alphabet', { ...fcm, keys: { p256dh: p256dh.replace('B', '!'), auth } }],
    ['a secret of another length', { ...fcm, keys: { p256dh, auth: auth.slice(2) } }],
    ['a secret that is no text', { ...fcm, keys: { p256dh, auth: 5 } }],
  ])('with %s is refused', (_, subscription) => {
    expect(read(subscription)).toEqual({ expected: expect.stringMatching(/^Expected /) });
  });

  test('with a key that is no point of the curve is refused', async () => {
    const off = JSON.stringify({ ...fcm, keys: { p256dh: `${p256dh.slice(0, -2)}AA`, auth } });
    const push = createWebPush({ ...vapid, hosts, local: false });
    expect(await push.register({ platform: 'web', token: off })).toEqual({
      state: 'refused',
      error: 'InvalidKey',
    });
  });

  test('that was registered before its host left the list gets no push', async () => {
    let asked = 0;
    const push = newPush({
      hosts: [],
      fetch: async () => {
        asked += 1;
        return new Response(null, { status: 201 });
      },
    });
    const { endpoint } = await newBrowser();
    expect(await push.send(reminderFor(endpoint))).toEqual({ state: 'failed', error: 'InvalidSubscription' });
    expect(asked).toBe(0);
  });
});
