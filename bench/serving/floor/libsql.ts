import { pathToFileURL } from 'node:url';
import { createClient } from '@libsql/client';
import type { FloorDatabase } from './app.ts';

/** The file in the same mode as Fieldbell's: one connection, a write-ahead log, every write on the disk. */
export async function openFile(path: string): Promise<FloorDatabase> {
  const client = createClient({ url: pathToFileURL(path).href, concurrency: 1 });
  await client.execute('pragma journal_mode = wal');
  return {
    all: async (sql, args) => (await client.execute({ sql, args })).rows,
    write: (statements) =>
      client.batch(
        statements.map(([sql, args]) => ({ sql, args })),
        'write',
      ),
  };
}
