import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../src/db/database.ts';
import type { Statement } from './reminder-rows.ts';

/* Statements about the tables of reminders over the service's own database, on any runtime. */

const asSql = ({ sql: text, values }: Statement): SQL =>
  sql.join(
    text.split(/\?(\d)/).map((part, n) => (n % 2 === 1 ? sql`${values[Number(part) - 1]}` : sql.raw(part))),
  );

export async function carryOutOn(db: Database, statements: Iterable<Statement>): Promise<void> {
  for (const one of statements) await db.run(asSql(one));
}

export const readOn = <T>(db: Database, statement: Statement): Promise<T[]> => db.all<T>(asSql(statement));
