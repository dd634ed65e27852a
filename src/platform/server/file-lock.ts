import { SqliteClient } from './sqlite-client.ts';
import { StartError } from './start-error.ts';

const timeoutMs = 3_000;

/**
 * Keeps a second process from serving the same file, for two would deliver every reminder twice. The lock is SQLite's
 * own, on an empty file beside it, so that the system releases it however the process ends.
 * @throws StartError
 */
export async function lockDatabase(path: string): Promise<{ release(): void }> {
  const client = new SqliteClient(`${path}-lock`);
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
