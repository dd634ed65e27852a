import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from './database.ts';

type Statement = BatchItem<'sqlite'>;

/** Runs those of the statements that are given as one batch, in their order, and gives each its results by its name. */
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
