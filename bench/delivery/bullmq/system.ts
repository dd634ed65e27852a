import { join } from 'node:path';
import { dueAhead } from '../peers/lead.ts';
import { hasPackage } from '../peers/programs.ts';
import { readyLine, settledLine } from '../peers/tally.ts';
import { dailyAt, type Task } from '../peers/task.ts';
import { localTime, newStudy } from '../people.ts';
import { bin, start } from '../processes.ts';
import type { Books, Contender, Place, System } from '../system.ts';
import { jobOf, withQueue } from './queue.ts';
import { missingRedis, startRedis } from './redis.ts';
import { booksOf, seedState } from './state.ts';

const jobsAtOnce = 1_000;

export const bullmq: System = {
  name: 'bullmq',
  what: 'BullMQ on Redis, state in SQLite',
  // BullMQ leaves the client to its user; this is the one of its guide.
  missing: () => missingRedis() ?? (hasPackage('ioredis') ? null : 'the package ioredis is not installed'),
  open,
};

async function open({ folder, people, snsUrl }: Place): Promise<Contender> {
  const file = join(folder, 'state.db');
  const redis = await startRedis(folder);
  const due = dueAhead(people.length);
  const { on } = localTime(due);
  const study = newStudy();
  const tasks = people.map(({ id }): Task => ({ user: id, survey: study.survey, on, dueAt: due }));
  seedState(file, people, study, dailyAt(due), tasks);
  await withQueue(redis.socket, async (queue) => {
    for (let n = 0; n < tasks.length; n += jobsAtOnce)
      await queue.addBulk(tasks.slice(n, n + jobsAtOnce).map(jobOf));
  });

  const main = 'bench/delivery/bullmq/worker.ts';
  const worker = start(bin('node'), [main, redis.socket, file, snsUrl, String(people.length)], {
    log: join(folder, 'worker.log'),
    env: { ...(process.env.CONCURRENCY && { CONCURRENCY: process.env.CONCURRENCY }) },
  });
  await worker.line(readyLine);
  return {
    due,
    pids: [worker.pid, redis.pid],
    ended: Promise.race([worker.ended, redis.ended]),
    async settledAt() {
      const found = await worker.look(settledLine);
      return found && Number(found[1]);
    },
    async books(): Promise<Books> {
      const { sent, planned } = booksOf(file, on);
      const delayed = await withQueue(redis.socket, (queue) => queue.getDelayedCount());
      return { sent, planned: Math.min(planned, delayed) };
    },
    async close() {
      await worker.stop();
      await redis.stop();
    },
  };
}
