import { createClient } from '@libsql/client';
import { fileUrl } from './local-settings.ts';
import { StartError } from './local-start-error.ts';

const patienceMs = 3_000;

/**
 * Keeps a second process from serving the same file, for two would deliver every reminder twice. The lock is SQLite's
 * own, on an empty file beside it, so that the system lets go of it however the process ends.
 * @throws StartError
 */
export async function lockDatabase(path: string): Promise<{ release(): void }> {
  const client = createClient({ url: fileUrl(`${path}-lock`), concurrency: 1, timeout: patienceMs });
  try {
    const held = await client.transaction('write');
    return {
      release() {
        held.close();
        client.close();
      },
    };
  } catch (error) {
    client.close();
    if (!/SQLITE_BUSY|locked/.test(String(error))) throw error;
    throw new StartError(`Another process serves ${path}: stop it first. One file has one server.`);
  }
}
