import pLimit from 'p-limit';
import { Pool, type PoolClient } from 'pg';
import type { Job } from 'pg-boss';
import { createPush } from '../peers/push.ts';
import { createTally, reportReady } from '../peers/tally.ts';
import { successor, type Task } from '../peers/task.ts';
import { jobOf, openBoss, queueName } from './queue.ts';
import { findAll, recordAll, type Sent } from './state.ts';

/* Delivers reminders with pg-boss. Arguments: PostgreSQL's address as JSON, the SNS's address, how many people. */
const [address = '{}', snsUrl = '', size = ''] = process.argv.slice(2);
const batchSize = 500;
const localConcurrency = 3;
const pushConcurrency = 200;

const pool = new Pool({ ...JSON.parse(address), max: localConcurrency + 1 });
const boss = openBoss(JSON.parse(address));
const push = createPush(snsUrl);
const limit = pLimit(pushConcurrency);
const tally = createTally(Number(size));

/** A batch that fails in part is retried as a whole; pushes that were sent are only planned again. */
async function deliver(jobs: Job<Task>[]): Promise<void> {
  const found = await findAll(
    pool,
    jobs.map(({ data }) => data),
  );
  const sending = found.filter(({ sent }) => !sent);
  const results = await Promise.allSettled(sending.map((reminder) => limit(() => push(reminder))));
  const sent = sending.flatMap((task, n): Sent[] => {
    const result = results[n];
    return result?.status === 'fulfilled'
      ? [{ task, messageId: result.value, next: successor(task, task.recurrence, task.zone) }]
      : [];
  });
  if (sent.length > 0) await inTransaction((client) => settle(client, sent));
  tally(sent.length);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** The successors are jobs in the same database, so one commit records and plans. */
async function settle(client: PoolClient, sent: readonly Sent[]) {
  await recordAll(client, sent);
  const db = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
  await boss.insert(
    queueName,
    sent.map(({ next }) => jobOf(next)),
    { db },
  );
}

async function inTransaction(work: (client: PoolClient) => Promise<void>) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

boss.on('error', (error) => console.error(error));
await boss.start();
await boss.work<Task>(
  queueName,
  { batchSize, localConcurrency, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true },
  deliver,
);
reportReady();
