import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { migrate } from '../../src/platform/server/migrations.ts';
import { SqliteClient } from '../../src/platform/server/sqlite-client.ts';
import { projectFolder, type Settings } from '../settings/settings.ts';
import { StartError } from '../settings/start-error.ts';
import { startScript } from '../worker/wrangler.ts';

/** Makes the database's tables, or applies new migrations. @throws StartError with the reason, in one line */
export async function migrateFile(file: string, stateFolder: string): Promise<void> {
  let client: SqliteClient | undefined;
  try {
    await mkdir(dirname(file), { recursive: true });
    client = new SqliteClient(file);
    await client.execute('pragma journal_mode = wal');
    await migrate(client, undefined, stateFolder);
  } catch (error) {
    throw new StartError((error as Error).message);
  } finally {
    client?.close();
  }
}

/**
 * Makes a database with the demo study, in a process of its own. The file is there once it is whole. If that fails, which
 * the terminal then says, it has the tables alone: the service is useful without the study's weeks.
 */
export async function makeDemo(
  file: string,
  { stateFolder, settings }: { stateFolder: string; settings: Settings },
  signal: AbortSignal,
): Promise<void> {
  const made = join(stateFolder, 'demo.db');
  for (const suffix of ['', '-wal', '-shm']) await rm(`${made}${suffix}`, { force: true });
  const script = join(projectFolder, 'tools/demo/bundled.mjs');
  const { child, exited, end } = startScript(script, [made], stateFolder, settings);
  const stop = () => void end();
  signal.addEventListener('abort', stop, { once: true });
  const [{ code }, errors] = await Promise.all([exited, child.stderr ? text(child.stderr) : '']);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (code === 0) {
    await mkdir(dirname(file), { recursive: true });
    return rename(made, file);
  }
  console.error(`The weeks of the demo study were not made: ${errors.trim().slice(0, 500)}`);
  await migrateFile(file, stateFolder);
}
