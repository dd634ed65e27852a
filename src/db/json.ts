import { type SQL, sql } from 'drizzle-orm';
import type { Value } from './statements.ts';

/** A list as one parameter (D1 binds at most 100): `inArray` without the limit. */
export const oneOf = (column: SQL | { getSQL(): SQL }, values: readonly string[]): SQL =>
  isListed(column, listed(values), values.length === 1);

/** The parameter of a list. */
export const listed = (values: readonly string[]): string =>
  values.length === 1 && values[0] !== undefined ? values[0] : JSON.stringify(values);

/** The condition of `oneOf` in a statement that is written once; `single` tells whether there is one value. */
export const isListed = (column: SQL | { getSQL(): SQL }, list: Value<string>, single: boolean): SQL =>
  single ? sql`${column} = ${list}` : sql`${column} in (select value from json_each(${list}))`;

/**
 * A list as a table of one column, `value`, whatever its length: strings as they are, objects as JSON text. A
 * single one is a constant, which D1 does not count as a row read.
 */
export function each(values: readonly (string | object)[]): SQL {
  const [only] = values;
  if (values.length !== 1 || only === undefined) return sql`json_each(${JSON.stringify(values)})`;
  return sql`(select ${typeof only === 'string' ? only : JSON.stringify(only)} as value)`;
}
