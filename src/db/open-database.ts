import type { BatchItem } from 'drizzle-orm/batch';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import type { Database, Driver, Spend } from './database.ts';
import { bind } from './query.ts';

/** A database over a runtime's driver. A batch takes statements of drizzle and of `query`. */
export function openDatabase(driver: Driver, spend?: Spend): Database {
  const database = drizzle(async (sql, values, method) => {
    const rows = await driver.run({ sql, values }, spend);
    return { rows: method === 'get' ? (rows[0] as unknown[]) : rows };
  });
  async function batch(items: readonly BatchItem<'sqlite'>[]) {
    const statements = items.map(bind);
    const results = await driver.batch(statements, spend);
    return results.map((rows, n) => statements[n]?.read(rows));
  }
  const measured = (noted: Spend) => openDatabase(driver, noted);
  return Object.assign(database, { batch, measured }) as Database;
}
