import { Worker } from 'node:worker_threads';
import type { Outcome, Push, PushMessage } from '../../services.ts';
import { createPush, type PushConfig } from '../push-services.ts';
import { serverPost } from './sns-post.ts';

/** The messages between the threads: a push with a number, and its outcome. */
export type Call = [number: number, message: PushMessage];
export type Answer = [number: number, outcome: Outcome];

/**
 * The relay, whose pushes are formatted, signed and sent by a thread of their own (`push-worker.ts`), beside the one that
 * decides and records. A fault of that thread is a fault of the process.
 */
export function pushByThread({ relay, webPush }: PushConfig): Push {
  const workerData = { relay, webPush } satisfies PushConfig;
  const thread = new Worker(new URL('./push-worker.ts', import.meta.url), { workerData });
  const waiting = new Map<number, (outcome: Outcome) => void>();
  let last = 0;
  thread.on('message', ([number, outcome]: Answer) => {
    waiting.get(number)?.(outcome);
    waiting.delete(number);
  });
  return {
    ...createPush(workerData, serverPost()),
    send: (message) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        thread.postMessage([last, message] satisfies Call);
      }),
  };
}
