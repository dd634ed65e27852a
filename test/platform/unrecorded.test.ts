import { eq, isNull, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sweep } from '../../src/operations/sweep.ts';
import { deliver } from '../../src/reminders/deliver.ts';
import { notifications } from '../../src/reminders/schema.ts';
import { keepInMemory } from '../../src/reminders/unrecorded.ts';
import { canRecord } from '../../src/reminders/writes.ts';
import { closeForWriting, refusals } from '../support/refused-writes.ts';
import { type LocalWorld, localWorld, userId } from './world.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const people = 60;
/** When the reminders have expired. */
const expiryMs = 6 * hourMs;

/**
 * Lets the time pass in steps, at the end small ones: within a step the time does not wait for work that a timer has
 * started.
 */
async function pass(ms: number) {
  for (let left = ms; left > 0; ) {
    const step = Math.min(left, left > 2 * minuteMs ? minuteMs : 1_000);
    await vi.advanceTimersByTimeAsync(step);
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    left -= step;
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const settled = ({ services }: LocalWorld) =>
  services.db.select().from(notifications).where(eq(notifications.state, 'sent'));
const pending = ({ services }: LocalWorld) =>
  services.db.select().from(notifications).where(isNull(notifications.settledAt));
const logged = ({ log }: LocalWorld, name: string) => log.filter(({ event }) => event === name);

/** Pushes to different people, and in all. */
const pushes = ({ sent }: LocalWorld) => [new Set(sent.map(({ endpoint }) => endpoint)).size, sent.length];

/** Refuses to record that the user got the reminder of the day, and takes everything else. */
const refuseRecordOf = ({ services }: LocalWorld, user: string) =>
  services.db.run(
    sql.raw(`create trigger planted before insert on scheduled_notification
      when new.user_id = '${user}' and new.state = 'sent' and new.occurrence = (select min(occurrence) from scheduled_notification)
      begin select raise(abort, 'planted'); end`),
  );

test.each(refusals.map(([name, refuse], n) => [name, refuse, n === 0 ? hourMs : expiryMs + hourMs] as const))(
  'with %s behind its pushes a process repeats none for hours, and records them within a minute once it can',
  async (_, refuse, ms) => {
    const world = await localWorld({ people, dueInMs: 1_000 });
    const due = world.services.now() + 1_000;
    let begun: ReturnType<typeof refuse> | undefined;
    world.onSend(async () => {
      begun ??= refuse(world.client);
      await begun;
    });
    world.alarms.start();
    await pass(minuteMs);
    await pass(ms);
    expect(pushes(world)).toEqual([people, people]);
    expect((await settled(world)).length).toBeLessThan(people);
    expect(logged(world, 'writes.refused')).toMatchObject([{ level: 'error' }]);

    await (await begun)?.();
    await pass(minuteMs);
    expect(pushes(world)).toEqual([people, people]);
    const sent = await settled(world);
    expect(sent).toHaveLength(people);
    for (const { settledAt } of sent) expect((settledAt ?? 0) - due).toBeLessThan(10_000);
    expect(await pending(world)).toHaveLength(people);
    expect(logged(world, 'writes.taken')).toHaveLength(1);
    await world.alarms.stop();
  },
);

test.each(refusals)(
  'with %s a process that starts pushes nothing, until it has proved that it can write',
  async (_, refuse) => {
    const world = await localWorld({ people, dueInMs: 1_000 });
    const end = await refuse(world.client);
    world.alarms.start();
    await pass(hourMs);
    expect(world.sent).toEqual([]);
    await end();
    await pass(minuteMs);
    expect(pushes(world)).toEqual([people, people]);
    expect(await settled(world)).toHaveLength(people);
    await world.alarms.stop();
  },
);

test('a process that is idle learns from its sweep that nothing can be written', async () => {
  const { services, client } = await localWorld({ dueInMs: hourMs });
  expect(await canRecord(services)).toBe(true);
  const end = await closeForWriting(client);
  expect(await canRecord(services)).toBe(true);
  await expect(sweep(services)).rejects.toThrow();
  expect(await canRecord(services)).toBe(false);
  await end();
  expect(await canRecord(services)).toBe(true);
});

test('a proof leaves nothing behind, and is not asked for again until a record fails', async () => {
  const { services } = await localWorld({ dueInMs: hourMs });
  const batch = vi.spyOn(services.db, 'batch');
  const before = await services.db.all(sql`select * from job_run`);
  for (let n = 0; n < 3; n++) expect(await canRecord(services)).toBe(true);
  expect(batch).toHaveBeenCalledTimes(1);
  expect(await services.db.all(sql`select * from job_run`)).toEqual(before);
  await pass(hourMs);
  expect(await canRecord(services)).toBe(true);
  expect(batch).toHaveBeenCalledTimes(1);
  expect(await canRecord(services, 10_000)).toBe(true);
  expect(batch).toHaveBeenCalledTimes(2);
});

test("one person's record that is refused holds up nobody else, is repeated to nobody, and is given up when it has expired", async () => {
  const world = await localWorld({ people: 20, dueInMs: 1_000 });
  const endpointOf = (user: string) => expect.stringMatching(new RegExp(`${user}$`));
  const pushesTo = (user: string) => world.sent.filter(({ endpoint }) => endpoint.endsWith(user)).length;
  await refuseRecordOf(world, userId(7));
  world.alarms.start();
  await pass(expiryMs - minuteMs);
  expect(pushes(world)).toEqual([20, 20]);
  expect(world.sent).toContainEqual(expect.objectContaining({ endpoint: endpointOf(userId(7)) }));
  expect(await settled(world)).toHaveLength(19);
  expect(logged(world, 'writes.refused')).toEqual([]);
  expect(logged(world, 'delivery.unrecorded')).toEqual([]);

  await pass(10 * minuteMs);
  expect(logged(world, 'delivery.unrecorded')).toMatchObject([{ level: 'error', error: 'Error: planted' }]);
  await pass(24 * hourMs - 10 * minuteMs);
  expect(pushesTo(userId(7))).toBe(2);
  expect(pushes(world)).toEqual([20, 40]);
  await world.alarms.stop();
});

test('a record that is refused once when its reminder has expired is not given up', async () => {
  const world = await localWorld({ people: 1, dueInMs: -1 });
  const { services } = world;
  await refuseRecordOf(world, userId(1));
  const failing = expect(deliver(services, userId(1))).rejects.toThrow('planted');
  await pass(minuteMs);
  await failing;
  await services.db.run(sql`drop trigger planted`);
  await pass(expiryMs);
  vi.spyOn(services.db, 'batch').mockRejectedValueOnce(new Error('database or disk is full'));
  await deliver(services, userId(1));
  expect(pushes(world)).toEqual([1, 1]);
  expect(await settled(world)).toHaveLength(1);
  expect(logged(world, 'delivery.unrecorded')).toEqual([]);
});

test('while so many are kept that nothing fits, only their records are tried', async () => {
  const world = await localWorld({ people: 2, dueInMs: -1 });
  const services = { ...world.services, unrecorded: keepInMemory(1) };
  await refuseRecordOf(world, userId(1));
  const failing = expect(deliver(services, userId(1))).rejects.toThrow('planted');
  await pass(minuteMs);
  await failing;
  expect(await canRecord(services)).toBe(true);
  await expect(deliver(services, userId(2))).rejects.toThrow('The database takes no writes');
  expect(world.sent).toHaveLength(1);

  await services.db.run(sql`drop trigger planted`);
  await deliver(services, userId(1));
  await deliver(services, userId(2));
  expect(pushes(world)).toEqual([2, 2]);
  expect(await settled(world)).toHaveLength(2);
});
