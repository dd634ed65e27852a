import { type SQL, sql } from 'drizzle-orm';

/** A list as one parameter (D1 binds at most 100): `inArray` without the limit. */
export const oneOf = (column: SQL | { getSQL(): SQL }, values: readonly string[]): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(values)}))`;
