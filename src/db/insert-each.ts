import { getTableColumns, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Database } from './database.ts';
import { each } from './json.ts';

/** Characters of one statement, below the 2 MB that D1 takes in one value. */
const maxRows = 1000;
const maxBytes = 1_800_000;

/** Statements that insert rows, each with as many as D1 takes. Columns that a row omits are null, even with a default. */
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

/** The rows in parts, each small enough for D1 to take its JSON as one value. */
export function cut<R extends object>(rows: readonly R[]): R[][] {
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
