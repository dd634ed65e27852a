import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import { users as userTable } from '../../src/people/schema.ts';
import { createServices, servicesOf } from '../../src/platform/cloudflare/services.ts';
import { deliver as runDelivery } from '../../src/reminders/deliver.ts';
import { replanChunk } from '../../src/reminders/replan.ts';
import type { Database } from '../../src/services.ts';
import { D1BatchObject } from '../../src/worker.ts';
import { eventually } from '../support/eventually.ts';
import { addMembers, addPhones } from '../support/worker/bulk.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { daily } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';

const due = '2027-03-01T20:30:00.000Z';

/** Members with a phone each who are due at once. */
async function crowd(count: number) {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  await addMembers(study, count);
  await addPhones(study);
  const { results } = await env.DB.prepare(
    "select u.id from user u join member m on m.user_id = u.id where u.issuer = 'bulk' and m.investigation_id = ?",
  )
    .bind(study.id)
    .all<{ id: string }>();
  const users = results.map(({ id }) => id);
  const services = servicesOf(env);
  const alarms = { arm: async () => {}, deliver: async () => {} };
  for (let n = 0; n < count; n += 100)
    await replanChunk({ ...services, alarms }, { users: users.slice(n, n + 100) });
  const pushed: string[] = [];
  const send = vi.spyOn(services.push, 'send').mockImplementation(async ({ endpoint }) => {
    pushed.push(endpoint);
    return { state: 'sent', messageId: 'message' };
  });
  setClock(due);
  services.writes.provedAt = Date.now();
  return { users, pushed, send };
}

const alarmOf = (user: string) => env.USER_ALARM.get(env.USER_ALARM.idFromName(user));
const deliver = (user: string) => alarmOf(user).deliver(user);

/** The only one: the tests' setting has it so. */
const deliveryObject = () => env.DELIVERY.get(env.DELIVERY.idFromName('weur-0'));
const reset = () =>
  runInDurableObject(deliveryObject(), (_, state) => state.abort('reset by the test')).catch(() => {});

/** How many of them have each state on each date. */
async function states(users: readonly string[]) {
  const { results } = await env.DB.prepare(
    `select occurrence || ' ' || coalesce(state, 'scheduled') as what, count(*) as n from scheduled_notification
      where user_id in (select value from json_each(?)) group by 1 order by 1`,
  )
    .bind(JSON.stringify(users))
    .all<{ what: string; n: number }>();
  return Object.fromEntries(results.map(({ what, n }) => [what, n]));
}
const allSent = (count: number) => ({ '2027-03-01 sent': count, '2027-03-02 scheduled': count });

beforeEach(() => {
  vi.restoreAllMocks();
});

test('deliveries of 64 people who are due at once are few batches of D1, and each gets one push', async () => {
  const { users, pushed } = await crowd(64);
  const asked = vi.spyOn(D1BatchObject.prototype, 'batch');
  const prototype = Object.getPrototypeOf(env.DB) as D1Database;
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
  expect(new Set(pushed).size).toBe(64);
  expect(pushed).toHaveLength(64);
  // On their own they would be 128. Their reads are three at most; the ends of their pushes depend on the machine.
  expect(batch.mock.calls.length).toBeGreaterThan(1);
  expect(batch.mock.calls.length).toBeLessThanOrEqual(3 + 64);
  expect(await states(users)).toEqual(allSent(64));
});

test('a delivery that D1 refuses is not the fault of those that it shares a batch with', async () => {
  const { users, pushed } = await crowd(8);
  const [first = ''] = users;
  await env.DB.exec(
    `create trigger planted before update on scheduled_notification when new.user_id = '${first}'
      begin select raise(abort, 'planted'); end`.replaceAll('\n', ' '),
  );
  const failed = vi.spyOn(servicesOf(env), 'log');
  const all = users.map((user) =>
    deliver(user).then(
      () => user,
      () => null,
    ),
  );
  const others = (await Promise.all(all.slice(1))).filter((user) => user !== null);
  expect(await states(others)).toEqual(allSent(7));
  expect(failed.mock.calls.filter(([{ event }]) => event.endsWith('failed'))).toEqual([]);
  // The first one keeps trying to record its push, and does once D1 takes it.
  await env.DB.exec('drop trigger planted');
  expect(await all[0]).toBe(first);
  expect(pushed).toHaveLength(8);
  expect(await states(users)).toEqual(allSent(8));
});

test('a delivery object that is reset between push and record loses nothing, and nobody gets a second push', async () => {
  const { users, pushed, send } = await crowd(4);
  const push = send.getMockImplementation();
  send.mockImplementationOnce(async (message) => {
    await reset();
    return (await push?.(message)) ?? { state: 'failed', error: 'planted' };
  });
  await Promise.all(users.map(deliver));
  expect(pushed).toHaveLength(4);
  expect(await states(users)).toEqual(allSent(4));
});

test('work that waits in a delivery object that is reset is asked of the next one', async () => {
  const { users, pushed } = await crowd(2);
  let stuck = 0;
  const hang = () => {
    stuck += 1;
    return new Promise<never>(() => {});
  };
  vi.spyOn(D1BatchObject.prototype, 'batch').mockImplementationOnce(hang).mockImplementationOnce(hang);
  const all = users.map(deliver);
  await eventually('both are stuck', () => stuck === 2);
  expect(pushed).toEqual([]);
  await reset();
  await Promise.all(all);
  expect(pushed).toHaveLength(2);
  expect(await states(users)).toEqual(allSent(2));
});

test('a batch that D1 carried out, and whose delivery object was lost before it answered, is asked again and changes nothing', async () => {
  const { users, pushed } = await crowd(4);
  const prototype = Object.getPrototypeOf(env.DB) as D1Database;
  const carryOut = prototype.batch;
  let lost = 0;
  vi.spyOn(prototype, 'batch').mockImplementation(async function (this: D1Database, statements) {
    const answers = await carryOut.call(this, statements);
    // The first reads, and the first records.
    if (pushed.length === (lost === 0 ? 0 : 4) && lost < 2) {
      lost += 1;
      void reset();
      return new Promise<never>(() => {});
    }
    return answers as never;
  });
  await Promise.all(users.map(deliver));
  expect(lost).toBe(2);
  expect(pushed).toHaveLength(4);
  expect(await states(users)).toEqual(allSent(4));
});

test('a user whose delivery object is another one from one batch to the next gets one push, and is asked twice in vain', async () => {
  const { users, pushed } = await crowd(8);
  // As during a deployment that changes how many there are: some read by the old number, and record by the new one.
  const numbers = ['3', '5'].map((objects) => {
    const settings = { DELIVERY_OBJECTS: objects };
    return createServices({ ...env, ...settings });
  });
  const named = vi.spyOn(Object.getPrototypeOf(env.DELIVERY) as typeof env.DELIVERY, 'idFromName');
  for (const user of users) {
    const [before, after] = numbers.map(({ deliveryDatabase }) => deliveryDatabase(user));
    let batches = 0;
    const batch: Database['batch'] = (items) => (batches++ === 0 ? before : after)?.batch(items) as never;
    const db = Object.assign(Object.create(before ?? null), { batch }) as Database;
    await runDelivery({ ...servicesOf(env), db }, user);
  }
  expect(new Set(named.mock.calls.map(([name]) => name)).size).toBeGreaterThan(3);
  await Promise.all(users.map(deliver));
  expect(pushed).toHaveLength(8);
  expect(await states(users)).toEqual(allSent(8));
});

test('users whom a delivery object refuses, since too many wait, get the push when the alarm rings again', async () => {
  const { users, pushed } = await crowd(1);
  const [user = ''] = users;
  const alarm = alarmOf(user);
  await alarm.arm(user, Date.parse(due));
  vi.spyOn(D1BatchObject.prototype, 'batch').mockRejectedValueOnce(
    new Error('Overloaded: 1000 others wait already.'),
  );
  await runDurableObjectAlarm(alarm);
  expect(pushed).toEqual([]);
  const again = await runInDurableObject(alarm, (_, state) => state.storage.getAlarm());
  expect(again).toBeGreaterThan(Date.parse(due));
  expect(again).toBeLessThanOrEqual(Date.parse(due) + 30_000);
  await runDurableObjectAlarm(alarm);
  expect(pushed).toHaveLength(1);
  expect(await states(users)).toEqual(allSent(1));
});

test('a delivery object says once that the database is on another continent', async () => {
  const log = vi.spyOn(servicesOf(env), 'log').mockImplementation(() => {});
  const result = { results: [], success: true, meta: { served_by_region: 'ENAM' } };
  vi.spyOn(Object.getPrototypeOf(env.DB) as D1Database, 'batch').mockResolvedValue([result] as never);
  const far = env.DELIVERY.get(env.DELIVERY.idFromName('weur-7'));
  for (let n = 0; n < 2; n++) await far.batch([{ sql: 'select 1', values: [] }]);
  const near = env.DELIVERY.get(env.DELIVERY.idFromName('enam-7'));
  await near.batch([{ sql: 'select 1', values: [] }]);
  // Plans of the studies above may go on meanwhile, and log that this database answers nothing.
  const said = log.mock.calls.filter(([line]) => line.event === 'delivery.far');
  expect(said).toEqual([[{ event: 'delivery.far', object: 'weur-7', database: 'enam' }]]);
});

test('users are spread over as many objects as the setting says, where it says; none is needed', async () => {
  const asked: (string | undefined)[][] = [];
  const DELIVERY = {
    idFromName: (name: string) => name,
    get: (name: string, options?: { locationHint?: string }) => {
      asked.push([name, options?.locationHint]);
      return { batch: async () => [] };
    },
  } as unknown as typeof env.DELIVERY;
  const read = async (settings: object, user: string) => {
    const given = { ...env, DELIVERY, DELIVERY_LOCATION: '', ...settings };
    const { db, deliveryDatabase } = createServices(given);
    const own = deliveryDatabase(user);
    if (own === db) return;
    await own.batch([own.select({ id: sql`1` }).from(userTable)]);
  };
  const ids = ['0', '1', '2', '3'].map((end) => end.padStart(32, '0'));
  for (const id of ids) await read({ DELIVERY_OBJECTS: '3' }, id);
  await read({ DELIVERY_OBJECTS: '3', DELIVERY_LOCATION: 'enam' }, ids[1] ?? '');
  await read({ DELIVERY_OBJECTS: '0' }, ids[1] ?? '');
  expect(asked).toEqual([
    ['0', undefined],
    ['1', undefined],
    ['2', undefined],
    ['0', undefined],
    ['enam-1', 'enam'],
  ]);
});

test('of 12 people who are due at once in one isolate, as many are delivered to at a time as may be, and in the end all', async () => {
  const { users, pushed, send } = await crowd(12);
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
  const asked = vi.spyOn(D1BatchObject.prototype, 'batch');
  const all = Promise.all(users.map(deliver));
  await eventually('4 pushes under way', () => waiting === 4);
  // The reads of each of them; the others have not begun to read.
  expect(asked).toHaveBeenCalledTimes(4);
  open = true;
  await all;
  expect(pushed).toHaveLength(12);
  expect(await states(users)).toEqual(allSent(12));
});
