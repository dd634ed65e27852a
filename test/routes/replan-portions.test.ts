import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { startReplans } from '../../src/jobs/outbox.ts';
import { sweep } from '../../src/jobs/sweep.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { ReplanChunk, Services } from '../../src/services.ts';
import type { Study } from '../support/studies.ts';
import { addMembers } from './support/bulk.ts';
import { minutes, setClock, startOfTests } from './support/clock.ts';
import { asInvocation, statementsOfNewest, takeRefusals } from './support/d1-guard.ts';
import { daily } from './support/reminders.ts';
import { sleepStudy } from './support/world.ts';

/* D1 grants an invocation a thousand statements. */

function observed() {
  const chunks: ReplanChunk[] = [];
  const deferred: Promise<void>[] = [];
  const services: Services = {
    ...createServices(env),
    log: () => {},
    alarms: { arm: async () => {}, deliver: async () => {} },
    queue: { send: async (chunk) => void chunks.push(chunk) },
    defer: (work) => void deferred.push(work()),
  };
  return { services, users: () => chunks.flatMap(({ users }) => users), idle: () => Promise.all(deferred) };
}

async function jobOf(study: Study) {
  const job = { id: crypto.randomUUID(), user: null, investigation: study.id, after: '' };
  await env.DB.prepare('insert into replan (id, investigation_id, created_at) values (?, ?, ?)')
    .bind(job.id, study.id, Date.now())
    .run();
  return job;
}

const waiting = (job: { id: string }) =>
  env.DB.prepare('select count(*) as n from replan where id = ?').bind(job.id).first<number>('n');

test('studies with more members than one invocation may read go on in the next sweep, and nobody is left out', async () => {
  setClock(startOfTests);
  const studies = [await sleepStudy(daily), await sleepStudy(daily)];
  await env.DB.exec('delete from replan');
  for (const study of studies) await addMembers(study, 2_100);
  const jobs = [];
  for (const study of studies) jobs.push(await jobOf(study));
  const { services, users, idle } = observed();
  await startReplans(services, jobs, { pages: 3 });
  await idle();
  expect(users()).toHaveLength(3_000);
  for (const job of jobs) expect(await waiting(job)).toBe(1);
  setClock(startOfTests + 2 * minutes);
  await sweep(services);
  await idle();
  for (const job of jobs) expect(await waiting(job)).toBe(0);
  const members = await env.DB.prepare(
    `select count(*) as n from member where investigation_id in ('${studies[0]?.id}', '${studies[1]?.id}')`,
  ).first<number>('n');
  expect(members).toBeGreaterThan(4_200);
  expect(users()).toHaveLength(members ?? 0);
  expect(new Set(users()).size).toBe(members);
});

test('a sweep that takes back what a clock settled ahead leaves the outbox to the next one', async () => {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  await addMembers(study, 150);
  await env.DB.batch(
    [
      'delete from replan',
      `insert into replan (id, user_id, created_at) select lower(hex(randomblob(16))), user_id, ${startOfTests} from member
        where investigation_id = '${study.id}' limit 100`,
      `insert into scheduled_notification (user_id, survey_id, revision, occurs_on, counter, due_at, look_at, time_zone,
          settled_at, state, reason)
        select user_id, '${study.survey}', 1, '2027-06-01', 0, 1811800000000, 0, 'UTC', 1811800000000, 'skipped', 'no-device'
        from member where investigation_id = '${study.id}'`,
    ].map((text) => env.DB.prepare(text)),
  );
  setClock(startOfTests + 2 * minutes);
  const { services, idle } = observed();
  for (let run = 0; run < 4; run++) {
    await asInvocation(async () => {
      await sweep(services);
      await idle();
    });
    // Half of what is granted: each of the two took about as much, and they were added up.
    expect(statementsOfNewest()).toBeLessThanOrEqual(500);
    expect(takeRefusals()).toEqual([]);
  }
  const left = `select (select count(*) from replan) + (select count(*) from scheduled_notification
    where settled_at = 1811800000000) as n`;
  expect(await env.DB.prepare(left).first<number>('n')).toBe(0);
});
