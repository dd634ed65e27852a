import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { replanChunk } from '../../src/jobs/replan.ts';
import { replanZones } from '../../src/jobs/replan-zones.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { tzRelease, zoneNames } from '../../src/schedule/zones.ts';
import type { ReplanChunk, Services } from '../../src/services.ts';
import type { Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { later, minutes, setClock } from './support/clock.ts';
import { differences, dump } from './support/dumps.ts';
import { FaultPoints, withFaultPoints } from './support/fault-points.ts';
import { alarmTime, daily, history, jobsDone, pendingOf, ring, scheduled } from './support/reminders.ts';
import { newPhone, sleepStudy } from './support/world.ts';
import { plannedByOlderRelease, settleZones, zoneRules } from './support/zones.ts';

const vancouver = 'America/Vancouver';
/** 21:30 in Vancouver on the first day of the tests, by its rules of today. */
const due = Date.parse('2027-03-02T04:30:00.000Z');
const on = '2027-03-01';

beforeEach(async () => {
  await env.DB.exec('delete from scheduled_notification');
  await settleZones();
});

/** The sleep study, with Chidi in Vancouver and Dana in Paris. */
async function twoZones(reminders: object = daily) {
  const study = await sleepStudy(reminders);
  const phone = await newPhone(study.responder, vancouver);
  await newPhone(study.other, 'Europe/Paris');
  for (const person of [study.owner, study.editor, study.responder, study.other]) await pendingOf(person);
  await jobsDone();
  return { study, chidi: study.responder, dana: study.other, phone };
}

/** The real jobs over the real database, with a queue that the test empties. */
function world(points = new FaultPoints()) {
  const queue: ReplanChunk[] = [];
  const services: Services = {
    ...createServices(env),
    db: openD1(withFaultPoints(env.DB, points)),
    log: () => {},
    queue: { send: (chunk) => points.around(async () => void queue.push(chunk)) },
  };
  /** A queue delivers a message again until it was handled. */
  const drain = async () => {
    for (let chunk = queue.shift(); chunk; chunk = queue.shift()) await replanChunk(services, chunk);
  };
  return { services, queue, drain };
}

/** One minute's sweep, and what it put into the queue; returns who was in it. */
async function sweepOnce() {
  const { services, queue, drain } = world();
  await sweep(services);
  const users = queue.flatMap((chunk) => chunk.users);
  await drain();
  return users;
}

const dueOf = async (person: Person) =>
  (await scheduled(person)).map((row) => ({ on: row.on, dueAt: Date.parse(row.dueAt) }));

describe('after an upgrade of the zone rules', () => {
  test('who is in a changed zone is planned anew by the next sweep, and nothing of anybody else is written', async () => {
    const { chidi, dana } = await twoZones();
    await plannedByOlderRelease({ [vancouver]: 60 });
    expect(await dueOf(chidi)).toEqual([{ on, dueAt: due + 60 * minutes }]);
    const before = await dump();
    const users = await sweepOnce();
    const changed = differences(before, await dump());

    expect(users).toEqual([chidi.id]);
    expect(await dueOf(chidi)).toEqual([{ on, dueAt: due }]);
    expect(await alarmTime(chidi)).toBeLessThanOrEqual(due + 2_000);
    expect(Object.keys(changed).sort()).toEqual(['job', 'scheduled_notification', 'zone_rules']);
    expect(changed.scheduled_notification?.new).toHaveLength(1);
    expect(changed.scheduled_notification?.new[0]).toContain(chidi.id);
    expect(await scheduled(dana)).toHaveLength(1);
  });

  test('the rules of today are those in force once the second time through is over', async () => {
    await twoZones();
    await plannedByOlderRelease({ [vancouver]: 60 });
    const began = Date.now();
    await sweepOnce();
    expect(await zoneRules()).toMatchObject({ release: '2025b', upgrade: { confirming: true } });
    later(14 * minutes);
    await sweepOnce();
    expect(await zoneRules()).toMatchObject({ release: '2025b', upgrade: { confirming: true } });
    later(minutes);
    await sweepOnce();
    const row = await zoneRules();
    expect(row).toMatchObject({ release: tzRelease, since: began, upgrade: null });
    expect(Object.keys(row?.rules ?? {})).toEqual([...zoneNames]);
  });

  test('what a process of the old release planned behind the first time through is found by the second', async () => {
    const { chidi } = await twoZones();
    await plannedByOlderRelease({ [vancouver]: 60 });
    await sweepOnce();
    await env.DB.prepare(
      `update scheduled_notification set due_at = due_at + 3600000, look_at = look_at + 3600000, plan_basis = null
        where user_id = ?`,
    )
      .bind(chidi.id)
      .run();
    later(15 * minutes);
    expect(await sweepOnce()).toEqual([chidi.id]);
    expect(await dueOf(chidi)).toEqual([{ on, dueAt: due }]);
  });

  test('what is due earlier now is sent once, at the new time, and what was sent stays', async () => {
    const { chidi, phone } = await twoZones();
    setClock(due);
    await ring(chidi);
    const [sent] = (await history(chidi)).filter((row) => row.state === 'sent');
    later(10 * minutes);
    await plannedByOlderRelease({ [vancouver]: 60 });
    await sweepOnce();
    setClock(due + 24 * 60 * minutes);
    await ring(chidi);
    expect(await phone.inbox()).toHaveLength(2);
    later(60 * minutes);
    await ring(chidi);
    await sweepOnce();
    expect(await phone.inbox()).toHaveLength(2);
    const dates = (await history(chidi)).map((row) => `${row.on} ${row.state}`);
    expect(dates).toEqual(['2027-03-03 scheduled', '2027-03-02 sent', '2027-03-01 sent']);
    expect((await history(chidi)).at(-1)).toEqual(sent);
  });

  test('what is due later now waits, also when its old alarm goes off before it is planned anew', async () => {
    const { chidi, phone } = await twoZones();
    await plannedByOlderRelease({ [vancouver]: -60 });
    setClock(due - 60 * minutes);
    await ring(chidi);
    expect(await phone.inbox()).toEqual([]);
    expect(await dueOf(chidi)).toEqual([{ on, dueAt: due }]);
    await sweepOnce();
    setClock(due - minutes);
    await ring(chidi);
    await sweepOnce();
    expect(await phone.inbox()).toEqual([]);
    setClock(due + 1);
    await ring(chidi);
    await ring(chidi);
    expect(await phone.inbox()).toHaveLength(1);
  });

  test('what would have been due by now goes out at once, and once', async () => {
    const { chidi, phone } = await twoZones();
    await plannedByOlderRelease({ [vancouver]: 60 });
    setClock(due + 20 * minutes);
    await sweepOnce();
    later(3_000);
    await ring(chidi);
    expect(await phone.inbox()).toHaveLength(1);
    setClock(due + 61 * minutes);
    await ring(chidi);
    await sweepOnce();
    expect(await phone.inbox()).toHaveLength(1);
  });

  test('what would have expired by now is not sent, and the next one is planned', async () => {
    const { chidi, phone } = await twoZones({ ...daily, expiresAfter: 15 });
    await plannedByOlderRelease({ [vancouver]: 60 });
    setClock(due + 20 * minutes);
    await sweepOnce();
    later(3_000);
    await ring(chidi);
    expect(await phone.inbox()).toEqual([]);
    const dates = (await history(chidi)).map((row) => [row.on, row.state, row.reason ?? null]);
    expect(dates).toEqual([
      ['2027-03-02', 'scheduled', null],
      [on, 'skipped', 'expired'],
    ]);
  });

  test('a link is found as its zone is, and so is who came from a zone of the same time', async () => {
    const study = await sleepStudy(daily);
    await newPhone(study.responder, 'Canada/Pacific');
    // 7 hours behind UTC on this date, as Vancouver is.
    await newPhone(study.other, 'America/Phoenix');
    const [before] = await pendingOf(study.other);
    await newPhone(study.other, vancouver);
    await pendingOf(study.responder);
    expect(await scheduled(study.other)).toEqual([{ ...before, timeZone: vancouver }]);
    await plannedByOlderRelease({ [vancouver]: 60, 'Canada/Pacific': 60 });
    expect((await sweepOnce()).sort()).toEqual([study.responder.id, study.other.id].sort());
    expect(await dueOf(study.responder)).toEqual([{ on, dueAt: due }]);
    expect(await dueOf(study.other)).toEqual([{ on, dueAt: due }]);
  });

  test('with no changed zone in use, nobody is planned', async () => {
    await twoZones();
    await plannedByOlderRelease({ 'Asia/Tokyo': 60 });
    const before = await dump();
    expect(await sweepOnce()).toEqual([]);
    later(15 * minutes);
    expect(await sweepOnce()).toEqual([]);
    expect(Object.keys(differences(before, await dump())).sort()).toEqual(['job', 'zone_rules']);
    expect(await zoneRules()).toMatchObject({ release: tzRelease, upgrade: null });
  });

  test('with no changed zone at all, one write is all there is to do', async () => {
    await twoZones();
    await plannedByOlderRelease({});
    expect(await sweepOnce()).toEqual([]);
    expect(await zoneRules()).toMatchObject({ release: tzRelease, step: 2, upgrade: null });
  });
});

describe('the first start with rules of our own', () => {
  test('plans everybody whom the rules of the runtime misled', async () => {
    const { study, chidi, dana } = await twoZones();
    await plannedByOlderRelease({ [vancouver]: 60, 'Europe/Paris': -60 });
    await env.DB.exec('delete from zone_rules');
    const before = (await dueOf(dana))[0]?.dueAt ?? 0;
    const users = await sweepOnce();
    expect(users.sort()).toEqual([study.owner, study.editor, chidi, dana].map(({ id }) => id).sort());
    expect(await dueOf(chidi)).toEqual([{ on, dueAt: due }]);
    expect(await dueOf(dana)).toEqual([{ on, dueAt: before + 60 * minutes }]);
    later(15 * minutes);
    await sweepOnce();
    expect(await zoneRules()).toMatchObject({ release: tzRelease, upgrade: null });
  });

  test('is over at once, but for the second time through, when nothing is pending', async () => {
    await env.DB.exec('delete from zone_rules');
    expect(await sweepOnce()).toEqual([]);
    expect((await zoneRules())?.upgrade).toMatchObject({ confirming: true });
  });
});

describe('an upgrade that another one interrupts', () => {
  test('begins anew, with the zones of both', async () => {
    const { chidi } = await twoZones();
    // Taken back: the rules in force are those of today again, but Chidi is planned by the newer ones.
    await plannedByOlderRelease({ [vancouver]: 60 });
    await settleZones();
    const upgrade = {
      release: '2031a',
      since: 0,
      zones: [vancouver],
      after: [9e15, 'f', 'f'],
      confirming: true,
      resumesAt: 9e15,
    };
    await env.DB.prepare('update zone_rules set upgrade = ?').bind(JSON.stringify(upgrade)).run();
    expect(await sweepOnce()).toEqual([chidi.id]);
    expect(await dueOf(chidi)).toEqual([{ on, dueAt: due }]);
    expect((await zoneRules())?.upgrade).toMatchObject({ release: tzRelease, zones: [vancouver] });
  });
});

test('a run that was held up does not take back what another one has finished', async () => {
  const { chidi } = await twoZones();
  await plannedByOlderRelease({ [vancouver]: 60 });
  const { services } = world();
  const held = Promise.withResolvers<void>();
  const sending = Promise.withResolvers<void>();
  const send = () => {
    sending.resolve();
    return held.promise;
  };
  const slow = replanZones({ ...services, queue: { send } });
  await sending.promise;
  expect(await sweepOnce()).toEqual([chidi.id]);
  later(15 * minutes);
  await sweepOnce();
  const finished = await zoneRules();
  expect(finished).toMatchObject({ release: tzRelease, upgrade: null });
  held.resolve();
  await slow;
  expect(await zoneRules()).toEqual(finished);
});

/** Members in Vancouver, or in Paris each third, all with a row planned an hour late. */
async function manyMembers({ id, survey }: Study, count: number) {
  await env.DB.batch([
    env.DB.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
        insert into user (id, issuer, subject, name, time_zone, created_at)
        select printf('%032x', i), 'many', i, 'Member', iif(i % 3, 'America/Vancouver', 'Europe/Paris'), 0 from n`,
    ).bind(count),
    env.DB.prepare(
      `insert into member (investigation_id, user_id, role, created_at)
        select ?, id, 'responder', 0 from user where issuer = 'many'`,
    ).bind(id),
    env.DB.prepare(
      `insert into scheduled_notification (user_id, survey_id, revision, occurs_on, counter, due_at, look_at, time_zone)
        select id, ?, 0, ?, 0, ?, ?, time_zone from user where issuer = 'many'`,
    ).bind(survey, on, due, due),
  ]);
}

const lateOnes = async () =>
  (
    await env.DB.prepare(
      `select count(*) as n from scheduled_notification where time_zone = 'America/Vancouver' and due_at <> ?`,
    )
      .bind(due)
      .first<{ n: number }>()
  )?.n;

test('everyone in a changed zone is found over several pages, once each time through, in chunks of 100', async () => {
  const study = await sleepStudy(daily);
  await manyMembers(study, 2_100);
  await plannedByOlderRelease({ [vancouver]: 60 });
  const { services, queue, drain } = world();
  await replanZones({ ...services, alarms: { ...services.alarms, arm: async () => {} } });
  const users = queue.flatMap((chunk) => chunk.users);
  expect(users).toHaveLength(1_400);
  expect(new Set(users).size).toBe(1_400);
  expect(Math.max(...queue.map((chunk) => chunk.users.length))).toBe(100);
  expect(await lateOnes()).toBe(1_400);
  services.alarms.arm = async () => {};
  await drain();
  expect(await lateOnes()).toBe(0);
  await env.DB.exec("delete from user where issuer = 'many'");
});

test('killed at any step, or run twice at once, an upgrade goes on with the next sweep and loses nobody', async () => {
  const study = await sleepStudy(daily);
  // Two pages, the second of one chunk.
  await manyMembers(study, 1_050);
  const points = new FaultPoints();
  const { services, queue } = world(points);
  /** As the queue's consumer does it, which the test above shows. */
  const planQueued = () =>
    env.DB.prepare(
      `update scheduled_notification set due_at = ?1, look_at = ?1
        where user_id in (select value from json_each(?2))`,
    )
      .bind(due, JSON.stringify(queue.splice(0).flatMap(({ users }) => users)))
      .run();
  let steps = Number.POSITIVE_INFINITY;
  for (let fatal = 0; fatal <= steps; fatal++) {
    await plannedByOlderRelease({ [vancouver]: 60 });
    points.arm(fatal);
    await replanZones(services).catch(() => {});
    if (points.passed <= fatal) steps = Math.min(steps, points.passed);
    points.arm(null);
    await Promise.all([replanZones(services), replanZones(services)]);
    // What another run has saved first is left to it.
    await replanZones(services);
    await planQueued();
    expect(await lateOnes(), `killed at point ${fatal}`).toBe(0);
    expect((await zoneRules())?.upgrade, `killed at point ${fatal}`).toMatchObject({ confirming: true });
    later(15 * minutes);
    await replanZones(services);
    await planQueued();
    expect(await lateOnes()).toBe(0);
    expect(await zoneRules()).toMatchObject({ release: tzRelease, upgrade: null });
    setClock('2027-03-01T08:00:00.000Z');
  }
  // Reading the row, its first write, the page and its chunks, the progress, and the last page: before and after each.
  expect(steps).toBeGreaterThanOrEqual(24);
  await env.DB.exec("delete from user where issuer = 'many'");
});
