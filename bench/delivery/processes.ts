import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A program under measurement. It writes into a file: nobody has to read along while it is measured. */
export interface Child {
  pid: number;
  /** Resolves with the first line that fits; rejects when the program ends without. */
  line(fits: RegExp): Promise<RegExpExecArray>;
  /** What it has written so far that fits. */
  look(fits: RegExp): Promise<RegExpExecArray | null>;
  ended: Promise<number | null>;
  /** Ends the program and all that it started. */
  stop(): Promise<void>;
}

export interface Start {
  /** The file that takes what it writes. */
  log: string;
  env?: Record<string, string>;
  /** Who it runs as. */
  user?: { uid: number; gid: number } | null;
  /** What ends it at once. */
  endedBy?: NodeJS.Signals;
}

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const bin = (name: 'node' | 'deno') => join(root, 'node_modules/.bin', name);

const lookEveryMs = 25;
const momentMs = 500;

/** Whatever is left when this process ends ends with it, before its folder is removed. */
const running = new Map<number, Pick<Child, 'stop'> & { endedBy: NodeJS.Signals }>();
process.prependListener('exit', () => {
  for (const [group, { endedBy }] of running) signalGroup(group, endedBy);
  // They need a moment, in which PostgreSQL still writes; an exit waits for nothing by itself.
  if (running.size > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, momentMs);
});

/** Ends what is still running: whoever started it has failed half-way. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running.values()].map((child) => child.stop()));
}

/** Starts a program as the head of a process group of its own. */
export function start(command: string, args: readonly string[], options: Start): Child {
  const { log, env, user, endedBy = 'SIGKILL' } = options;
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
    signalGroup(pid as number, endedBy);
    await ended;
    // What it started may outlive it by a moment, and is in the same group.
    signalGroup(pid as number, 'SIGKILL');
    running.delete(pid as number);
  }
  running.set(pid, { stop, endedBy });
  const look = async (fits: RegExp) => fits.exec(await readFile(log, 'utf8'));
  return {
    pid,
    look,
    ended,
    async line(fits) {
      for (;;) {
        const over = !alive;
        const found = await look(fits);
        if (found) return found;
        if (over) throw new Error(`${command} has ended: ${(await readFile(log, 'utf8')).slice(-2_000)}`);
        await sleep(lookEveryMs);
      }
    },
    stop,
  };
}

/** Runs a program to its end. @throws when it fails */
export async function finish(command: string, args: readonly string[], options: Start): Promise<void> {
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
