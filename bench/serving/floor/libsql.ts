import { openLibsql } from '../../../src/platform/server/libsql.ts';
import type { FloorDatabase } from './app.ts';

/** The file through the client that Fieldbell uses, so that what is compared is what stands above it. */
export async function openFile(path: string): Promise<FloorDatabase> {
  const { client } = await openLibsql(path);
  return {
    all: async (sql, args) => (await client.execute({ sql, args })).rows,
    write: (statements) => client.batch(statements.map(([sql, args]) => ({ sql, args }))),
  };
}
