import { expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { inboxOf } from '../support/phones.ts';
import { later, minutes, setClock } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { planVersion } from '../support/worker/reminder-tables.ts';
import { daily, jobsDone, pendingOf, ring, scheduled, waitingJobs } from '../support/worker/reminders.ts';
import {
  breakSns,
  callSns,
  deleteAtSns,
  disableAtSns,
  endpointsOf,
  setEndpoint,
} from '../support/worker/sns.ts';
import { newPhone, signUp, sleepStudy, world } from '../support/worker/world.ts';

const zone = 'Europe/Paris';
const identifier = '0199a000000070008000000000000001';
const android = 'arn:aws:sns:eu-central-1:000000000000:app/GCM/fieldbell-android';

const newToken = () => `token-${crypto.randomUUID()}`;

const register = (of: Person, device: object) =>
  of.post('/user/me/device', { platform: 'android', timeZone: zone, ...device });

const devicesOf = async (of: Person) => (await of.get('/user/me/devices')).body.devices;

const problem = (status: number, code: string) => ({ status, body: expect.objectContaining({ code }) });

test('a registered device shows neither its token nor its endpoint', async () => {
  const ada = await signUp('Ada');
  const token = newToken();
  const answer = await register(ada, { token });
  expect(answer).toMatchObject({ status: 201 });
  expect(answer.body).toEqual({
    uri: `/device/${answer.body.identifier}`,
    identifier: expect.stringMatching(/^[0-9a-f]{32}$/),
    user: `/user/${ada.id}`,
    platform: 'android',
    timeZone: zone,
    enabled: true,
    createdAt: '2027-03-01T08:00:00.000Z',
    updatedAt: '2027-03-01T08:00:00.000Z',
  });
  expect((await ada.get(answer.headers.get('location') ?? '')).body).toEqual(answer.body);
  expect(await devicesOf(ada)).toEqual([answer.body]);
  expect((await ada.get('/user/me')).body.devices).toEqual([answer.body.identifier]);
  expect(await endpointsOf(token)).toMatchObject([{ enabled: true }]);
});

test('registering the same phone again is the same device, with its zone updated', async () => {
  const ada = await signUp('Ada');
  const token = newToken();
  const first = await register(ada, { token });
  later(minutes);
  const again = await register(ada, { token, timeZone: 'Asia/Tokyo', identifier });
  expect(again).toMatchObject({
    status: 200,
    body: { ...first.body, timeZone: 'Asia/Tokyo', updatedAt: '2027-03-01T08:01:00.000Z' },
  });
  expect(await devicesOf(ada)).toEqual([again.body]);
  expect(await endpointsOf(token)).toHaveLength(1);
});

test.each([
  ['disabled', disableAtSns],
  ['deleted', deleteAtSns],
  [
    'given another token',
    async (token: string) => setEndpoint((await endpointsOf(token))[0]?.arn ?? '', { Token: newToken() }),
  ],
  [
    'disabled and given another token',
    async (token: string) => {
      await disableAtSns(token);
      await setEndpoint((await endpointsOf(token))[0]?.arn ?? '', { Token: newToken() });
    },
  ],
])('registering heals an endpoint that was %s behind our back', async (_, harm) => {
  const ada = await signUp('Ada');
  const phone = await newPhone(ada);
  await harm(phone.token);
  expect(await register(ada, { token: phone.token })).toMatchObject({ status: 200, body: { enabled: true } });
  expect(await endpointsOf(phone.token)).toMatchObject([{ enabled: true }]);
  expect(await ada.post(`/device/${phone.id}/test`)).toMatchObject({ status: 202 });
  expect(await phone.inbox()).toHaveLength(1);
});

test.each([{}, { Enabled: 'false' }])(
  'registering adopts an endpoint that the relay has already: %o',
  async (state) => {
    const ada = await signUp('Ada');
    const token = newToken();
    const made = await callSns('CreatePlatformEndpoint', {
      PlatformApplicationArn: android,
      Token: token,
      CustomUserData: 'of another system',
    });
    const arn = made.text('EndpointArn') ?? '';
    if (state.Enabled) await setEndpoint(arn, state);
    expect(await register(ada, { token })).toMatchObject({ status: 201, body: { enabled: true } });
    expect(await endpointsOf(token)).toEqual([{ arn, token, enabled: true }]);
  },
);

test('an endpoint made again takes the place of the old one, which leaves the relay', async () => {
  const ada = await signUp('Ada');
  const phone = await newPhone(ada);
  const [old] = await endpointsOf(phone.token);
  // The token has an endpoint of its own by now: the known one carries another token and may not take this one.
  const taken = newToken();
  await setEndpoint(old?.arn ?? '', { Token: taken });
  await callSns('CreatePlatformEndpoint', { PlatformApplicationArn: android, Token: phone.token });
  expect(await register(ada, { token: phone.token })).toMatchObject({ status: 200 });
  const [current] = await endpointsOf(phone.token);
  expect(current).toMatchObject({ enabled: true, arn: expect.not.stringMatching(old?.arn ?? '') });
  expect(await endpointsOf(taken)).toEqual([]);
});

test('a device that the relay disabled is shown so, and the next registration enables it', async () => {
  const ada = await signUp('Ada');
  const phone = await newPhone(ada);
  await disableAtSns(phone.token);
  expect(await ada.post(`/device/${phone.id}/test`)).toMatchObject(problem(409, 'device.disabled'));
  expect(await devicesOf(ada)).toMatchObject([{ identifier: phone.id, enabled: false }]);
  await setEndpoint((await endpointsOf(phone.token))[0]?.arn ?? '', { Enabled: 'true' });
  expect(await ada.post(`/device/${phone.id}/test`)).toMatchObject(problem(409, 'device.disabled'));
  expect(await phone.inbox()).toEqual([]);
  expect(await register(ada, { token: phone.token })).toMatchObject({ status: 200, body: { enabled: true } });
  expect(await ada.post(`/device/${phone.id}/test`)).toMatchObject({ status: 202 });
});

test('a token moves to the user who registers it, and the first user gets no more pushes there', async () => {
  const study = await sleepStudy({
    type: 'rolling',
    recurrence: '30 21 * * *',
    notification: { subject: 'Diary', body: 'Tonight?' },
  });
  const { responder: ada, other: grace } = study;
  const shared = await newPhone(ada, 'Asia/Tokyo');
  expect(await scheduled(ada)).toMatchObject([{ dueAt: '2027-03-01T12:30:00.000Z', timeZone: 'Asia/Tokyo' }]);

  const moved = await register(grace, { token: shared.token, timeZone: 'America/New_York' });
  expect(moved).toMatchObject({ status: 201, body: { user: `/user/${grace.id}` } });
  expect(await devicesOf(ada)).toEqual([]);
  expect(await devicesOf(grace)).toEqual([moved.body]);
  expect(await endpointsOf(shared.token)).toHaveLength(1);
  // Both plans follow: Ada's falls back to the study's zone, Grace's is that of her new phone.
  expect(await scheduled(ada)).toMatchObject([{ dueAt: '2027-03-01T20:30:00.000Z', timeZone: zone }]);
  expect(await scheduled(grace)).toMatchObject([
    { dueAt: '2027-03-02T02:30:00.000Z', timeZone: 'America/New_York' },
  ]);

  setClock('2027-03-01T20:30:01.000Z');
  await ring(ada);
  expect(await shared.inbox()).toEqual([]);
  setClock('2027-03-02T02:30:01.000Z');
  await ring(grace);
  expect(await shared.inbox()).toHaveLength(1);
});

test('the phone keeps the identifier it chose when its user changes', async () => {
  const [ada, grace] = [await signUp('Ada'), await signUp('Grace')];
  const mine = { token: newToken(), identifier: crypto.randomUUID().replaceAll('-', '') };
  expect(await register(ada, mine)).toMatchObject({ status: 201, body: { identifier: mine.identifier } });
  expect(await register(ada, mine)).toMatchObject({ status: 200, body: { identifier: mine.identifier } });
  expect(await register(grace, mine)).toMatchObject({ status: 201, body: { identifier: mine.identifier } });
  expect(await devicesOf(ada)).toEqual([]);
  expect(await ada.delete(`/device/${mine.identifier}`)).toMatchObject({ status: 404 });
});

test('an identifier that another phone has is taken', async () => {
  const [ada, grace] = [await signUp('Ada'), await signUp('Grace')];
  const phone = await newPhone(ada);
  const token = newToken();
  for (const person of [ada, grace])
    expect(await register(person, { token, identifier: phone.id })).toMatchObject(
      problem(409, 'identifier.taken'),
    );
  expect(await endpointsOf(token)).toEqual([]);
  const second = await newPhone(ada);
  expect(await ada.patch(`/device/${second.id}`, { identifier: phone.id, token })).toMatchObject(
    problem(409, 'identifier.taken'),
  );
  expect(await endpointsOf(token)).toEqual([]);
  expect(await endpointsOf(second.token)).toHaveLength(1);
});

test('a new token replaces the old one on the same endpoint', async () => {
  const ada = await signUp('Ada');
  const phone = await newPhone(ada);
  const [endpoint] = await endpointsOf(phone.token);
  const token = newToken();
  later(minutes);
  const patched = await ada.patch(`/device/${phone.id}`, { token });
  expect(patched).toMatchObject({
    status: 200,
    body: { identifier: phone.id, enabled: true, updatedAt: '2027-03-01T08:01:00.000Z' },
  });
  expect(await endpointsOf(phone.token)).toEqual([]);
  expect(await endpointsOf(token)).toEqual([{ arn: endpoint?.arn, token, enabled: true }]);
});

test('a token sent again heals the device, a zone alone does not ask the relay', async () => {
  const ada = await signUp('Ada');
  const phone = await newPhone(ada);
  await disableAtSns(phone.token);
  await ada.post(`/device/${phone.id}/test`);
  expect(await ada.patch(`/device/${phone.id}`, { timeZone: 'Asia/Tokyo' })).toMatchObject({
    status: 200,
    body: { enabled: false, timeZone: 'Asia/Tokyo' },
  });
  expect(await ada.patch(`/device/${phone.id}`, { token: phone.token })).toMatchObject({
    status: 200,
    body: { enabled: true, timeZone: 'Asia/Tokyo' },
  });
  expect(await endpointsOf(phone.token)).toMatchObject([{ enabled: true }]);
});

test("a token taken from another user's phone leaves one device and one endpoint", async () => {
  const [ada, grace] = [await signUp('Ada'), await signUp('Grace')];
  const [mine, theirs] = [await newPhone(ada), await newPhone(grace)];
  const [kept] = await endpointsOf(theirs.token);
  expect(await ada.patch(`/device/${mine.id}`, { token: theirs.token })).toMatchObject({ status: 200 });
  expect(await devicesOf(ada)).toMatchObject([{ identifier: mine.id, enabled: true }]);
  expect(await devicesOf(grace)).toEqual([]);
  expect(await endpointsOf(theirs.token)).toEqual([kept]);
  expect(await endpointsOf(mine.token)).toEqual([]);
});

test('a changed identifier is the only one', async () => {
  const ada = await signUp('Ada');
  const phone = await newPhone(ada);
  const renamed = crypto.randomUUID().replaceAll('-', '');
  expect(await ada.patch(`/device/${phone.id}`, { identifier: renamed })).toMatchObject({
    status: 200,
    body: { uri: `/device/${renamed}` },
  });
  expect(await ada.patch(`/device/${renamed}`, { identifier: renamed })).toMatchObject({ status: 200 });
  expect(await ada.delete(`/device/${phone.id}`)).toMatchObject({ status: 404 });
  expect(await ada.delete(`/device/${renamed}`)).toMatchObject({ status: 204 });
});

test('a deleted device is gone, also at the relay, and a repeat is 404', async () => {
  const ada = await signUp('Ada');
  const phone = await newPhone(ada);
  const answer = await ada.delete(`/device/${phone.id}`);
  expect(answer).toMatchObject({ status: 204, text: '' });
  expect(await endpointsOf(phone.token)).toEqual([]);
  expect(await ada.delete(`/device/${phone.id}`)).toMatchObject(problem(404, 'resource.not-found'));
  const another = await newPhone(ada);
  await deleteAtSns(another.token);
  expect(await ada.delete(`/device/${another.id}`)).toMatchObject({ status: 204 });
});

test("nobody reaches another's device", async () => {
  const [ada, grace] = [await signUp('Ada'), await signUp('Grace')];
  const phone = await newPhone(ada);
  for (const answer of [
    await grace.get(`/device/${phone.id}`),
    await grace.patch(`/device/${phone.id}`, { timeZone: zone }),
    await grace.delete(`/device/${phone.id}`),
    await grace.post(`/device/${phone.id}/test`),
    await grace.get(`/user/${ada.id}/devices`),
    await grace.post(`/user/${ada.id}/device`, { platform: 'android', token: newToken(), timeZone: zone }),
  ])
    expect(answer).toMatchObject(problem(404, 'resource.not-found'));
  expect(await endpointsOf(phone.token)).toHaveLength(1);
  const study = await sleepStudy();
  expect(await study.owner.get(`/user/${study.editor.id}/devices`)).toMatchObject(
    problem(403, 'action.forbidden'),
  );
});

test('the eleventh device retires the one not seen for longest, also at the relay', async () => {
  const ada = await signUp('Ada');
  const phones = [];
  for (let n = 0; n < 10; n++) {
    later(minutes);
    phones.push(await newPhone(ada));
  }
  const [first, second, ...rest] = phones;
  if (!first || !second) throw new Error('no phones');
  later(minutes);
  await ada.patch(`/device/${first.id}`, { timeZone: zone });
  later(minutes);
  const eleventh = await newPhone(ada);
  const left = (await devicesOf(ada)).map((device: { identifier: string }) => device.identifier);
  expect(left.toSorted()).toEqual([first, ...rest, eleventh].map((phone) => phone.id).toSorted());
  expect(await endpointsOf(second.token)).toEqual([]);
  expect(await endpointsOf(first.token)).toHaveLength(1);
});

test('a test push is accepted with the message id that the phone sees', async () => {
  const ada = await signUp('Ada');
  const phone = await newPhone(ada, zone, 'ios');
  const answer = await ada.post(`/device/${phone.id}/test`);
  const [push] = await phone.inbox();
  expect(answer).toMatchObject({ status: 202, body: { device: phone.id, messageId: push?.messageId } });
});

test.each(['CreatePlatformEndpoint', 'GetEndpointAttributes'])(
  'a registration that %s fails for is 503, and nothing is stored',
  async (action) => {
    const ada = await signUp('Ada');
    const token = newToken();
    await breakSns(token, action, { code: 'InternalError' });
    const answer = await register(ada, { token });
    expect(answer).toMatchObject(problem(503, 'relay.unavailable'));
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await devicesOf(ada)).toEqual([]);
    expect(await register(ada, { token })).toMatchObject({ status: 201 });
  },
);

test('while the relay is out of reach, nothing changes', async () => {
  const ada = await signUp('Ada');
  const phone = await newPhone(ada);
  const before = await devicesOf(ada);
  const token = newToken();
  await breakSns(phone.token, '*', { kind: 'reset', times: 4 });
  for (const answer of [
    await ada.patch(`/device/${phone.id}`, { token }),
    await ada.delete(`/device/${phone.id}`),
    await ada.post(`/device/${phone.id}/test`),
    await register(ada, { token: phone.token, timeZone: 'Asia/Tokyo' }),
  ]) {
    expect(answer).toMatchObject(problem(503, 'relay.unavailable'));
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  }
  expect(await devicesOf(ada)).toEqual(before);
});

test('a token that the relay refuses is the fault of the request', async () => {
  const ada = await signUp('Ada');
  const answer = await register(ada, { platform: 'ios', token: 'f'.repeat(401) });
  expect(answer).toMatchObject(problem(400, 'device.token-refused'));
  expect(answer.body.errors).toEqual([{ pointer: '/token', detail: expect.any(String) }]);
  expect(await devicesOf(ada)).toEqual([]);
});

test.each<[string, object, string]>([
  ['an empty token', { token: '' }, '/token'],
  ['a token of 4097 characters', { token: 'a'.repeat(4097) }, '/token'],
  ['a token with a space', { token: 'two words' }, '/token'],
  ['no token', { token: undefined }, '/token'],
  ['an unknown platform', { platform: 'windows' }, '/platform'],
  ['a platform that every object has', { platform: 'constructor' }, '/platform'],
  ['an offset for a zone', { timeZone: '+01:00' }, '/timeZone'],
  ['a malformed identifier', { identifier: 'ABC' }, '/identifier'],
  ['an endpoint', { endpoint: 'arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/x/y' }, '/endpoint'],
  ['a state', { enabled: true }, '/enabled'],
])('a registration with %s is refused', async (_, change, pointer) => {
  const ada = await signUp('Ada');
  const answer = await register(ada, { token: newToken(), ...change });
  expect(answer).toMatchObject(problem(400, 'request.invalid'));
  expect(answer.body.errors).toContainEqual({ pointer, detail: expect.any(String) });
});

test('an app that registers at each start costs no new plan', async () => {
  const study = await sleepStudy(daily);
  const phone = await newPhone(study.responder);
  await pendingOf(study.responder);
  await jobsDone();
  const version = () => planVersion(study.responder.id);
  const before = await version();
  await register(study.responder, { token: phone.token });
  expect(await version()).toBe(before);
  await register(study.responder, { token: phone.token, timeZone: 'Asia/Tokyo' });
  expect(await version()).not.toBe(before);
  expect(await waitingJobs()).toBe(0);
  expect(await inboxOf(world, phone.token)).toEqual([]);
});

test('a test push takes no field: the request is refused, and nothing reaches the phone', async () => {
  const ada = await signUp('Ada');
  const phone = await newPhone(ada);
  const path = `/device/${phone.id}/test`;
  await changingNothing(async () => {
    for (const body of [{ title: 'Hello' }, { survey: null }])
      expectProblem(await ada.post(path, body), 'request.invalid', [`/${Object.keys(body)[0]}`]);
  });
  expect(await phone.inbox()).toEqual([]);
  expect((await ada.post(path, {})).status).toBe(202);
  expect(await phone.inbox()).toHaveLength(1);
});
