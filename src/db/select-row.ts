import { Column, getTableColumns, is, SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';

/**
 * The `select ...` of an `insert ... select`, whose columns are positional: every column of the table by its name, in the
 * order of the schema.
 */
export function selectRow<T extends SQLiteTable>(
  table: T,
  row: { [K in keyof T['$inferSelect']]: T['$inferSelect'][K] | SQL | Column },
): SQL {
  const values: Record<string, unknown> = row;
  const ordered = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = values[name];
    return is(value, SQL) || is(value, Column) ? sql`${value}` : sql`${sql.param(value, column)}`;
  });
  return sql`select ${sql.join(ordered, sql`, `)}`;
}
