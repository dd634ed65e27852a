import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { PushService } from '../../src/services.ts';
import type { Answer, Person } from '../support/people.ts';
import { inboxOf } from '../support/phones.ts';
import { Random } from '../support/random.ts';
import { seed } from '../support/seed.ts';
import { easyPush, newApp } from '../support/worker/apps.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { breakSns, endpointsOf, faultTaken } from '../support/worker/sns.ts';
import { dumpTables } from '../support/worker/tables.ts';
import { newPhone, signUp, world } from '../support/worker/world.ts';

const times = <T>(n: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)));
const newToken = () => `token-${crypto.randomUUID()}`;
const register = (of: Person, token: string, identifier?: string) =>
  of.post('/user/me/device', { platform: 'android', token, timeZone: 'Europe/Paris', identifier });
const devicesOf = async (of: Person) => (await of.get('/user/me/devices')).body.devices;
const rowsChanging = async (of: Person) =>
  ((await dumpTables()).device ?? []).filter((row) => row.user_id === of.id && row.changed_at !== null);
const statuses = (answers: Answer[]) => answers.map((answer) => answer.status).toSorted();

/* The database notes each write after which two users have one token, in every test below. */
beforeAll(async () => {
  await env.DB.batch(
    [
      'create table test_two_owners (token text)',
      ...['insert', 'update'].map(
        (event) => `create trigger test_two_owners_after_${event} after ${event} on device
          when new.user_id is not null and exists (select 1 from device other where other.token = new.token
            and other.platform = new.platform and other.user_id <> new.user_id)
          begin insert into test_two_owners values (new.token); end`,
      ),
    ].map((statement) => env.DB.prepare(statement)),
  );
});

afterEach(async () => {
  expect((await env.DB.prepare('delete from test_two_owners returning *').all()).results).toEqual([]);
});

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

/** Anna's app or Ben's, where something else happens before or after the relay is asked. */
const appWhere = (push: Partial<PushService>) => newApp({ push: { ...createServices(env).push, ...push } });

/** Removals wait until `meanwhile` is done. */
function removingAfter(meanwhile: () => Promise<unknown>) {
  const { push } = createServices(env);
  return appWhere({
    remove: async (endpoint) => {
      await meanwhile();
      return push.remove(endpoint);
    },
  });
}

/** Registrations go on when `meanwhile` is done, which comes once, after the relay's answer. */
function registeringBefore(meanwhile: () => Promise<unknown>) {
  const { push } = createServices(env);
  let asked = false;
  return appWhere({
    register: async (device) => {
      const answer = await push.register(device);
      if (!asked) {
        asked = true;
        await meanwhile();
      }
      return answer;
    },
  });
}

async function expectReached(owner: Person, token: string) {
  const [device, ...more] = await devicesOf(owner);
  expect([device?.enabled, more]).toEqual([true, []]);
  expect(await endpointsOf(token)).toMatchObject([{ enabled: true }]);
  expect(await owner.post(`/device/${device.identifier}/test`)).toMatchObject({ status: 202 });
  expect(await inboxOf(world, token)).toHaveLength(1);
}

/** By which Anna gives up a phone. */
const farewells: [string, (phone: { id: string }) => string][] = [
  ['deletes it', ({ id }) => `/device/${id}`],
  ['deletes herself', () => '/user/me'],
];

describe.each(farewells)('while Anna %s, Ben registers the phone', (_, path) => {
  test('before it leaves the relay: he is reached', async () => {
    const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
    const phone = await newPhone(anna);
    const { send } = removingAfter(() => register(ben, phone.token));
    const answer = await send(path(phone), { method: 'DELETE', token: anna.token });
    expect([204, 404]).toContain(answer.status);
    await expectReached(ben, phone.token);
    expect(await rowsChanging(ben)).toEqual([]);
  });

  test('before it leaves the relay, and stores it after: he is reached', async () => {
    const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
    const phone = await newPhone(anna);
    const { send } = registeringBefore(() => anna.delete(path(phone)));
    const body = { platform: 'android', token: phone.token, timeZone: 'Europe/Paris' };
    expect(await send('/user/me/device', { method: 'POST', token: ben.token, body })).toMatchObject({
      status: 201,
    });
    expect(await endpointsOf(phone.token)).toHaveLength(1);
    await expectReached(ben, phone.token);
  });

  test('as the new token of his device, and stores it after it left the relay: he is reached', async () => {
    const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
    const [phone, own] = [await newPhone(anna), await newPhone(ben)];
    const { send } = registeringBefore(() => anna.delete(path(phone)));
    const body = { token: phone.token };
    expect(await send(`/device/${own.id}`, { method: 'PATCH', token: ben.token, body })).toMatchObject({
      status: 200,
    });
    await expectReached(ben, phone.token);
  });

  test('and the relay removes it without an answer: he is reached', async () => {
    const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
    const phone = await newPhone(anna);
    const { send } = removingAfter(async () => {
      await register(ben, phone.token);
      await breakSns(phone.token, 'DeleteEndpoint', { kind: 'accepted-then-reset' });
    });
    expect((await send(path(phone), { method: 'DELETE', token: anna.token })).status).toBe(503);
    await expectReached(ben, phone.token);
  });

  test('and her request dies with the endpoint: the sweep sees to it that he is reached', async () => {
    const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
    const phone = await newPhone(anna);
    const { push } = createServices(env);
    const { send } = appWhere({
      remove: async (endpoint) => {
        await register(ben, phone.token);
        await push.remove(endpoint);
        throw new Error('killed by the test');
      },
    });
    expect((await send(path(phone), { method: 'DELETE', token: anna.token })).status).toBe(500);
    expect(await endpointsOf(phone.token)).toEqual([]);
    later(2 * minutes);
    await sweep(createServices(env));
    await expectReached(ben, phone.token);
    expect(await rowsChanging(ben)).toEqual([]);
  });

  test('and the relay is out of reach when he is to get it again: the sweep sees to it', async () => {
    const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
    const phone = await newPhone(anna);
    const { push } = createServices(env);
    const { send } = appWhere({
      remove: async (endpoint) => {
        await register(ben, phone.token);
        return push.remove(endpoint);
      },
      register: async () => ({ state: 'unavailable', error: 'Timeout' }),
    });
    await send(path(phone), { method: 'DELETE', token: anna.token });
    expect(await devicesOf(ben)).toMatchObject([{ enabled: false }]);
    later(2 * minutes);
    await sweep(createServices(env));
    await expectReached(ben, phone.token);
  });
});

test('a phone that somebody else takes while the relay is slow to remove it reaches them', async () => {
  const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
  const phone = await newPhone(anna);
  await breakSns(phone.token, 'DeleteEndpoint', { delayMs: 2_000 });
  const deleting = anna.delete(`/device/${phone.id}`);
  await faultTaken(phone.token);
  expect(await register(ben, phone.token)).toMatchObject({ status: 201 });
  await deleting;
  await expectReached(ben, phone.token);
});

test('a phone that Anna registers while she deletes it is deleted, with the endpoint that it got', async () => {
  const anna = await signUp('Anna');
  const phone = await newPhone(anna);
  const { push } = createServices(env);
  const { send } = appWhere({
    remove: async (endpoint) => {
      const removal = await push.remove(endpoint);
      if ((await devicesOf(anna)).length > 0 && !(await endpointsOf(phone.token)).length)
        await register(anna, phone.token);
      return removal;
    },
  });
  expect(await send(`/device/${phone.id}`, { method: 'DELETE', token: anna.token })).toMatchObject({
    status: 204,
  });
  expect(await devicesOf(anna)).toEqual([]);
  expect(await endpointsOf(phone.token)).toEqual([]);
});

test('a retired phone that Ben registers before it leaves the relay reaches him', async () => {
  const [anna, ben] = [await signUp('Anna'), await signUp('Ben')];
  const phones = [];
  for (let n = 0; n < 10; n++) {
    later(minutes);
    phones.push(await newPhone(anna));
  }
  const token = phones[0]?.token ?? '';
  const { send } = removingAfter(() => register(ben, token));
  const body = { platform: 'android', token: newToken(), timeZone: 'Europe/Paris' };
  later(minutes);
  expect(await send('/user/me/device', { method: 'POST', token: anna.token, body })).toMatchObject({
    status: 201,
  });
  await expectReached(ben, token);
});

test('a phone that is taken again while it is registered for its former user stays silent for them', async () => {
  const [anna, ben, cleo] = [await signUp('Anna'), await signUp('Ben'), await signUp('Cleo')];
  const phone = await newPhone(anna);
  const { push } = createServices(env);
  const { send } = appWhere({
    remove: async (endpoint) => {
      await register(ben, phone.token);
      return push.remove(endpoint);
    },
    register: async () => {
      // Cleo has the phone in hand, and the relay does not answer her.
      const unavailable = { state: 'unavailable' as const, error: 'Timeout' };
      const body = { platform: 'android', token: phone.token, timeZone: 'Europe/Paris' };
      const failing = appWhere({ register: async () => unavailable });
      const answer = await failing.send('/user/me/device', { method: 'POST', token: cleo.token, body });
      expect(answer.status).toBe(503);
      return unavailable;
    },
  });
  await send(`/device/${phone.id}`, { method: 'DELETE', token: anna.token });
  later(2 * minutes);
  await sweep(createServices(env));
  expect(await devicesOf(ben)).toMatchObject([{ enabled: false }]);
});

test('a phone that the relay gives an endpoint has it alone, whatever token it had before', async () => {
  const endpoint = 'arn:aws:sns:eu-central-1:000000000000:endpoint/GCM/test/one-phone';
  const push = {
    ...easyPush,
    register: async () => ({ state: 'registered', endpoint }),
  } as unknown as PushService;
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

test('four people do anything at once with three phones, and none has two owners', async () => {
  const random = new Random(seed);
  const { send } = newApp({ push: { ...createServices(env).push, ...easyPush } });
  const people = await times(4, (n) => signUp(`Person ${n}`));
  const tokens = Array.from({ length: 3 }, newToken);
  const statuses = new Set<number>();
  for (let round = 0; round < 20; round++) {
    const asked = people.flatMap((person) => [person, person, person]);
    await Promise.all(
      asked.map(async ({ token: auth }) => {
        const call = (method: string, path: string, body?: object) =>
          send(path, { method, token: auth, ...(body && { body }) });
        const token = random.pick(tokens);
        const [device] = random.chance(0.5) ? (await call('GET', '/user/me/devices')).body.devices : [];
        const answer = await (device === undefined
          ? call('POST', '/user/me/device', { platform: 'android', token, timeZone: 'Europe/Paris' })
          : random.chance(0.7)
            ? call('PATCH', `/device/${device.identifier}`, { token })
            : call('DELETE', `/device/${device.identifier}`));
        statuses.add(answer.status);
      }),
    );
    const owned = (await times(4, (n) => devicesOf(people[n] as Person))).flat();
    expect(owned.length).toBeLessThanOrEqual(tokens.length);
  }
  expect([...statuses].filter((status) => ![200, 201, 204, 404].includes(status))).toEqual([]);
});
