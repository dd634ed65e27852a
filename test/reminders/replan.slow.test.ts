import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { sweep } from '../../src/operations/sweep.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { replan, replanChunk } from '../../src/reminders/replan.ts';
import type { ReplanChunk, Services } from '../../src/services.ts';
import { requestOf } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { readChecked } from '../support/worker/contract.ts';
import { daily } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { FaultPoints, withFaultPoints } from './support/fault-points.ts';

/** The real jobs over the real database, with a queue and alarms that the test looks into. */
function world(points = new FaultPoints()) {
  const queue: ReplanChunk[] = [];
  const deferred: Promise<void>[] = [];
  const armed = new Map<string, number>();
  const services: Services = {
    ...createServices(env),
    db: openD1(withFaultPoints(env.DB, points)),
    log: () => {},
    alarms: {
      arm: (user, at) => points.around(async () => void armed.set(user, Math.min(at, armed.get(user) ?? at))),
      deliver: async () => {},
    },
    queue: { send: (chunk) => points.around(async () => void queue.push(chunk)) },
    defer: (work) => void deferred.push(work()),
  };
  /** A queue delivers a message again until it was handled. */
  const drain = async () => {
    await Promise.all(deferred.splice(0));
    for (let chunk = queue.at(0); chunk; chunk = queue.at(0)) {
      try {
        await replanChunk(services, chunk);
        queue.shift();
      } catch {}
    }
  };
  return { services, queue, armed, drain, points };
}

const changeTime = async (study: Study, time: string) => {
  const [minute, hour] = time.split(':').reverse().map(Number);
  // Only the outbox row of the request: the test does the rest.
  await env.DB.batch([
    env.DB.prepare(
      `update survey set reminders = json_set(reminders, '$.recurrence', ?), reminders_revision = reminders_revision + 1,
        plan_stamp = plan_stamp + 1, reminders_since = ? where id = ?`,
    ).bind(`${minute} ${hour} * * *`, Date.now(), study.survey),
    env.DB.prepare(`insert into replan (id, investigation_id, touched_at) values (?, ?, ?)`).bind(
      crypto.randomUUID(),
      study.id,
      Date.now(),
    ),
  ]);
};

const leftJobs = async () => {
  const { results } = await env.DB.prepare('select * from replan').all<Record<string, string | null>>();
  return results.map((row) => ({
    id: row.id ?? '',
    user: row.user_id ?? null,
    investigation: row.investigation_id ?? null,
    after: row.after ?? '',
  }));
};

/** How many users have how many pending rows of the survey's present revision, due when. */
const pendingRows = async (study: Study) =>
  (
    await env.DB.prepare(
      `select due_at as dueAt, n.revision = s.reminders_revision as current, count(*) as rows, count(distinct user_id) as users
        from scheduled_notification n join survey s on s.id = n.survey_id
        where survey_id = ? and settled_at is null group by 1, 2`,
    )
      .bind(study.survey)
      .all()
  ).results;

test('20,000 members are replanned, and the request itself takes two round trips', async () => {
  const study = await sleepStudy(daily);
  await addMembers(study, 20_000);
  const { services, queue, armed, drain, points } = world();
  const deferred: (() => Promise<void>)[] = [];
  const app = createApp({ ...services, defer: (work) => deferred.push(work) }, readConfig(env));
  const path = `/survey/${study.survey}`;
  const request = async (method: string, body?: object) => {
    const call = requestOf({ method, token: study.owner.token, body });
    return readChecked(method, path, await app.request(path, call));
  };
  // The first request of an isolate also looks the user up.
  await request('GET');
  points.arm(null);
  const answer = await request('PATCH', { reminders: { ...daily, recurrence: '0 22 * * *' } });
  expect(answer.status).toBe(200);
  expect(points.passed / 2).toBe(2);

  for (const work of deferred) await work();
  expect(queue).toHaveLength(201);
  expect(Math.max(...queue.map((chunk) => chunk.users.length))).toBe(100);
  expect(await leftJobs()).toEqual([]);

  await drain();
  const total = 20_002;
  expect(await pendingRows(study)).toEqual([
    { dueAt: Date.parse('2027-03-01T21:00:00.000Z'), current: 1, rows: total, users: total },
  ]);
  expect(armed.size).toBe(total);
});

test('killed at any step and resumed by the sweep, a replan loses nobody and doubles nobody', async () => {
  const study = await sleepStudy(daily);
  await addMembers(study, 1_001);
  const total = 1_003;
  const { services, armed, drain, points } = world();
  const clock = (n: number) => ({ time: `${n % 2 === 0 ? 21 : 22}:${String(n % 60).padStart(2, '0')}` });

  let steps = Number.POSITIVE_INFINITY;
  for (let fatal = 0; fatal <= steps; fatal++) {
    const { time } = clock(fatal);
    await changeTime(study, time);
    armed.clear();
    points.arm(fatal);
    const [job] = await leftJobs();
    if (!job) throw new Error('no outbox row');
    await replan(services, job).catch(() => {});
    // The rest of the process dies with it; afterwards nothing is killed any more.
    if (points.passed <= fatal) steps = Math.min(steps, points.passed);
    points.arm(null);
    later(2 * minutes);
    await sweep(services);
    await drain();

    const dueAt = Date.parse(`2027-03-01T${time}:00.000Z`) - 60 * minutes;
    expect(await pendingRows(study), `killed at point ${fatal}`).toEqual([
      { dueAt, current: 1, rows: total, users: total },
    ]);
    expect(armed.size, `killed at point ${fatal}`).toBe(total);
    expect(await leftJobs()).toEqual([]);
  }
  // A page, ten chunks and the progress; a page, one chunk, and the end: each has a point before and after.
  expect(steps).toBe(2 * (12 + 3));
});

test('killed at any step while a chunk is planned, the queue repeats it and every alarm is armed', async () => {
  const study = await sleepStudy(daily);
  await addMembers(study, 26);
  const { services, armed, points } = world();
  const users = (
    await env.DB.prepare('select user_id from member where investigation_id = ?').bind(study.id).all()
  ).results.map((row) => String(row.user_id));

  let steps = Number.POSITIVE_INFINITY;
  for (let fatal = 0; fatal <= steps; fatal++) {
    const time = `22:${String(fatal % 60).padStart(2, '0')}`;
    await changeTime(study, time);
    await env.DB.exec('delete from replan');
    armed.clear();
    points.arm(fatal);
    await replanChunk(services, { users }).catch(() => {});
    if (points.passed <= fatal) steps = Math.min(steps, points.passed);
    points.arm(null);
    await replanChunk(services, { users });
    const dueAt = Date.parse(`2027-03-01T${time}:00.000Z`) - 60 * minutes;
    expect(await pendingRows(study)).toEqual([{ dueAt, current: 1, rows: 28, users: 28 }]);
    expect(armed.size, `killed at point ${fatal}`).toBe(28);
  }
  expect(steps).toBeGreaterThanOrEqual(4);
});
