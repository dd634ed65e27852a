import { parentPort, workerData } from 'node:worker_threads';
import { createPush } from '../push-services.ts';
import { perTurn } from './per-turn.ts';
import type { Answer, Call } from './push-thread.ts';
import { serverWays } from './server-ways.ts';

/* The thread of `push-thread.ts`. */
const { send } = createPush(workerData, serverWays);
const answer = perTurn<Answer>((answers) => parentPort?.postMessage(answers));

parentPort?.on('message', (calls: Call[]) => {
  for (const [number, message] of calls) send(message).then((outcome) => answer([number, outcome]));
});
