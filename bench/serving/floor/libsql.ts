import { openLibsql } from '../../../src/platform/server/libsql.ts';
import type { FloorDatabase } from './app.ts';

/** Uses Fieldbell's client, so that the comparison is of what is above it. */
export async function openFile(path: string): Promise<FloorDatabase> {
  const { client } = await openLibsql(path);
  return {
    all: async (sql, args) => (await client.execute({ sql, args })).rows,
    write: (statements) => client.batch(statements.map(([sql, args]) => ({ sql, args }))),
  };
}
