import { createExecutionContext, createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { sweep } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { createPush } from '../../src/platform/push-services.ts';
import { tokenBuckets } from '../../src/platform/server/token-buckets.ts';
import type { Services } from '../../src/services.ts';
import worker from '../../src/worker.ts';
import type { Person } from '../support/people.ts';
import { inboxOf } from '../support/phones.ts';
import { createSigner } from '../support/sns-signer.ts';
import { newApp } from '../support/worker/apps.ts';
import { hours, later, minutes } from '../support/worker/clock.ts';
import { readChecked } from '../support/worker/contract.ts';
import { breakSns, deleteAtSns, disableAtSns, endpointsOf, setEndpoint } from '../support/worker/sns.ts';
import {
  answers,
  asked,
  certificateUrl,
  confirmation,
  deliver,
  host,
  type Message,
  notification,
  pemOf,
  post,
  signed,
  simulateSnsHost,
  topic,
} from '../support/worker/sns-messages.ts';
import { newPhone, signUp, world } from '../support/worker/world.ts';

simulateSnsHost();

const android = 'arn:aws:sns:eu-central-1:000000000000:app/GCM/fieldbell-android';

async function phoneOf(person: Person) {
  const phone = await newPhone(person);
  const [endpoint] = await endpointsOf(phone.token);
  if (!endpoint) throw new Error('no endpoint');
  return { ...phone, endpoint: endpoint.arn };
}

/** As SNS words it (Amazon SNS, "Application event notifications"). */
const event = (EventType: string, EndpointArn: string, more: object = {}) => ({
  EndpointArn,
  EventType,
  Resource: android,
  Service: 'SNS',
  Time: new Date().toISOString(),
  ...more,
});

const failure = (endpoint: string, FailureType = 'InvalidPlatformToken', more: object = {}) =>
  event('DeliveryFailure', endpoint, {
    DeliveryAttempts: 1,
    FailureType,
    FailureMessage: 'Platform token associated with the endpoint is not valid',
    MessageId: crypto.randomUUID(),
    ...more,
  });

const enabledOf = async (person: Person, device: string) =>
  (await person.get('/user/me/devices')).body.devices.find(
    (one: { identifier: string }) => one.identifier === device,
  )?.enabled;

const problem = (status: number, code: string) => ({ status, body: expect.objectContaining({ code }) });

test.each(['1', '2'])('a failed delivery disables the device, signature version %s', async (version) => {
  const ada = await signUp('Ada');
  const phone = await phoneOf(ada);
  const message = notification(failure(phone.endpoint), { SignatureVersion: version });
  expect(await deliver(message)).toMatchObject({ status: 204, text: '' });
  expect(await enabledOf(ada, phone.id)).toBe(false);
  await ada.post('/user/me/device', { platform: 'android', token: phone.token, timeZone: 'Europe/Paris' });
  expect(await enabledOf(ada, phone.id)).toBe(true);
});

test.each([
  ['InvalidPlatformToken', false],
  ['EndpointDisabled', false],
  ['EndpointNotFound', false],
  ['DependencyUnavailable', true],
  ['InvalidCredentials', true],
])('a failure of type %s leaves the device enabled: %s', async (type, enabled) => {
  const ada = await signUp('Ada');
  const phone = await phoneOf(ada);
  expect(await deliver(notification(failure(phone.endpoint, type)))).toMatchObject({ status: 204 });
  expect(await enabledOf(ada, phone.id)).toBe(enabled);
});

test('a failure from before the device was registered again is none of its business', async () => {
  const ada = await signUp('Ada');
  const phone = await phoneOf(ada);
  const late = notification(failure(phone.endpoint));
  later(minutes);
  await ada.patch(`/device/${phone.id}`, { token: phone.token });
  expect(await deliver(late)).toMatchObject({ status: 204 });
  expect(await enabledOf(ada, phone.id)).toBe(true);
});

test('an update follows what the relay says of the endpoint now, however late and out of order', async () => {
  const ada = await signUp('Ada');
  const phone = await phoneOf(ada);
  const updated = () => deliver(notification(event('EndpointUpdated', phone.endpoint)));

  await disableAtSns(phone.token);
  expect(await updated()).toMatchObject({ status: 204 });
  expect(await enabledOf(ada, phone.id)).toBe(false);

  await setEndpoint(phone.endpoint, { Enabled: 'true' });
  expect(await updated()).toMatchObject({ status: 204 });
  expect(await enabledOf(ada, phone.id)).toBe(true);
});

describe('an endpoint that was given the token of another phone', () => {
  const stray = async (ada: Person, attributes = {}) => {
    const phone = await phoneOf(ada);
    const other = `other-${phone.token}`;
    await setEndpoint(phone.endpoint, { Token: other, ...attributes });
    return {
      ...phone,
      other,
      updated: () => deliver(notification(event('EndpointUpdated', phone.endpoint))),
    };
  };

  test.each([{}, { Enabled: 'false' }])('is taken back: %o', async (attributes) => {
    const ada = await signUp('Ada');
    const phone = await stray(ada, attributes);
    expect(await phone.updated()).toMatchObject({ status: 204 });
    expect(await enabledOf(ada, phone.id)).toBe(true);
    expect(await endpointsOf(phone.token)).toEqual([
      { arn: phone.endpoint, token: phone.token, enabled: true },
    ]);
    expect(await endpointsOf(phone.other)).toEqual([]);
    expect(await ada.post(`/device/${phone.id}/test`)).toMatchObject({ status: 202 });
    expect(await phone.inbox()).toHaveLength(1);
  });

  test('gets no push until it is taken back, which the sweep does when the relay is out of reach', async () => {
    const ada = await signUp('Ada');
    const phone = await stray(ada);
    await breakSns(phone.other, 'SetEndpointAttributes', { code: 'InternalError' });
    expect(await phone.updated()).toMatchObject({ status: 204 });
    expect(await enabledOf(ada, phone.id)).toBe(false);
    expect(await ada.post(`/device/${phone.id}/test`)).toMatchObject(problem(409, 'device.disabled'));
    expect(await inboxOf(world, phone.other)).toEqual([]);
    later(2 * minutes);
    await sweep(createServices(env));
    expect(await ada.post(`/device/${phone.id}/test`)).toMatchObject({ status: 202 });
    expect(await phone.inbox()).toHaveLength(1);
  });

  test('stays so when the device is disabled', async () => {
    const ada = await signUp('Ada');
    const phone = await stray(ada, { Enabled: 'false' });
    await ada.post(`/device/${phone.id}/test`);
    expect(await phone.updated()).toMatchObject({ status: 204 });
    expect(await enabledOf(ada, phone.id)).toBe(false);
    expect(await endpointsOf(phone.other)).toHaveLength(1);
  });

  test('that the same phone has by now is left to the request that gives it', async () => {
    const ada = await signUp('Ada');
    const phone = await phoneOf(ada);
    const token = `new-${phone.token}`;
    const { push } = createServices(env);
    const { send } = newApp({
      push: {
        ...push,
        register: async (device) => {
          const answer = await push.register(device);
          await deliver(notification(event('EndpointUpdated', phone.endpoint)));
          return answer;
        },
      },
    });
    const patched = await send(`/device/${phone.id}`, { method: 'PATCH', token: ada.token, body: { token } });
    expect(patched).toMatchObject({ status: 200, body: { enabled: true } });
    expect(await endpointsOf(token)).toMatchObject([{ arn: phone.endpoint, enabled: true }]);
  });
});

test('a deleted endpoint disables the device, unless it is there again', async () => {
  const ada = await signUp('Ada');
  const phone = await phoneOf(ada);
  const deleted = () => deliver(notification(event('EndpointDeleted', phone.endpoint)));
  await deleted();
  expect(await enabledOf(ada, phone.id)).toBe(true);
  await deleteAtSns(phone.token);
  await deleted();
  expect(await enabledOf(ada, phone.id)).toBe(false);
});

test('while the relay cannot say what an endpoint is, the event is to be sent again', async () => {
  const ada = await signUp('Ada');
  const phone = await phoneOf(ada);
  await disableAtSns(phone.token);
  await breakSns(phone.token, 'GetEndpointAttributes', { code: 'Throttled' });
  const message = notification(event('EndpointUpdated', phone.endpoint));
  const answer = await deliver(message);
  expect(answer).toMatchObject(problem(503, 'relay.unavailable'));
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(await enabledOf(ada, phone.id)).toBe(true);
  expect(await deliver(message)).toMatchObject({ status: 204 });
  expect(await enabledOf(ada, phone.id)).toBe(false);
});

test('a phone that somebody else has shown to be theirs gets no pushes of its first owner, whatever the relay reports', async () => {
  const [anna, ben] = await Promise.all([signUp('Anna'), signUp('Ben')]);
  const phone = await phoneOf(anna);
  // The relay is asked for the endpoint that is known, and fails.
  await breakSns(phone.token, 'GetEndpointAttributes', { code: 'InternalError' });
  const registration = { platform: 'android', token: phone.token, timeZone: 'Europe/Berlin' };
  expect(await ben.post('/user/me/device', registration)).toMatchObject(problem(503, 'relay.unavailable'));
  await deliver(notification(event('EndpointUpdated', phone.endpoint)));
  expect(await enabledOf(anna, phone.id)).toBe(false);
  expect(await anna.post(`/device/${phone.id}/test`)).toMatchObject(problem(409, 'device.disabled'));
  expect(await phone.inbox()).toEqual([]);
});

test('a message that comes twice acts once', async () => {
  const ada = await signUp('Ada');
  const phone = await phoneOf(ada);
  // Its event lies ahead by the relay's clock, so that only the message id reveals the repetition.
  const Time = new Date(Date.now() + 2 * minutes).toISOString();
  const message = await signed(notification(failure(phone.endpoint, 'InvalidPlatformToken', { Time })));
  await Promise.all(Array.from({ length: 5 }, () => post(message)));
  expect(await enabledOf(ada, phone.id)).toBe(false);
  later(minutes);
  await ada.patch(`/device/${phone.id}`, { token: phone.token });
  expect(await post(message)).toMatchObject({ status: 204 });
  expect(await enabledOf(ada, phone.id)).toBe(true);
  const other = { ...JSON.parse(JSON.stringify(message)), MessageId: crypto.randomUUID() };
  expect(await deliver(other)).toMatchObject({ status: 204 });
  expect(await enabledOf(ada, phone.id)).toBe(false);
});

test('the message ids are forgotten when no repetition can come any more', async () => {
  const ada = await signUp('Ada');
  const phone = await phoneOf(ada);
  await deliver(notification(failure(phone.endpoint)));
  const count = () => env.DB.prepare('select count(*) as n from relay_message').first<number>('n');
  const reconcile = () =>
    worker.scheduled(
      createScheduledController({
        scheduledTime: new Date(Math.ceil(Date.now() / hours) * hours),
        cron: '* * * * *',
      }),
      env,
    );
  later(hours);
  await reconcile();
  expect(await count()).toBeGreaterThan(0);
  later(90 * minutes);
  await reconcile();
  expect(await count()).toBe(0);
});

test.each([
  [
    'an endpoint that is not ours',
    () => event('EndpointUpdated', `${android.replace(':app/', ':endpoint/')}/${crypto.randomUUID()}`),
  ],
  [
    'an event of no interest',
    () => event('EndpointCreated', 'arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/a/b'),
  ],
  ['no endpoint', () => ({ EventType: 'DeliveryFailure' })],
  ['a text', () => 'Hello'],
  ['a list', () => '[1]'],
])('a genuine message about %s is taken and changes nothing', async (_, content) => {
  expect(await deliver(notification(content()))).toMatchObject({ status: 204 });
});

test('a message without a subject is signed without one', async () => {
  const ada = await signUp('Ada');
  const phone = await phoneOf(ada);
  const { Subject: _, ...message } = notification(failure(phone.endpoint));
  expect(await deliver(message)).toMatchObject({ status: 204 });
  expect(await enabledOf(ada, phone.id)).toBe(false);
});

test('the certificate is fetched once', async () => {
  const elsewhere = `${host}/SimpleNotificationService-${'0'.repeat(32)}.pem`;
  answers.set(elsewhere, answers.get(certificateUrl) as () => Response);
  for (let n = 0; n < 3; n++)
    expect(await deliver(notification('Hello', { SigningCertURL: elsewhere }))).toMatchObject({
      status: 204,
    });
  expect(asked).toEqual([elsewhere]);
});

test.each<[string, Message]>([
  ['text', { Message: '{"EventType":"EndpointDeleted"}' }],
  ['message id', { MessageId: crypto.randomUUID() }],
  ['subject', { Subject: 'Another subject' }],
  ['time', { Timestamp: '2027-03-01T08:00:00.001Z' }],
  ['version of the signature', { SignatureVersion: '1' }],
  ['unknown version of the signature', { SignatureVersion: '3' }],
  ['signature', { Signature: btoa('f'.repeat(256)) }],
  ['signature that is not base64', { Signature: '%' }],
  ['no signature', { Signature: '' }],
])('a message changed on its way is refused: %s', async (_, change) => {
  const ada = await signUp('Ada');
  const phone = await phoneOf(ada);
  const message = await signed(notification(failure(phone.endpoint)));
  expect(await post({ ...message, ...change })).toMatchObject(problem(403, 'relay-event.forged'));
  expect(await enabledOf(ada, phone.id)).toBe(true);
});

test.each([
  'https://attacker.example/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem',
  'https://sns.s3.amazonaws.com/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem',
  'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem',
  'https://sns.eu-central-1.amazonaws.com.attacker.example/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem',
  'https://sns.eu-central-1.amazonaws.com@attacker.example/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem',
  'https://sns.eu-central-1.amazonaws.com:8443/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem',
  'http://sns.eu-central-1.amazonaws.com/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem',
  'https://sns.eu-central-1.amazonaws.com/bucket/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem',
  'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem?x=.pem',
  'https://sns.eu-central-1.amazonaws.com/?x=/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem',
  '',
])('a certificate from anywhere else is not even fetched: %s', async (url) => {
  answers.set(url, answers.get(certificateUrl) as () => Response);
  expect(await deliver(notification('Hello', { SigningCertURL: url }))).toMatchObject(
    problem(403, 'relay-event.forged'),
  );
  expect(asked).toEqual([]);
});

test('a message signed by another key is refused, whatever its certificate address says', async () => {
  const forger = await createSigner();
  expect(await post(await signed(notification('Hello'), forger))).toMatchObject(
    problem(403, 'relay-event.forged'),
  );
});

test.each<[string, () => Response | Promise<Response>, number]>([
  ['is not there', () => new Response('', { status: 404 }), 403],
  ['is a redirect', () => Response.redirect('https://attacker.example/', 302), 403],
  ['is no certificate', () => new Response('Welcome'), 403],
  ['is of another key', async () => new Response(await pemOf()), 403],
  ['is out of reach', () => new Response('', { status: 503 }), 503],
  ['cannot be fetched', () => Promise.reject(new TypeError('fetch failed')), 503],
])('a certificate that %s', async (_, answer, status) => {
  const url = `${host}/SimpleNotificationService-${crypto.randomUUID().replaceAll('-', '')}.pem`;
  answers.set(url, answer as () => Response);
  expect(await deliver(notification('Hello', { SigningCertURL: url }))).toMatchObject({ status });
  expect(asked).toEqual([url]);
});

/** An application of its own, and the messages that it gets from one address. */
function newService(rateLimits: Services['rateLimits'] = undefined) {
  const { auth, limits, relay } = readConfig(env);
  const services = { ...createServices(env), push: createPush({ relay }), log: () => {} };
  const { rateLimits: _, ...unlimited } = services;
  const app = createApp(rateLimits ? { ...unlimited, rateLimits } : unlimited, { auth, limits });
  return async (message: Message, headers: Record<string, string> = {}) => {
    const request = { method: 'POST', body: JSON.stringify(message), headers };
    const response = await app.request('/relay/events', request, { address: '203.0.113.7' });
    return (await readChecked('POST', '/relay/events', response)).status;
  };
}

const inventedUrl = (n: number) =>
  `${host}/SimpleNotificationService-${n.toString(16).padStart(32, '0')}.pem`;

const forgery = (n: number) =>
  notification('Hello', { Signature: btoa('f'.repeat(256)), SigningCertURL: inventedUrl(n) });

test('a thousand forged messages have at most eight certificates fetched, and a genuine one still counts', async () => {
  const take = newService();
  const statuses = await Promise.all(Array.from({ length: 1000 }, (_, n) => take(forgery(n))));
  expect(new Set(statuses)).toEqual(new Set([403, 503]));
  expect(asked).toHaveLength(8);
  await Promise.all(Array.from({ length: 1000 }, () => take(forgery(0))));
  expect(asked, 'what is known to be none is not asked again').toHaveLength(8);

  expect(await take(await signed(notification('Hello'))), 'its certificate is not known yet').toBe(503);
  later(11 * minutes);
  expect(await take(await signed(notification('Hello')))).toBe(204);
  expect(asked).toHaveLength(9);
});

test('an address that gave no certificate is not asked again for ten minutes', async () => {
  const take = newService();
  await Promise.all(Array.from({ length: 100 }, () => take(forgery(0))));
  later(9 * minutes);
  expect(await take(forgery(0))).toBe(403);
  expect(asked).toEqual([inventedUrl(0)]);
  later(2 * minutes);
  expect(await take(forgery(0))).toBe(403);
  expect(asked).toEqual([inventedUrl(0), inventedUrl(0)]);
});

test('the certificate that SNS uses is not crowded out by forgers', async () => {
  const take = newService();
  expect(await take(await signed(notification('Hello')))).toBe(204);
  await Promise.all(Array.from({ length: 100 }, (_, n) => take(forgery(n))));
  expect(await take(await signed(notification('Hello')))).toBe(204);
  expect(asked).toHaveLength(9);
});

test('a request that the address limit refuses costs no fetch, whatever token comes with it', async () => {
  const take = newService({
    user: tokenBuckets(0),
    address: tokenBuckets(2, () => 0),
    code: tokenBuckets(0),
    enrol: tokenBuckets(0),
  });
  for (let n = 0; n < 3; n++) await take(forgery(n));
  const statuses = await Promise.all(
    Array.from({ length: 1000 }, (_, n) => take(forgery(n + 3), { authorization: 'Bearer x' })),
  );
  expect(new Set(statuses)).toEqual(new Set([429]));
  expect(asked).toEqual([0, 1, 2].map(inventedUrl));
});

test.each([
  [-61 * minutes, 403],
  [-59 * minutes, 204],
  [4 * minutes, 204],
  [6 * minutes, 403],
])('a message sent %d ms from now is %d', async (distance, status) => {
  const Timestamp = new Date(Date.now() + distance).toISOString();
  const answer = await deliver(notification('Hello', { Timestamp }));
  expect(answer.status).toBe(status);
  if (status === 403) expect(answer.body.code).toBe('relay-event.stale');
});

test.each([`${topic}-2`, topic.replace('eu-central-1', 'us-east-1'), topic.replace(':0000', ':1000'), ''])(
  'a message of another topic is refused: %s',
  async (TopicArn) => {
    expect(await deliver(notification('Hello', { TopicArn }))).toMatchObject(
      problem(403, 'relay-event.foreign'),
    );
    expect(await deliver(confirmation('SubscriptionConfirmation', { TopicArn }))).toMatchObject(
      problem(403, 'relay-event.foreign'),
    );
    expect(asked).toEqual([]);
  },
);

test.each([
  '',
  '[]',
  'null',
  '{"Type":"toString","Timestamp":"2027-03-01T08:00:00.000Z"}',
  JSON.stringify({ ...notification('Hello'), Timestamp: 'yesterday' }),
  JSON.stringify({ ...notification('Hello'), MessageId: 7 }),
  JSON.stringify({
    EventType: 'EndpointDeleted',
    EndpointArn: 'arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/a/b',
  }),
])('what is no message of SNS is refused: %s', async (body) => {
  expect(await post(body)).toMatchObject(problem(400, 'request.invalid'));
});

test('a body over 1 MiB is refused', async () => {
  expect(await post('x'.repeat(1024 * 1024 + 1))).toMatchObject(problem(413, 'request.too-large'));
});

test('the subscription of a configured topic is confirmed', async () => {
  const message = confirmation('SubscriptionConfirmation');
  answers.set(message.SubscribeURL as string, () => new Response('<ConfirmSubscriptionResponse/>'));
  expect(await deliver(message)).toMatchObject({ status: 204 });
  expect(asked).toContain(message.SubscribeURL);
  answers.set(message.SubscribeURL as string, () => new Response('', { status: 500 }));
  expect(await deliver(message)).toMatchObject(problem(503, 'relay.unavailable'));
});

test.each([
  'https://attacker.example/?Action=ConfirmSubscription',
  'https://sns.eu-central-1.amazonaws.com.attacker.example/?Action=ConfirmSubscription',
  'https://sns.eu-central-1.amazonaws.com@attacker.example/?Action=ConfirmSubscription',
  'http://sns.eu-central-1.amazonaws.com/?Action=ConfirmSubscription',
])('an address of confirmation elsewhere is not asked: %s', async (SubscribeURL) => {
  expect(await deliver(confirmation('SubscriptionConfirmation', { SubscribeURL }))).toMatchObject(
    problem(403, 'relay-event.forged'),
  );
  expect(asked).not.toContain(SubscribeURL);
});

test('a forged subscription is not confirmed', async () => {
  const message = await signed(confirmation('SubscriptionConfirmation'), await createSigner());
  expect(await post(message)).toMatchObject(problem(403, 'relay-event.forged'));
  expect(asked).not.toContain(message.SubscribeURL);
});

test('the end of a subscription is noted, and not undone', async () => {
  const log = vi.spyOn(console, 'log');
  const message = confirmation('UnsubscribeConfirmation');
  expect(await deliver(message)).toMatchObject({ status: 204 });
  expect(asked).not.toContain(message.SubscribeURL);
  expect(log.mock.calls.flat().join('\n')).toContain('"outcome":"unsubscribed"');
});

test('without topics the route does not exist', async () => {
  const { auth, limits, relay } = readConfig({ ...env, SNS_EVENT_TOPICS: '' });
  expect(relay?.eventTopics).toEqual([]);
  const app = createApp({ ...createServices(env), push: createPush({ relay }) }, { auth, limits });
  const request = new Request('https://fieldbell.localhost/relay/events', {
    method: 'POST',
    body: JSON.stringify(await signed(notification('Hello'))),
  });
  const response = await app.fetch(request, env, createExecutionContext());
  expect((await readChecked('POST', '/relay/events', response)).status).toBe(404);
});
