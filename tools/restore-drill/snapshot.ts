import { rm, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** How long writers of the server are held up at most; the server waits longer for the lock of its file. */
const maxHoldMs = 300;
const maxAttempts = 5;

/**
 * Makes a backup as `npm run backup` does, and gives the original as it was at the very moment of the backup: a connection
 * whose transaction sees that state, whatever the server writes meanwhile. Nobody writes while the two begin.
 * @throws if the moment was missed five times
 */
export async function backUpPinned(database: string, target: string): Promise<DatabaseSync> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const pinned = await tryPinned(database, target);
    if (pinned) return pinned;
    await rm(target, { force: true });
  }
  throw new Error('The server writes too much for a backup and a comparison at one moment: try again later.');
}

async function tryPinned(database: string, target: string): Promise<DatabaseSync | undefined> {
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), {
    workerData: { database, target },
  });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  const message = () => new Promise((resolve) => worker.once('message', resolve));
  const lock = new DatabaseSync(database);
  const pinned = new DatabaseSync(database, { readOnly: true });
  try {
    await Promise.race([message(), failed]);
    lock.exec('pragma busy_timeout = 5000; begin immediate');
    const since = performance.now();
    pinned.exec('begin');
    pinned.prepare('select count(*) from sqlite_master').get();
    const done = Promise.race([message(), failed]);
    let isDone = false;
    const ends = done.then(
      () => {
        isDone = true;
      },
      () => {
        isDone = true;
      },
    );
    worker.postMessage('begin');
    while (!isDone && !(await hasBegun(target)) && performance.now() - since < maxHoldMs)
      await Promise.race([setTimeout(1), ends]);
    const inTime = isDone || (await hasBegun(target));
    lock.exec('rollback');
    await done;
    if (inTime) return pinned;
    pinned.close();
    return undefined;
  } catch (error) {
    pinned.close();
    throw error;
  } finally {
    lock.close();
    await worker.terminate();
  }
}

/** SQLite reads the original in one transaction, which is open by the time at which something was written. */
const hasBegun = async (target: string) =>
  (await sizeOf(`${target}.unfinished`)) > 0 || (await sizeOf(target)) > 0;

const sizeOf = (path: string) =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );
