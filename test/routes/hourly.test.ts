import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { countedD1 } from '../../dev/counted-d1.ts';
import { deliver } from '../../src/jobs/deliver.ts';
import { reconcile } from '../../src/jobs/reconcile.ts';
import { replanChunk } from '../../src/jobs/replan.ts';
import { tick } from '../../src/jobs/tick.ts';
import { purgeNotifications } from '../../src/model/reminders/maintenance.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { LogEntry, Services } from '../../src/services.ts';
import { newCase, type Study } from '../support/studies.ts';
import { easyPush, wrappedDb } from './support/apps.ts';
import { addMembers } from './support/bulk.ts';
import { days, hours, later, setClock, startOfTests } from './support/clock.ts';
import { daily, pendingOf } from './support/reminders.ts';
import { newPhone, sleepStudy, stranger } from './support/world.ts';

const count = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(`select count(*) as n from ${sql}`)
    .bind(...values)
    .first<number>('n');

describe('each step of the hourly work stands alone', () => {
  /** What is left of the work of each step; all of it is to be 0. */
  const leftover = async (study: Study) => ({
    'relay-messages': await count("relay_message where message_id = 'old'"),
    invitations: await count('invitation where investigation_id = ?', study.id),
    items: await count('study_case where investigation_id = ?', study.id),
    plans:
      4 -
      ((await count('scheduled_notification where survey_id = ? and settled_at is null', study.survey)) ?? 0),
    notifications: await count("scheduled_notification where survey_id = 'ended'"),
    rehash: await count('activity where investigation_id = ? and formula = 0', study.id),
  });

  /** A study in which each step has something to do. */
  async function neglected(): Promise<Study> {
    setClock(startOfTests);
    const study = await sleepStudy(daily);
    const gil = await stranger('Gil');
    await study.owner.post(`/investigation/${study.id}/member`, { email: gil.email, role: 'responder' });
    const night = await newCase(study, study.owner);
    const remove = { cases: [{ identifier: night }], status: 'deleted' };
    expect((await study.owner.post(`/investigation/${study.id}/delete-items`, remove)).status).toBe(204);
    for (const member of [study.owner, study.editor, study.responder, study.other]) await pendingOf(member);
    await env.DB.batch(
      [
        'delete from scheduled_notification',
        'delete from replan',
        "insert or replace into relay_message (message_id, at) values ('old', 0)",
        `insert into scheduled_notification (user_id, survey_id, revision, occurs_on, counter, due_at, look_at, time_zone, settled_at, state)
          values ('${study.responder.id}', 'ended', 0, '2025-01-01', 0, 0, 0, 'UTC', 1, 'sent')`,
        `update activity set formula = 0 where investigation_id = '${study.id}'`,
        "delete from job where name = 'reconcile'",
      ].map((statement) => env.DB.prepare(statement)),
    );
    later(40 * days);
    return study;
  }

  const nothing = { 'relay-messages': 0, invitations: 0, items: 0, plans: 0, notifications: 0, rehash: 0 };

  /** The services over a database that fails for statements with this text. */
  function broken(text: RegExp) {
    const lines: LogEntry[] = [];
    const db = wrappedDb((queries, answer) => {
      if (queries.some((query) => text.test(query))) throw new Error('D1 is overloaded');
      return answer();
    });
    const services: Services = { ...createServices(env), db, log: (line) => lines.push(line) };
    return {
      services,
      failures: () => lines.map(({ event }) => event).filter((event) => /fail/.test(event)),
    };
  }

  test.each([
    ['relay-messages', /^delete from "relay_message"/, 'reconcile.relay-messages-failed'],
    ['invitations', /^delete from "invitation"/, 'reconcile.invitations-failed'],
    ['items', /^delete from "study_case"/, 'reconcile.items-failed'],
    ['plans', /^insert into "scheduled_notification"/, 'reconcile.plans-failed'],
    ['notifications', /^delete from "scheduled_notification"/, 'reconcile.notifications-failed'],
    ['rehash', /^update "activity"/, 'log.rehash-failed'],
  ] as const)('%s fail, and the others are done', async (step, text, failure) => {
    const study = await neglected();
    expect(Object.values(await leftover(study))).not.toContain(0);
    const { services, failures } = broken(text);
    await tick(services);
    const { [step]: left, ...others } = await leftover(study);
    expect(left).toBeGreaterThan(0);
    expect({ ...others, [step]: 0 }).toEqual(nothing);
    expect(failures()).toEqual([failure]);
    later(1 * hours);
    await tick(broken(/^nothing$/).services);
    expect(await leftover(study)).toEqual(nothing);
  });

  test('the users cannot be read, or the sweep fails, and the others are done', async () => {
    for (const [text, event, undone] of [
      [/from "user" where "user"."id" >/, 'reconcile.users-failed', { plans: 4, notifications: 1 }],
      [/"replan"/, 'sweep.failed', {}],
    ] as const) {
      const study = await neglected();
      const { services, failures } = broken(text);
      await tick(services);
      expect(await leftover(study)).toEqual({ ...nothing, ...undone });
      expect(failures()).toEqual([event]);
    }
  });

  test('one chunk of users fails, and those behind it are planned and purged', async () => {
    const study = await neglected();
    await addMembers(study, 150);
    const { services, failures } = broken(/^nothing$/);
    const arm = async (user: string) => {
      if (user === study.owner.id) throw new Error('the object is overloaded');
    };
    await tick({ ...services, alarms: { ...services.alarms, arm } });
    expect(failures()).toEqual(['reconcile.plans-failed']);
    expect(await leftover(study)).toMatchObject({ ...nothing, plans: -150 });
  });
});

describe('400 days after the end of a series', () => {
  const due = Date.parse('2027-03-01T20:30:00.000Z');
  const services: Services = {
    ...createServices(env),
    push: { ...createServices(env).push, ...easyPush },
    log: () => {},
  };

  test('its dates are gone for good: they neither are planned again nor come back as expired', async () => {
    const study = await sleepStudy({ ...daily, ends: 3 });
    const chidi = study.responder;
    await newPhone(chidi, 'Europe/Paris');
    await pendingOf(chidi);
    await pendingOf(study.owner);
    for (const day of [0, 1, 2]) {
      setClock(due + day * days);
      await deliver(services, chidi.id);
    }
    // Tokens do not live that long.
    const dates = async () => {
      const rows = env.DB.prepare(
        `select occurs_on || ' ' || coalesce(state, 'scheduled') as date from scheduled_notification
          where user_id = ? order by 1`,
      );
      return (await rows.bind(chidi.id).all<{ date: string }>()).results.map(({ date }) => date);
    };
    const travel = async (time: string) => {
      const move = 'update user set custom_reminders_time = ?, plan_stamp = plan_stamp + 1 where id = ?';
      await env.DB.prepare(move).bind(time, chidi.id).run();
      await replanChunk(services, { users: [chidi.id] });
    };
    const all = ['2027-03-01 sent', '2027-03-02 sent', '2027-03-03 sent'];
    expect(await dates()).toEqual(all);
    // The first of them is past its retention, then all are.
    for (const [age, left] of [
      [400, all],
      [401, all.slice(1)],
      [403, []],
      [500, []],
    ] as const) {
      setClock(due + age * days);
      await reconcile(services);
      for (const time of ['06:00', '22:00']) {
        await travel(time);
        await deliver(services, chidi.id);
      }
      await reconcile(services);
      expect(await dates(), `after ${age} days`).toEqual(left);
    }
  });
});

describe('the purge of settled notifications', () => {
  const users = Array.from({ length: 25 }, (_, n) => n.toString(16).padStart(32, 'e'));
  const today = '2027-03-01';

  /** For each user so many days of a survey, back from `from` days ago. */
  const settled = (survey: string, { from, dates }: { from: number; dates: number }) =>
    env.DB.prepare(
      `with recursive n(i) as (select 0 union all select i + 1 from n where i < ?1 - 1)
        insert into scheduled_notification (user_id, survey_id, revision, occurs_on, counter, due_at, look_at, time_zone, settled_at, state)
        select value, ?2, 0, date(?3, '-' || (i + ?4) || ' days'), 0, 0, 0, 'UTC', ?5 - (i + ?4) * ${days}, 'sent'
        from json_each(?6), n`,
    )
      .bind(dates, survey, today, from, startOfTests, JSON.stringify(users))
      .run();

  async function purge() {
    const { counts, database } = countedD1(env.DB);
    const purged = await purgeNotifications({ db: openD1(database), now: startOfTests }, users);
    return { ...counts, purged };
  }

  beforeAll(async () => {
    await env.DB.exec('delete from scheduled_notification');
    for (const survey of ['morning', 'evening']) await settled(survey, { from: 1, dates: 400 });
  });

  test('reads a few rows of each series, and nothing of the 20,000 that are kept', async () => {
    const { purged, roundTrips, rowsRead, rowsWritten } = await purge();
    expect({ purged, roundTrips, rowsWritten }).toEqual({ purged: 0, roundTrips: 1, rowsWritten: 0 });
    expect(rowsRead).toBeLessThanOrEqual(20 * 2 * users.length);
  });

  test('removes what is past its retention, a thousand at a time, and reads what it removes', async () => {
    await settled('morning', { from: 401, dates: 100 });
    const { purged, roundTrips, rowsRead } = await purge();
    expect({ purged, roundTrips }).toEqual({ purged: 2500, roundTrips: 3 });
    expect(rowsRead).toBeLessThanOrEqual(8 * 2500);
    expect(await count('scheduled_notification')).toBe(20_000);
  });
});

test('the hourly walk goes on behind the users whose surveys it has room for', async () => {
  setClock(startOfTests);
  await env.DB.exec('delete from user');
  const study = await sleepStudy();
  // The walk goes by the counter.
  await env.DB.prepare('update investigation set survey_count = 20000 where id = ?').bind(study.id).run();
  await env.DB.exec("delete from job where name = 'reconcile'");
  const members = [study.owner, study.editor, study.responder, study.other].map(({ id }) => id).toSorted();
  const walkedTo = async () => {
    await reconcile({ ...createServices(env), log: () => {} });
    return env.DB.prepare("select after from job where name = 'reconcile'").first('after');
  };
  expect(await walkedTo()).toBe(members[1]);
  expect(await walkedTo()).toBe('');
});
