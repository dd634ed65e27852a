import { type SQL, sql } from 'drizzle-orm';
import type { Database } from './database.ts';
import { type Parameters, query } from './query.ts';

type List = readonly (string | object)[];

/** The parameter of a list: a single value as it is, several as a JSON array. Objects are JSON text in both cases. */
function listed(values: List): string {
  const [only] = values;
  if (values.length !== 1 || only === undefined) return JSON.stringify(values);
  return typeof only === 'string' ? only : JSON.stringify(only);
}

/** A list as one parameter (D1 binds at most 100): `inArray` without the limit. */
export const oneOf = (column: SQL | { getSQL(): SQL }, values: readonly string[]): SQL =>
  values.length === 1
    ? sql`${column} = ${listed(values)}`
    : sql`${column} in (select value from json_each(${listed(values)}))`;

/**
 * A list of any length as a table of one column, `value`. A single value is a constant, which D1 does not count as a row
 * read. The LIMIT keeps SQLite from writing the JSON of a row again for each column that is read from it.
 */
export const each = (values: List): SQL =>
  values.length === 1
    ? sql`(select ${listed(values)} as value)`
    : sql`(select value from json_each(${listed(values)}) limit -1)`;

/** A {@link query} about a list of any length, `rows`, which its text reads as such a table. */
export function queryEach<Row = never>(statementOf: (rows: SQL) => SQL) {
  const one = statementOf(sql`(select :rows as value)`);
  const many = statementOf(sql`(select value from json_each(:rows) limit -1)`);
  return (db: Database, rows: List, parameters: Parameters = {}) =>
    query<Row>(db, rows.length === 1 ? one : many, { ...parameters, rows: listed(rows) });
}
