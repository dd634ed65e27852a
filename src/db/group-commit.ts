import type { BatchItem } from 'drizzle-orm/batch';
import type { BoundStatement, Database } from './database.ts';
import { type JoinOptions, joinBatches } from './join-batches.ts';
import { bind } from './query.ts';

/**
 * A database that joins concurrent batches of several callers into one round trip and one transaction, and gives each
 * caller its own results; see {@link joinBatches}. It is in the process, so that reads cost no trip and are not joined.
 */
export function groupCommit(database: Database, options?: JoinOptions): Database {
  const run = (items: readonly unknown[]) => database.batch(items as never) as Promise<unknown[]>;
  const join = joinBatches(run, options);

  function batch(items: readonly BatchItem<'sqlite'>[]): Promise<unknown[]> {
    const statements = items.map(bind);
    return statements.every(isRead) ? run(statements) : join(statements, bytesOf(statements));
  }

  return Object.assign(Object.create(database) as Database, { batch });
}

/** Bytes of text and values, counted as characters. */
export const bytesOf = (statements: readonly BoundStatement[]): number =>
  statements.reduce(
    (sum, { sql, values }) =>
      values.reduce<number>(
        (size, value) => size + (typeof value === 'string' ? value.length : 8),
        sum + sql.length,
      ),
    0,
  );

export const isRead = ({ sql }: Pick<BoundStatement, 'sql'>): boolean => /^\s*select\b/i.test(sql);
