import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { Seen, Target } from './probe.ts';
import { cpuOfLoop } from './process-time.ts';

/* Other people, of whom one after the other reads, from a thread of their own. */

const { url, tokens, pid }: Target = workerData;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const pauseMs = 4;

let turn = 0;

/** One plain read; a service that goes away ends it. */
const read = () =>
  new Promise<void>((resolve) => {
    turn = (turn + 1) % tokens.length;
    const headers = { authorization: `Bearer ${tokens[turn]}` };
    const request = http.get(`${url}/user/me`, { agent, headers });
    request.on('error', () => resolve());
    request.on('response', (answer) => {
      answer.resume();
      answer.on('error', () => resolve());
      answer.on('end', resolve);
    });
  });

const nothing: Seen = { reads: 0, stall: 0, stallCpu: 0 };
let seen = { ...nothing };
const begin = () => {
  seen = { ...nothing };
};
let asked = false;
parentPort?.on('message', (what: 'begin' | 'tell') => {
  if (what === 'begin') begin();
  else asked = true;
});

for (;;) {
  const [began, cpu] = [performance.now(), cpuOfLoop(pid)];
  await read();
  const stall = performance.now() - began;
  seen.reads++;
  seen.stallCpu = Math.max(seen.stallCpu, cpuOfLoop(pid) - cpu);
  seen.stall = Math.max(seen.stall, stall);
  if (asked) {
    asked = false;
    parentPort?.postMessage(seen);
    begin();
  }
  await sleep(pauseMs);
}
