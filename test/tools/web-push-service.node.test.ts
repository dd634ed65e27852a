import { afterAll, describe, expect, test } from 'vitest';
import { encrypt } from '../../src/push/web-push/encryption.ts';
import { createVapid } from '../../src/push/web-push/vapid.ts';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { startSns } from '../../tools/fakes/sns/server.ts';
import { settingDefaults } from '../../tools/settings/defaults.ts';
import { browserToken, plantFault, type Subscription, subscribe, tellSns } from '../support/phones.ts';

const noon = Date.UTC(2027, 2, 1, 12);
const sns = await startSns({ ...snsDefaults, port: 0, now: () => noon });
const world = { snsUrl: sns.url };
afterAll(() => sns.close());

const subject = settingDefaults.VAPID_SUBJECT;
const vapid = createVapid({ privateKey: settingDefaults.VAPID_PRIVATE_KEY, subject });

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
const seal = (text: string, { keys }: Subscription) =>
  encrypt(text, { p256dh: bytesOf(keys.p256dh), auth: bytesOf(keys.auth) });

interface Changes {
  headers?: Record<string, string | undefined>;
  body?: Uint8Array<ArrayBuffer>;
}

/** Pushes as a service would; undefined leaves a header out. */
async function push(subscription: Subscription, { headers = {}, body }: Changes = {}) {
  const all = {
    authorization: await vapid.authorization(sns.url, noon),
    ttl: '60',
    'content-encoding': 'aes128gcm',
    ...headers,
  };
  const given = Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined);
  return fetch(subscription.endpoint, {
    method: 'POST',
    headers: Object.fromEntries(given),
    body: body ?? (await seal('{"title":"Diary"}', subscription)),
  });
}

const inboxOf = (subscription: Subscription) =>
  sns.inbox.list().filter(({ token }) => token === browserToken(subscription));

test('a push that keeps all rules is created, and in the inbox', async () => {
  const browser = await subscribe(world);
  const answer = await push(browser, { headers: { topic: 'x'.repeat(32), urgency: 'low' } });
  expect(answer.status).toBe(201);
  const [entry] = inboxOf(browser);
  expect(answer.headers.get('location')).toBe(`${sns.url}/web-push/message/${entry?.messageId}`);
  expect(entry).toMatchObject({
    at: new Date(noon).toISOString(),
    platform: 'web',
    title: 'Diary',
    body: null,
    data: {},
    attributes: { TTL: '60', Topic: 'x'.repeat(32), Urgency: 'low' },
  });
});

test.each([
  [401, 'no sender', { headers: { authorization: undefined } }],
  [401, 'another scheme', { headers: { authorization: 'WebPush abc' } }],
  [400, 'no TTL', { headers: { ttl: undefined } }],
  [400, 'a TTL that is no number', { headers: { ttl: '1h' } }],
  [400, 'a long Topic', { headers: { topic: 'x'.repeat(33) } }],
  [400, 'a Topic of another alphabet', { headers: { topic: 'a.b' } }],
  [400, 'an unknown Urgency', { headers: { urgency: 'urgent' } }],
  [400, 'the coding of a draft', { headers: { 'content-encoding': 'aesgcm' } }],
  [400, 'a body that is not encrypted', { body: new Uint8Array(200) }],
  [413, 'too long a body', { body: new Uint8Array(4097) }],
])('%s: a push with %s is refused', async (status, _, changes) => {
  const browser = await subscribe(world);
  expect((await push(browser, changes)).status).toBe(status);
  expect(inboxOf(browser)).toEqual([]);
});

describe('the token of a sender', () => {
  const refusedWith = async (authorization: string) => {
    const answer = await push(await subscribe(world), { headers: { authorization } });
    return { status: answer.status, text: await answer.text() };
  };
  const refusal = (reason: RegExp) => ({ status: 403, text: expect.stringMatching(reason) });

  test('is of this push service', async () => {
    expect(await refusedWith(await vapid.authorization('https://elsewhere.example', noon))).toEqual(
      refusal(/audience/),
    );
  });

  test('has not expired, and expires within 24 hours', async () => {
    const hour = 3600_000;
    const fresh = () => createVapid({ privateKey: settingDefaults.VAPID_PRIVATE_KEY, subject });
    for (const at of [noon - 13 * hour, noon + 13 * hour])
      expect(await refusedWith(await fresh().authorization(sns.url, at))).toEqual(refusal(/expires/));
  });

  test('is signed by the key that it names', async () => {
    const [token] = (await vapid.authorization(sns.url, noon)).split(', k=');
    const other = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8';
    expect(await refusedWith(`${token}, k=${other}`)).toEqual(refusal(/signed/));
  });

  test('names somebody who can be reached', async () => {
    const nobody = createVapid({ privateKey: settingDefaults.VAPID_PRIVATE_KEY, subject: 'me' });
    expect(await refusedWith(await nobody.authorization(sns.url, noon))).toEqual(refusal(/subject/));
  });

  test('is by the key with which the page subscribed, if it named one', async () => {
    const own = await vapid.publicKey();
    expect((await push(await subscribe(world, own))).status).toBe(201);
    const foreign = await subscribe(
      world,
      'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8',
    );
    expect((await push(foreign)).status).toBe(403);
  });
});

test('a subscription that has ended is gone, and one that never was is not found', async () => {
  const browser = await subscribe(world);
  await tellSns(world, '/phones/disable', { token: browserToken(browser) });
  expect((await push(browser)).status).toBe(410);
  expect((await push({ ...browser, endpoint: `${sns.url}/web-push/nobody` })).status).toBe(404);
});

test.each([404, 410, 413, 429, 500, 503])('%s on request, as often as was asked for', async (status) => {
  const browser = await subscribe(world);
  const fault = { action: 'WebPush', token: browserToken(browser), status, retryAfter: 7 };
  await plantFault(world, fault);
  const answer = await push(browser);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, '7']);
  expect(inboxOf(browser)).toEqual([]);
  // A subscription that has ended stays so.
  expect((await push(browser)).status).toBe(status === 404 || status === 410 ? 410 : 201);
});

test('a status alone is a fault of web pushes only', async () => {
  await expect(plantFault(world, { action: 'Publish', status: 500 })).rejects.toThrow('400');
});

test('a browser is among the phones, without its secrets', async () => {
  const browser = await subscribe(world);
  const phones = (await (await fetch(`${sns.url}/phones`)).json()) as { token: string }[];
  expect(phones.find(({ token }) => token === browserToken(browser))).toEqual({
    arn: browser.endpoint,
    platform: 'web',
    token: browserToken(browser),
    enabled: true,
  });
});
