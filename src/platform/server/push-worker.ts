import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { createSns } from '../../sns/push.ts';
import type { Answer, Call } from './push-thread.ts';
import { serverPost, viaFetch } from './sns-transport.ts';

/* The thread of `push-thread.ts`, which has its runtime's fastest way to the relay. */
const transport = process.versions.deno ? viaFetch : (await import('./undici-transport.ts')).viaUndici();
const { send } = createSns({ ...workerData, post: serverPost(transport) });

parentPort?.on('message', async ([number, message]: Call) => {
  parentPort?.postMessage([number, await send(message)] satisfies Answer);
});
