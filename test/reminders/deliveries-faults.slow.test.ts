import { afterEach, expect, test, vi } from 'vitest';
import type { Person } from '../support/people.ts';
import type { Phone } from '../support/phones.ts';
import type { Study } from '../support/studies.ts';
import { setClock } from '../support/worker/clock.ts';
import { nextLook } from '../support/worker/reminder-tables.ts';
import { history, ring, scheduled } from '../support/worker/reminders.ts';
import { breakSns, deleteAtSns, disableAtSns, shownOn } from '../support/worker/sns.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

const dueAt = Date.parse('2027-03-01T20:30:00.000Z');
const expiresAt = dueAt + 60 * 60_000;
const nextDay = Date.parse('2027-03-02T20:30:00.000Z');

afterEach(() => {
  vi.restoreAllMocks();
});

/** Chidi and Dana are reminded at the same minute. */
const duePeople = (): Promise<Study> =>
  sleepStudy({
    type: 'rolling',
    recurrence: '30 21 * * *',
    expiresAfter: 60,
    notification: { subject: 'Diary', body: 'How was your night?' },
  });

const fallDue = () => setClock(dueAt + 500);

const today = async (of: Person) => (await history(of)).find((row) => row.on === '2027-03-01');

/** Lets the time pass until the next try, and tries. */
async function tryAgain(of: Person): Promise<number> {
  // Not the alarm's time: it may be earlier than need be, since planning goes on in the background.
  const at = await nextLook(of.id);
  setClock(at);
  await ring(of);
  return at;
}

const isEnabled = async (of: Person, { id }: Phone) =>
  (await of.get('/user/me/devices')).body.devices.find(
    (device: { identifier: string }) => device.identifier === id,
  )?.enabled;

test.each<[string, Parameters<typeof breakSns>[2]]>([
  ['Throttled', { code: 'Throttled' }],
  ['Throttling', { code: 'ThrottlingException' }],
  ['InternalError', { code: 'InternalError' }],
  ['ServiceUnavailable', { code: 'ServiceUnavailable' }],
  ['NetworkError', { kind: 'reset' }],
  ['UnreadableAnswer', { kind: 'truncated-xml' }],
  ['UnreadableAnswer', { kind: 'html', status: 200 }],
  ['HTTP 503', { kind: 'html', status: 503 }],
])('after %s from %o the push is tried again, and nobody else waits for it', async (error, fault) => {
  const { responder: chidi, other: dana } = await duePeople();
  const [bad, good, danas] = [await newPhone(chidi), await newPhone(chidi), await newPhone(dana)];
  await breakSns(bad.token, 'Publish', { ...fault, times: 2 });
  fallDue();
  await Promise.all([ring(chidi), ring(dana)]);

  expect(await bad.inbox()).toEqual([]);
  expect(await good.inbox()).toHaveLength(1);
  expect(await danas.inbox()).toHaveLength(1);
  expect(await today(dana)).toMatchObject({ state: 'sent' });
  const waiting = await today(chidi);
  expect(waiting).toMatchObject({ state: 'sent', sentAt: '2027-03-01T20:30:00.500Z' });
  expect(waiting.deliveries).toContainEqual({
    device: bad.id,
    platform: 'android',
    at: '2027-03-01T20:30:00.500Z',
    error: expect.stringContaining(error),
  });

  await tryAgain(chidi);
  expect(await bad.inbox()).toEqual([]);
  await tryAgain(chidi);
  const sent = await today(chidi);
  expect(sent).toMatchObject({ state: 'sent', sentAt: waiting.sentAt });
  expect(sent.deliveries.map((one: object) => Object.keys(one).toSorted())).toEqual(
    Array(2).fill(['at', 'device', 'messageId', 'platform']),
  );
  expect(await bad.inbox()).toHaveLength(1);
  expect(await good.inbox()).toHaveLength(1);
  expect([await isEnabled(chidi, bad), await isEnabled(chidi, good)]).toEqual([true, true]);
  expect(await scheduled(chidi)).toMatchObject([{ on: '2027-03-02' }]);
});

test('a publish is cut after five seconds, and no other push waits for it', async () => {
  const { responder: chidi, other: dana } = await duePeople();
  const [slow, good, danas] = [await newPhone(chidi), await newPhone(chidi), await newPhone(dana)];
  await breakSns(slow.token, 'Publish', { delayMs: 600_000 });
  fallDue();
  const rung: string[] = [];
  await Promise.all([ring(chidi).then(() => rung.push('chidi')), ring(dana).then(() => rung.push('dana'))]);
  expect(rung).toEqual(['dana', 'chidi']);
  expect(await danas.inbox()).toHaveLength(1);
  expect(await good.inbox()).toHaveLength(1);
  expect((await today(chidi)).deliveries).toContainEqual(
    expect.objectContaining({ device: slow.id, error: 'Timeout' }),
  );
  await tryAgain(chidi);
  expect(await today(chidi)).toMatchObject({ state: 'sent' });
});

test.each(['android', 'ios'])(
  'a push on %s whose answer was lost comes twice and is shown once',
  async (platform) => {
    const { responder: chidi } = await duePeople();
    const phone = await newPhone(chidi, 'Europe/Paris', platform);
    await breakSns(phone.token, 'Publish', { kind: 'accepted-then-reset' });
    fallDue();
    await ring(chidi);
    await tryAgain(chidi);
    const { identifier, state } = await today(chidi);
    expect(state).toBe('sent');
    const pushes = await phone.inbox();
    expect(pushes.map((push) => push.data.notification)).toEqual([identifier, identifier]);
    expect(await shownOn(phone.token)).toEqual([identifier]);
  },
);

test.each<[string, (token: string) => Promise<unknown>, RegExp]>([
  [
    'EndpointDisabled',
    (token) => breakSns(token, 'Publish', { code: 'EndpointDisabled' }),
    /^EndpointDisabled/,
  ],
  ['a disabled endpoint', disableAtSns, /^EndpointDisabled/],
  ['a deleted endpoint', deleteAtSns, /No endpoint found/],
  ['NotFound', (token) => breakSns(token, 'Publish', { code: 'NotFound' }), /^NotFound/],
])('%s disables the device without a retry, and the next registration heals it', async (_, harm, error) => {
  const { responder: chidi, other: dana } = await duePeople();
  const [bad, good, only] = [await newPhone(chidi), await newPhone(chidi), await newPhone(dana)];
  await harm(bad.token);
  await harm(only.token);
  fallDue();
  await Promise.all([ring(chidi), ring(dana)]);

  expect(await good.inbox()).toHaveLength(1);
  expect(await today(chidi)).toMatchObject({ state: 'sent' });
  expect([await isEnabled(chidi, bad), await isEnabled(chidi, good)]).toEqual([false, true]);
  expect(await today(dana)).toMatchObject({
    state: 'failed',
    reason: 'relay',
    deliveries: [{ device: only.id, error: expect.stringMatching(error) }],
  });
  expect(await isEnabled(dana, only)).toBe(false);
  expect(await scheduled(dana)).toMatchObject([{ on: '2027-03-02' }]);

  const again = { platform: 'android', token: only.token, timeZone: 'Europe/Paris' };
  expect(await dana.post('/user/me/device', again)).toMatchObject({ status: 200, body: { enabled: true } });
  setClock(nextDay + 500);
  await Promise.all([ring(chidi), ring(dana)]);
  expect(await only.inbox()).toHaveLength(1);
  expect(await good.inbox()).toHaveLength(2);
  expect(await bad.inbox()).toEqual([]);
});

test.each([
  'PlatformApplicationDisabled',
  'AuthorizationError',
  'ExpiredToken',
  'InvalidClientTokenId',
  'SignatureDoesNotMatch',
])('%s is the fault of the configuration: it is logged aloud, and the push waits for it', async (code) => {
  const { responder: chidi } = await duePeople();
  const phone = await newPhone(chidi);
  await breakSns(phone.token, 'Publish', { code, times: 3 });
  const log = vi.spyOn(console, 'log');
  fallDue();
  await ring(chidi);
  const lines = log.mock.calls.flat().map((line) => JSON.parse(String(line)));
  expect(lines).toContainEqual({
    event: 'relay.misconfigured',
    level: 'error',
    service: 'android',
    error: expect.stringContaining(code),
  });
  expect(await today(chidi)).toMatchObject({
    state: 'scheduled',
    deliveries: [{ error: expect.stringContaining(code) }],
  });
  await tryAgain(chidi);
  await tryAgain(chidi);
  expect(await phone.inbox()).toEqual([]);
  await tryAgain(chidi);
  expect(await phone.inbox()).toHaveLength(1);
  expect(await today(chidi)).toMatchObject({ state: 'sent' });
  expect(await isEnabled(chidi, phone)).toBe(true);
});

test.each(['InvalidParameter', 'InvalidParameterValue', 'ValidationError'])(
  '%s is not repeated: the occurrence has failed, and the next one is planned',
  async (code) => {
    const { responder: chidi } = await duePeople();
    const phone = await newPhone(chidi);
    await breakSns(phone.token, 'Publish', { code });
    fallDue();
    await ring(chidi);
    expect(await today(chidi)).toMatchObject({
      state: 'failed',
      reason: 'relay',
      sentAt: null,
      deliveries: [{ device: phone.id, error: expect.stringContaining(code) }],
    });
    expect(await scheduled(chidi)).toMatchObject([{ on: '2027-03-02' }]);
    expect(await isEnabled(chidi, phone)).toBe(true);
    setClock(nextDay + 500);
    await ring(chidi);
    expect(await phone.inbox()).toHaveLength(1);
  },
);

test('retries grow apart and end with the occurrence, which has then failed with the last error', async () => {
  const { responder: chidi } = await duePeople();
  const phone = await newPhone(chidi);
  await breakSns(phone.token, 'Publish', { code: 'Throttled' });
  await breakSns(phone.token, 'Publish', { code: 'InternalError', times: 1000 });
  fallDue();
  await ring(chidi);
  const tries = [Date.now()];
  while ((await today(chidi)).state === 'scheduled') {
    tries.push(await tryAgain(chidi));
    expect(tries.length).toBeLessThan(60);
  }
  const gaps = tries.slice(1).map((at, n) => at - (tries[n] ?? at));
  expect(gaps[0]).toBeLessThanOrEqual(7_000);
  expect(Math.max(...gaps)).toBeGreaterThan(60_000);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(5 * 60_000 + 2_000);
  expect(tries.length).toBeLessThan(40);
  // Nothing is published when it is over: the last look only notes it.
  expect(tries.at(-1)).toBeGreaterThanOrEqual(expiresAt);
  expect(tries.at(-2)).toBeLessThan(expiresAt);
  expect(await today(chidi)).toMatchObject({
    state: 'failed',
    reason: 'expired',
    sentAt: null,
    deliveries: [{ device: phone.id, error: expect.stringContaining('InternalError') }],
  });
  expect(await scheduled(chidi)).toMatchObject([{ on: '2027-03-02' }]);
  expect(await phone.inbox()).toEqual([]);
  // A new token is a new phone to the relay.
  await chidi.patch(`/device/${phone.id}`, { token: `${phone.token}-2` });
  setClock(nextDay + 500);
  await ring(chidi);
  expect((await history(chidi)).find((row) => row.on === '2027-03-02')).toMatchObject({ state: 'sent' });
});
