import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Push } from '../../src/services.ts';
import type { Answer, Person } from '../support/people.ts';
import { easyPush, newApp } from './support/apps.ts';
import { endpointsOf } from './support/sns.ts';
import { newPhone, signUp } from './support/world.ts';

const times = <T>(n: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)));
const newToken = () => `token-${crypto.randomUUID()}`;
const register = (of: Person, token: string, identifier?: string) =>
  of.post('/user/me/device', { platform: 'android', token, timeZone: 'Europe/Paris', identifier });
const devicesOf = async (of: Person) => (await of.get('/user/me/devices')).body.devices;
const statuses = (answers: Answer[]) => answers.map((answer) => answer.status).toSorted();

test.each([
  ['', () => undefined],
  ['with the identifier it chose', () => crypto.randomUUID().replaceAll('-', '')],
])('one phone that registers twenty times at once is one device %s', async (_, choose) => {
  const ada = await signUp('Ada');
  const token = newToken();
  const identifier = choose();
  const answers = await times(20, () => register(ada, token, identifier));
  expect(statuses(answers)).toEqual([...Array(19).fill(200), 201]);
  const devices = await devicesOf(ada);
  expect(devices).toHaveLength(1);
  expect(new Set(answers.map((answer) => answer.body.identifier))).toEqual(new Set([devices[0].identifier]));
  if (identifier) expect(devices[0].identifier).toBe(identifier);
  expect(await endpointsOf(token)).toMatchObject([{ enabled: true }]);
});

test('one phone that twenty users register at once has one owner', async () => {
  const people = await times(20, (n) => signUp(`Person ${n}`));
  const token = newToken();
  const answers = await Promise.all(people.map((person) => register(person, token)));
  expect(answers.filter((answer) => answer.status > 201)).toEqual([]);
  const devices = (await Promise.all(people.map(devicesOf))).flat();
  expect(devices).toHaveLength(1);
  expect(answers.map((answer) => answer.body.identifier)).toContain(devices[0].identifier);
  expect(await endpointsOf(token)).toMatchObject([{ enabled: true }]);
});

test('twenty phones that one user registers at once leave ten, each with its endpoint', async () => {
  const ada = await signUp('Ada');
  const tokens = Array.from({ length: 20 }, newToken);
  const answers = await Promise.all(tokens.map((token) => register(ada, token)));
  expect(statuses(answers)).toEqual(Array(20).fill(201));
  const left = new Set((await devicesOf(ada)).map((device: { identifier: string }) => device.identifier));
  expect(left.size).toBe(10);
  const kept = tokens.filter((_, n) => left.has(answers[n]?.body.identifier));
  const endpoints = await Promise.all(tokens.map(endpointsOf));
  expect(tokens.filter((_, n) => endpoints[n]?.length === 1)).toEqual(kept);
});

test('two phones that take the same new token at once leave one device with it', async () => {
  const [ada, grace] = [await signUp('Ada'), await signUp('Grace')];
  const [first, second] = [await newPhone(ada), await newPhone(grace)];
  const token = newToken();
  const answers = await Promise.all([
    ada.patch(`/device/${first.id}`, { token }),
    grace.patch(`/device/${second.id}`, { token }),
  ]);
  // The one that came first may find its device already moved.
  expect(answers.filter((answer) => ![200, 404].includes(answer.status))).toEqual([]);
  expect([...(await devicesOf(ada)), ...(await devicesOf(grace))]).toHaveLength(1);
  expect(await endpointsOf(token)).toMatchObject([{ enabled: true }]);
});

test('of five deletions at once one succeeds', async () => {
  const ada = await signUp('Ada');
  const phone = await newPhone(ada);
  const answers = await times(5, () => ada.delete(`/device/${phone.id}`));
  expect(statuses(answers)).toEqual([204, 404, 404, 404, 404]);
  expect(await endpointsOf(phone.token)).toEqual([]);
});

test('whoever the relay gives an endpoint to has it alone, whatever token it had before', async () => {
  const endpoint = 'arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/test/one-phone';
  const push = { ...easyPush, register: async () => ({ state: 'registered', endpoint }) } as unknown as Push;
  const { send } = newApp({ push });
  const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
  for (const { token } of [anna, ben]) {
    const body = { platform: 'android', token: crypto.randomUUID(), timeZone: 'Europe/Paris' };
    expect((await send('/user/me/device', { method: 'POST', token, body })).status).toBe(201);
  }
  const { results } = await env.DB.prepare('select user_id from device where endpoint = ? and enabled')
    .bind(endpoint)
    .all();
  expect(results).toEqual([{ user_id: ben.id }]);
});
