import { getTableColumns, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './database.ts';
import { each } from './json.ts';

/** Of one statement, below what D1 takes in one value (2 MB). */
const maxRows = 1000;
const maxBytes = 1_800_000;

/** Statements that insert rows, as many with each as D1 takes. What a row omits is null, also where there is a default. */
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
  return cut(stored).map((part) => db.insert(table).select(sql`select ${values} from ${each(part)}`));
}

const encoder = new TextEncoder();

/** The rows in parts, each small enough that D1 takes its JSON as one value. */
export function cut<R extends object>(rows: R[]): R[][] {
  const parts: R[][] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = encoder.encode(JSON.stringify(row)).length + 1;
    const part = parts.at(-1);
    if (part && part.length < maxRows && bytes + size <= maxBytes) {
      part.push(row);
      bytes += size;
    } else {
      parts.push([row]);
      bytes = size;
    }
  }
  return parts;
}
