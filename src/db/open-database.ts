import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import type { Database, Driver } from './database.ts';
import { bind } from './query.ts';

/** A database over a runtime's driver. A batch takes statements of drizzle and of `query`. */
export function openDatabase(driver: Driver): Database {
  const database = drizzle(async (sql, values, method) => {
    const rows = await driver.run({ sql, values });
    return { rows: method === 'get' ? (rows[0] as unknown[]) : rows };
  });
  async function batch(items: readonly BatchItem<'sqlite'>[]) {
    const statements = items.map(bind);
    const results = await driver.batch(statements);
    return results.map((rows, n) => statements[n]?.read(rows));
  }
  return Object.assign(database, { batch }) as Database;
}
