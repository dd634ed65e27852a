import { describe, expect, test } from 'vitest';
import { simulate } from '../../simulator/run.ts';
import { readScenario } from '../../simulator/scenario.ts';
import { readRows } from '../../simulator/tables.ts';
import type { Database } from '../../src/db/database.ts';
import { sweep } from '../../src/operations/jobs.ts';
import { alarmBackoff, rearmedAt } from '../../src/reminders/alarm-times.ts';
import { planAll } from '../../src/reminders/jobs.ts';
import { wakeUser } from '../../src/reminders/wake.ts';
import { backoffMs } from '../../src/retry.ts';
import { diary, june } from './support.ts';

/* How plans and alarms are made to happen: of the service's own machinery, where nobody outside sees it. */

/** A database in which another writer is faster, before each batch. */
const contested = (db: Database, change: () => Promise<unknown>): Database =>
  new Proxy(db, {
    get(target, name) {
      if (name !== 'batch') return Reflect.get(target, name);
      return async (...args: Parameters<Database['batch']>) => {
        await change();
        return target.batch(...args);
      };
    },
  });

test('a plan whose input keeps changing between read and write is not kept, stays due, and is made once that ends', async () => {
  await simulate(readScenario(diary()), async ({ database, records, server, world }) => {
    const user = records.members.get('Chidi')?.id as string;
    const now = world.now();
    const wake = () => database.db.batch(wakeUser({ db: database.db, now, woken: new Set() }, user));
    const pending = async () =>
      (await readRows(database)).filter((row) => row.user === user && row.settledAt === null);
    const cursor = "user_id = ? and survey_id = (select id from survey where name = 'Diary')";
    const dueAt = async () => {
      const [row] = await database.query(`select next_at from scheduled_notification where ${cursor}`, user);
      return row?.next_at;
    };
    const plan = (db: Database) => world.spawn('plan', () => planAll({ ...server.services, db }, [user]));

    await database.query(
      `update scheduled_notification set id = null, attempt_at = null where ${cursor}`,
      user,
    );
    await wake();
    for (let n = 0; n < 5; n++) {
      await plan(contested(database.db, wake));
      expect(await pending()).toEqual([]);
      expect(await dueAt()).toBe(now);
    }
    await plan(database.db);
    expect((await pending()).map(({ on }) => on)).toEqual(['2027-06-10']);
  });
});

test('the sweep takes the longest overdue first, and goes on behind those whose delivery keeps failing', async () => {
  await simulate(readScenario(diary()), async ({ database, server, world }) => {
    const many = 1100;
    const rows = Array.from({ length: many }, (_, n) => ({ user: `user-${1000 + n}`, at: n }));
    await database.query(
      `insert into scheduled_notification (user_id, survey_id, next_at)
        select value ->> 'user', (select id from survey), value ->> 'at' from json_each(?)`,
      JSON.stringify(rows),
    );
    const asked: string[] = [];
    const deliver = async (user: string) => {
      asked.push(user);
      throw new Error('as always');
    };
    const services = { ...server.services, alarms: { ...server.services.alarms, deliver } };
    await world.spawn('sweep', () => sweep(services));
    expect(asked.slice(0, 3)).toEqual(['user-1000', 'user-1001', 'user-1002']);
    expect(asked).toHaveLength(1000);
    await world.spawn('sweep', () => sweep(services));
    expect(new Set(asked).size).toBe(many);
    // And then from the start again.
    await world.spawn('sweep', () => sweep(services));
    expect(asked).toHaveLength(many + 1000);
  });
});

describe('an alarm', () => {
  const user = '0'.repeat(32);
  const now = Date.parse(june(8, '12:00:00'));

  test('stays when it is the earlier one, and is not trusted when it is long overdue', () => {
    expect(rearmedAt(user, now + 10, null, now)).toBe(now + 10);
    expect(rearmedAt(user, now + 10, now + 5, now)).toBeNull();
    expect(rearmedAt(user, now + 10, now + 15, now)).toBe(now + 10);
    expect(rearmedAt(user, now + 10, now - 29_000, now)).toBeNull();
    expect(rearmedAt(user, now + 10, now - 31_000, now)).toBe(now + 10);
  });

  test('is spread over a second by the user', () => {
    const spread = (tail: string) => (rearmedAt(`${'0'.repeat(28)}${tail}`, now, null, now) ?? 0) - now;
    expect([spread('0000'), spread('03e7'), spread('03e8')]).toEqual([0, 999, 0]);
  });

  test('after a fault comes back later each time, and not for all at once', () => {
    const delays = (faults: number) => Array.from({ length: 200 }, () => backoffMs(faults, alarmBackoff));
    for (const [faults, least, most] of [
      [1, 15_000, 30_000],
      [2, 30_000, 60_000],
      [20, 150_000, 300_000],
    ] as const) {
      const all = delays(faults);
      expect(Math.min(...all)).toBeGreaterThanOrEqual(least);
      expect(Math.max(...all)).toBeLessThanOrEqual(most);
      expect(new Set(all).size).toBeGreaterThan(100);
    }
  });
});
