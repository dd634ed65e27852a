import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { denoPermissions, type Runtime } from '../../test/conformance/support/runtimes.ts';
import { settings } from '../../test/conformance/support/settings.ts';
import { loadData } from './data.ts';

/** Fieldbell and the floor, each over a copy of the same data, on one runtime. */
export interface Pair {
  fieldbell: string;
  floor: string;
  dispose(): Promise<void>;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const bin = (name: string) => join(root, 'node_modules/.bin', name);

/** Nothing is pushed: nobody listens there. */
export const env = settings('http://127.0.0.1:9');

const mains = {
  node: { fieldbell: 'src/node.ts', floor: 'bench/serving/floor/node.ts' },
  deno: { fieldbell: 'src/deno.ts', floor: 'bench/serving/floor/deno.ts' },
  workerd: {
    fieldbell: 'test/conformance/support/workerd-main.ts',
    floor: 'bench/serving/floor/workerd-main.ts',
  },
} as const;

/** Node's options for Fieldbell alone, such as `--cpu-prof`. */
export async function startPair(runtime: Runtime, nodeOptions: string[] = []): Promise<Pair> {
  const folder = await mkdtemp(join(tmpdir(), `fieldbell-serving-${runtime}-`));
  const running: Server[] = [];
  const clean = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', clean);
  const dispose = async () => {
    await Promise.all(running.map((server) => server.end()));
    process.off('exit', clean);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await loadData(runtime, join(folder, 'loaded'), env.AUTH_ISSUER);
    const started = (['fieldbell', 'floor'] as const).map(async (name) => {
      const own = join(folder, name);
      await cp(join(folder, 'loaded'), own, { recursive: true });
      const server = await start(runtime, mains[runtime][name], own, name === 'fieldbell' ? nodeOptions : []);
      running.push(server);
      return server.url;
    });
    const [fieldbell, floor] = (await Promise.all(started)) as [string, string];
    return { fieldbell, floor, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

interface Server {
  url: string;
  end(): Promise<void>;
}

async function start(runtime: Runtime, main: string, folder: string, options: string[]): Promise<Server> {
  const args = runtime === 'deno' ? ['run', ...denoPermissions, main] : [...options, main];
  const own = { FIELDBELL_DB: join(folder, 'fieldbell.db'), PORT: '0', NO_COLOR: '1' };
  if (runtime === 'workerd') {
    const lines = Object.entries(env).map(([name, value]) => `${name}='${value}'\n`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'settings.env'), lines.join(''));
    args.push(folder);
  }
  const { PATH, HOME } = process.env;
  const quiet = { WRANGLER_SEND_METRICS: 'false', CI: 'true' };
  const child = spawn(bin(runtime === 'deno' ? 'deno' : 'node'), args, {
    cwd: root,
    env: { PATH, HOME, ...quiet, ...env, ...own },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    signalGroup(child, signal);
    await ended;
  };
  const kill = () => signalGroup(child, 'SIGKILL');
  process.prependOnceListener('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  try {
    return { url: await urlOf(child), end };
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
}

/** From then on the log is read and thrown away, without looking at its lines: a parser would take part of a core. */
async function urlOf(child: ChildProcess): Promise<string> {
  const { stdout, stderr } = child;
  let seen = '';
  const found = new Promise<string>((resolve, reject) => {
    const look = (chunk: Buffer) => {
      seen += chunk;
      const [, url] = /"event":"start".*"url":"([^"]+)"/.exec(seen) ?? [];
      if (url === undefined) return;
      stdout?.off('data', look).resume();
      stderr?.off('data', look).resume();
      resolve(url);
    };
    stdout?.on('data', look);
    stderr?.on('data', look);
    child.once('exit', (code) =>
      reject(new Error(`${child.spawnargs.join(' ')} ended with ${code}:\n${seen}`)),
    );
  });
  return found;
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals) {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}
