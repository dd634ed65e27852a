import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../support/eventually.ts';

/** A run of `tools/start/main.ts`, in a process group of its own. */
export interface Run {
  child: ChildProcess;
  output(): { stdout: string; stderr: string };
  /** @throws with all that was said when the run ends first */
  said(text: string): Promise<void>;
  ended(): Promise<number | null>;
}

export function startFieldbell(env: Record<string, string>): Run {
  const child = spawn(process.execPath, ['tools/start/main.ts'], {
    detached: true,
    env: { ...process.env, FIELDBELL_DEMO: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[stream] += chunk;
    });
  }
  const closed = once(child, 'close');
  return {
    child,
    output: () => text,
    said: async (wanted) => {
      const all = () => `'${wanted}' was not said:\n${text.stdout}\n${text.stderr}`;
      await eventually(all, () => {
        if (child.exitCode !== null && !text.stdout.includes(wanted)) throw new Error(all());
        return text.stdout.includes(wanted);
      });
    },
    ended: async () => (await closed)[0] as number | null,
  };
}

interface Process {
  pid: number;
  parent: number;
  command: string;
}

/** The processes that `root` started, and their descendants. Ended processes that wait for their parent do not count. */
export function descendantsOf(root: number): Process[] {
  const all = listProcesses();
  const family = new Set([root]);
  for (let known = 0; known < family.size; ) {
    known = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all.filter(({ pid }) => pid !== root && family.has(pid));
}

/** Every live process of the machine. */
export function listProcesses(): Process[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], {
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  });
  return rows.split('\n').flatMap((row) => {
    const [, pid, parent, state, command = ''] = /^ *(\d+) +(\d+) +(\S+) (.*)$/.exec(row) ?? [];
    return pid && !state?.startsWith('Z') ? [{ pid: Number(pid), parent: Number(parent), command }] : [];
  });
}
