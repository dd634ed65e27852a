import { join } from 'node:path';
import { Pool } from 'pg';
import { bin, start } from '../../support/processes.ts';
import { nextDueTime } from '../peers/due-time.ts';
import { readyLine, settledLine } from '../peers/tally.ts';
import { dailyAt, type Task } from '../peers/task.ts';
import { localTime, study } from '../people.ts';
import type { RunningSystem, Setup, System } from '../system.ts';
import { missingPostgres, startPostgres } from './postgres.ts';
import { jobOf, openBoss, queueName } from './queue.ts';
import { countRecords, seedState } from './state.ts';

const jobsPerInsert = 5_000;

export const pgBoss: System = {
  name: 'pg-boss',
  what: 'pg-boss on PostgreSQL, state in the same database',
  missing: missingPostgres,
  open,
};

async function open({ folder, people, snsUrl, trust }: Setup): Promise<RunningSystem> {
  const postgres = await startPostgres(folder);
  const pool = new Pool({ ...postgres.address, max: 1 });
  // The connection breaks when the server stops.
  pool.on('error', () => {});
  const due = nextDueTime(people.length);
  const { on } = localTime(due);
  const tasks = people.map(({ id }): Task => ({ user: id, survey: study.survey, on, dueAt: due }));
  await seedState(pool, people, dailyAt(due), tasks);
  await fillQueue(postgres.address, tasks);
  await pool.query('analyze');

  const main = 'bench/delivery/pg-boss/worker.ts';
  const worker = start(bin('node'), [main, JSON.stringify(postgres.address), snsUrl, String(people.length)], {
    log: join(folder, 'worker.log'),
    env: trust,
  });
  await worker.line(readyLine);
  return {
    due,
    pids: [worker.pid, postgres.pid],
    ended: Promise.race([worker.ended, postgres.ended]),
    async settledAt() {
      const found = await worker.find(settledLine);
      return found && Number(found[1]);
    },
    async records() {
      const { sent, planned } = await countRecords(pool, on);
      return { sent, planned: Math.min(planned, await waitingJobs(pool)) };
    },
    async close() {
      await worker.stop();
      await pool.end();
      await postgres.stop();
    },
  };
}

async function fillQueue(address: Parameters<typeof openBoss>[0], tasks: Task[]) {
  const boss = openBoss(address, 2);
  boss.on('error', (error) => console.error(error));
  await boss.start();
  await boss.createQueue(queueName);
  for (let n = 0; n < tasks.length; n += jobsPerInsert)
    await boss.insert(queueName, tasks.slice(n, n + jobsPerInsert).map(jobOf));
  await boss.stop({ graceful: false });
}

async function waitingJobs(pool: Pool): Promise<number> {
  const text =
    "select count(*)::int as n from pgboss.job where name = $1 and state = 'created' and start_after > now()";
  return (await pool.query<{ n: number }>(text, [queueName])).rows[0]?.n ?? 0;
}
