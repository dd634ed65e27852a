import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { reconcile, sweep } from '../../src/operations/jobs.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Services } from '../../src/services.ts';
import { countedD1 } from '../../tools/database/counted-d1.ts';
import { deliver } from '../support/engine.ts';
import { insertWork } from '../support/reminder-rows.ts';
import type { Study } from '../support/studies.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { days, later, minutes } from '../support/worker/clock.ts';
import {
  carryOut,
  clearReminders,
  countScheduled,
  loseWork,
  remindersOf,
  seedPast,
  seedScheduled,
  waitingWork,
} from '../support/worker/reminder-tables.ts';
import { daily, pendingOf, scheduled } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { settleZones } from '../support/worker/zones.ts';

beforeEach(async () => {
  await clearReminders();
  await env.DB.exec('delete from job_run');
  await settleZones();
});

describe('a hundred and fifty plans that fail', () => {
  /** Work for people of a study that crashed requests left behind. */
  const crashed = async ({ id: study }: Study, count: number) => {
    await addMembers({ id: study } as Study, count);
    const { results } = await env.DB.prepare(
      "select user_id as user from member where investigation_id = ? and user_id in (select id from user where issuer = 'bulk')",
    )
      .bind(study)
      .all<{ user: string }>();
    await carryOut(...results.map(({ user }) => insertWork({ user, at: Date.now() })));
    return new Set(results.map(({ user }) => user));
  };

  test("do not hold up a stranger's crashed job, and are tried again in their turn", async () => {
    const [mallory, ada] = [await sleepStudy(daily), await sleepStudy(daily)];
    for (const { other, responder } of [mallory, ada])
      for (const user of [other, responder]) await pendingOf(user);
    await loseWork();
    await clearReminders({ survey: ada.survey });
    const failing = await crashed(mallory, 150);
    later(1 * minutes);
    await carryOut(insertWork({ user: ada.responder.id, at: Date.now() }));

    const base = createServices(env);
    const tried: string[] = [];
    const services: Services = {
      ...base,
      planElsewhere: async (users) => {
        tried.push(...users.filter((user) => failing.has(user)));
        if (users.some((user) => failing.has(user))) throw new Error('too large');
        await base.planElsewhere?.(users);
      },
      log: () => {},
    };
    /** The people whose plans fail in the sweep of the next minute. */
    const sweepOnce = async () => {
      later(2 * minutes);
      tried.length = 0;
      await sweep(services);
      return [...tried];
    };

    const rounds: string[][] = [];
    for (let round = 0; round < 5; round++) rounds.push(await sweepOnce());
    expect(rounds.map(({ length }) => length)).toEqual([30, 30, 30, 30, 30]);
    expect(new Set(rounds.flat())).toEqual(failing);
    expect(await scheduled(ada.responder)).toEqual([]);
    // Behind the last one the sweep begins again.
    expect((await sweepOnce()).toSorted()).toEqual(rounds[0]?.slice(0, 29).toSorted());
    expect(await scheduled(ada.responder)).toHaveLength(1);
    expect(await waitingWork()).toBe(150);
  });
});

describe('twelve hundred nudges that fail', () => {
  test("do not hold up a stranger's, and are tried again in their turn", async () => {
    const [mallory, ada] = [await sleepStudy(daily), await sleepStudy(daily)];
    for (const { other, responder } of [mallory, ada])
      for (const user of [other, responder]) await pendingOf(user);
    await clearReminders();
    await addMembers(mallory, 1200);
    const overdue = async (study: Study, whose: string, at: (n: number) => number) => {
      const { results } = await env.DB.prepare(
        `select user_id as user from member where investigation_id = ?
          and user_id ${whose} (select id from user where issuer = 'bulk')`,
      )
        .bind(study.id)
        .all<{ user: string }>();
      await seedPast(
        results.map(({ user }, n) => ({
          ...{ user, survey: study.survey, on: '2027-02-28', state: 'sent' as const, nudgeAt: at(n + 1) },
        })),
      );
    };
    await overdue(mallory, 'in', (n) => Math.floor(n / 7));
    await overdue(ada, 'not in', () => 1000);

    /** The users to whom the sweep of the next minute delivers. */
    const sweepOnce = async () => {
      later(2 * minutes);
      const users: string[] = [];
      const alarms = { arm: async () => {}, deliver: async (user: string) => void users.push(user) };
      await sweep({ ...createServices(env), alarms, log: () => {} });
      return users;
    };
    const [first, second, third] = [await sweepOnce(), await sweepOnce(), await sweepOnce()];
    expect([first.length, second.length, third.length]).toEqual([1000, 204, 1000]);
    expect(new Set([...first, ...second]).size).toBe(1204);
    expect(second).toContain(ada.responder.id);
    // Behind the last one the sweep begins again.
    expect(third).toEqual(first);
  });
});

describe('a reminder of somebody who has left costs the same', () => {
  /** Dates of the responder's history from day `from` on, settled so. */
  const settledDates = (study: Study, { revision, count }: { revision: number; count: number }) =>
    seedPast(
      Array.from({ length: count }, (_, n) => ({
        ...{ user: study.responder.id, survey: study.survey, revision, counter: n, state: 'sent' as const },
        ...{ on: new Date(n * days).toISOString().slice(0, 10), dueAt: 0, settledAt: 1 },
      })),
    );

  /** A sweep, with what it delivers. */
  async function measured() {
    const { counts, database } = countedD1(env.DB);
    let looks = 0;
    const services: Services = {
      ...createServices(env),
      db: openD1(database),
      // Turns of one millisecond read each other's cursors.
      now: () => Date.now() + looks++,
      alarms: { arm: async () => {}, deliver: async (user) => void (await deliver(services, user)) },
      log: () => {},
    };
    await sweep(services);
    return counts;
  }

  const orphan = (study: Study) =>
    seedScheduled([
      {
        ...{ user: study.responder.id, survey: study.survey, revision: 1, on: '2027-03-01' },
        ...{ dueAt: 0, timeZone: 'Europe/Paris' },
      },
    ]);

  test.each([0, 2])('with 20,000 dates of revision %s', async (revision) => {
    const study = await sleepStudy();
    await settledDates(study, { revision, count: 20_000 });
    await orphan(study);
    await env.DB.prepare('delete from member where user_id = ?').bind(study.responder.id).run();
    const cost = await measured();
    const all = await remindersOf({ users: [study.responder.id] });
    expect(all.find(({ on }) => on === '2027-03-01')).toMatchObject({
      state: 'skipped',
      reason: 'left-study',
    });
    expect(await countScheduled()).toBe(0);
    expect(cost.rowsRead).toBeLessThanOrEqual(75);
  });

  test('a thousand of them, each with twenty dates', async () => {
    const study = await sleepStudy();
    await env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < 999)
        insert into user (id, issuer, subject, name, created_at)
        select printf('%032x', i), 'gone', printf('%032x', i), 'Gone', 0 from n`,
    ).run();
    const gone = Array.from({ length: 1000 }, (_, n) => ({
      user: n.toString(16).padStart(32, '0'),
      survey: study.survey,
    }));
    const dateOf = (n: number) => new Date(Date.UTC(2026, 2, 1 + n)).toISOString().slice(0, 10);
    await seedPast(
      gone.flatMap((one) =>
        Array.from({ length: 20 }, (_, n) => ({ ...one, on: dateOf(n), state: 'sent' as const })),
      ),
    );
    await seedScheduled(
      gone.slice(0, 999).map((one) => ({ ...one, revision: 1, on: '2027-03-01', dueAt: 0 })),
    );
    const cost = await measured();
    expect(await countScheduled()).toBe(0);
    expect(cost.rowsRead).toBeLessThanOrEqual(70 * 1000);
  });
});

test('neither a sweep nor the hourly work does anything while the clock is wrong', async () => {
  await sweep({ ...createServices(env), clockAgrees: () => false });
  await reconcile({ ...createServices(env), clockAgrees: () => false });
  // Either would have noted its run.
  expect(
    await env.DB.prepare("select count(*) as n from job_run where name in ('sweep', 'reconcile')").first('n'),
  ).toBe(0);
});
