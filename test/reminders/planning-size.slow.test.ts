import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { countedD1 } from '../../dev/counted-d1.ts';
import { sweep } from '../../src/operations/sweep.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { replanChunk } from '../../src/reminders/replan.ts';
import type { LogEntry, ReplanChunk, Services } from '../../src/services.ts';
import type { Study } from '../support/studies.ts';
import { addMembers, addSurveys } from '../support/worker/bulk.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { asInvocation, statementsOfNewest } from '../support/worker/d1-guard.ts';
import { daily } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';

/*
 * A chunk of 100 users is planned however many surveys they have. The guard of the tests checks the size of each
 * statement, and refuses those that D1 refuses.
 */

const reminders = { ...daily, ends: null, delay: null, unlessAnswered: false, expiresAfter: 360 };

/** The real jobs with a queue that the test empties. */
function planner() {
  const { counts, database } = countedD1(env.DB);
  const queue: ReplanChunk[] = [];
  const lines: LogEntry[] = [];
  const deferred: Promise<void>[] = [];
  const armed = new Map<string, number>();
  const services: Services = {
    ...createServices(env),
    db: openD1(database),
    log: (line) => lines.push(line),
    alarms: { arm: async (user, at) => void armed.set(user, at), deliver: async () => {} },
    queue: { send: async (chunk) => void queue.push(chunk) },
    defer: (work) => void deferred.push(work()),
  };
  /** Carries out the jobs of the outbox. */
  const replanAll = async () => {
    later(2 * minutes);
    await sweep(services);
    await Promise.all(deferred.splice(0));
    for (const chunk of queue.splice(0)) await asInvocation(() => replanChunk(services, chunk));
  };
  return { services, counts, lines, armed, replanAll };
}

const pending = (study: Study) =>
  env.DB.prepare(
    `select count(*) as n from scheduled_notification n join survey s on s.id = n.survey_id
      where s.investigation_id = ? and settled_at is null`,
  )
    .bind(study.id)
    .first<number>('n');

describe('100 members of 85 surveys', () => {
  let study: Study;
  const total = 102 * 86;

  beforeAll(async () => {
    study = await sleepStudy(daily);
    await addMembers(study, 100);
    await addSurveys(study, 85, reminders);
  });

  test('are planned, leave nothing pending in the archive, and are planned again when it is over', async () => {
    const { replanAll, lines, armed } = planner();
    const change = async (status: string) => {
      // Only the outbox row of the request: the test does the rest.
      await env.DB.batch([
        env.DB.prepare('update investigation set archived_at = ?, active_since = ? where id = ?').bind(
          status === 'archived' ? Date.now() : null,
          Date.now(),
          study.id,
        ),
        env.DB.prepare('update survey set plan_stamp = plan_stamp + 1 where investigation_id = ?').bind(
          study.id,
        ),
        env.DB.prepare(`insert into replan (id, investigation_id, touched_at) values (?, ?, ?)`).bind(
          crypto.randomUUID(),
          study.id,
          Date.now(),
        ),
      ]);
      await replanAll();
    };
    await change('active');
    expect(await pending(study)).toBe(total);
    expect(armed.size).toBeGreaterThanOrEqual(102);
    await change('archived');
    expect(await pending(study)).toBe(0);
    await change('active');
    expect(await pending(study)).toBe(total);
    expect(lines.filter(({ event }) => /fail/.test(event))).toEqual([]);
    expect(await env.DB.prepare('select count(*) as n from replan').first('n')).toBe(0);
  });
});

describe('100 members of 200 surveys, the most that a study has', () => {
  let study: Study;
  let users: string[];

  beforeAll(async () => {
    study = await sleepStudy();
    await addMembers(study, 100);
    await addSurveys(study, 200, reminders);
    const { results } = await env.DB.prepare(
      "select user_id as id from member where investigation_id = ? and user_id like substr(?, 1, 24) || '%'",
    )
      .bind(study.id, study.id)
      .all<{ id: string }>();
    users = results.map(({ id }) => id);
    expect(users).toHaveLength(100);
  });

  test('are planned in pages; what is planned already is looked at, and neither returned nor written', async () => {
    const first = planner();
    await asInvocation(() => replanChunk(first.services, { users }));
    expect(await pending(study)).toBe(20_000);
    // A tenth of what D1 grants one invocation.
    expect(statementsOfNewest()).toBeLessThanOrEqual(100);
    expect(first.counts.roundTrips).toBeLessThanOrEqual(40);

    const second = planner();
    await asInvocation(() => replanChunk(second.services, { users }));
    expect(second.counts.rowsWritten).toBe(0);
    expect(second.counts.roundTrips).toBeLessThanOrEqual(9);
    expect(second.counts.rowsRead).toBeLessThanOrEqual(5 * 20_000);
    expect(second.armed.size).toBe(100);
  });
});

test('one member of 16 studies of 200 surveys each is planned in pages, and nothing of it twice', async () => {
  const first = await sleepStudy();
  const user = first.responder.id;
  for (let n = 0; n < 15; n++) {
    const other = await sleepStudy();
    await addSurveys(other, 200, reminders);
    await env.DB.prepare(
      "insert into member (investigation_id, user_id, role, created_at) values (?, ?, 'responder', 0)",
    )
      .bind(other.id, user)
      .run();
  }
  await addSurveys(first, 200, reminders);
  const { services, counts, armed } = planner();
  await asInvocation(() => replanChunk(services, { users: [user] }));
  // A write for each hundred surveys, so that others have a turn.
  expect(counts.roundTrips).toBeLessThanOrEqual((16 * 200) / 100 + 4);
  const planned = () =>
    env.DB.prepare(
      'select count(*) as n from scheduled_notification where user_id = ? and settled_at is null',
    )
      .bind(user)
      .first('n');
  expect(await planned()).toBe(16 * 200);
  expect(armed.size).toBe(1);
  const again = planner();
  await replanChunk(again.services, { users: [user] }, { verify: true });
  expect(again.counts.rowsWritten).toBe(0);
  expect(again.counts.roundTrips).toBeLessThanOrEqual(4);
  expect(await planned()).toBe(16 * 200);
});
