import { parentPort, workerData } from 'node:worker_threads';
import { backUp } from '../../src/platform/server/backup.ts';

const { database, target } = workerData as { database: string; target: string };
parentPort?.once('message', async () => {
  await backUp(database, target);
  parentPort?.postMessage('done');
});
parentPort?.postMessage('ready');
