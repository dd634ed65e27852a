import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that runs, and what it wrote. */
export interface Running {
  pid: number;
  /** All lines of both streams, for when something goes wrong. */
  lines: string[];
  /** Resolves with the first line that fits, already written or to come. */
  line(fits: RegExp): Promise<RegExpExecArray>;
  /** Resolves with its exit code when it has ended, and all that it wrote is here. */
  ended: Promise<number | null>;
  /** Sends a signal to the program and all that it started; resolves with its exit code when it has ended. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Processes that a test leaves behind end with the tests. */
const groups = new Set<number>();
process.on('exit', () => {
  for (const group of groups) signalGroup(group, 'SIGKILL');
});

/** Starts a program as the head of a process group of its own, with exactly this environment and what `vitest.config.ts` sets. */
export function run(
  command: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Running {
  const { PATH, HOME, NODE_COMPILE_CACHE, NODE_OPTIONS } = process.env;
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { PATH, HOME, NODE_COMPILE_CACHE, NODE_OPTIONS, ...options.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${command} cannot be started`);
  groups.add(pid);
  // Not 'exit', after which its last lines may still be on their way.
  const ended = once(child, 'close').then(([code]) => {
    groups.delete(pid);
    return code as number | null;
  });
  const { lines, line } = readLines(child, [command, ...args].join(' '));
  return {
    pid,
    lines,
    line,
    ended,
    async end(signal) {
      signalGroup(pid, signal);
      return ended;
    },
  };
}

function readLines(child: ChildProcess, name: string) {
  const lines: string[] = [];
  const watchers = new Set<(text: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (text) => {
      lines.push(text);
      for (const watcher of watchers) watcher(text);
    });
  }
  const line = (fits: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = (text: string) => {
        const found = fits.exec(text);
        if (found) {
          watchers.delete(look);
          resolve(found);
        }
        return found !== null;
      };
      if (lines.some(look)) return;
      watchers.add(look);
      child.once('close', (code) => reject(new Error(`${name} ended with ${code}:\n${lines.join('\n')}`)));
    });
  return { lines, line };
}

function signalGroup(group: number, signal: NodeJS.Signals) {
  try {
    process.kill(-group, signal);
  } catch {
    // It has ended.
  }
}
