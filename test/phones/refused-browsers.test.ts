import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { servicesOf } from '../../src/platform/cloudflare/services.ts';
import { createPush } from '../../src/platform/push-services.ts';
import { ringAt } from '../reminders/support/nudges.ts';
import { type Answer, type Person, requestOf, type Sent } from '../support/people.ts';
import { browserToken, inboxOf, plantFault, type Subscription, subscribe } from '../support/phones.ts';
import type { Study } from '../support/studies.ts';
import { newApp } from '../support/worker/apps.ts';
import { minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { nextLook } from '../support/worker/reminder-tables.ts';
import { armedFor, daily, history } from '../support/worker/reminders.ts';
import { newPhone, send, sleepStudy, world } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');

let study: Study;
let chidi: Person;

beforeEach(async () => {
  setClock(startOfTests);
  study = await sleepStudy({ ...daily, expiresAfter: 60 });
  chidi = study.responder;
  // Earlier tests, whose clocks were others, have left counts of what push services took and refused.
  await servicesOf(env).meter.flush(true);
  await env.DB.exec("delete from job_run where name like 'relay-refused%'");
});

const newKey = async () => {
  const pair = (await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
  ])) as CryptoKeyPair;
  return ((await crypto.subtle.exportKey('jwk', pair.privateKey)) as JsonWebKey).d as string;
};

/** The service as it was under another key. */
const serviceWithKey = async (privateKey: string) =>
  newApp({ push: createPush(readConfig({ ...env, VAPID_PRIVATE_KEY: privateKey })) });

interface Sends {
  send(path: string, request: Sent): Promise<Answer>;
}

const keyOf = async (service: Sends) =>
  (await service.send('/push/key', requestOf({}))).body.publicKey as string;

const register = (browser: Subscription, service: Sends = world, of = chidi) =>
  service.send(
    '/user/me/device',
    requestOf({
      method: 'POST',
      token: of.token,
      body: { platform: 'web', token: JSON.stringify(browser), timeZone: 'Europe/Paris' },
    }),
  );

async function browserOf(service: Sends = world, of = chidi) {
  const browser = await subscribe(world, await keyOf(service));
  expect((await register(browser, service, of)).status).toBe(201);
  return browser;
}

const breakPushes = (browser: Subscription, fault: object) =>
  plantFault(world, { action: 'WebPush', token: browserToken(browser), ...fault });

const mend = (browser: Subscription) =>
  fetch(`${env.SNS_ENDPOINT}faults?token=${browserToken(browser)}`, { method: 'DELETE' });

const ring = async (at: number, of = chidi) => {
  await armedFor(of, new Date(due).toISOString()).catch(() => undefined);
  await ringAt(of, at);
};

const evening = async (of = chidi) => (await history(of)).find(({ on }) => on === '2027-03-01');

const nextAttempt = (of = chidi) => nextLook(of.id);

const enabled = async () =>
  (await chidi.get('/user/me/devices')).body.devices.map(({ enabled }: { enabled: boolean }) => enabled);

const attention = async () =>
  (await study.owner.get(`/investigation/${study.id}/compliance?user=${chidi.id}`)).body.participants[0]
    .attention;

const isRefused = async () => {
  await servicesOf(env).meter.flush(true);
  return (await send('/health/ready')).body.causes.includes('relay');
};

test.each([
  ['401', { status: 401 }, 'HTTP 401'],
  ['403', { status: 403 }, 'HTTP 403'],
  ["Apple's 403", { status: 403, body: '{"reason":"BadJwtToken"}' }, 'HTTP 403 BadJwtToken'],
  [
    "Apple's 400 for a key",
    { status: 400, body: '{"reason":"VapidPkHashMismatch"}' },
    'HTTP 400 VapidPkHashMismatch',
  ],
])(
  '%s to a browser of our own key is tried until the reminder expires, and is no end of the browser',
  async (_, fault, error) => {
    const browser = await browserOf();
    await breakPushes(browser, { ...fault, times: null });
    await ring(due);
    expect(await evening()).toMatchObject({ state: 'scheduled', deliveries: [{ error }] });
    expect(await isRefused()).toBe(true);
    await ringAt(chidi, due + 30 * minutes);
    expect(await evening()).toMatchObject({ state: 'scheduled', deliveries: [{ error }] });
    await mend(browser);
    await ringAt(chidi, due + 45 * minutes);
    expect(await evening()).toMatchObject({ state: 'sent' });
    expect(await inboxOf(world, browserToken(browser))).toHaveLength(1);
    expect(await enabled()).toEqual([true]);
    expect(await isRefused(), 'the push service takes pushes again').toBe(false);
  },
);

test('a fault that nobody mends costs the reminder, and not the browser', async () => {
  const browser = await browserOf();
  await breakPushes(browser, { status: 403, times: null });
  await ring(due);
  await ringAt(chidi, due + 61 * minutes);
  expect(await evening()).toMatchObject({ state: 'failed', deliveries: [{ error: 'HTTP 403' }] });
  expect(await enabled()).toEqual([true]);
  await mend(browser);
});

test('a push service that refuses is named, whatever others take', async () => {
  const browser = await browserOf();
  const phone = await newPhone(chidi);
  await breakPushes(browser, { status: 403, times: null });
  await ring(due);
  expect(await phone.inbox()).toHaveLength(1);
  expect(await isRefused()).toBe(true);
  const { results } = await env.DB.prepare("select name from job_run where name like 'relay-%'").all();
  expect(results).toEqual([{ name: `relay-refused ${new URL(browser.endpoint).host}` }]);
  const metrics = await env.DB.prepare(
    "select value from metric where name like 'fieldbell_relay_refusals_total%'",
  ).all();
  expect(metrics.results.length).toBeGreaterThan(0);
  await mend(browser);
});

test('a browser that another one passes by at the same push service says nothing of it', async () => {
  const [broken, whole] = [await browserOf(), await browserOf()];
  await breakPushes(broken, { status: 403 });
  await ring(due);
  expect(await inboxOf(world, browserToken(whole))).toHaveLength(1);
  await ringAt(chidi, await nextAttempt());
  expect(await isRefused()).toBe(false);
});

test('a subscription that was made for another key ends, and its person is unreachable', async () => {
  const before = await serviceWithKey(await newKey());
  const browser = await browserOf(before);
  expect(await attention()).not.toContain('unreachable');
  await ring(due);
  expect(await evening()).toMatchObject({
    state: 'failed',
    deliveries: [{ error: 'HTTP 403: OtherVapidKey' }],
  });
  expect(await enabled()).toEqual([false]);
  expect(await attention()).toContain('unreachable');
  expect(await isRefused(), 'a fault of the browser, not of the deployment').toBe(false);
  // A page that compares the keys comes back with another subscription.
  const refused = await changingNothing(() => register(browser));
  expectProblem(refused, 'device.token-refused');
  expect(refused.body.errors[0].detail).toContain('GET /push/key');
  const next = await subscribe(world, await keyOf(world));
  expect((await register(next)).status).toBe(201);
  expect(await attention()).not.toContain('unreachable');
});

test('a key that comes back finds its subscriptions again', async () => {
  const browser = await browserOf();
  const after = await serviceWithKey(await newKey());
  expectProblem(await register(browser, after), 'device.token-refused');
  expect((await register(browser)).status).toBe(200);
  await ring(due);
  expect(await evening()).toMatchObject({ state: 'sent' });
});

test.each([402, 406, 408, 425])(
  '%s is throttling: tried again after the time that it asks for',
  async (status) => {
    const browser = await browserOf();
    await breakPushes(browser, { status, retryAfter: 240, headers: { 'x-wns-status': 'appthrottled' } });
    await ring(due);
    expect(await evening()).toMatchObject({ state: 'scheduled', deliveries: [{ error: `HTTP ${status}` }] });
    const again = (await nextAttempt()) - due;
    expect(again).toBeGreaterThanOrEqual(240_000);
    expect(again).toBeLessThan(250_000);
    await ringAt(chidi, due + again);
    expect(await evening()).toMatchObject({ state: 'sent' });
  },
);

test('406 that asks for a quarter of an hour is tried again after five minutes', async () => {
  const browser = await browserOf();
  await breakPushes(browser, { status: 406, retryAfter: 900 });
  await ring(due);
  expect((await nextAttempt()) - due).toBe(300_000);
});

test.each([
  ['x-wns-status', 'dropped', 'failed', 'WnsDropped'],
  ['x-wns-notificationstatus', 'dropped', 'failed', 'WnsDropped'],
  ['X-WNS-NOTIFICATIONSTATUS', 'channelThrottled', 'scheduled', 'WnsThrottled'],
])('a 201 with %s: %s is not sent', async (name, value, state, error) => {
  const browser = await browserOf();
  await breakPushes(browser, { status: 201, headers: { [name]: value } });
  await ring(due);
  expect(await evening()).toMatchObject({ state, deliveries: [{ error }] });
  expect(await enabled()).toEqual([true]);
});

test('a 201 that Windows has received is sent', async () => {
  const browser = await browserOf();
  await breakPushes(browser, { status: 201, headers: { 'x-wns-status': 'received' } });
  await ring(due);
  expect(await evening()).toMatchObject({ state: 'sent' });
});
