import { type SQL, sql } from 'drizzle-orm';

/** A list as one parameter (D1 binds at most 100): `inArray` without the limit. */
export function oneOf(column: SQL | { getSQL(): SQL }, values: readonly string[]): SQL {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return sql`${column} = ${only}`;
  return sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;
}

/**
 * A list as a table of one column, `value`, whatever its length: strings as they are, objects as JSON text. A
 * single one is a constant, which D1 does not count as a row read.
 */
export function each(values: readonly (string | object)[]): SQL {
  const [only] = values;
  if (values.length !== 1 || only === undefined) return sql`json_each(${JSON.stringify(values)})`;
  return sql`(select ${typeof only === 'string' ? only : JSON.stringify(only)} as value)`;
}
