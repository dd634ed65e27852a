import { open, realpath, stat } from 'node:fs/promises';
import { SqliteClient } from './sqlite-client.ts';
import { StartError } from './start-error.ts';

const timeoutMs = 3_000;

/**
 * Keeps a second process from serving the same file, since two would deliver every reminder twice. The lock is SQLite's
 * own, on an empty file beside it, so that the system releases it however the process ends. A symbolic link leads to the
 * same lock.
 * @throws StartError
 */
export async function lockDatabase(path: string): Promise<{ release(): void }> {
  const client = new SqliteClient(`${await fileOf(path)}-lock`);
  try {
    await client.execute(`pragma busy_timeout = ${timeoutMs}`);
    await client.execute('begin immediate');
    return { release: () => client.close() };
  } catch (error) {
    client.close();
    if (!/database is locked/.test(String(error))) throw error;
    throw new StartError(`Another process serves ${path}: stop it first. One file has one server.`);
  }
}

/**
 * The file behind a path, created if missing.
 * @throws StartError if it has another name as well
 */
async function fileOf(path: string): Promise<string> {
  const handle = await open(path, 'a');
  await handle.close();
  const { nlink } = await stat(path);
  if (nlink > 1)
    throw new StartError(
      `The file of ${path} has ${nlink} names (hard links), and SQLite would keep a log beside each of them: expected one name.`,
    );
  return realpath(path);
}
