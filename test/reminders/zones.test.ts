import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { sweep } from '../../src/operations/jobs.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { tzRelease } from '../../src/schedule/zones.ts';
import type { LogEntry, Services } from '../../src/services.ts';
import { planFound } from '../support/engine.ts';
import type { Person } from '../support/people.ts';
import { delayScheduled, tables as ofReminders } from '../support/reminder-rows.ts';
import type { Study } from '../support/studies.ts';
import { later, minutes, setClock } from '../support/worker/clock.ts';
import { differences, dump } from '../support/worker/dumps.ts';
import { carryOut, clearReminders, remindersOf, seedScheduled } from '../support/worker/reminder-tables.ts';
import {
  alarmTime,
  daily,
  history,
  jobsDone,
  pendingOf,
  ring,
  scheduled,
  waitingJobs,
} from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';
import { plannedByOlderRelease, settledZones, settleZones } from '../support/worker/zones.ts';
import { FaultPoints, withFaultPoints } from './support/fault-points.ts';

const vancouver = 'America/Vancouver';
/** 21:30 in Vancouver on the first day of the tests, by its rules of today. */
const due = Date.parse('2027-03-02T04:30:00.000Z');
const on = '2027-03-01';

beforeEach(async () => {
  await clearReminders();
  await env.DB.exec('delete from scheduled_notification');
  await settleZones();
});

/** The sleep study, with Chidi in Vancouver and Dana in Paris. */
async function twoZones(reminders: object = daily) {
  const study = await sleepStudy(reminders);
  const phone = await newPhone(study.responder, vancouver);
  await newPhone(study.other, 'Europe/Paris');
  for (const person of [study.responder, study.other]) await pendingOf(person);
  await jobsDone();
  return { study, chidi: study.responder, dana: study.other, phone };
}

/** The real jobs over the real database; `found` has who was planned, by pages. */
function world(points = new FaultPoints(), plan = planFound) {
  const found: string[][] = [];
  const deferred: Promise<void>[] = [];
  const services: Services = {
    ...createServices(env),
    db: openD1(withFaultPoints(env.DB, points)),
    log: () => {},
    defer: (work) => void deferred.push(work()),
    planElsewhere: (users) =>
      points.around(async () => {
        found.push(users);
        await plan(services, users);
      }),
  };
  /** One minute's sweep, and what goes on after it. */
  const sweepAll = async () => {
    await sweep(services);
    await Promise.all(deferred.splice(0));
  };
  return { services, found, sweepAll };
}

/** One minute's sweep, and who was planned by it. */
async function sweepOnce() {
  const { found, sweepAll } = world();
  await sweepAll();
  return found.flat();
}

const dueOf = async (person: Person) =>
  (await scheduled(person)).map((row) => ({ on: row.on, dueAt: Date.parse(row.dueAt) }));

describe('after an upgrade of the zone rules', () => {
  test('everyone is planned anew by the next sweep, and whose clocks are the same keeps what they had', async () => {
    const { study, chidi, dana } = await twoZones();
    const shown = await scheduled(dana);
    await plannedByOlderRelease({ [vancouver]: 60 });
    expect(await dueOf(chidi)).toEqual([{ on, dueAt: due + 60 * minutes }]);
    const before = await dump();
    const users = await sweepOnce();
    const changed = differences(before, await dump());

    expect(users.sort()).toEqual([study.owner, study.editor, chidi, dana].map(({ id }) => id).sort());
    expect(await dueOf(chidi)).toEqual([{ on, dueAt: due }]);
    expect(await alarmTime(chidi)).toBeLessThanOrEqual(due + 2_000);
    expect(await scheduled(dana)).toEqual(shown);
    // Each cursor was looked at; another look at everyone waits.
    expect(Object.keys(changed).sort()).toEqual(['job_run', ofReminders.work, ofReminders.scheduled].sort());
    expect(changed[ofReminders.scheduled]?.new).toHaveLength(4);
    expect(await settledZones()).toBe(tzRelease);
  });

  test('plans that an old version made meanwhile are found a quarter of an hour later, and then nobody is planned again', async () => {
    const { study, chidi, dana } = await twoZones();
    await plannedByOlderRelease({ [vancouver]: 60 });
    const everyone = await sweepOnce();
    await carryOut(delayScheduled(vancouver, 60 * minutes, [chidi.id]));
    expect(await dueOf(chidi)).toEqual([{ on, dueAt: due + 60 * minutes }]);
    later(14 * minutes);
    expect(await sweepOnce()).toEqual([]);
    const shown = await scheduled(dana);
    later(2 * minutes + 1);
    expect((await sweepOnce()).sort()).toEqual(everyone.sort());
    expect(await dueOf(chidi)).toEqual([{ on, dueAt: due }]);
    expect(await scheduled(dana)).toEqual(shown);
    for (let minute = 0; minute < 30; minute++, later(minutes)) expect(await sweepOnce()).toEqual([]);
    expect(await waitingJobs()).toBe(0);
    expect(await pendingOf(study.responder)).toHaveLength(1);
  });

  test('the first sweep of a new database notes the release, says nothing and plans nobody', async () => {
    await twoZones();
    await env.DB.exec('delete from job_run');
    const { services, found } = world();
    const lines: LogEntry[] = [];
    await sweep({ ...services, log: (line) => lines.push(line) });
    expect([lines, found]).toEqual([[], []]);
    expect(await settledZones()).toBe(tzRelease);
  });

  test('a release that an operator forgets is noted again, and everyone planned', async () => {
    const { study } = await twoZones();
    expect(await sweepOnce()).toEqual([]);
    await env.DB.exec("delete from job_run where name = 'zones'");
    expect(await sweepOnce()).toContain(study.owner.id);
    expect(await settledZones()).toBe(tzRelease);
  });

  test('an old version beside it leaves everyone as the newer one planned them', async () => {
    await twoZones();
    await settleZones('2999z');
    const before = await dump();
    for (let minute = 0; minute < 3; minute++, later(minutes)) expect(await sweepOnce()).toEqual([]);
    expect(Object.keys(differences(before, await dump()))).toEqual(['job_run']);
    expect(await settledZones()).toBe('2999z');
  });

  test('a reminder that is due earlier now is sent once, at the new time, and sent ones stay', async () => {
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

  test('a reminder that is due later now waits, also when its old alarm goes off before it is planned again', async () => {
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
});

const manyIds = (count: number) =>
  Array.from({ length: count }, (_, n) => (n + 1).toString(16).padStart(32, '0'));

/** Members in Vancouver, or in Paris each third, all with a row planned an hour late. */
async function manyMembers({ id, survey }: Study, count: number) {
  await jobsDone();
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
  ]);
  const zoneOf = (n: number) => (n % 3 ? vancouver : 'Europe/Paris');
  await seedScheduled(
    manyIds(count).map((user, n) => ({ user, survey, on, dueAt: due, timeZone: zoneOf(n + 1) })),
  );
}

const lateOnes = async () =>
  (await remindersOf({})).filter(({ timeZone, dueAt }) => timeZone === vancouver && dueAt !== due).length;

const noAlarms = { arm: async () => {}, deliver: async () => {} };

test('everyone is found over several pages, once each time through', async () => {
  const study = await sleepStudy(daily);
  await manyMembers(study, 2_100);
  await plannedByOlderRelease({ [vancouver]: 60 });
  const { services, found, sweepAll } = world();
  services.alarms = noAlarms;
  for (const wait of [0, 17 * minutes]) {
    later(wait);
    await sweepAll();
    const pages = found.splice(0);
    const users = pages.flat();
    expect(users.length).toBeGreaterThanOrEqual(2_100);
    expect(new Set(users).size).toBe(users.length);
    expect(Math.max(...pages.map((page) => page.length))).toBe(500);
    expect(await lateOnes()).toBe(0);
    expect(await waitingJobs()).toBe(wait === 0 ? 1 : 0);
  }
  await env.DB.exec("delete from user where issuer = 'many'");
});
