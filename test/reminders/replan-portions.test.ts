import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { sweep } from '../../src/operations/sweep.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { startReplans } from '../../src/reminders/start-replans.ts';
import type { ReplanChunk, Services } from '../../src/services.ts';
import type { Study } from '../support/studies.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { daily } from '../support/worker/reminders.ts';
import { sleepStudy } from '../support/worker/world.ts';

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
  await env.DB.prepare('insert into replan (id, investigation_id, touched_at) values (?, ?, ?)')
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
