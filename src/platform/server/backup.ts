import { open, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';
import { rootMessage } from '../../errors.ts';
import { databasePath } from './settings.ts';
import { SqliteClient } from './sqlite-client.ts';
import { StartError } from './start-error.ts';

const busyTimeoutMs = 30_000;

/**
 * Copies the database into `target` while the service runs: the committed state of this moment, as one file without a
 * log. The copy gets its name only once it is complete, checked, and on the disk. @throws StartError if there is nothing
 * to copy, or `target` exists
 */
export async function backUp(database: string, target: string): Promise<void> {
  if (!(await exists(database))) throw new StartError(`There is no database at ${database}.`);
  if (await exists(target)) throw new StartError(`${target} exists: a backup replaces no file.`);
  const unfinished = `${target}.unfinished`;
  await rm(unfinished, { force: true });
  const source = new SqliteClient(database);
  try {
    await source.execute(`pragma busy_timeout = ${busyTimeoutMs}`);
    await source.execute({ sql: 'vacuum into ?', values: [unfinished] });
  } finally {
    source.close();
  }
  await check(unfinished);
  const file = await open(unfinished, 'r+');
  await file.sync();
  await file.close();
  await rename(unfinished, target);
}

async function check(path: string) {
  const copy = new SqliteClient(path);
  try {
    const { rows } = await copy.execute('pragma integrity_check');
    if (rows[0]?.[0] !== 'ok') throw new StartError(`The copy ${path} is damaged.`);
  } finally {
    copy.close();
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** `npm run backup -- <file>`: the database that `FIELDBELL_DB` or `FIELDBELL_STATE` names. */
export async function runBackup(): Promise<void> {
  const [target] = process.argv.slice(2);
  const database = databasePath({ FIELDBELL_STATE: '.wrangler/state', ...process.env });
  try {
    if (!target || !database) throw new StartError('Expected the name of a file: npm run backup -- <file>');
    await backUp(database, resolve(target));
    console.log(JSON.stringify({ event: 'backup', database, file: resolve(target) }));
  } catch (error) {
    console.error(error instanceof StartError ? error.message : rootMessage(error));
    process.exit(1);
  }
}
