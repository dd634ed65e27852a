import { eq, isNull, sql } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { bind } from '../../src/db/query.ts';
import type { AlarmScheduler } from '../../src/platform/server/alarm-scheduler.ts';
import { replanChunk } from '../../src/reminders/replan.ts';
import { notifications } from '../../src/reminders/schema.ts';
import { eventually } from '../support/eventually.ts';
import { type LocalWorld, localWorld, userId } from './world.ts';

const started: AlarmScheduler[] = [];
const start = (alarms: AlarmScheduler) => {
  started.push(alarms);
  alarms.start();
};
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(started.splice(0).map((alarms) => alarms.stop()));
});

const until = (look: () => boolean) => eventually('what the test waits for', async () => look());
const settled = ({ services }: LocalWorld) =>
  services.db.select().from(notifications).where(eq(notifications.state, 'sent'));
const untilSettled = (world: LocalWorld, count: number) =>
  eventually(`${count} settled`, async () => (await settled(world)).length === count);
const pending = ({ services }: LocalWorld) =>
  services.db.select().from(notifications).where(isNull(notifications.settledAt));

test('a reminder is sent when it is due, not before, and the next one is planned', async () => {
  const world = await localWorld({ dueInMs: 400 });
  start(world.alarms);
  await until(() => world.sent.length > 0);
  await untilSettled(world, 1);
  const [sent] = await settled(world);
  expect((sent?.settledAt ?? 0) - (sent?.dueAt ?? 0)).toBeGreaterThanOrEqual(0);
  expect(await pending(world)).toHaveLength(1);
});

test('reminders that fell due while the process was down are sent at its start', async () => {
  const world = await localWorld({ dueInMs: -60_000 + 1 });
  expect(await pending(world)).toMatchObject([{ settledAt: null }]);
  const before = await localWorld({ dueInMs: -50 });
  start(before.restarted());
  await until(() => before.sent.length === 1);
});

test('an alarm that is armed earlier moves the timer, one that is later leaves it', async () => {
  const world = await localWorld({ dueInMs: 300 });
  start(world.alarms);
  await world.alarms.arm(userId(1), world.services.now() + 3_600_000);
  await until(() => world.sent.length === 1);
});

test('one user is delivered to by one run at a time, however often it is asked for', async () => {
  const world = await localWorld({ dueInMs: 0 });
  world.onSend(() => new Promise((resolve) => setTimeout(resolve, 50)));
  start(world.alarms);
  await Promise.all(Array.from({ length: 5 }, () => world.alarms.deliver(userId(1))));
  await world.alarms.deliver(userId(1));
  expect(world.sent).toHaveLength(1);
  expect(await settled(world)).toHaveLength(1);
});

test('a herd is worked off a few at a time, page after page, each user once', async () => {
  const world = await localWorld({ people: 1_100, dueInMs: 0 });
  world.onSend(() => new Promise((resolve) => setTimeout(resolve, 1)));
  start(world.alarms);
  await until(() => world.sent.length >= 1_100);
  await world.alarms.stop();
  expect(new Set(world.sent.map(({ collapseId }) => collapseId)).size).toBe(1_100);
  expect(world.sent).toHaveLength(1_100);
  expect(world.maxConcurrent()).toBeLessThanOrEqual(256);
  expect(await settled(world)).toHaveLength(1_100);
});

/** Reads do not wait for one another where the database is in the process. */
const writes = (batch: Parameters<Database['batch']>[0]) =>
  batch.some((item) => !/^\s*select\b/i.test(bind(item).sql));

test('a herd is recorded many users at a time', async () => {
  const world = await localWorld({ people: 1_000, dueInMs: 0 });
  const transactions = vi.spyOn(world.services.db, 'batch');
  start(world.alarms);
  await until(() => world.sent.length === 1_000);
  await world.alarms.stop();
  expect(await settled(world)).toHaveLength(1_000);
  expect(await pending(world)).toHaveLength(1_000);
  expect(transactions.mock.calls.filter(([batch]) => writes(batch)).length).toBeLessThan(100);
});

test('a transaction that fails for many users is tried again for each of them', async () => {
  const world = await localWorld({ people: 20, dueInMs: 0 });
  const { db } = world.services;
  await db.run(
    sql`create trigger poison before insert on scheduled_notification when new.user_id = ${sql.raw(`'${userId(7)}'`)}
      and new.state = 'sent' begin select raise(abort, 'poisoned'); end`,
  );
  start(world.alarms);
  await until(() => world.sent.length === 20);
  await untilSettled(world, 19);
  await db.run(sql`drop trigger poison`);
  await untilSettled(world, 20);
  expect(world.sent).toHaveLength(20);
});

test('a stop settles what is under way and begins nothing more', async () => {
  const world = await localWorld({ people: 600, dueInMs: 0 });
  const { promise, resolve } = Promise.withResolvers<void>();
  world.onSend(() => promise);
  start(world.alarms);
  await until(() => world.maxConcurrent() === 256);
  const stopped = world.alarms.stop();
  resolve();
  await stopped;
  expect(world.sent).toHaveLength(256);
  expect(await settled(world)).toHaveLength(256);
  start(world.restarted());
  await until(() => world.sent.length === 600);
});

test('deliveries that wait for their turn when the clock is set are made once the clock is right', async () => {
  const world = await localWorld({ people: 600, dueInMs: 0 });
  let agrees = true;
  world.services.clockAgrees = () => agrees;
  const { promise, resolve } = Promise.withResolvers<void>();
  world.onSend(() => promise);
  start(world.alarms);
  await until(() => world.maxConcurrent() === 256);
  agrees = false;
  resolve();
  // Its turn comes behind all that wait.
  await world.alarms.deliver(userId(600));
  expect(world.sent).toHaveLength(256);
  agrees = true;
  await untilSettled(world, 600);
  expect(new Set(world.sent.map(({ collapseId }) => collapseId)).size).toBe(600);
  expect(world.sent).toHaveLength(600);
});

test('a delivery that waits while the clock is wrong is made afterwards, also if others were read meanwhile', async () => {
  const world = await localWorld({ people: 2, dueInMs: 0 });
  const { services, alarms } = world;
  await services.db.delete(notifications).where(eq(notifications.userId, userId(1)));
  start(alarms);
  await untilSettled(world, 1);
  // Chidi's is due before what was read, and nothing has armed it.
  const unarmed = { ...services, alarms: { ...services.alarms, arm: async () => {} } };
  await replanChunk(unarmed, { users: [userId(1)] });
  let agrees = true;
  services.clockAgrees = () => agrees;
  duringNextRead(world, async () => {
    agrees = false;
    await alarms.deliver(userId(1));
    agrees = true;
  });
  await alarms.arm(userId(2), services.now());
  await untilSettled(world, 2);
});

test('a crash repeats at most the deliveries that were under way, under the same collapse id', async () => {
  const world = await localWorld({ people: 600, dueInMs: 0 });
  const { db } = world.services;
  const { promise, resolve } = Promise.withResolvers<void>();
  world.onSend(() => promise);
  world.alarms.start();
  await until(() => world.maxConcurrent() === 256);
  // The process dies with 256 pushes out, none of them recorded.
  const crash = vi.spyOn(db, 'batch').mockImplementation(() => new Promise(() => {}));
  resolve();
  await until(() => world.sent.length === 256);
  crash.mockRestore();

  const before = new Set(world.sent.splice(0).map(({ collapseId }) => collapseId));
  world.onSend(async () => {});
  start(world.restarted());
  await until(() => world.sent.length === 600);
  await untilSettled(world, 600);
  expect(world.sent.filter(({ collapseId }) => before.has(collapseId))).toHaveLength(256);
});

test('a delivery that breaks is logged and tried again, and holds back no other user', async () => {
  const world = await localWorld({ people: 2, dueInMs: 0 });
  let broken = false;
  world.onSend(async () => {
    if (!broken) {
      broken = true;
      throw new Error('broken');
    }
  });
  start(world.alarms);
  await until(() => world.sent.length === 1);
  expect(world.log.find(({ event }) => event === 'alarm.failed')).toMatchObject({
    attempts: 1,
    error: 'Error: broken',
  });
  await until(() => world.sent.length === 2);
});

test('a timer far ahead is not handed to the platform, which would fire it at once', async () => {
  const world = await localWorld({ dueInMs: 60_000 });
  const waits = vi.spyOn(globalThis, 'setTimeout');
  start(world.alarms);
  await world.alarms.arm(userId(1), world.services.now() + 400 * 24 * 3_600_000);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(Math.max(...waits.mock.calls.map(([, wait]) => wait ?? 0))).toBeLessThanOrEqual(60_000);
  expect(waits.mock.calls.length).toBeLessThan(10);
});

test('a row that no delivery settles is handed over once, not again and again', async () => {
  const world = await localWorld({ people: 1, dueInMs: 0 });
  await world.services.db.update(notifications).set({ userId: userId(99) });
  const reads = vi.spyOn(world.services.db, 'batch');
  start(world.alarms);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(reads.mock.calls.length).toBeLessThan(6);
  expect(await pending(world)).toHaveLength(1);
});

/** Does something between the next read and its answer. Before it there may be the proof that something can be written. */
function duringNextRead({ services: { db } }: LocalWorld, meanwhile: () => Promise<unknown>) {
  const { batch } = db;
  const spy = vi.spyOn(db, 'batch').mockImplementation(async (statements) => {
    const answer = await batch(statements);
    if (writes(statements)) return answer;
    spy.mockRestore();
    await meanwhile();
    return answer;
  });
}

test('a reminder that is planned for a moment that was read before is delivered at once', async () => {
  const world = await localWorld({ people: 2, dueInMs: 0 });
  const plan = () => replanChunk(world.services, { users: [userId(1)] });
  const forget = () => world.services.db.delete(notifications).where(eq(notifications.userId, userId(1)));
  await forget();
  start(world.alarms);
  await untilSettled(world, 1);
  await plan();
  await untilSettled(world, 2);

  // Planned between a read and its answer.
  await forget();
  duringNextRead(world, plan);
  await world.alarms.arm(userId(2), world.services.now());
  await until(() => world.sent.length === 3);
});

test('a reminder that is planned during the first read, for a moment within its page, is delivered at once', async () => {
  const world = await localWorld({ people: 2, dueInMs: 0 });
  await world.services.db.delete(notifications).where(eq(notifications.userId, userId(1)));
  // In the order of the page it comes before the one that was read.
  duringNextRead(world, () => replanChunk(world.services, { users: [userId(1)] }));
  start(world.alarms);
  await until(() => world.sent.length === 2);
});
