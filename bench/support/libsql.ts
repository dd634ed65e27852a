import { openLibsql } from '../../src/platform/server/libsql.ts';
import { migrate } from '../../src/platform/server/migrations.ts';

/** A SQLite file with the tables, and the rows that the statements insert in one transaction. */
export async function createFile(path: string, statements: readonly string[] = []): Promise<void> {
  const { client, close } = await openLibsql(path);
  try {
    await migrate(client);
    if (statements.length > 0) await client.batch(statements.map((sql) => ({ sql })));
  } finally {
    close();
  }
}
