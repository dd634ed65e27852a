import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A program under measurement. Its output goes to a file, so that nobody has to read along while it is measured. */
export interface Child {
  pid: number;
  /** Waits for output that matches; rejects when the program ends first. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Searches the output so far. */
  find(pattern: RegExp): Promise<RegExpExecArray | null>;
  ended: Promise<number | null>;
  /** Ends the program and everything it started. */
  stop(): Promise<void>;
}

export interface Start {
  /** The file for its output. */
  log: string;
  env?: Record<string, string>;
  /** The user it runs as; null: the current one. */
  user?: { uid: number; gid: number } | null;
  /** The signal that ends it at once. Default: SIGKILL. */
  stopSignal?: NodeJS.Signals;
}

export const root = fileURLToPath(new URL('../../', import.meta.url));
/** A program of the root package. */
export const bin = (name: 'node' | 'deno') => join(root, 'node_modules/.bin', name);

const pollMs = 25;
const exitGraceMs = 500;

/** Process groups that are still running; they end with this process, before their folders are removed. */
const running = new Map<number, Pick<Child, 'stop'> & { stopSignal: NodeJS.Signals }>();
process.prependListener('exit', () => {
  for (const [group, { stopSignal }] of running) signalGroup(group, stopSignal);
  // PostgreSQL still writes for a moment, and an exit handler cannot await.
  if (running.size > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, exitGraceMs);
});

/** Ends the processes of a failed run. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running.values()].map((child) => child.stop()));
}

/** Starts a program as the head of a process group of its own. */
export function start(command: string, args: readonly string[], options: Start): Child {
  const { log, env, user, stopSignal = 'SIGKILL' } = options;
  const { PATH, HOME, NODE_PATH } = process.env;
  const output = openSync(log, 'a');
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH, HOME, ...(NODE_PATH && { NODE_PATH }), NO_COLOR: '1', ...env },
    detached: true,
    stdio: ['ignore', output, output],
    ...user,
  });
  closeSync(output);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} cannot be started`);
  let alive = true;
  const ended = once(child, 'exit').then(([code]) => {
    alive = false;
    return code as number | null;
  });
  async function stop() {
    signalGroup(pid as number, stopSignal);
    await ended;
    // Its children are in the same group and may outlive it by a moment.
    signalGroup(pid as number, 'SIGKILL');
    running.delete(pid as number);
  }
  running.set(pid, { stop, stopSignal });
  const find = async (pattern: RegExp) => pattern.exec(await readFile(log, 'utf8'));
  return {
    pid,
    find,
    ended,
    async line(pattern) {
      for (;;) {
        const finished = !alive;
        const found = await find(pattern);
        if (found) return found;
        if (finished) throw new Error(`${command} has ended: ${(await readFile(log, 'utf8')).slice(-2_000)}`);
        await sleep(pollMs);
      }
    },
    stop,
  };
}

/** Runs a program to its end. @throws when it fails */
export async function run(command: string, args: readonly string[], options: Start): Promise<void> {
  const child = start(command, args, options);
  const code = await child.ended;
  await child.stop();
  if (code !== 0)
    throw new Error(`${command} ended with ${code}: ${(await readFile(options.log, 'utf8')).slice(-2_000)}`);
}

function signalGroup(group: number, signal: NodeJS.Signals) {
  try {
    process.kill(-group, signal);
  } catch {
    // It has ended.
  }
}
