import { join } from 'node:path';
import { bin, start } from '../../support/processes.ts';
import { nextDueTime } from '../peers/due-time.ts';
import { countRecords, seedState } from '../peers/state.ts';
import { readyLine, settledLine } from '../peers/tally.ts';
import { dailyAt, type Task } from '../peers/task.ts';
import { localTime, study } from '../people.ts';
import type { Records, RunningSystem, Setup, System } from '../system.ts';
import { jobOf, withQueue } from './queue.ts';
import { missingRedis, startRedis } from './redis.ts';

const jobsPerInsert = 1_000;

export const bullmq: System = {
  name: 'bullmq',
  what: 'BullMQ on Redis, state in SQLite',
  missing: missingRedis,
  open,
};

async function open({ folder, people, snsUrl }: Setup): Promise<RunningSystem> {
  const file = join(folder, 'state.db');
  const redis = await startRedis(folder);
  const due = nextDueTime(people.length);
  const { on } = localTime(due);
  const tasks = people.map(({ id }): Task => ({ user: id, survey: study.survey, on, dueAt: due }));
  seedState(file, people, dailyAt(due), tasks);
  await withQueue(redis.socket, async (queue) => {
    for (let n = 0; n < tasks.length; n += jobsPerInsert)
      await queue.addBulk(tasks.slice(n, n + jobsPerInsert).map(jobOf));
  });

  const main = 'bench/delivery/bullmq/worker.ts';
  const worker = start(bin('node'), [main, redis.socket, file, snsUrl, String(people.length)], {
    log: join(folder, 'worker.log'),
  });
  await worker.line(readyLine);
  return {
    due,
    pids: [worker.pid, redis.pid],
    ended: Promise.race([worker.ended, redis.ended]),
    async settledAt() {
      const found = await worker.find(settledLine);
      return found && Number(found[1]);
    },
    async records(): Promise<Records> {
      const { sent, planned } = countRecords(file, on);
      const delayed = await withQueue(redis.socket, (queue) => queue.getDelayedCount());
      return { sent, planned: Math.min(planned, delayed) };
    },
    async close() {
      await worker.stop();
      await redis.stop();
    },
  };
}
