import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { sweep } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { PushService } from '../../src/services.ts';
import type { Person } from '../support/people.ts';
import { inboxOf } from '../support/phones.ts';
import { newApp } from '../support/worker/apps.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { breakSns, endpointsOf } from '../support/worker/sns.ts';
import { newPhone, signUp, world } from '../support/worker/world.ts';
import {
  given,
  newToken,
  swapEndpoint,
  sweepTwice,
  tenPhones,
  tokensAtRelay,
} from './support/given-up-endpoints.ts';

const register = (of: Person, token: string) => of.post('/user/me/device', given(token));
const devicesOf = async (of: Person) => (await of.get('/user/me/devices')).body.devices;

async function expectReached(owner: Person, token: string) {
  const [device, ...more] = await devicesOf(owner);
  expect([device?.enabled, more]).toEqual([true, []]);
  expect(await owner.post(`/device/${device.identifier}/test`)).toMatchObject({ status: 202 });
  expect(await inboxOf(world, token)).toHaveLength(1);
}

test('a phone retired while the relay is out of reach is gone at once, and its endpoint once the relay is back', async () => {
  const anna = await signUp('Anna');
  const [first] = await tenPhones(anna);
  await breakSns(first.token, 'DeleteEndpoint', { kind: 'reset', times: 2 });
  await newPhone(anna);
  expect(await endpointsOf(first.token)).toMatchObject([{ enabled: true }]);
  const devices = (await devicesOf(anna)).map((device: { identifier: string }) => device.identifier);
  expect([devices.length, devices.includes(first.id)]).toEqual([10, false]);
  expect((await anna.get('/user/me')).body.devices).toEqual(devices);
  expectProblem(await anna.get(`/device/${first.id}`), 'resource.not-found');
  expectProblem(await anna.post(`/device/${first.id}/test`), 'resource.not-found');

  // The relay does not answer the next time either.
  later(2 * minutes);
  await sweep(createServices(env));
  expect(await endpointsOf(first.token)).toHaveLength(1);
  await sweepTwice();
  expect(await endpointsOf(first.token)).toEqual([]);
});

test('an endpoint that its phone has again by then stays', async () => {
  const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
  const [first] = await tenPhones(anna);
  await breakSns(first.token, 'DeleteEndpoint', { kind: 'reset', times: 1 });
  await newPhone(anna);
  const before = await endpointsOf(first.token);
  expect(await register(ben, first.token)).toMatchObject({ status: 201 });
  await sweepTwice();
  expect(await endpointsOf(first.token)).toEqual(before);
  await expectReached(ben, first.token);
});

test('an endpoint that the sweep replaces leaves the relay too', async () => {
  const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
  const phone = await newPhone(anna);
  // Taken from somebody else, so that the sweep looks at it once more.
  await register(ben, phone.token);
  const tokens = [phone.token, await swapEndpoint(phone)];
  later(2 * minutes);
  await sweep(createServices(env));
  await sweepTwice();
  expect(await tokensAtRelay(tokens)).toEqual([phone.token]);
  await expectReached(ben, phone.token);
});

test('an endpoint waits while the relay does not say what it is', async () => {
  const anna = await signUp('Anna');
  const [first] = await tenPhones(anna);
  await breakSns(first.token, 'DeleteEndpoint', { kind: 'reset', times: 1 });
  await newPhone(anna);
  const services = createServices(env);
  const down = { ...services.push, check: async () => ({ state: 'unavailable' as const, error: 'Timeout' }) };
  later(2 * minutes);
  await sweep({ ...services, push: down });
  expect(await endpointsOf(first.token)).toHaveLength(1);
  await sweepTwice();
  expect(await endpointsOf(first.token)).toEqual([]);
});

/** An app in which somebody else comes first once, before the relay is asked to register a phone or after. */
function interruptedApp(when: 'before' | 'after', meanwhile: () => Promise<unknown>) {
  const { push } = createServices(env);
  let left = [meanwhile];
  const once = async () => {
    const [first] = left;
    left = [];
    await first?.();
  };
  const register: PushService['register'] = async (device) => {
    if (when === 'before') await once();
    const answer = await push.register(device);
    await once();
    return answer;
  };
  return newApp({ push: { ...push, register } });
}

test('a phone that registers while it is retired is reached within minutes', async () => {
  const anna = await signUp('Anna');
  const [{ token }] = await tenPhones(anna);
  const { send } = interruptedApp('after', () => newPhone(anna));
  later(minutes);
  const answer = await send('/user/me/device', { method: 'POST', token: anna.token, body: given(token) });
  expect(answer.status).toBe(201);
  expect(await endpointsOf(token)).toEqual([]);
  await sweepTwice();
  expect(await anna.post(`/device/${answer.body.identifier}/test`)).toMatchObject({ status: 202 });
  expect(await inboxOf(world, token)).toHaveLength(1);
});

test.each([
  [
    'registered by a user who is deleted meanwhile',
    '/user/me/device',
    'POST',
    () => '/user/me',
    'user.not-signed-up',
  ],
  [
    'given to a device that is deleted meanwhile',
    undefined,
    'PATCH',
    (device: string) => device,
    'resource.not-found',
  ],
] as const)('no endpoint is left of a phone %s', async (_, path, method, deleted, code) => {
  const anna = await signUp('Anna');
  const phone = await newPhone(anna);
  const token = newToken();
  const device = `/device/${phone.id}`;
  const { send } = interruptedApp('before', () => anna.delete(deleted(device)));
  const body = method === 'POST' ? given(token) : { token };
  expectProblem(await send(path ?? device, { method, token: anna.token, body }), code);
  await sweepTwice();
  expect([...(await endpointsOf(phone.token)), ...(await endpointsOf(token))]).toEqual([]);
});

test('a token that is sent again and again while the relay is out of reach is noted once', async () => {
  const anna = await signUp('Anna');
  const phone = await newPhone(anna);
  const { send } = newApp({
    push: { ...createServices(env).push, register: async () => ({ state: 'unavailable', error: 'Timeout' }) },
  });
  const token = newToken();
  for (let n = 0; n < 5; n++) {
    const asked = { method: 'PATCH', token: anna.token, body: { token } };
    expect((await send(`/device/${phone.id}`, asked)).status).toBe(503);
  }
  const noted = await env.DB.prepare('select * from device where user_id is null and token = ?')
    .bind(token)
    .all();
  expect(noted.results).toHaveLength(1);
  expect(await anna.patch(`/device/${phone.id}`, { token })).toMatchObject({ status: 200 });
  await expectReached(anna, token);
  await sweepTwice();
  expect((await env.DB.prepare('select * from device where user_id is null').all()).results).toEqual([]);
  expect(await tokensAtRelay([token])).toEqual([token]);
});
