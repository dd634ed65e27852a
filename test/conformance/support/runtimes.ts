import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { snsDefaults } from '../../../tools/fakes/sns/defaults.ts';
import { type LocalSns, startSns } from '../../../tools/fakes/sns/server.ts';
import { type Running, run } from './processes.ts';
import { settings } from './settings.ts';

export const runtimes = ['workerd', 'node', 'deno'] as const;
export type Runtime = (typeof runtimes)[number];

/** The service on one of the runtimes, with a state and a push relay of its own. */
export interface Service {
  runtime: Runtime;
  /** Without a slash at its end. Another one after each start. */
  url: string;
  sns: LocalSns;
  folder: string;
  process: Running;
  start(): Promise<void>;
  /** Ends as the signal says; `SIGKILL` is a crash. Resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Ends everything and removes the state. */
  dispose(): Promise<void>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const bin = (name: string) => join(root, 'node_modules/.bin', name);
export const denoPermissions = ['net', 'env', 'read', 'write'].map((name) => `--allow-${name}`);

/**
 * An empty folder for a runtime's files. Deno takes everything below /dev for a device, which only a program with all
 * rights may use: files that other tests keep in memory there are on disk for it.
 */
export const newFolder = (runtime: Runtime, prefix: string): Promise<string> =>
  mkdtemp(join(runtime === 'deno' && tmpdir().startsWith('/dev/') ? '/var/tmp' : tmpdir(), prefix));

/** Starts a runtime over an empty state. `more` replaces some of its settings; an empty one is absent. */
export async function open(runtime: Runtime, more: Record<string, string> = {}): Promise<Service> {
  const folder = await newFolder(runtime, `fieldbell-${runtime}-`);
  const sns = await startSns({ ...snsDefaults, port: 0 });
  const env = { ...settings(sns.url), ...more };
  const { prepare, launch } = runtime === 'workerd' ? workerd(folder, env) : local(runtime, folder, env);
  await prepare();
  const service: Service = {
    runtime,
    url: '',
    sns,
    folder,
    process: undefined as unknown as Running,
    async start() {
      const { running, url } = await launch();
      Object.assign(service, { process: running, url });
    },
    end: (signal) => service.process.end(signal),
    async dispose() {
      await service.end('SIGKILL');
      await sns.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  await service.start();
  return service;
}

interface Launcher {
  prepare(): Promise<void>;
  launch(): Promise<{ running: Running; url: string }>;
}

function local(runtime: 'node' | 'deno', folder: string, env: Record<string, string>): Launcher {
  const args =
    runtime === 'node' ? ['src/node.ts', '--local'] : ['run', ...denoPermissions, 'src/deno.ts', '--local'];
  return {
    prepare: async () => {},
    async launch() {
      const own = { FIELDBELL_DB: join(folder, 'fieldbell.db'), PORT: '0', NO_COLOR: '1' };
      const running = run(bin(runtime), args, { cwd: root, env: { ...env, ...own } });
      return { running, url: await urlOf(running) };
    },
  };
}

/** Cloudflare's own runtime: D1 and Durable Objects are kept in `folder`. */
function workerd(folder: string, settings: Record<string, string>): Launcher {
  return {
    async prepare() {
      const lines = Object.entries(settings).map(([name, value]) => `${name}='${value}'\n`);
      await writeFile(join(folder, 'settings.env'), lines.join(''));
      const { WORKER_BUNDLE: bundle } = process.env;
      if (bundle) await cp(bundle, join(folder, 'bundle'), { recursive: true });
    },
    async launch() {
      const env = { WRANGLER_SEND_METRICS: 'false', CI: 'true', NO_COLOR: '1' };
      const main = 'tools/worker/workerd-main.ts';
      const running = run(bin('node'), [main, folder], { cwd: root, env });
      return { running, url: await urlOf(running) };
    },
  };
}

async function urlOf(running: Running): Promise<string> {
  const [, url] = await running.line(/"event":"start".*"url":"([^"]+)"/);
  return url as string;
}
