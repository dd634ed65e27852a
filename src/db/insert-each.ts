import { getTableColumns, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './database.ts';
import { each } from './json.ts';

/** Rows of one statement: at a kilobyte each they stay within what a value of D1 holds. */
const maxRows = 1000;

/** Statements that insert rows, a thousand with each. What a row leaves out is null, also where there is a default. */
export function insertEach<T extends SQLiteTable>(db: Database, table: T, rows: T['$inferInsert'][]) {
  const columns = Object.entries(getTableColumns(table));
  const stored = rows.map((row) =>
    columns.map(([field, column]) => {
      const value = (row as Record<string, unknown>)[field] ?? null;
      return value === null ? null : column.mapToDriverValue(value);
    }),
  );
  const values = sql.join(
    columns.map((_, n) => sql.raw(`value ->> ${n}`)),
    sql`, `,
  );
  const parts = Array.from({ length: Math.ceil(stored.length / maxRows) }, (_, n) =>
    stored.slice(n * maxRows, (n + 1) * maxRows),
  );
  return parts.map((part) => db.insert(table).select(sql`select ${values} from ${each(part)}`));
}
