import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { reconcile, tick } from '../../src/operations/jobs.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { LogEntry, Services } from '../../src/services.ts';
import { deliver } from '../support/engine.ts';
import { texts } from '../support/reminder-rows.ts';
import { newCase, type Study } from '../support/studies.ts';
import { wrappedDb } from '../support/worker/apps.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { days, hours, later, setClock, startOfTests } from '../support/worker/clock.ts';
import { clearReminders, countPast, countScheduled, seedPast } from '../support/worker/reminder-tables.ts';
import { daily, pendingOf } from '../support/worker/reminders.ts';
import { sleepStudy, stranger } from '../support/worker/world.ts';

const count = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(`select count(*) as n from ${sql}`)
    .bind(...values)
    .first<number>('n');

describe('each step of the hourly work stands alone', () => {
  /** The remaining work of each step; all of it has to be 0. */
  const leftover = async (study: Study) => ({
    'relay-messages': await count("relay_message where message_id = 'old'"),
    invitations: await count('invitation where investigation_id = ?', study.id),
    items: await count('study_case where investigation_id = ?', study.id),
    plans: 2 - (await countScheduled({ survey: study.survey })),
    pauses: await count(
      `(select paused_until from user where id = ? union all select paused_until from member where investigation_id = ?)
        where paused_until is not null`,
      study.responder.id,
      study.id,
    ),
    notifications: await countPast({ survey: 'ended' }),
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
    await study.responder.put('/user/me/pause', { until: '2027-03-02T08:00:00.000Z' });
    await study.other.put('/user/me/pause', { until: '2027-03-02T08:00:00.000Z', investigation: study.id });
    for (const member of [study.responder, study.other]) await pendingOf(member);
    await clearReminders();
    const on = '2025-01-01';
    await seedPast([
      { user: study.responder.id, survey: 'ended', on, dueAt: 0, settledAt: 1, state: 'sent' },
    ]);
    await env.DB.batch(
      [
        "insert or replace into relay_message (message_id, at) values ('old', 0)",
        "delete from job_run where name = 'reconcile'",
      ].map((statement) => env.DB.prepare(statement)),
    );
    later(70 * days);
    return study;
  }

  const nothing = {
    'relay-messages': 0,
    invitations: 0,
    items: 0,
    plans: 0,
    pauses: 0,
    notifications: 0,
  };

  /** The services over a database that fails for statements with this text. */
  function broken(text: RegExp) {
    const lines: LogEntry[] = [];
    const db = wrappedDb((queries, answer) => {
      if (queries.some((query) => text.test(query))) throw new Error('D1 is overloaded');
      return answer();
    });
    const services: Services = {
      ...createServices(env),
      db,
      alarms: { arm: async () => {}, deliver: async (user) => void (await deliver(services, user)) },
      log: (line) => lines.push(line),
    };
    return {
      services,
      failures: () => lines.map(({ event }) => event).filter((event) => /fail/.test(event)),
    };
  }

  test.each([
    ['relay-messages', /^delete from "relay_message"/, 'reconcile.relay-messages-failed'],
    ['invitations', /^delete from "invitation"/, 'reconcile.invitations-failed'],
    ['items', /^delete from "study_case"/, 'reconcile.items-failed'],
    ['plans', texts.plan, 'reconcile.plans-failed'],
    ['pauses', /^update "member"/, 'reconcile.pauses-failed'],
    ['notifications', texts.purge, 'reconcile.notifications-failed'],
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
      [
        /from "user" where "user"."id" >/,
        'reconcile.users-failed',
        { plans: 2, pauses: 2, notifications: 1 },
      ],
      [/= 'sweep'/, 'sweep.failed', {}],
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
      if (user === study.other.id) throw new Error('the object is overloaded');
    };
    await tick({ ...services, alarms: { ...services.alarms, arm } });
    expect(failures()).toEqual(['reconcile.plans-failed']);
    expect(await leftover(study)).toMatchObject({ ...nothing, plans: -150 });
  });
});

test('the hourly walk takes a thousand users, and begins again behind the last', async () => {
  setClock(startOfTests);
  await env.DB.exec('delete from user');
  const study = await sleepStudy();
  await addMembers(study, 1_050);
  await env.DB.exec("delete from job_run where name = 'reconcile'");
  const { results } = await env.DB.prepare('select id from user order by id').all<{ id: string }>();
  const walkedTo = async () => {
    await reconcile({ ...createServices(env), log: () => {} });
    return env.DB.prepare("select after from job_run where name = 'reconcile'").first('after');
  };
  expect(await walkedTo()).toBe(results[999]?.id);
  expect(await walkedTo()).toBe('');
});
