import { type Job, Worker } from 'bullmq';
import { inGroups } from '../peers/groups.ts';
import { createPush } from '../peers/push.ts';
import { openState, type Sent } from '../peers/state.ts';
import { createTally, reportReady } from '../peers/tally.ts';
import { successor, type Task } from '../peers/task.ts';
import { connectionTo, jobOf, openQueue, queueName } from './queue.ts';

/* Delivers reminders with BullMQ. Arguments: Redis's socket, the SQLite file, the SNS's address, how many people. */
const [socket = '', file = '', snsUrl = '', size = ''] = process.argv.slice(2);
const concurrency = 100;

const connection = connectionTo(socket);
const queue = openQueue(connection);
const state = openState(file);
const push = createPush(snsUrl);
const tally = createTally(Number(size));

/** If the worker dies between the two, the job runs again, finds its push sent, and adds the successor then. */
const settle = inGroups<Sent>(async (group) => {
  state.record(group);
  await queue.addBulk(group.map(({ next }) => jobOf(next)));
});

async function deliver({ data: task }: Job<Task>): Promise<void> {
  const found = state.find(task);
  if (!found) return;
  const next = successor(task, found.recurrence, found.zone);
  if (found.sent) {
    // A worker died after it had sent this, maybe before it had added the next.
    const { name, data, opts } = jobOf(next);
    await queue.add(name, data, opts);
    return;
  }
  const messageId = await push(found);
  await settle({ task, messageId, next });
  tally(1);
}

const worker = new Worker<Task>(queueName, deliver, { connection, concurrency });
worker.on('error', (error) => console.error(error));
worker.on('failed', (job, error) => console.error(job?.id, error));
await Promise.all([worker.waitUntilReady(), queue.waitUntilReady()]);
reportReady();
