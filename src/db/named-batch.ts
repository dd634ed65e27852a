import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from './database.ts';

type Statement = BatchItem<'sqlite'>;

/** Runs the given statements as one batch, in their order, and returns each result under its statement's name. */
export async function namedBatch<S extends Record<string, Statement | undefined>>(
  db: Database,
  statements: S,
): Promise<{ [K in keyof S]?: NonNullable<S[K]>['_']['result'] }> {
  const given = Object.entries(statements).filter((entry): entry is [string, Statement] => !!entry[1]);
  const [first, ...rest] = given.map(([, statement]) => statement);
  if (!first) return {};
  const results = await db.batch([first, ...rest]);
  return Object.fromEntries(given.map(([name], n) => [name, results[n]])) as never;
}
