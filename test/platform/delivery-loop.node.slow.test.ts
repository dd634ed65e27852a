import { eq, isNotNull, sql } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { DeliveryLoop } from '../../src/platform/server/delivery-loop.ts';
import { cursors, notifications } from '../../src/reminders/schema.ts';
import { eventually } from '../support/eventually.ts';
import { type LocalWorld, localWorld, plan, userId } from './world.ts';

const minuteMs = 60_000;

/** Cursors under way at once. */
const underWay = 800;

const started: DeliveryLoop[] = [];
const start = (loop: DeliveryLoop) => {
  started.push(loop);
  loop.start();
};
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(started.splice(0).map((loop) => loop.stop()));
});

const until = (look: () => boolean) => eventually('what the test waits for', async () => look());
const settled = ({ services }: LocalWorld) =>
  services.db.select().from(notifications).where(eq(notifications.state, 'sent'));
const untilSettled = (world: LocalWorld, count: number) =>
  eventually(`${count} settled`, async () => (await settled(world)).length === count);
const pending = ({ services }: LocalWorld) => services.db.select().from(cursors).where(isNotNull(cursors.id));
const pushed = ({ sent }: LocalWorld) => new Set(sent.map(({ collapseId }) => collapseId));

test('an alarm that is armed earlier moves the timer, one that is later leaves it', async () => {
  const world = await localWorld({ dueInMs: 300 });
  start(world.loop);
  await world.loop.arm(userId(1), world.services.now() + 3_600_000);
  await until(() => world.sent.length === 1);
});

test('a timer whose time is over, since the machine has slept, puts nobody off', async () => {
  const world = await localWorld({ dueInMs: minuteMs });
  const waits: number[] = [];
  const loop = new DeliveryLoop(
    () => world.services,
    (ms) => {
      waits.push(ms);
      return () => {};
    },
  );
  start(loop);
  world.pass(2 * minuteMs);
  await loop.arm(userId(1), world.services.now());
  expect(waits).toEqual([0, 0]);
});

test('one user is delivered to by one turn at a time, however often it is asked for', async () => {
  const world = await localWorld({ dueInMs: 0 });
  world.onSend(() => new Promise((resolve) => setImmediate(resolve)));
  start(world.loop);
  await Promise.all(Array.from({ length: 5 }, () => world.loop.deliver()));
  await untilSettled(world, 1);
  await world.loop.deliver();
  await world.loop.stop();
  expect(world.sent).toHaveLength(1);
});

test('two surveys of one user are delivered one after the other', async () => {
  const world = await localWorld({ dueInMs: 0, surveys: 2 });
  // The second is due while the first is pushed.
  await world.services.db
    .update(cursors)
    .set({ nextAt: world.services.now() + 100, attemptAt: world.services.now() + 100 })
    .where(eq(cursors.surveyId, world.surveys[1] ?? ''));
  const { promise, resolve } = Promise.withResolvers<void>();
  world.onSend(() => promise);
  start(world.loop);
  await until(() => world.maxConcurrent() === 1);
  world.pass(1_000);
  await world.loop.deliver();
  resolve();
  await untilSettled(world, 2);
  expect(world.maxConcurrent()).toBe(1);
});

test('a herd is worked off some at a time, set after set, each user once', async () => {
  const world = await localWorld({ people: 1_100, dueInMs: 0 });
  world.onSend(() => new Promise((resolve) => setImmediate(resolve)));
  start(world.loop);
  await until(() => world.sent.length >= 1_100);
  await world.loop.stop();
  expect(pushed(world).size).toBe(1_100);
  expect(world.sent).toHaveLength(1_100);
  expect(world.maxConcurrent()).toBeLessThanOrEqual(underWay);
  expect(await settled(world)).toHaveLength(1_100);
});

test('a herd is claimed and recorded many users at a time', async () => {
  const world = await localWorld({ people: 1_000, dueInMs: 0 });
  const transactions = vi.spyOn(world.services.db, 'batch');
  start(world.loop);
  await until(() => world.sent.length === 1_000);
  await world.loop.stop();
  expect(await settled(world)).toHaveLength(1_000);
  expect(await pending(world)).toHaveLength(1_000);
  expect(transactions.mock.calls.length).toBeLessThan(40);
});

test('a push that takes long holds up nobody who is due later', async () => {
  const world = await localWorld({ people: 3, dueInMs: 0 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = userId(1);
  const later = { nextAt: world.services.now() + 200, attemptAt: world.services.now() + 200 };
  await world.services.db.update(cursors).set(later).where(sql`user_id <> ${slow}`);
  world.onSend(({ endpoint }) => (endpoint.endsWith(slow) ? promise : Promise.resolve()));
  start(world.loop);
  await until(() => world.sent.length === 2);
  await untilSettled(world, 2);
  resolve();
  await untilSettled(world, 3);
});

test('a record that the database refuses costs only the one that is at fault', async () => {
  const world = await localWorld({ people: 20, dueInMs: 0 });
  const { db } = world.services;
  const poisoned = sql.raw(`'${userId(7)}'`);
  await db.run(
    sql`create trigger poison before update on notification when new.user_id = ${poisoned}
      and new.state = 'sent' begin select raise(abort, 'poisoned'); end`,
  );
  start(world.loop);
  await untilSettled(world, 19);
  expect(world.sent).toHaveLength(20);
  await db.run(sql`drop trigger poison`);
  await untilSettled(world, 20);
  expect(world.sent).toHaveLength(20);
});

test('a claim that the database refuses costs only the one that is at fault', async () => {
  const world = await localWorld({ people: 20, dueInMs: 0 });
  const { db } = world.services;
  const poisoned = sql.raw(`'${userId(7)}'`);
  await db.run(
    sql`create trigger poison before insert on notification when new.user_id = ${poisoned}
      begin select raise(abort, 'poisoned'); end`,
  );
  start(world.loop);
  await untilSettled(world, 19);
  await db.run(sql`drop trigger poison`);
  world.pass(minuteMs);
  await world.loop.deliver();
  await untilSettled(world, 20);
  expect(world.sent).toHaveLength(20);
});

test('a stop settles what is under way and begins nothing more', async () => {
  const world = await localWorld({ people: 1_100, dueInMs: 0 });
  const { promise, resolve } = Promise.withResolvers<void>();
  world.onSend(() => promise);
  start(world.loop);
  await until(() => world.maxConcurrent() === underWay);
  const stopped = world.loop.stop();
  resolve();
  await stopped;
  expect(world.sent).toHaveLength(underWay);
  expect(await settled(world)).toHaveLength(underWay);
  start(world.restarted());
  await until(() => world.sent.length === 1_100);
});

test('reminders that wait for their turn when the clock is set are delivered once the clock is right', async () => {
  const world = await localWorld({ people: 1_100, dueInMs: 0 });
  let agrees = true;
  world.services.clockAgrees = () => agrees;
  const { promise, resolve } = Promise.withResolvers<void>();
  world.onSend(() => promise);
  start(world.loop);
  await until(() => world.maxConcurrent() === underWay);
  agrees = false;
  resolve();
  await untilSettled(world, underWay);
  await world.loop.deliver();
  expect(world.sent).toHaveLength(underWay);
  agrees = true;
  await untilSettled(world, 1_100);
  expect(pushed(world).size).toBe(1_100);
  expect(world.sent).toHaveLength(1_100);
});

test('a crash repeats at most what was under way, under the same collapse id, and within a minute', async () => {
  const world = await localWorld({ people: 1_100, dueInMs: 0 });
  const { db } = world.services;
  const { promise, resolve } = Promise.withResolvers<void>();
  world.onSend(() => promise);
  world.loop.start();
  await until(() => world.maxConcurrent() === underWay);
  // The process dies with these pushes out, none of them recorded.
  const crash = vi.spyOn(db, 'batch').mockImplementation(() => new Promise(() => {}));
  resolve();
  await until(() => world.sent.length === underWay);
  crash.mockRestore();

  const before = pushed(world);
  world.sent.splice(0);
  world.onSend(async () => {});
  const restarted = world.restarted();
  start(restarted);
  await untilSettled(world, 1_100 - underWay);
  expect(world.sent.filter(({ collapseId }) => before.has(collapseId))).toEqual([]);
  world.pass(minuteMs);
  await restarted.deliver();
  await untilSettled(world, 1_100);
  expect(world.sent).toHaveLength(1_100);
  expect(pushed(world).size).toBe(1_100);
});

test('a delivery that breaks is logged and tried again, and holds back no other user', async () => {
  const world = await localWorld({ people: 2, dueInMs: 0 });
  let broken = false;
  world.onSend(async () => {
    if (broken) return;
    broken = true;
    throw new Error('broken');
  });
  start(world.loop);
  await untilSettled(world, 1);
  expect(world.log).toContainEqual(expect.objectContaining({ event: 'turn.failed', error: 'Error: broken' }));
  world.pass(minuteMs);
  await world.loop.deliver();
  await untilSettled(world, 2);
});

/** A loop whose shorter waits are over at once, and its waits. */
function impatientLoop({ services }: LocalWorld) {
  const waits: number[] = [];
  const loop = new DeliveryLoop(
    () => services,
    (ms, work) => {
      waits.push(ms);
      const soon = ms <= 1_000 ? setImmediate(work) : undefined;
      return () => clearImmediate(soon);
    },
  );
  return { loop, waits };
}

test('a timer far ahead is not handed to the platform, which would fire it at once', async () => {
  const world = await localWorld({ dueInMs: minuteMs });
  const { loop, waits } = impatientLoop(world);
  start(loop);
  await until(() => waits.length > 1);
  await loop.arm(userId(1), world.services.now() + 400 * 24 * 3_600_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(minuteMs);
});

test('a cursor that no turn settles is claimed once, not again and again', async () => {
  const world = await localWorld({ people: 1, dueInMs: 0 });
  await world.services.db.update(cursors).set({ userId: userId(99) });
  const { loop, waits } = impatientLoop(world);
  start(loop);
  await until(() => (waits.at(-1) ?? 0) > 1_000 || waits.length > 10);
  expect(waits.length).toBeLessThan(6);
  expect(await pending(world)).toHaveLength(1);
});

/** Does something between the next claim and its answer. */
function duringNextClaim({ services: { db } }: LocalWorld, meanwhile: () => Promise<unknown>) {
  const { batch } = db;
  const spy = vi.spyOn(db, 'batch').mockImplementation(async (statements) => {
    const answer = await batch(statements);
    spy.mockRestore();
    await meanwhile();
    return answer;
  });
}

test('a reminder that is planned while others are claimed is delivered at once', async () => {
  const world = await localWorld({ people: 2, dueInMs: 0 });
  const { db } = world.services;
  await db.delete(cursors).where(eq(cursors.userId, userId(1)));
  duringNextClaim(world, () => plan(world.services, [userId(1)]));
  start(world.loop);
  await until(() => world.sent.length === 2);
});

test('after a fault of the database everything due is delivered', async () => {
  const world = await localWorld({ people: 3, dueInMs: 0 });
  const fault = vi.spyOn(world.services.db, 'batch').mockRejectedValueOnce(new Error('database is locked'));
  start(world.loop);
  await until(() => world.log.some(({ event }) => event === 'delivery.failed'));
  expect(fault).toHaveBeenCalled();
  await world.loop.deliver();
  await untilSettled(world, 3);
  expect(world.sent).toHaveLength(3);
});
