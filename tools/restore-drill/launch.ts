import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { databaseOf } from './command.ts';
import { removeLeftovers } from './folder.ts';

/*
 * `npm run restore-drill`: the drill in a process of its own, which may be deep in SQLite when somebody interrupts it. This one
 * then ends it, and removes its copies of the data.
 */

const args = process.argv.slice(2);
const main = join(import.meta.dirname, 'main.ts');
const drill = spawn(process.execPath, [...process.execArgv, main, ...args], { stdio: 'inherit' });

let interrupted: NodeJS.Signals | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    interrupted ??= signal;
    drill.kill('SIGKILL');
  });

const [code] = (await once(drill, 'exit')) as [number | null];
const database = databaseOf(process.env);
if (code === null && database) {
  await removeLeftovers(database);
  const { keep } = parseArgs({ args, options: { keep: { type: 'string' } }, strict: false }).values;
  if (typeof keep === 'string') await rm(`${keep}.unfinished`, { force: true });
  console.error('The drill was interrupted. Its copies are removed.');
}
process.exitCode = interrupted ? 128 + constants.signals[interrupted] : (code ?? 2);
