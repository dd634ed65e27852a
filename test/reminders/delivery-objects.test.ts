import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { createServices, servicesOf } from '../../src/platform/cloudflare/services.ts';
import type { PushMessage } from '../../src/services.ts';
import { DeliveryObject } from '../../src/worker.ts';
import { plan } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { addMembers, addPhones } from '../support/worker/bulk.ts';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { statesOf } from '../support/worker/reminder-tables.ts';
import { daily } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');

afterEach(() => {
  vi.restoreAllMocks();
});

const alarmOf = (user: string) => env.USER_ALARM.get(env.USER_ALARM.idFromName(user));
const deliver = (user: string) => alarmOf(user).deliver(user);
const alarmAt = (user: string) => runInDurableObject(alarmOf(user), (_, state) => state.storage.getAlarm());

/** The only one: the tests' setting has it so. */
const deliveryObject = () => env.DELIVERY.get(env.DELIVERY.idFromName('weur-0'));
const reset = () =>
  runInDurableObject(deliveryObject(), (_, state) => state.abort('reset by the test')).catch(() => {});

/** Members with a phone each who are due at once. */
async function crowd(count: number) {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  await addMembers(study, count);
  await addPhones(study);
  const { results } = await env.DB.prepare(
    "select u.id from user u join member m on m.user_id = u.id where u.issuer = 'bulk' and m.investigation_id = ? order by 1",
  )
    .bind(study.id)
    .all<{ id: string }>();
  const users = results.map(({ id }) => id);
  await plan(servicesOf(env), users);
  const pushes: PushMessage[] = [];
  const send = vi.spyOn(servicesOf(env).push, 'send').mockImplementation(async (message) => {
    pushes.push(message);
    return { state: 'sent', messageId: 'message' };
  });
  setClock(due);
  return { users, pushes, send };
}

const allSent = (count: number) => ({ '2027-03-01 sent': count, '2027-03-02 scheduled': count });
const prototype = Object.getPrototypeOf(env.DB) as D1Database;
/** Settings are variables beside the bindings. */
const withSettings = (settings: object) => createServices({ ...env, ...settings });

test('64 people who are due at once are claimed in a few batches of D1, and each gets one push', async () => {
  const { users, pushes } = await crowd(64);
  const asked = vi.spyOn(DeliveryObject.prototype, 'claim');
  const carryOut = prototype.batch;
  const batch = vi.spyOn(prototype, 'batch').mockImplementation(async function (
    this: D1Database,
    statements,
  ) {
    // On a slow machine they do not come at once.
    await eventually('64 asked', () => asked.mock.calls.length >= 64);
    return carryOut.call(this, statements) as never;
  });
  await Promise.all(users.map(deliver));
  expect(new Set(pushes.map(({ collapseId }) => collapseId)).size).toBe(64);
  expect(pushes).toHaveLength(64);
  // On their own they would be 128. Their claims are three at most; the ends of their pushes depend on the machine.
  expect(batch.mock.calls.length).toBeGreaterThan(1);
  expect(batch.mock.calls.length).toBeLessThanOrEqual(3 + 64);
  expect(await statesOf(users)).toEqual(allSent(64));
});

test('a record that D1 refuses is not the fault of those that it shares a batch with', async () => {
  const { users, pushes } = await crowd(8);
  const [first = ''] = users;
  await env.DB.exec(
    `create trigger planted before update on notification when new.user_id = '${first}' and new.state = 'sent'
      begin select raise(abort, 'planted'); end`.replaceAll('\n', ' '),
  );
  const all = users.map((user) =>
    deliver(user).then(
      () => user,
      () => null,
    ),
  );
  expect((await Promise.all(all.slice(1))).filter((user) => user === null)).toEqual([]);
  expect(await statesOf(users.slice(1))).toEqual(allSent(7));
  // The first one keeps trying to record its push, and does once D1 takes it.
  await env.DB.exec('drop trigger planted');
  expect(await all[0]).toBe(first);
  expect(pushes).toHaveLength(8);
  expect(await statesOf(users)).toEqual(allSent(8));
});

test('a claim that D1 refuses costs only the one that is at fault', async () => {
  const { users, pushes } = await crowd(8);
  const [first = ''] = users;
  await env.DB.exec(
    `create trigger planted before insert on notification when new.user_id = '${first}'
      begin select raise(abort, 'planted'); end`.replaceAll('\n', ' '),
  );
  const results = await Promise.allSettled(users.map(deliver));
  expect(results.map(({ status }) => status)).toEqual(['rejected', ...Array(7).fill('fulfilled')]);
  expect(pushes).toHaveLength(7);
  await env.DB.exec('drop trigger planted');
  await deliver(first);
  expect(pushes).toHaveLength(8);
  expect(await statesOf(users)).toEqual(allSent(8));
});

test('a delivery object that is reset between push and record loses nothing, and nobody gets a second push', async () => {
  const { users, pushes, send } = await crowd(4);
  const push = send.getMockImplementation();
  send.mockImplementationOnce(async (message) => {
    await reset();
    return (await push?.(message)) ?? { state: 'failed', error: 'planted' };
  });
  await Promise.all(users.map(deliver));
  expect(pushes).toHaveLength(4);
  expect(await statesOf(users)).toEqual(allSent(4));
});

test('claims that wait in a delivery object that is reset are asked of the next one', async () => {
  const { users, pushes } = await crowd(2);
  let stuck = 0;
  const hang = () => {
    stuck += 1;
    return new Promise<never>(() => {});
  };
  vi.spyOn(DeliveryObject.prototype, 'claim').mockImplementationOnce(hang).mockImplementationOnce(hang);
  const all = users.map(deliver);
  await eventually('both are stuck', () => stuck === 2);
  expect(pushes).toEqual([]);
  await reset();
  await Promise.all(all);
  expect(pushes).toHaveLength(2);
  expect(await statesOf(users)).toEqual(allSent(2));
});

test('a claim whose answer is lost with its delivery object is made again within a minute', async () => {
  const { users, pushes } = await crowd(4);
  const carryOut = prototype.batch;
  vi.spyOn(prototype, 'batch').mockImplementationOnce(async function (this: D1Database, statements) {
    await carryOut.call(this, statements);
    void reset();
    return new Promise<never>(() => {});
  });
  await Promise.all(users.map(deliver));
  const left = users.length - pushes.length;
  expect(left).toBeGreaterThan(0);
  for (const user of users) expect(await alarmAt(user)).not.toBeNull();
  later(61_000);
  await Promise.all(users.map((user) => runDurableObjectAlarm(alarmOf(user))));
  expect(pushes).toHaveLength(4);
  expect(await statesOf(users)).toEqual(allSent(4));
});

test('a record whose answer is lost with its delivery object is asked again and changes nothing', async () => {
  const { users, pushes } = await crowd(4);
  const carryOut = prototype.batch;
  let lost = false;
  vi.spyOn(prototype, 'batch').mockImplementation(async function (this: D1Database, statements) {
    const answers = await carryOut.call(this, statements);
    if (lost || pushes.length < 4) return answers as never;
    lost = true;
    void reset();
    return new Promise<never>(() => {});
  });
  await Promise.all(users.map(deliver));
  expect(lost).toBe(true);
  expect(pushes).toHaveLength(4);
  expect(await statesOf(users)).toEqual(allSent(4));
});

test('a delivery object says once that the database is on another continent, which costs no claim', async () => {
  const log = vi.spyOn(servicesOf(env), 'log').mockImplementation(() => {});
  const first = vi.spyOn(Object.getPrototypeOf(env.DB.prepare('select 1')) as D1PreparedStatement, 'run');
  first.mockResolvedValue({ results: [], success: true, meta: { served_by_region: 'ENAM' } } as never);
  const { users } = await crowd(1);
  const far = env.DELIVERY.get(env.DELIVERY.idFromName('weur-7'));
  for (let n = 0; n < 2; n++) await far.claim(users[0] ?? '');
  await env.DELIVERY.get(env.DELIVERY.idFromName('enam-7')).claim(users[0] ?? '');
  const said = log.mock.calls.filter(([line]) => line.event === 'delivery.far');
  expect(said).toEqual([[{ event: 'delivery.far', object: 'weur-7', database: 'enam' }]]);
  first.mockRejectedValue(new Error('planted'));
  later(2 * minutes);
  const claimed = await env.DELIVERY.get(env.DELIVERY.idFromName('weur-8')).claim(users[0] ?? '');
  expect(claimed.rows).toHaveLength(1);
});

test('users are spread over as many objects as the setting says, where it says; none is needed', async () => {
  const asked: (string | undefined)[][] = [];
  const DELIVERY = {
    idFromName: (name: string) => name,
    get: (name: string, options?: { locationHint?: string }) => asked.push([name, options?.locationHint]),
  } as unknown as typeof env.DELIVERY;
  const ask = (settings: object, user: string) =>
    withSettings({ DELIVERY, DELIVERY_LOCATION: '', ...settings }).deliveryObject(user)?.();
  const ids = ['0', '1', '2', '3'].map((end) => end.padStart(32, '0'));
  for (const id of ids) ask({ DELIVERY_OBJECTS: '3' }, id);
  ask({ DELIVERY_OBJECTS: '3', DELIVERY_LOCATION: 'enam' }, ids[1] ?? '');
  expect(ask({ DELIVERY_OBJECTS: '0' }, ids[1] ?? '')).toBeUndefined();
  expect(asked).toEqual([
    ['0', undefined],
    ['1', undefined],
    ['2', undefined],
    ['0', undefined],
    ['enam-1', 'enam'],
  ]);
});

test('of 12 people who are due at once in one isolate, as many are delivered to at a time as may be, and in the end all', async () => {
  const { users, pushes, send } = await crowd(12);
  // Here those that wait look again and again: this runtime, unlike Cloudflare's, lets no object wake another.
  let free = 4;
  vi.spyOn(servicesOf(env), 'withDeliverySlot').mockImplementation(async (work) => {
    await eventually('a turn', () => free > 0 && free--);
    return work().finally(() => {
      free += 1;
    });
  });
  const push = send.getMockImplementation();
  let [waiting, open] = [0, false];
  send.mockImplementation(async (message) => {
    waiting += 1;
    await eventually('the others have asked', () => open);
    return (await push?.(message)) ?? { state: 'failed', error: 'planted' };
  });
  const asked = vi.spyOn(DeliveryObject.prototype, 'claim');
  const all = Promise.all(users.map(deliver));
  await eventually('4 pushes under way', () => waiting === 4);
  // The claims of each of them; the others have not begun.
  expect(asked).toHaveBeenCalledTimes(4);
  open = true;
  await all;
  expect(pushes).toHaveLength(12);
  expect(await statesOf(users)).toEqual(allSent(12));
});
