import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFieldbell } from './support/fieldbell.ts';
import { inFolder } from './support/folders.ts';
import { shown, spreadOf } from './support/statistics.ts';
import { cpuOf } from './support/usage.ts';

/*
 * Start time and idle memory of Node and Deno: `node bench/start-up.ts`. Each starts five times over an existing file
 * with warm compile caches. Time is from the start of the process to the first answer of GET /health; CPU is the
 * process's until then; memory is VmRSS after 200 requests and five idle seconds (Linux only).
 */
const runs = 5;
const requests = 200;
const idleMs = 5_000;

for (const runtime of ['node', 'deno'] as const)
  await inFolder(async (folder) => {
    const env = { NODE_COMPILE_CACHE: join(folder, 'cache') };
    const measured: { ms: number; cpuMs: number; mb: number }[] = [];
    for (let run = 0; run <= runs; run++) {
      const began = performance.now();
      const service = await startFieldbell(runtime, { folder, env, stopSignal: 'SIGTERM' });
      const get = async () => (await fetch(`${service.url}/health`)).text();
      await get();
      const ms = performance.now() - began;
      const cpuMs = (cpuOf([service.pid]) ?? 0) * 1000;
      for (let request = 0; request < requests; request++) await get();
      await sleep(idleMs);
      const mb = await memoryOf(service.pid);
      await service.stop();
      // The first run creates the file and fills the caches.
      if (run > 0) measured.push({ ms, cpuMs, mb });
    }
    const spread = (key: 'ms' | 'cpuMs' | 'mb') => shown(spreadOf(measured.map((one) => one[key])), 0);
    console.log(
      `${runtime}: first answer ${spread('ms')} ms, CPU ${spread('cpuMs')} ms, idle ${spread('mb')} MB: median (least-most)`,
    );
  });

/** In MB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
