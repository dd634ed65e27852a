import { openSqlite } from '../../../src/platform/server/open-sqlite.ts';
import type { FloorDatabase } from './app.ts';

/** Uses Fieldbell's client, so that the comparison covers everything above it. */
export async function openFile(path: string): Promise<FloorDatabase> {
  const { client } = await openSqlite(path);
  return {
    all: async (sql, values) => (await client.execute({ sql, values })).rows,
    write: (statements) => client.batch(statements.map(([sql, values]) => ({ sql, values }))),
  };
}
