import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { sweep, tick } from '../../src/operations/jobs.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Services } from '../../src/services.ts';
import { countedD1 } from '../../tools/database/counted-d1.ts';
import { deliver, plan, planFound } from '../support/engine.ts';
import type { Person } from '../support/people.ts';
import { outdate } from '../support/reminder-rows.ts';
import type { Study } from '../support/studies.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { days, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { carryOut, clearReminders, seedPast, seedScheduled } from '../support/worker/reminder-tables.ts';
import { daily, pendingOf } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';
import { plannedByOlderRelease } from '../support/worker/zones.ts';

/** The cost of a job, by D1's own counters. */
async function measure(job: (services: Services) => Promise<unknown>, replaced: Partial<Services> = {}) {
  const { counts, database } = countedD1(env.DB);
  const alarms = { arm: async () => {}, deliver: async () => {} };
  await job({ ...createServices(env), db: openD1(database), alarms, log: () => {}, ...replaced });
  const { roundTrips, rowsRead, rowsWritten } = counts;
  return { roundTrips, rowsRead, rowsWritten };
}

/**
 * Rows of others beside those of the user, in each index that a delivery searches: a search reads the row behind its range,
 * if there is one, and identifiers are random. No identifier has such a digit.
 */
const surround = async ({ id }: Person, study: Study) => {
  await env.DB.batch(
    ['!', '~'].flatMap((digit) =>
      [
        `insert into device (id, user_id, platform, token, endpoint, time_zone, created_at, updated_at, seen_at)
          values (?1, ?1, 'android', ?1, ?1, 'UTC', 0, 0, 0)`,
        `insert into member (investigation_id, user_id, role, created_at) values (?1, ?1, 'responder', 0)`,
        `insert into survey (id, investigation_id, name, items, reminders_since, created_at, revision_id, created_hash)
          values (?2, ?2, 'Diary', '[]', 0, 0, '', '')`,
      ].map((text) => {
        const beside = (identifier: string) => (digit === '!' ? identifier.slice(0, -1) : identifier) + digit;
        const values = [beside(id), beside(study.id)];
        const used = Math.max(...[...text.matchAll(/\?(\d)/g)].map(([, n]) => Number(n)));
        return env.DB.prepare(text).bind(...values.slice(0, used));
      }),
    ),
  );
  const beside = [`${study.survey.slice(0, -1)}!`, `${study.survey}~`];
  await seedScheduled(beside.map((survey) => ({ user: id, survey, on: '2027-03-01', dueAt: 9e15 })));
};

/**
 * The cursor with its index when the turn begins and when it ends, and the notification with its two, which the end of the
 * turn changes in place.
 */
const rowsWritten = 8;
const rowsRead = 71;

describe('delivering one due reminder to one phone', () => {
  test('costs two round trips, eight rows written and at most 71 read', async () => {
    const study = await sleepStudy(daily);
    const phone = await newPhone(study.responder);
    await pendingOf(study.responder);
    await surround(study.responder, study);
    for (const day of ['01', '02', '03', '04']) {
      setClock(`2027-03-${day}T20:30:00.000Z`);
      const cost = await measure((services) => deliver(services, study.responder.id));
      expect(cost).toMatchObject({ roundTrips: 2, rowsWritten });
      expect(cost.rowsRead).toBeLessThanOrEqual(rowsRead);
    }
    expect(await phone.inbox()).toHaveLength(4);
  });

  test('costs the same after a year of reminders', async () => {
    const study = await sleepStudy(daily);
    await newPhone(study.responder);
    await pendingOf(study.responder);
    await seedPast(
      Array.from({ length: 365 }, (_, n) => ({
        ...{ user: study.responder.id, survey: study.survey, timeZone: 'Europe/Paris' },
        ...{ on: new Date(startOfTests - (n + 1) * days).toISOString().slice(0, 10), state: 'sent' as const },
      })),
    );
    await surround(study.responder, study);
    setClock('2027-03-01T20:30:00.000Z');
    const cost = await measure((services) => deliver(services, study.responder.id));
    expect(cost).toMatchObject({ roundTrips: 2, rowsWritten });
    expect(cost.rowsRead).toBeLessThanOrEqual(rowsRead);
  });
});

test('a delivery costs the same when reminders of many others are due at the instant at which its turn ends', async () => {
  const study = await sleepStudy(daily);
  await newPhone(study.responder);
  const [{ dueAt }] = await pendingOf(study.responder);
  await surround(study.responder, study);
  const others = Array.from({ length: 300 }, (_, n) => n.toString(16).padStart(32, '0'));
  const at = Date.parse(dueAt) + minutes;
  await seedScheduled(others.map((user) => ({ user, survey: 'survey', on: '2027-03-01', dueAt: at })));
  setClock(dueAt);
  const cost = await measure((services) => deliver(services, study.responder.id));
  expect(cost).toMatchObject({ roundTrips: 2, rowsWritten });
  expect(cost.rowsRead).toBeLessThanOrEqual(rowsRead);
  await env.DB.exec("delete from scheduled_notification where survey_id = 'survey'");
  await clearReminders();
});

describe('the settings of reminders, and the cost of a delivery with them', () => {
  const windows = [{ from: '20:00', to: '22:00', count: 2 }];
  const french = { subject: 'Journal du sommeil', body: 'Comment était votre nuit ?' };
  const nightly = { from: '23:00', to: '06:00' };

  test.each([
    ['nothing: the same', {}, {}, rowsRead],
    ['windows: the same', { recurrence: '* * * * *', windows, minGap: 30 }, {}, rowsRead],
    ['quiet hours, which it is not in: the same', {}, { quietHours: nightly }, rowsRead],
    // The phone, and what of the translations is for it.
    ['translations: seven rows read', { translations: { fr: french } }, {}, rowsRead + 7],
  ])('%s', async (_, asked, profile, most) => {
    const study = await sleepStudy({ ...daily, ...asked });
    const user = study.responder;
    const phone = await newPhone(user);
    expect((await user.patch('/user/me', profile)).status).toBe(200);
    expect((await user.patch(`/device/${phone.id}`, { language: 'fr-CA' })).status).toBe(200);
    await surround(user, study);
    for (let sent = 1; sent <= 2; sent++) {
      const [next] = await pendingOf(user);
      setClock(Date.parse(next.dueAt));
      const cost = await measure((services) => deliver(services, user.id));
      expect(await phone.inbox()).toHaveLength(sent);
      expect(cost).toMatchObject({ roundTrips: 2, rowsWritten });
      expect(cost.rowsRead).toBeLessThanOrEqual(most);
    }
  });

  test('nudges: a row written and two read, in their index; and each of them a delivery', async () => {
    const study = await sleepStudy({ ...daily, expiresAfter: 120, followUps: { every: 30, max: 2 } });
    const phone = await newPhone(study.responder);
    const [{ dueAt }] = await pendingOf(study.responder);
    await surround(study.responder, study);
    for (const [after, sent] of [
      [0, 1],
      [30, 2],
      [60, 3],
    ] as const) {
      setClock(Date.parse(dueAt) + after * minutes);
      const cost = await measure((services) => deliver(services, study.responder.id));
      expect(await phone.inbox()).toHaveLength(sent);
      expect(cost.roundTrips).toBe(2);
      expect(cost.rowsWritten).toBeLessThanOrEqual(rowsWritten);
      expect(cost.rowsRead).toBeLessThanOrEqual(sent === 1 ? rowsRead + 2 : rowsRead);
    }
  });
});

test('a tick is a sweep, and in the minutes of an hour nothing else', async () => {
  await clearReminders();
  for (const minute of [1, 2, 3, 4]) {
    setClock(startOfTests + minute * minutes);
    await measure(tick);
    const cost = await measure(tick);
    expect(cost.roundTrips).toBe(2);
    // One asks whether the hourly work is due.
    expect(cost.rowsRead).toBeLessThanOrEqual(10);
  }
});

describe('a sweep with nothing due', () => {
  test.each([1, 1_000, 100_000])('costs the same with %d pending notifications', async (pending) => {
    await clearReminders();
    const of = (n: number) => ({ user: n.toString(16).padStart(32, '0'), survey: 'survey' });
    const all = Array.from({ length: pending }, (_, n) => of(n + 1));
    await seedScheduled(all.map((one, n) => ({ ...one, on: '2027-03-02', dueAt: 1803940000001 + n })));
    // Settled long ago.
    await seedPast(all.slice(0, 1000).map((one) => ({ ...one, on: '2027-02-28', state: 'skipped' })));
    // The first sweep of all writes its heartbeat.
    await measure(sweep);
    const cost = await measure(sweep);
    expect(cost.roundTrips).toBe(1);
    expect(cost.rowsWritten).toBeLessThanOrEqual(1);
    // One of them for webhooks that are behind.
    expect(cost.rowsRead).toBeLessThanOrEqual(9);
    await env.DB.exec("delete from scheduled_notification where survey_id = 'survey'");
    await clearReminders();
  });
});

test('planning 100 users anew costs six round trips and at most eight rows written for each', async () => {
  await clearReminders();
  const study = await sleepStudy(daily);
  await addMembers(study, 100);
  const members = await env.DB.prepare("select id from user where issuer = 'bulk'").all<{ id: string }>();
  const users = members.results.map((row) => row.id);
  expect(users).toHaveLength(100);
  const first = await measure((services) => plan(services, users));
  // They are woken, the zones are noted, a turn claims and settles, and another finds nothing.
  expect(first.roundTrips).toBe(6);
  expect(first.rowsWritten).toBeLessThanOrEqual(700);

  await env.DB.prepare(
    `update survey set reminders = json_set(reminders, '$.recurrence', '0 22 * * *'),
      reminders_revision = reminders_revision + 1 where id = ?`,
  )
    .bind(study.survey)
    .run();
  await carryOut(outdate({ survey: study.survey }));
  const second = await measure((services) => plan(services, users));
  expect(second.roundTrips).toBe(6);
  expect(second.rowsWritten).toBeLessThanOrEqual(800);
  expect(second.rowsRead).toBeLessThanOrEqual(100 * 75);
});

test('an upgrade of the zone rules costs a few statements for each page of five hundred cursors, twice', async () => {
  const study = await sleepStudy(daily);
  await addMembers(study, 100);
  const { results } = await env.DB.prepare(
    "select user_id as id from member where investigation_id = ? and role = 'responder'",
  )
    .bind(study.id)
    .all<{ id: string }>();
  const users = results.map((row) => row.id).slice(0, 100);
  await measure((services) => plan(services, users));
  await plannedByOlderRelease({});
  const deferred: Promise<void>[] = [];
  const defer = (work: () => Promise<void>) => void deferred.push(work());
  const planned: string[] = [];
  const planElsewhere = async (some: string[]) => void planned.push(...some);
  const noticing = await measure(
    async (services) => {
      await sweep(services);
      await Promise.all(deferred);
    },
    { planElsewhere, defer },
  );
  // The waiting work, the two rows of work with the release, those that are due, a page that is woken, its row, and none.
  expect(noticing.roundTrips).toBe(6);
  const { results: all } = await env.DB.prepare('select user_id as user from scheduled_notification').all<{
    user: string;
  }>();
  expect(noticing.rowsRead).toBeLessThanOrEqual(4 * all.length + 25);
  expect(planned.toSorted()).toEqual([...new Set(all.map(({ user }) => user))].toSorted());

  const planning = await measure((services) => planFound(services, users));
  expect(planning.roundTrips).toBe(5);
  expect(planning.rowsWritten).toBeLessThanOrEqual(400);
  const again = await measure((services) => planFound(services, users));
  expect(again.roundTrips).toBe(2);
  expect(again.rowsWritten).toBe(0);
});
