import { type SQL, sql } from 'drizzle-orm';
import type { Value } from './statements.ts';

/** A list as one parameter (D1 binds at most 100): `inArray` without the limit. */
export const oneOf = (column: SQL | { getSQL(): SQL }, values: readonly string[]): SQL =>
  isListed(column, listed(values), values.length === 1);

/** The parameter of a list: a single one as it is, more as a JSON array. Objects are JSON text in both. */
export function listed(values: readonly (string | object)[]): string {
  const [only] = values;
  if (values.length !== 1 || only === undefined) return JSON.stringify(values);
  return typeof only === 'string' ? only : JSON.stringify(only);
}

/** The condition of `oneOf` in a prepared statement; `single`: there is one value. */
export const isListed = (column: SQL | { getSQL(): SQL }, list: Value<string>, single: boolean): SQL =>
  single ? sql`${column} = ${list}` : sql`${column} in (select value from json_each(${list}))`;

/**
 * A list as a table of one column, `value`, whatever its length. A single one is a constant, which D1 does not count as a
 * row read. The LIMIT keeps SQLite from writing the JSON of a row again for each column that is read from it.
 */
export const eachListed = (list: Value<string>, single: boolean): SQL =>
  single ? sql`(select ${list} as value)` : sql`(select value from json_each(${list}) limit -1)`;

/** The same for these values. */
export const each = (values: readonly (string | object)[]): SQL =>
  eachListed(listed(values), values.length === 1);
