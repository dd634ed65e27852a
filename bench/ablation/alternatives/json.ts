import { type SQL, sql } from 'drizzle-orm';
import type { Value } from '../../../src/db/statements.ts';

export const listed = (values: readonly (string | object)[]) => JSON.stringify(values);

export const isListed = (column: SQL | { getSQL(): SQL }, list: Value<string>) =>
  sql`${column} in (select value from json_each(${list}))`;

export const eachListed = (list: Value<string>) => sql`json_each(${list})`;

export const oneOf = (column: SQL | { getSQL(): SQL }, values: readonly string[]) =>
  isListed(column, listed(values));

export const each = (values: readonly (string | object)[]) => eachListed(listed(values));
