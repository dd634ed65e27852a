import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { snsDefaults } from '../../tools/fakes/sns/defaults.ts';
import { startSns } from '../../tools/fakes/sns/server.ts';
import { settingDefaults } from '../../tools/settings/defaults.ts';
import { type Running, run } from '../conformance/support/processes.ts';
import { denoPermissions, newFolder } from '../conformance/support/runtimes.ts';
import { settings } from '../conformance/support/settings.ts';
import type { Mutant } from '../support/planted-fault.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const clock = './tools/fakes/moved-clock.ts';
const commands = {
  node: ['--import', clock, 'src/node.ts', '--local'],
  deno: ['run', '--preload', clock, ...denoPermissions, 'src/deno.ts', '--local'],
};

/** The differences of one start from the usual: arguments of the runtime, and variables. */
interface Extras {
  args?: string[];
  variables?: Record<string, string>;
}

/** The key that signs heads of logs. */
export const signing = { AUDIT_SIGNING_KEY: settingDefaults.AUDIT_SIGNING_KEY };

/** A service to be killed: one file, one push relay, and a clock that each start sets. */
export async function newTarget(runtime: 'node' | 'deno') {
  const folder = await newFolder(runtime, 'fieldbell-crash-');
  const sns = await startSns({ ...snsDefaults, port: 0, maxSkewMs: Number.POSITIVE_INFINITY });
  const env = {
    ...settings(sns.url),
    FIELDBELL_DB: join(folder, 'fieldbell.db'),
    PORT: '0',
  };
  const target = {
    sns,
    database: env.FIELDBELL_DB,
    url: '',
    /** Starts at a moment of the service's own time; `url` is known when it is ready. */
    spawn(at: number, { args = [], variables = {} }: Extras = {}): Running {
      const command = join(root, 'node_modules/.bin', runtime);
      const all = { ...env, ...variables, CLOCK_AT: String(at) };
      return run(command, [...args, ...commands[runtime]], { cwd: root, env: all });
    },
    /** Waits until it serves. */
    async ready(running: Running): Promise<void> {
      const [, url] = await running.line(/"event":"start".*"url":"([^"]+)"/);
      target.url = url as string;
    },
    /** Copies the database as an operator would; resolves with the exit code. */
    backUp(target: string): Promise<number | null> {
      const args = ['src/backup.ts', target];
      return run(join(root, 'node_modules/.bin/node'), args, { cwd: root, env }).ended;
    },
    /** Starts the restore drill as an operator would, at a moment of the service's own time, perhaps with a planted fault. */
    startDrill(at: number, args: string[], fault?: Mutant): Running {
      const planted = fault ? ['--import', './test/crash/planted-fault.ts'] : [];
      return run(
        join(root, 'node_modules/.bin/node'),
        ['--import', clock, ...planted, 'tools/restore-drill/launch.ts', ...args],
        { cwd: root, env: { ...env, ...signing, CLOCK_AT: String(at), FAULT: JSON.stringify(fault) } },
      );
    },
    async drill(at: number, ...args: string[]) {
      const drill = target.startDrill(at, args);
      return { status: await drill.ended, text: drill.lines.join('\n') };
    },
    folder,
    async dispose() {
      await sns.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return target;
}

export type Target = Awaited<ReturnType<typeof newTarget>>;
