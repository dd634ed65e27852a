import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const runtimes = ['node', 'deno'] as const;
export type Runtime = (typeof runtimes)[number];

/** A service as a process of its own. */
export interface Service {
  url: string;
  pid: number;
  /** At once: it may be computing. */
  kill(): Promise<void>;
}

export interface Start {
  /** The folder of the project. */
  tree: string;
  runtime: Runtime;
  env: Record<string, string>;
  /** As it is deployed, with the work of its minutes; otherwise requests only. */
  whole?: boolean;
  /** A file to stand in for `/etc/resolv.conf`, for this process only. Needs root on Linux. */
  resolver?: string | undefined;
}

const quiet = fileURLToPath(new URL('./serve.ts', import.meta.url));

/** @throws when it ends before it listens, with its last words */
export async function startService({ tree, runtime, env, whole, resolver }: Start): Promise<Service> {
  const main = whole ? [join(tree, `src/${runtime}.ts`), '--local'] : [quiet, tree];
  const options = runtime === 'deno' ? ['run', '--allow-all'] : [];
  const command = [join(tree, 'node_modules/.bin', runtime), ...options, ...main];
  const [program = '', ...args] = resolver
    ? [
        'unshare',
        '-m',
        'sh',
        '-c',
        `mount --bind ${resolver} /etc/resolv.conf && exec "$@"`,
        'sh',
        ...command,
      ]
    : command;
  const path = `${join(tree, 'node_modules/.bin')}:${process.env.PATH}`;
  const child = spawn(program, args, {
    cwd: tree,
    env: { PATH: path, HOME: process.env.HOME ?? '/tmp', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  process.on('exit', () => child.kill('SIGKILL'));
  let last = '';
  child.stderr.on('data', (text) => {
    last = `${last}${text}`.slice(-2000);
  });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes('"event":"start"')) resolve(JSON.parse(line).url);
    });
    exited.then(([code]) => reject(new Error(`the service ended with ${code}: ${last}`)), reject);
  });
  return { url, pid: child.pid ?? 0, kill };
}
