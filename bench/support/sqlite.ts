import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../../src/platform/server/migrations.ts';
import { openSqlite } from '../../src/platform/server/open-sqlite.ts';

/** Creates a SQLite file with the tables, and inserts rows. */
export async function createFile(path: string, statements: readonly string[]): Promise<void> {
  const { client, close } = await openSqlite(path);
  try {
    await migrate(client);
  } finally {
    close();
  }
  insertRows(path, statements);
}

/** In one transaction. */
export function insertRows(path: string, statements: readonly string[]): void {
  const database = new DatabaseSync(path);
  database.exec(['begin', ...statements, 'commit'].join(';\n'));
  database.close();
}
