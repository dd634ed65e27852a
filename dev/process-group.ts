import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A child and all that it starts. It has a group of its own, so that Ctrl-C reaches us alone and we end it in order. */
export interface ProcessGroup {
  child: ChildProcess;
  /** Resolves when the child itself has ended and said all it had to say. */
  exited: Promise<{ code: number | null }>;
  /** Asks the child to end, then kills what is left of the group. */
  end(): Promise<void>;
}

const PATIENCE_MS = 3_000;

const groups = new Set<number>();

/** Starts `command` without a terminal; its output comes in pipes. */
export function startGroup(
  command: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): ProcessGroup {
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const { pid } = child;
  if (pid !== undefined) groups.add(pid);
  const exited = once(child, 'close').then(([code]) => ({ code: code as number | null }));
  // Without a listener of its own a failed start would be thrown before anybody waits.
  exited.catch(() => {});
  return {
    child,
    exited,
    end: async () => {
      if (pid === undefined) return;
      // A signal cannot be sent to what has ended.
      if (child.kill('SIGTERM'))
        await Promise.race([once(child, 'exit'), sleep(PATIENCE_MS, undefined, { ref: false })]);
      kill(pid);
      await exited.catch(() => {});
    },
  };
}

/** Kills every group that was started and not ended, at once. */
export function killGroups(): void {
  for (const pid of groups) kill(pid);
}

function kill(pid: number): void {
  groups.delete(pid);
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // None of them is left.
  }
}
