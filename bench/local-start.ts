import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { newTarget } from '../test/crash/target.ts';

/*
 * Start time and idle memory of the Node and Deno entries: `node bench/local-start.ts`. Each runs five times over a
 * file that exists, with warm compile caches; the table has the best run and the median. Time is from the start of the
 * process to the first answer of GET /health, CPU that of the process until then, memory is VmRSS after 200 requests
 * and five idle seconds (Linux only).
 */
const runs = 5;
const requests = 200;
const idleMs = 5_000;
const ticksPerSecond = 100;

for (const runtime of ['node', 'deno'] as const) {
  const target = await newTarget(runtime);
  const seen: { ms: number; cpuMs: number; mb: number }[] = [];
  for (let n = 0; n <= runs; n++) {
    const began = performance.now();
    const running = target.spawn(Date.now());
    await target.ready(running);
    await (await fetch(`${target.url}/health`)).text();
    const ms = performance.now() - began;
    const cpuMs = await cpuOf(running.pid);
    for (let request = 0; request < requests; request++) await (await fetch(`${target.url}/health`)).text();
    await sleep(idleMs);
    const mb = await memoryOf(running.pid);
    await running.end('SIGTERM');
    // The first one makes the file and fills the caches.
    if (n > 0) seen.push({ ms, cpuMs, mb });
  }
  await target.dispose();
  const of = (key: keyof (typeof seen)[number]) => seen.map((one) => one[key]).sort((a, b) => a - b);
  const shown = (values: number[]) =>
    `${values[0]?.toFixed(0)} / ${values[Math.floor(runs / 2)]?.toFixed(0)}`;
  console.log(
    `${runtime}: first answer ${shown(of('ms'))} ms, CPU ${shown(of('cpuMs'))} ms, idle ${shown(of('mb'))} MB (best / median)`,
  );
}

async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** User and system time, fields 14 and 15 (proc(5)). */
async function cpuOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1000;
}
