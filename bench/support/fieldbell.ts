import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { settingDefaults } from '../../tools/settings/defaults.ts';
import { bin, type Child, type Start, start } from './processes.ts';

export const runtimes = ['node', 'deno', 'workerd'] as const;
export type Runtime = (typeof runtimes)[number];

/** The service's environment, without rate limits: a bench sends more than any client. */
export const settings = (snsUrl: string) => ({
  ...settingDefaults,
  SNS_ENDPOINT: `${snsUrl}/`,
  RATE_LIMIT_USER: '0',
  RATE_LIMIT_ADDRESS: '0',
  RATE_LIMIT_CODE: '0',
  RATE_LIMIT_ENROL: '0',
});

/** An address without a listener, for runs that push nothing. */
export const noSns = 'http://127.0.0.1:9';

export const { auth } = readConfig(settings(noSns));

export const denoPermissions = ['net', 'env', 'read', 'write'].map((name) => `--allow-${name}`);

/** The SQLite file of Node and Deno. */
export const databaseFile = (folder: string) => join(folder, 'fieldbell.db');

/** The line that a server writes when it listens. */
const startLine = /"event":"start".*"url":"([^"]+)"/;

export interface Service extends Child {
  url: string;
}

/** Starts a server that says where it listens as Fieldbell does, with its state in `folder`. */
export async function startServer(
  command: string,
  args: string[],
  { folder, ...options }: Omit<Start, 'log'> & { folder: string },
): Promise<Service> {
  const log = join(folder, 'service.log');
  // A file may hold the start of an earlier one.
  await writeFile(log, '');
  const child = start(command, args, { log, ...options });
  const [, url = ''] = await child.line(startLine);
  return { ...child, url };
}

/** Starts Fieldbell over the state in `folder`. `preload`: modules that Node or Deno load before it. */
export async function startFieldbell(
  runtime: Runtime,
  options: Omit<Start, 'log'> & { folder: string; snsUrl?: string; preload?: string[] },
): Promise<Service> {
  const { snsUrl = noSns, preload = [], env, ...rest } = options;
  const { folder } = rest;
  if (runtime === 'workerd') {
    const lines = Object.entries(settings(snsUrl)).map(([name, value]) => `${name}='${value}'\n`);
    await writeFile(join(folder, 'settings.env'), lines.join(''));
    const quiet = { WRANGLER_SEND_METRICS: 'false', CI: 'true' };
    return startServer(bin('node'), ['tools/worker/workerd-main.ts', folder], {
      ...rest,
      env: { ...quiet, ...env },
    });
  }
  const local = { ...settings(snsUrl), FIELDBELL_DB: databaseFile(folder), PORT: '0', ...env };
  const args =
    runtime === 'node'
      ? [...preload.flatMap((module) => ['--import', module]), 'src/node.ts', '--local']
      : [
          'run',
          ...preload.flatMap((module) => ['--preload', module]),
          ...denoPermissions,
          'src/deno.ts',
          '--local',
        ];
  return startServer(bin(runtime), args, { ...rest, env: local });
}
