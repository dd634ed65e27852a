import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../src/operations/jobs.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { LogEntry, Services } from '../../src/services.ts';
import { countedD1 } from '../../tools/database/counted-d1.ts';
import { plan, planFound } from '../support/engine.ts';
import { insertWork } from '../support/reminder-rows.ts';
import type { Study } from '../support/studies.ts';
import { addMembers, addSurveys, bulkMember } from '../support/worker/bulk.ts';
import { later, minutes } from '../support/worker/clock.ts';
import { asInvocation, statementsOfNewest } from '../support/worker/d1-guard.ts';
import { carryOut, countScheduled, remindersOf, waitingWork } from '../support/worker/reminder-tables.ts';
import { daily } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';

/*
 * Everyone is planned by pages, however many surveys they have. The guard of the tests checks the size of each statement,
 * and refuses those that D1 refuses.
 */

const reminders = { ...daily, ends: null, delay: null, unlessAnswered: false, expiresAfter: 360 };

/** The real jobs, of which each page has an invocation of its own. */
function planner() {
  const { counts, database } = countedD1(env.DB);
  const lines: LogEntry[] = [];
  const deferred: Promise<void>[] = [];
  const armed = new Map<string, number>();
  const services: Services = {
    ...createServices(env),
    db: openD1(database),
    log: (line) => lines.push(line),
    alarms: { arm: async (user, at) => void armed.set(user, at), deliver: async () => {} },
    planElsewhere: (users) => asInvocation(() => planFound(services, users)),
    defer: (work) => void deferred.push(work()),
  };
  /** Carries out the work that waits, a minute at a time. */
  const planAll = async () => {
    for (let minute = 0; minute < 10; minute++) {
      later(2 * minutes);
      await sweep(services);
      await Promise.all(deferred.splice(0));
      if ((await waitingWork()) === 0) return minute + 1;
    }
    throw new Error('the work does not end');
  };
  return { services, counts, lines, armed, planAll };
}

const pending = (study: Study) => countScheduled({ study: study.id });

describe('100 members of 200 surveys, the most that a study has', () => {
  let study: Study;
  let users: string[];

  beforeAll(async () => {
    study = await sleepStudy();
    await addMembers(study, 100);
    await addSurveys(study, 200, reminders);
    users = Array.from({ length: 100 }, (_, n) => bulkMember(study.id, n + 1));
  });

  test('are planned in pages; what is planned already is only read', async () => {
    const first = planner();
    await carryOut(insertWork({ study: study.id, at: Date.now() }));
    // Thirty pages a minute.
    expect(await first.planAll()).toBe(2);
    expect(await pending(study)).toBe(102 * 200);
    // A tenth of what D1 grants one invocation.
    expect(statementsOfNewest()).toBeLessThanOrEqual(100);
    expect(first.counts.roundTrips).toBeLessThanOrEqual(1_600);
    // Those who lead the study are looked at as well, and nothing comes for them.
    const planned = new Set((await remindersOf({ study: study.id })).map(({ user }) => user));
    expect(planned.size).toBe(102);
    expect([...planned].filter((user) => !first.armed.has(user))).toEqual([]);

    const second = planner();
    await asInvocation(() => plan(second.services, users, { verify: true }));
    expect(second.counts.rowsWritten).toBe(0);
    expect(second.counts.roundTrips).toBeLessThanOrEqual(20_000 / 250 + 2);
    expect(second.counts.rowsRead).toBeLessThanOrEqual(50 * 20_000);
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
  const { services, counts, armed, planAll } = planner();
  await asInvocation(() => plan(services, [user]));
  expect(await planAll()).toBe(1);
  // Pages of 500 and turns of 100, so that others have a turn.
  expect(counts.roundTrips).toBeLessThanOrEqual(140);
  const planned = () => countScheduled({ users: [user] });
  expect(await planned()).toBe(16 * 200);
  expect(armed.size).toBe(1);
  const again = planner();
  await plan(again.services, [user], { verify: true });
  expect(again.counts.rowsWritten).toBe(0);
  expect(again.counts.roundTrips).toBeLessThanOrEqual((16 * 200) / 250 + 3);
  expect(await planned()).toBe(16 * 200);
});
