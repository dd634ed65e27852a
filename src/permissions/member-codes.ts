import { type SQL, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';

type Value = string | SQL | AnySQLiteColumn;

/** In SQL: the code of a user in a study, even after they left it. Null without a code, which costs no row read. */
export const codeOf = (investigation: Value, user: Value): SQL<string | null> =>
  sql<
    string | null
  >`(select c.code from member_code c where c.user_id = ${user} and c.investigation_id = ${investigation})`;

/** In SQL: the user with this code in a study, even after they left it; null if there is none. */
export const userWithCode = (investigation: Value, code: Value): SQL<string | null> =>
  sql<
    string | null
  >`(select c.user_id from member_code c where c.investigation_id = ${investigation} and c.code = ${code})`;
