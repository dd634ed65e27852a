import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createPush } from '../../src/platform/push-services.ts';
import { createSns } from '../../src/push/sns/push.ts';
import { createWebPush } from '../../src/push/web-push/push.ts';
import type { PushService } from '../../src/services.ts';
import { ringAt } from '../reminders/support/nudges.ts';
import type { Person } from '../support/people.ts';
import {
  browserToken,
  inboxOf,
  plantFault,
  type Subscription,
  subscribe as subscribeAt,
} from '../support/phones.ts';
import { newApp } from '../support/worker/apps.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { nextLook } from '../support/worker/reminder-tables.ts';
import { armedFor, daily, history, pendingOf, tick } from '../support/worker/reminders.ts';
import { newPhone, send, signUp, sleepStudy, world } from '../support/worker/world.ts';

const zone = 'Europe/Paris';
const due = Date.parse('2027-03-01T20:30:00.000Z');

/** A browser subscribes with the service's key, as a page has it do. */
const subscribe = async () => subscribeAt(world, (await send('/push/key')).body.publicKey);

const register = (of: Person, subscription: object, more: object = {}) =>
  of.post('/user/me/device', {
    platform: 'web',
    token: JSON.stringify(subscription),
    timeZone: zone,
    ...more,
  });

const devicesOf = async (of: Person) => (await of.get('/user/me/devices')).body.devices;

const inbox = (browser: Subscription) => inboxOf(world, browserToken(browser));

/** Makes the next pushes to a browser fail. */
const breakPushes = (browser: Subscription, fault: object) =>
  plantFault(world, { action: 'WebPush', token: browserToken(browser), ...fault });

/** A browser of the responder of a study with a reminder this evening. */
async function reminded(reminders: object = daily) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const user = study.responder;
  const browser = await subscribe();
  const { identifier: device } = (await register(user, browser, { language: 'fr-CA' })).body;
  await armedFor(user, '2027-03-01T20:30:00.000Z');
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  const evening = async (): Promise<any> => (await history(user)).find(({ on }) => on === '2027-03-01');
  return { study, user, browser, device, evening };
}

/** When the evening's push is tried again. An alarm may ring before that. */
const nextAttempt = (of: Person) => nextLook(of.id);

test('a browser is a phone: its test push arrives, encrypted and signed', async () => {
  const ada = await signUp('Ada');
  const browser = await subscribe();
  const { status, body } = await register(ada, browser);
  expect(status).toBe(201);
  expect(body).toMatchObject({ platform: 'web', enabled: true });
  expect(JSON.stringify(body)).not.toContain(browserToken(browser));
  const pushed = await ada.post(`/device/${body.identifier}/test`);
  expect(pushed).toMatchObject({ status: 202, body: { messageId: expect.stringMatching(/^[\w-]+$/) } });
  expect(await inbox(browser)).toMatchObject([
    {
      platform: 'web',
      title: 'Test',
      body: 'Reminders reach this phone.',
      data: { test: 'true' },
      attributes: { TTL: '300', Urgency: 'high', Topic: expect.stringMatching(/^[0-9a-f]{32}$/) },
      messageId: pushed.body.messageId,
    },
  ]);
});

test('a subscription in another form is the same device', async () => {
  const ada = await signUp('Ada');
  const { endpoint, keys } = await subscribe();
  const first = await register(ada, { endpoint, keys });
  const again = await register(
    ada,
    { keys: { auth: `${keys.auth}==`, p256dh: keys.p256dh }, expirationTime: 5, endpoint },
    { timeZone: 'Asia/Tokyo' },
  );
  expect(again).toMatchObject({
    status: 200,
    body: { identifier: first.body.identifier, timeZone: 'Asia/Tokyo' },
  });
  expect(await devicesOf(ada)).toHaveLength(1);
});

test('a browser has one owner, the last who registered it', async () => {
  const [ada, ben] = [await signUp('Ada'), await signUp('Ben')];
  const browser = await subscribe();
  const { identifier } = (await register(ada, browser)).body;
  expect(await register(ben, { ...browser, expirationTime: null })).toMatchObject({ status: 201 });
  expect(await devicesOf(ada)).toEqual([]);
  expectProblem(await ada.post(`/device/${identifier}/test`), 'resource.not-found');
  expect(await devicesOf(ben)).toMatchObject([{ platform: 'web', enabled: true }]);
});

test.each([
  ['no subscription', 'a-token-of-firebase'],
  ['a subscription without keys', JSON.stringify({ endpoint: `${env.SNS_ENDPOINT}web-push/x` })],
  [
    'a push service inside the network',
    JSON.stringify({
      endpoint: 'https://10.0.0.1/x',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    }),
  ],
  [
    'a key that is no point of the curve',
    JSON.stringify({
      endpoint: `${env.SNS_ENDPOINT}web-push/x`,
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAAAA',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    }),
  ],
])('%s is refused, and nothing is stored', async (_, token) => {
  const ada = await signUp('Ada');
  const browser = await subscribe();
  const { identifier } = (await register(ada, browser)).body;
  await changingNothing(async () => {
    const given = { platform: 'web', token, timeZone: zone };
    expectProblem(await ada.post('/user/me/device', given), 'device.token-refused', ['/token']);
  });
  expectProblem(await ada.patch(`/device/${identifier}`, { token }), 'device.token-refused', ['/token']);
  expect(await ada.post(`/device/${identifier}/test`)).toMatchObject({ status: 202 });
});

test('a new subscription of the same browser takes the place of the old one', async () => {
  const ada = await signUp('Ada');
  const [before, after] = [await subscribe(), await subscribe()];
  const { identifier } = (await register(ada, before)).body;
  expect(await ada.patch(`/device/${identifier}`, { token: JSON.stringify(after) })).toMatchObject({
    status: 200,
    body: { enabled: true },
  });
  await ada.post(`/device/${identifier}/test`);
  expect([await inbox(before), await inbox(after)]).toMatchObject([[], [{ title: 'Test' }]]);
  expect(await devicesOf(ada)).toHaveLength(1);
});

test('a deleted browser leaves nothing, and the push service is not called', async () => {
  const ada = await signUp('Ada');
  const browser = await subscribe();
  const { identifier } = (await register(ada, browser)).body;
  await breakPushes(browser, { status: 500 });
  expect(await ada.delete(`/device/${identifier}`)).toMatchObject({ status: 204 });
  expectProblem(await ada.delete(`/device/${identifier}`), 'resource.not-found');
  const left = () =>
    env.DB.prepare('select count(*) as n from device where token like ?')
      .bind(`%${browserToken(browser)}%`)
      .first<number>('n');
  later(5 * minutes);
  await tick();
  expect(await left()).toBe(0);
  await fetch(`${env.SNS_ENDPOINT}faults?token=${browserToken(browser)}`, { method: 'DELETE' });
});

test('a reminder reaches a browser in its language, with a Topic and an end, and takes receipts', async () => {
  const { study, user, browser, device, evening } = await reminded({
    ...daily,
    expiresAfter: 60,
    translations: { fr: { subject: 'Journal', body: 'Bien dormi ?' } },
  });
  const phone = await newPhone(user);
  await ringAt(user, due);
  const { identifier, ...sent } = await evening();
  const [push] = await inbox(browser);
  expect(push).toMatchObject({
    title: 'Journal',
    body: 'Bien dormi ?',
    data: { survey: study.survey, investigation: study.id, notification: identifier },
    attributes: { Topic: identifier, TTL: '3600', Urgency: 'high' },
  });
  expect(await phone.inbox()).toMatchObject([{ title: 'Sleep diary' }]);
  expect(sent).toMatchObject({ state: 'sent', sentAt: '2027-03-01T20:30:00.000Z' });
  expect(sent.deliveries).toContainEqual({
    device,
    platform: 'web',
    at: '2027-03-01T20:30:00.000Z',
    messageId: push?.messageId,
    language: 'fr',
  });
  later(minutes);
  const receipt = await user.post(`/notification/${identifier}/receipt`, { event: 'opened' });
  expect(receipt.status).toBe(204);
  expect(await evening()).toMatchObject({ openedAt: '2027-03-01T20:31:00.000Z' });
});

test('a nudge and a snooze replace the first push, by its Topic', async () => {
  const { user, browser, evening } = await reminded({
    ...daily,
    expiresAfter: 120,
    followUps: { every: 30, max: 1 },
  });
  await ringAt(user, due);
  const { identifier } = await evening();
  await ringAt(user, due + 30 * minutes);
  expect((await user.post(`/notification/${identifier}/snooze`, { minutes: 10 })).status).toBe(202);
  await ringAt(user, due + 40 * minutes);
  expect((await inbox(browser)).map(({ attributes }) => attributes.Topic)).toEqual(
    [1, 2, 3].map(() => identifier),
  );
});

test.each([404, 410])('%s disables a browser, until it registers again', async (status) => {
  const { study, user, browser, device, evening } = await reminded();
  await breakPushes(browser, { status });
  await ringAt(user, due);
  expect(await evening()).toMatchObject({
    state: 'failed',
    reason: 'relay',
    deliveries: [{ device, platform: 'web', error: `HTTP ${status}` }],
  });
  expect(await devicesOf(user)).toMatchObject([{ enabled: false }]);
  const row = async () =>
    (await study.owner.get(`/investigation/${study.id}/member/${user.id}`)).body.devices;
  expect(await row()).toMatchObject([{ enabled: false }]);
  expectProblem(await user.post(`/device/${device}/test`), 'device.disabled');
  const next = await subscribe();
  expect(await register(user, next)).toMatchObject({ status: 201, body: { enabled: true } });
  expect(await register(user, browser)).toMatchObject({ status: 200, body: { enabled: true } });
});

test.each([413, 400])('%s fails a reminder, and leaves the browser enabled', async (status) => {
  const { user, browser, evening } = await reminded();
  await breakPushes(browser, { status });
  await ringAt(user, due);
  expect(await evening()).toMatchObject({ state: 'failed', deliveries: [{ error: `HTTP ${status}` }] });
  expect(await devicesOf(user)).toMatchObject([{ enabled: true }]);
});

test.each([
  ['429 is tried again after the time that it asks for', { status: 429, retryAfter: 240 }, 240],
  ['503 that asks for an hour is tried again after five minutes', { status: 503, retryAfter: 3600 }, 300],
  ['429 that asks for ages is, too', { status: 429, retryAfter: '9'.repeat(30) }, 300],
  ['500 is tried again soon', { status: 500 }, 2.5],
])('%s', async (_, fault, seconds) => {
  const { user, browser, evening } = await reminded();
  await breakPushes(browser, fault);
  await ringAt(user, due);
  expect(await evening()).toMatchObject({
    state: 'scheduled',
    deliveries: [{ error: `HTTP ${fault.status}` }],
  });
  const again = (await nextAttempt(user)) - due;
  expect(again).toBeGreaterThanOrEqual(seconds * 1000);
  expect(again).toBeLessThan(seconds * 1000 + 10_000);
  await ringAt(user, due + again);
  expect(await evening()).toMatchObject({ state: 'sent', deliveries: [{ messageId: expect.any(String) }] });
  expect(await inbox(browser)).toHaveLength(1);
});

test('a push service that asks for a delay delays no retry on another phone', async () => {
  const { user, browser } = await reminded();
  const phone = await newPhone(user);
  await breakPushes(browser, { status: 429, retryAfter: 240 });
  await plantFault(world, { action: 'Publish', code: 'Throttled', token: phone.token });
  await ringAt(user, due);
  expect((await nextAttempt(user)) - due).toBeLessThan(20_000);
});

test('a connection that breaks is tried again until the reminder expires', async () => {
  const { user, browser, evening } = await reminded({ ...daily, expiresAfter: 60 });
  await breakPushes(browser, { kind: 'reset', times: null });
  await ringAt(user, due);
  expect(await evening()).toMatchObject({ state: 'scheduled', deliveries: [{ error: 'NetworkError' }] });
  await ringAt(user, due + 60 * minutes);
  expect(await evening()).toMatchObject({ state: 'failed', deliveries: [{ error: 'NetworkError' }] });
  await fetch(`${env.SNS_ENDPOINT}faults?token=${browserToken(browser)}`, { method: 'DELETE' });
});

test('the longest text that a reminder may have reaches a browser', async () => {
  const { study, user, browser } = await reminded();
  const fits = async (length: number) => {
    const notification = { subject: 'Sleep diary', body: 'é"'.repeat(length) };
    return (await study.owner.patch(`/survey/${study.survey}`, { reminders: { ...daily, notification } }))
      .status;
  };
  let [least, most] = [1, 4096];
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if ((await fits(middle)) === 200) least = middle;
    else most = middle;
  }
  expect(await fits(least)).toBe(200);
  await pendingOf(user);
  await ringAt(user, due);
  expect(await inbox(browser)).toMatchObject([{ body: 'é"'.repeat(least) }]);
});

/** A service with these settings beside its own. */
function withSettings(more: Record<string, string>) {
  const config = readConfig({ ...env, ...more });
  const app = newApp({ push: createPush(config) });
  const as = (of: Person, method: string) => (path: string, body?: object) =>
    app.send(path, { method, token: of.token, body });
  return { ...app, as };
}

test('without a key browsers are no phones', async () => {
  const ada = await signUp('Ada');
  const browser = await subscribe();
  const { identifier } = (await register(ada, browser)).body;
  const { send, as, lines } = withSettings({ VAPID_PRIVATE_KEY: '' });
  expectProblem(await send('/push/key'), 'resource.not-found');
  const given = { platform: 'web', token: JSON.stringify(browser), timeZone: zone };
  const answer = await as(ada, 'POST')('/user/me/device', given);
  expectProblem(answer, 'request.invalid', ['/platform']);
  expect(answer.body.errors[0].detail).toBe('Expected one of the configured platforms: ios, android.');
  // The operator may have lost the key: pushes wait, and the log says why.
  expectProblem(await as(ada, 'POST')(`/device/${identifier}/test`), 'relay.unavailable');
  expect(lines).toContainEqual(expect.objectContaining({ event: 'relay.misconfigured', level: 'error' }));
  expect(await as(ada, 'DELETE')(`/device/${identifier}`)).toMatchObject({ status: 204 });
});

test('without Amazon SNS browsers are the only phones', async () => {
  const ada = await signUp('Ada');
  const { send, as } = withSettings({
    AWS_REGION: '',
    AWS_ACCESS_KEY_ID: '',
    AWS_SECRET_ACCESS_KEY: '',
    SNS_PLATFORM_APPLICATIONS: '',
  });
  expect(await send('/push/key')).toMatchObject({ status: 200 });
  const browser = await subscribe();
  const given = { platform: 'web', token: JSON.stringify(browser), timeZone: zone };
  const { body } = await as(ada, 'POST')('/user/me/device', given);
  expect(await as(ada, 'POST')(`/device/${body.identifier}/test`)).toMatchObject({ status: 202 });
  expect(await inbox(browser)).toHaveLength(1);
  const android = await as(ada, 'POST')('/user/me/device', { ...given, platform: 'android', token: 'x' });
  expectProblem(android, 'request.invalid', ['/platform']);
  expectProblem(await send('/relay/events', { method: 'POST', body: {} }), 'resource.not-found');
});

test('the key is the same for everyone, and no one needs a token for it', async () => {
  const answer = await send('/push/key');
  expect(answer).toMatchObject({ status: 200, body: { publicKey: expect.stringMatching(/^B[\w-]{86}$/) } });
});

/** Of a push service that answers so, by a service beside the real one. */
async function testedWith(push: Partial<PushService>, given: object) {
  const ada = await signUp('Ada');
  const { identifier } = (await ada.post('/user/me/device', { timeZone: zone, ...given })).body;
  const { send } = newApp({ push: { ...createPush(readConfig(env)), ...push } });
  return async () => {
    await env.DB.prepare('update device set enabled = 1 where id = ?').bind(identifier).run();
    return send(`/device/${identifier}/test`, { method: 'POST', token: ada.token });
  };
}

const everyStatus = Array.from({ length: 500 }, (_, n) => 100 + n);

test.each(['a browser', 'a phone'])(
  'a test push to %s has a clear answer, whatever its push service says',
  async (which) => {
    let status = 0;
    const config = readConfig(env);
    const answer = async () => ({ status, headers: new Headers(), body: null }) as unknown as Response;
    const web = config.webPush && createWebPush({ ...config.webPush, fetch: answer });
    const sns =
      config.relay && createSns({ ...config.relay, post: () => async () => ({ status, text: '' }) });
    const test =
      which === 'a browser'
        ? await testedWith(
            { ...(web && { send: web.send }) },
            { platform: 'web', token: JSON.stringify(await subscribe()) },
          )
        : await testedWith(
            { ...(sns && { send: sns.send }) },
            { platform: 'android', token: `token-${crypto.randomUUID()}` },
          );
    const codes = new Map<string, number[]>();
    for (status of everyStatus) {
      const answer = await test();
      if (answer.status === 202) expect(status).toSatisfy((of: number) => of >= 200 && of < 300);
      else {
        expect(['device.push-refused', 'relay.unavailable', 'device.disabled'], answer.text).toContain(
          answer.body.code,
        );
        expectProblem(answer, answer.body.code);
        if (answer.body.code === 'device.push-refused')
          expect(answer.body.detail).toContain(`HTTP ${status}`);
      }
      const code = answer.status === 202 ? 'sent' : answer.body.code;
      codes.set(code, [...(codes.get(code) ?? []), status]);
    }
    expect(codes.get('device.push-refused')).toContain(413);
    if (which === 'a browser') {
      expect(codes.get('device.push-refused')).toContain(307);
      expect(codes.get('device.disabled')).toEqual([404, 410]);
    }
    for (const of of [429, 500, 502, 503, 599]) expect(codes.get('relay.unavailable')).toContain(of);
  },
);
