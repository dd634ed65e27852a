import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A child and its descendants, in a group of their own: Ctrl-C reaches only us, and we end them in order. */
export interface ProcessGroup {
  child: ChildProcess;
  /** Resolves when the child has ended and its output is complete. */
  exited: Promise<{ code: number | null }>;
  /** Asks the child to end, then kills the rest of the group. */
  end(): Promise<void>;
}

const gracePeriodMs = 3_000;

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
  // Otherwise a failed start would be an unhandled rejection.
  exited.catch(() => {});
  return {
    child,
    exited,
    end: async () => {
      if (pid === undefined) return;
      // False: the child has already ended.
      if (child.kill('SIGTERM'))
        await Promise.race([once(child, 'exit'), sleep(gracePeriodMs, undefined, { ref: false })]);
      kill(pid);
      await exited.catch(() => {});
    },
  };
}

/** Kills every group that is still running. */
export function killGroups(): void {
  for (const pid of groups) kill(pid);
}

function kill(pid: number): void {
  groups.delete(pid);
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process is left.
  }
}
