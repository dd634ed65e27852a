import { readdirSync, readFileSync } from 'node:fs';

/** CPU (ms) of a process so far, all its threads together. Linux only. */
export const cpuOfProcess = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + cpuOfThread(pid, thread), 0);

/** CPU (ms) of its first thread, which runs the event loop on Node and Deno. */
export const cpuOfLoop = (pid: number): number => cpuOfThread(pid, String(pid));

function cpuOfThread(pid: number, thread: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    // It has ended.
    return 0;
  }
}
