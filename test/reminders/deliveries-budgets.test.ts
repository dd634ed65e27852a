import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { countedD1 } from '../../dev/counted-d1.ts';
import { sweep } from '../../src/operations/sweep.ts';
import { tick } from '../../src/operations/tick.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { deliver } from '../../src/reminders/deliver.ts';
import { replanChunk } from '../../src/reminders/replan.ts';
import type { ReplanChunk, Services } from '../../src/services.ts';
import type { Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { proved } from '../support/worker/apps.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { daily, pendingOf } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';
import { plannedByOlderRelease } from '../support/worker/zones.ts';

/** The cost of a job, by D1's own counters. */
async function measure(job: (services: Services) => Promise<unknown>, replaced: Partial<Services> = {}) {
  const { counts, database } = countedD1(env.DB);
  const alarms = { arm: async () => {}, deliver: async () => {} };
  const writes = proved();
  await job({ ...createServices(env), db: openD1(database), alarms, log: () => {}, writes, ...replaced });
  const { roundTrips, rowsRead, rowsWritten } = counts;
  return { roundTrips, rowsRead, rowsWritten };
}

/**
 * Rows of others beside those of the user, in each index that a delivery searches: a search reads the row behind its range,
 * if there is one, and identifiers are random. No identifier has such a digit.
 */
const surround = ({ id }: Person, study: Study) =>
  env.DB.batch(
    ['!', '~'].flatMap((digit) =>
      [
        `insert into device (id, user_id, platform, token, endpoint, time_zone, created_at, updated_at, seen_at)
          values (?1, ?1, 'android', ?1, ?1, 'UTC', 0, 0, 0)`,
        `insert into member (investigation_id, user_id, role, created_at) values (?1, ?1, 'responder', 0)`,
        `insert into survey (id, investigation_id, name, items, reminders_since, created_at, revision_id, created_hash)
          values (?2, ?2, 'Diary', '[]', 0, 0, '', '')`,
        `insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone)
          values (?3, ?4, 0, '2027-03-01', 0, 0, 9e15, 'UTC')`,
      ].map((text) => {
        const beside = (identifier: string) => (digit === '!' ? identifier.slice(0, -1) : identifier) + digit;
        const values = [beside(id), beside(study.id), id, beside(study.survey)];
        const used = Math.max(...[...text.matchAll(/\?(\d)/g)].map(([, n]) => Number(n)));
        return env.DB.prepare(text).bind(...values.slice(0, used));
      }),
    ),
  );

describe('delivering one due reminder to one phone', () => {
  test('costs two round trips, four rows written and at most eighteen read', async () => {
    const study = await sleepStudy(daily);
    const phone = await newPhone(study.responder);
    await pendingOf(study.responder);
    await surround(study.responder, study);
    for (const [day, rowsWritten] of [
      ['01', 4],
      ['02', 4],
      // The third in a row that is not answered makes the user silent.
      ['03', 5],
      ['04', 4],
    ] as const) {
      setClock(`2027-03-${day}T20:30:00.000Z`);
      const cost = await measure((services) => deliver(services, study.responder.id));
      expect(cost.rowsRead).toBeLessThanOrEqual(18);
      expect(cost).toMatchObject({ roundTrips: 2, rowsWritten });
    }
    expect(await phone.inbox()).toHaveLength(4);
  });

  test('costs a round trip and two rows written more in a process that has just started', async () => {
    const study = await sleepStudy(daily);
    const phone = await newPhone(study.responder);
    await pendingOf(study.responder);
    const { writes } = createServices(env);
    const costs = [];
    for (const day of ['01', '02']) {
      setClock(`2027-03-${day}T20:30:00.000Z`);
      costs.push(await measure((services) => deliver(services, study.responder.id), { writes }));
    }
    expect(costs.map(({ roundTrips }) => roundTrips)).toEqual([3, 2]);
    expect(costs.map(({ rowsWritten }) => rowsWritten)).toEqual([6, 4]);
    for (const { rowsRead } of costs) expect(rowsRead).toBeLessThanOrEqual(20);
    expect(await phone.inbox()).toHaveLength(2);
  });

  test('costs the same after a year of reminders', async () => {
    const study = await sleepStudy(daily);
    await newPhone(study.responder);
    await pendingOf(study.responder);
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 365)
        insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone, settled_at, state)
        select ?, ?, 0, date('2027-03-01', '-' || i || ' days'), 0, 0, 0, 'Europe/Paris', 1, 'sent' from n`,
    )
      .bind(study.responder.id, study.survey)
      .run();
    await surround(study.responder, study);
    setClock('2027-03-01T20:30:00.000Z');
    const cost = await measure((services) => deliver(services, study.responder.id));
    expect(cost).toMatchObject({ roundTrips: 2, rowsWritten: 4 });
    expect(cost.rowsRead).toBeLessThanOrEqual(18);
  });
});

describe('the settings of reminders, and the cost of a delivery with them', () => {
  const rowsRead = 18;
  const windows = [{ from: '20:00', to: '22:00', count: 2 }];
  const french = { subject: 'Journal du sommeil', body: 'Comment était votre nuit ?' };
  const nightly = { from: '23:00', to: '06:00' };

  test.each([
    ['nothing: the same', {}, {}, rowsRead],
    ['windows: the same', { recurrence: '* * * * *', windows, minGap: 30 }, {}, rowsRead],
    ['quiet hours, which it is not in: the same', {}, { quietHours: nightly }, rowsRead],
    // The phone, and what of the translations is for it.
    ['translations: five rows read', { translations: { fr: french } }, {}, rowsRead + 5],
  ])('%s', async (_, asked, profile, most) => {
    const study = await sleepStudy({ ...daily, ...asked });
    const user = study.responder;
    const phone = await newPhone(user);
    expect((await user.patch('/user/me', profile)).status).toBe(200);
    expect((await user.patch(`/device/${phone.id}`, { language: 'fr-CA' })).status).toBe(200);
    await surround(user, study);
    for (let sent = 1; sent <= 2; sent++) {
      const [next] = await pendingOf(user);
      setClock(next.dueAt);
      const cost = await measure((services) => deliver(services, user.id));
      expect(await phone.inbox()).toHaveLength(sent);
      expect(cost).toMatchObject({ roundTrips: 2, rowsWritten: 4 });
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
      expect(cost.rowsWritten).toBeLessThanOrEqual(sent === 1 ? 5 : 4);
      expect(cost.rowsRead).toBeLessThanOrEqual(sent === 1 ? rowsRead + 2 : rowsRead);
    }
  });
});

test('a tick is a sweep, and in the minutes of an hour nothing else', async () => {
  await env.DB.exec('delete from scheduled_notification');
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
    await env.DB.exec('delete from scheduled_notification');
    await env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
        insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone)
        select printf('%032x', i), 'survey', 0, '2027-03-02', 0, 1803940000000 + i, 1803940000000 + i, 'UTC' from n`,
    )
      .bind(pending)
      .run();
    // Settled long ago.
    await env.DB.prepare(
      `insert into scheduled_notification
          (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone, settled_at, state)
        select user_id, survey_id, revision, '2027-02-28', 0, 1, 1, 'UTC', 1, 'skipped'
        from scheduled_notification limit 1000`,
    ).run();
    // The first sweep of all writes its heartbeat.
    await measure(sweep);
    const cost = await measure(sweep);
    expect(cost.roundTrips).toBe(1);
    expect(cost.rowsWritten).toBeLessThanOrEqual(1);
    // One of them for webhooks that are behind.
    expect(cost.rowsRead).toBeLessThanOrEqual(9);
    await env.DB.exec('delete from scheduled_notification');
  });
});

test('replanning 100 users costs two round trips and at most three rows written for each', async () => {
  const study = await sleepStudy(daily);
  await addMembers(study, 100);
  const members = await env.DB.prepare("select id from user where issuer = 'bulk'").all<{ id: string }>();
  const users = members.results.map((row) => row.id);
  expect(users).toHaveLength(100);
  const first = await measure((services) => replanChunk(services, { users }));
  expect(first.roundTrips).toBe(2);
  expect(first.rowsWritten).toBeLessThanOrEqual(300);

  await env.DB.prepare(
    `update survey set reminders = json_set(reminders, '$.recurrence', '0 22 * * *'),
      reminders_revision = reminders_revision + 1, plan_stamp = plan_stamp + 1 where id = ?`,
  )
    .bind(study.survey)
    .run();
  const second = await measure((services) => replanChunk(services, { users }));
  expect(second.roundTrips).toBe(2);
  expect(second.rowsWritten).toBeLessThanOrEqual(300);
  // 19 of each: with the last pushes before the change, the list of users and the rows that the second statement is given.
  expect(second.rowsRead).toBeLessThanOrEqual(100 * 20);
});

test('an upgrade of the zone rules writes one row for each pending notification, once', async () => {
  const study = await sleepStudy(daily);
  await addMembers(study, 100);
  const { results } = await env.DB.prepare(
    "select user_id as id from member where investigation_id = ? and role = 'responder'",
  )
    .bind(study.id)
    .all<{ id: string }>();
  const users = results.map((row) => row.id).slice(0, 100);
  await measure((services) => replanChunk(services, { users }));
  await plannedByOlderRelease({});
  const chunks: ReplanChunk[] = [];
  const queue = { send: async (chunk: ReplanChunk) => void chunks.push(chunk) };
  const deferred: Promise<void>[] = [];
  const defer = (work: () => Promise<void>) => void deferred.push(work());
  const noticing = await measure(
    async (services) => {
      await sweep(services);
      await Promise.all(deferred);
    },
    { queue, defer },
  );
  // The waiting work, the two outbox rows with the release, a page of users, and the first row again.
  expect(noticing.roundTrips).toBe(4);
  expect(noticing.rowsWritten).toBeLessThanOrEqual(10);
  const everyone = await env.DB.prepare('select count(*) from user').first<number>('count(*)');
  expect(noticing.rowsRead).toBeLessThanOrEqual(2 * Number(everyone) + 20);
  expect(chunks.flatMap((chunk) => chunk.users)).toHaveLength(Number(everyone));

  const planning = await measure((services) => replanChunk(services, { users }));
  expect(planning.roundTrips).toBe(2);
  expect(planning.rowsWritten).toBe(100);
  const again = await measure((services) => replanChunk(services, { users }));
  expect(again.roundTrips).toBe(1);
  expect(again.rowsWritten).toBe(0);
});
