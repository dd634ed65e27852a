import type { Database } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { SqliteClient } from './sqlite-client.ts';

/**
 * Pages in memory (KiB; SQLite's default is 2 MiB), and the length (pages) at which the write-ahead log is checkpointed:
 * a page that many deliveries change is then written back once.
 */
const cacheKib = 65_536;
const checkpointPages = 8_000;

export interface OpenDatabase {
  db: Database;
  /** For work outside the application: migrations and backups. */
  client: SqliteClient;
  /** Whether the file can be written now. */
  canWrite(): boolean;
  close(): void;
}

/**
 * Opens a SQLite file: a path, or `:memory:`. Its settings apply to the one connection that writes. A write is on the
 * disk when it is answered (SQLite, "synchronous": FULL is the default), so that it survives a power cut too.
 */
export async function openSqlite(path: string): Promise<OpenDatabase> {
  const client = new SqliteClient(path);
  try {
    await client.execute('pragma journal_mode = wal');
    await client.execute('pragma foreign_keys = on');
    await client.execute(`pragma cache_size = -${cacheKib}`);
    await client.execute(`pragma wal_autocheckpoint = ${checkpointPages}`);
  } catch (error) {
    client.close();
    throw error;
  }
  const db = openDatabase({
    run: async (statement, spend) => (await client.execute(statement, spend)).rows,
    batch: (statements, spend) => client.batch(statements, spend),
  });
  return {
    db,
    client,
    canWrite: () => client.canWrite(),
    close: () => client.close(),
  };
}
