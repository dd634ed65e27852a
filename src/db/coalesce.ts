import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from './database.ts';
import { type JoinOptions, joinBatches } from './join-batches.ts';

export interface CoalesceOptions extends JoinOptions {
  /**
   * Whether batches that only read are joined too. Set it to false where the database is in the process: reads cost no trip
   * there.
   */
  joinReads?: boolean;
}

/** A statement that drizzle has prepared, in the shape in which its `batch` takes one. */
interface Prepared {
  _prepare: () => object;
}

/**
 * A database whose `batch` is a group commit: batches that several callers ask for at the same time become one round
 * trip and one transaction, and each caller gets its own results; see {@link joinBatches}.
 */
export function coalesce(
  database: Database,
  { joinReads = true, ...options }: CoalesceOptions = {},
): Database {
  const batchOf = (items: readonly Prepared[]) => database.batch(items as never) as Promise<unknown[]>;
  const join = joinBatches(batchOf, options);

  function batch(items: readonly BatchItem<'sqlite'>[]): Promise<unknown[]> {
    const prepared = items.map(prepare);
    const statements = prepared.map(({ statement }) => statement);
    if (!joinReads && prepared.every(({ sql }) => isRead(sql))) return batchOf(statements);
    return join(
      statements,
      prepared.reduce((sum, { sql, values }) => sum + bytesOf(sql, values), 0),
    );
  }

  return Object.assign(Object.create(database) as Database, { batch });
}

/** Prepares a statement once, to look at its text and for the batch. */
export function prepare(item: BatchItem<'sqlite'>): { statement: Prepared; sql: string; values: unknown[] } {
  const prepared = (item as unknown as { _prepare: () => PreparedQuery })._prepare();
  const { sql, params } = prepared.getQuery();
  return { statement: { _prepare: () => prepared }, sql, values: params };
}

interface PreparedQuery {
  getQuery: () => { sql: string; params: unknown[] };
}

/** Counted as characters. */
export const bytesOf = (sql: string, params: readonly unknown[]): number =>
  params.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), sql.length);

export const isRead = (sql: string): boolean => /^\s*select\b/i.test(sql);
