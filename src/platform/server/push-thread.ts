import { Worker } from 'node:worker_threads';
import type { Outcome, PushMessage, PushService } from '../../services.ts';
import { createPush, type PushConfig } from '../push-services.ts';
import { perTurn } from './per-turn.ts';
import { serverWays } from './server-ways.ts';

/** The messages between the threads are lists: of pushes with a number each, and of their outcomes. */
export type Call = [number: number, message: PushMessage];
export type Answer = [number: number, outcome: Outcome];

/**
 * The relay, whose pushes are formatted, signed and sent by a thread of their own (`push-worker.ts`), beside the one that
 * decides and records. Pushes of one turn cross together. A fault or the end of that thread is a fault of the process.
 */
export function pushByThread({ relay, webPush }: PushConfig): PushService {
  const workerData = { relay, webPush } satisfies PushConfig;
  const thread = new Worker(new URL('./push-worker.ts', import.meta.url), { workerData });
  const waiting = new Map<number, (outcome: Outcome) => void>();
  const call = perTurn<Call>((calls) => thread.postMessage(calls));
  let last = 0;
  thread.on('message', (answers: Answer[]) => {
    for (const [number, outcome] of answers) {
      waiting.get(number)?.(outcome);
      waiting.delete(number);
    }
  });
  thread.on('exit', () => {
    throw new Error('the thread of pushes has ended');
  });
  return {
    ...createPush(workerData, serverWays),
    send: (message) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        call([last, message]);
      }),
  };
}
