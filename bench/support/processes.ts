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
}

export const root = fileURLToPath(new URL('../../', import.meta.url));
/** A program of the root package. */
export const bin = (name: 'node' | 'deno') => join(root, 'node_modules/.bin', name);

const pollMs = 25;

/** Process groups that are still running; they end with this process, before their folders are removed. */
const running = new Map<number, Pick<Child, 'stop'>>();
process.prependListener('exit', () => {
  for (const group of running.keys()) killGroup(group);
});

/** Ends the processes of a failed run. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running.values()].map((child) => child.stop()));
}

/** Starts a program as the head of a process group of its own. */
export function start(command: string, args: readonly string[], options: Start): Child {
  const { log, env } = options;
  const { PATH, HOME, NODE_PATH } = process.env;
  const output = openSync(log, 'a');
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH, HOME, ...(NODE_PATH && { NODE_PATH }), NO_COLOR: '1', ...env },
    detached: true,
    stdio: ['ignore', output, output],
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
    killGroup(pid as number);
    await ended;
    // Its children are in the same group and may outlive it by a moment.
    killGroup(pid as number);
    running.delete(pid as number);
  }
  running.set(pid, { stop });
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

function killGroup(group: number) {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
