import { rmSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { denoPermissions, type Runtime } from '../../test/conformance/support/runtimes.ts';
import { settings } from '../../test/conformance/support/settings.ts';
import { loadData } from './data.ts';
import { root, type Server, startServer } from './server-process.ts';

/** Fieldbell and the floor, each over a copy of the same data, on one runtime. */
export interface Pair {
  fieldbell: string;
  floor: string;
  dispose(): Promise<void>;
}

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
    // Not before both have settled, or the other one would be forgotten when one fails.
    await Promise.allSettled(started);
    const [fieldbell, floor] = (await Promise.all(started)) as [string, string];
    return { fieldbell, floor, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function start(runtime: Runtime, main: string, folder: string, options: string[]): Promise<Server> {
  const local = { ...env, FIELDBELL_DB: join(folder, 'fieldbell.db'), PORT: '0' };
  if (runtime === 'deno') return startServer(bin('deno'), ['run', ...denoPermissions, main], local);
  if (runtime === 'node') return startServer(bin('node'), [...options, main], local);
  const lines = Object.entries(env).map(([name, value]) => `${name}='${value}'\n`);
  await writeFile(join(folder, 'settings.env'), lines.join(''));
  return startServer(bin('node'), [main, folder], { WRANGLER_SEND_METRICS: 'false', CI: 'true' });
}
