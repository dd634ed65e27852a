import { parentPort, workerData } from 'node:worker_threads';
import { createPush } from '../push-services.ts';
import type { Answer, Call } from './push-thread.ts';
import { serverPost } from './sns-post.ts';

/* The thread of `push-thread.ts`. */
const { send } = createPush(workerData, serverPost());

parentPort?.on('message', async ([number, message]: Call) => {
  parentPort?.postMessage([number, await send(message)] satisfies Answer);
});
