import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { countedD1 } from '../../dev/counted-d1.ts';
import { reconcile } from '../../src/operations/reconcile.ts';
import { sweep } from '../../src/operations/sweep.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { LogEntry, ReplanChunk, Services } from '../../src/services.ts';
import type { Study } from '../support/studies.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { daily, pendingOf, scheduled } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { settleZones } from '../support/worker/zones.ts';

beforeEach(async () => {
  for (const table of ['replan', 'scheduled_notification', 'job_run'])
    await env.DB.exec(`delete from ${table}`);
  await settleZones();
});

describe('a hundred and fifty jobs that fail', () => {
  /** Outbox rows of a study that crashed requests left behind; identifiers sort by time. */
  const crashed = (study: Study, count: number) =>
    env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
        insert into replan (id, investigation_id, touched_at) select printf('%016x', i) || substr(?2, 17), ?2, ?3 from n`,
    )
      .bind(count, study.id, Date.now())
      .run();
  const waiting = (study: Study) =>
    env.DB.prepare('select count(*) as n from replan where investigation_id = ?').bind(study.id).first('n');

  test("do not hold up a stranger's crashed job, and are tried again in their turn", async () => {
    const [mallory, ada] = [await sleepStudy(daily), await sleepStudy(daily)];
    for (const { other, responder } of [mallory, ada])
      for (const user of [other, responder]) await pendingOf(user);
    await env.DB.exec('delete from replan');
    await env.DB.prepare('delete from scheduled_notification where survey_id = ?').bind(ada.survey).run();
    await crashed(mallory, 150);
    await env.DB.prepare(`insert into replan (id, user_id, touched_at) values ('f', ?, ?)`)
      .bind(ada.responder.id, Date.now())
      .run();

    const lines: LogEntry[] = [];
    const deferred: Promise<void>[] = [];
    const refuse = async ({ users }: ReplanChunk) => {
      if (users.includes(mallory.owner.id)) throw new Error('too large for the queue');
    };
    const services: Services = {
      ...createServices(env),
      queue: { send: refuse },
      defer: (work) => void deferred.push(work()),
      log: (line) => lines.push(line),
    };
    /** The jobs that fail in the sweep of the next minute. */
    const sweepOnce = async () => {
      later(2 * minutes);
      lines.length = 0;
      await sweep(services);
      await Promise.all(deferred.splice(0));
      return lines.filter(({ event }) => event === 'replan.failed').length;
    };

    expect(await sweepOnce()).toBe(100);
    expect(await scheduled(ada.responder)).toEqual([]);
    expect(await sweepOnce()).toBe(50);
    expect(await scheduled(ada.responder)).toHaveLength(1);
    expect(await waiting(mallory)).toBe(150);
    // Behind the last one the sweep begins again.
    expect(await sweepOnce()).toBe(100);
    expect(await sweepOnce()).toBe(50);
  });
});

describe('twelve hundred nudges that fail', () => {
  test("do not hold up a stranger's, and are tried again in their turn", async () => {
    const [mallory, ada] = [await sleepStudy(daily), await sleepStudy(daily)];
    for (const { other, responder } of [mallory, ada])
      for (const user of [other, responder]) await pendingOf(user);
    await env.DB.exec('delete from scheduled_notification');
    await addMembers(mallory, 1200);
    const overdue = (study: Study, at: string, whose: string) =>
      env.DB.prepare(
        `insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at,
            time_zone, settled_at, state, next_follow_up_at)
          select m.user_id, s.id, s.reminders_revision, '2027-02-28', 0, 1, 1, 'UTC', 1, 'sent', ${at}
          from survey s join member m on m.investigation_id = s.investigation_id
          where s.id = ?1 and m.user_id ${whose} (select id from user where issuer = 'bulk')`,
      )
        .bind(study.survey)
        .run();
    await overdue(mallory, 'row_number() over () / 7', 'in');
    await overdue(ada, '1000', 'not in');

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

describe('settling what no delivery reads costs what it settles', () => {
  /** Dates of the responder's history from day `from` on, settled so. */
  const settledDates = (
    study: Study,
    { revision, count, state }: { revision: number; count: number; state: string },
  ) =>
    env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 - 1)
        insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone, settled_at, state)
        select ?2, ?3, ?4, date('1970-01-01', i || ' days'), i, 0, 0, 'Europe/Paris', 1, ?5 from n`,
    )
      .bind(count, study.responder.id, study.survey, revision, state)
      .run();

  async function measured() {
    const { counts, database } = countedD1(env.DB);
    const alarms = { arm: async () => {}, deliver: async () => {} };
    const services = { ...createServices(env), db: openD1(database), alarms, log: () => {} };
    await sweep(services);
    return counts;
  }

  const unsettled = () =>
    env.DB.prepare('select count(*) as n from scheduled_notification where settled_at is null').first('n');

  const orphan = (study: Study, occursOn: string, revision = 1) =>
    env.DB.prepare(
      `insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone)
        values (?, ?, ?, ?, 0, 0, 0, 'Europe/Paris')`,
    )
      .bind(study.responder.id, study.survey, revision, occursOn)
      .run();

  test('behind 20,000 dates: of who left, and of who is a member still', async () => {
    const study = await sleepStudy();
    await settledDates(study, { revision: 0, count: 20_000, state: 'sent' });
    await orphan(study, '2027-03-01');
    const state = async () =>
      env.DB.prepare(
        "select state, reason from scheduled_notification where occurrence = '2027-03-01'",
      ).first();
    // A member's own is the delivery's to settle.
    const member = await measured();
    expect(await state()).toEqual({ state: null, reason: null });
    await env.DB.prepare('delete from member where user_id = ?').bind(study.responder.id).run();
    const left = await measured();
    expect(await state()).toEqual({ state: 'skipped', reason: 'left-study' });

    for (const cost of [member, left]) expect(cost.rowsRead).toBeLessThanOrEqual(30);
  });

  test('before 20,000 dates that count', async () => {
    const study = await sleepStudy();
    await settledDates(study, { revision: 2, count: 20_000, state: 'sent' });
    await orphan(study, '2027-03-01');
    const cost = await measured();
    expect(await unsettled()).toBe(0);

    // Rows that are settled behind others look at the three before and behind them.
    expect(cost.rowsRead).toBeLessThanOrEqual(90);
  });

  test('a thousand of them, each with twenty dates', async () => {
    const study = await sleepStudy();
    await env.DB.batch([
      env.DB.prepare(
        `with recursive n(i) as (select 0 union all select i + 1 from n where i < 999)
        insert into user (id, issuer, subject, name, created_at)
        select printf('%032x', i), 'gone', printf('%032x', i), 'Gone', 0 from n`,
      ),
      env.DB.prepare(
        `with recursive n(i) as (select 0 union all select i + 1 from n where i < 19999)
        insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone, settled_at, state)
        select printf('%032x', i / 20), ?, 0, date('2026-03-01', (i % 20) || ' days'), 0, 0, 0, 'UTC', 1, 'sent' from n`,
      ).bind(study.survey),
      env.DB.prepare(
        `with recursive n(i) as (select 0 union all select i + 1 from n where i < 999)
        insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone)
        select printf('%032x', i), ?, 1, '2027-03-01', 0, 0, 0, 'UTC' from n`,
      ).bind(study.survey),
    ]);
    const cost = await measured();
    expect(await unsettled()).toBe(0);
    expect(cost.rowsRead).toBeLessThanOrEqual(25 * 1000);
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
