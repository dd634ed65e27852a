import type { BatchItem } from 'drizzle-orm/batch';
import type { Database } from './database.ts';

export interface CoalesceOptions {
  /** Statements in a joined batch: those of 64 deliveries, so that half of all that may be under way push meanwhile. */
  maxStatements?: number;
  /** Bytes of SQL and parameters in a joined batch, counted as characters. */
  maxBytes?: number;
  /** Longest time that the first caller of a batch waits for others. */
  maxWaitMs?: number;
  /** Whether batches that only read are joined too: not where the database is in the process and a read costs no trip. */
  joinReads?: boolean;
}

/** The batch of one caller. */
interface Call {
  statements: readonly Prepared[];
  bytes: number;
  resolve: (results: unknown[]) => void;
  reject: (error: unknown) => void;
}

/** A statement that drizzle has prepared, in the shape in which its `batch` takes one. */
interface Prepared {
  _prepare: () => object;
}

/**
 * A database whose `batch` is a group commit: batches that several callers ask for at the same time become one round
 * trip and one transaction, and each caller gets its own results. A joined batch that fails is tried again caller by
 * caller, so that one caller's fault is not another's; ask only for what may happen twice.
 */
export function coalesce(database: Database, options: CoalesceOptions = {}): Database {
  const { maxStatements = 128, maxBytes = 500_000, maxWaitMs = 20, joinReads = true } = options;
  let waiting: Call[] = [];
  let statements = 0;
  let bytes = 0;
  let timer: ReturnType<typeof setTimeout>;

  function flush() {
    clearTimeout(timer);
    const calls = waiting;
    [waiting, statements, bytes] = [[], 0, 0];
    if (calls.length > 0) void run(calls);
  }

  async function run(calls: Call[]) {
    try {
      const results = await batchOf(calls.flatMap((call) => call.statements));
      let start = 0;
      for (const { statements, resolve } of calls) {
        resolve(results.slice(start, start + statements.length));
        start += statements.length;
      }
    } catch (error) {
      if (calls.length === 1) calls[0]?.reject(error);
      else for (const call of calls) await run([call]);
    }
  }

  const batchOf = (items: readonly Prepared[]) => database.batch(items as never) as Promise<unknown[]>;

  function batch(items: readonly BatchItem<'sqlite'>[]): Promise<unknown[]> {
    const prepared = items.map(prepare);
    const own = prepared.map(({ statement }) => statement);
    if (!joinReads && prepared.every(({ reads }) => reads)) return batchOf(own);
    return new Promise((resolve, reject) => {
      const call = {
        statements: own,
        bytes: prepared.reduce((sum, { bytes }) => sum + bytes, 0),
        resolve,
        reject,
      };
      if (statements + items.length > maxStatements || bytes + call.bytes > maxBytes) flush();
      waiting.push(call);
      statements += items.length;
      bytes += call.bytes;
      if (statements >= maxStatements || bytes >= maxBytes) flush();
      else if (waiting.length === 1) timer = setTimeout(flush, maxWaitMs);
    });
  }

  return Object.assign(Object.create(database) as Database, { batch });
}

/** Prepares a statement once, to look at its text and for the batch. */
function prepare(item: BatchItem<'sqlite'>): { statement: Prepared; bytes: number; reads: boolean } {
  const prepared = (item as unknown as { _prepare: () => PreparedQuery })._prepare();
  const { sql, params } = prepared.getQuery();
  const bytes = params.reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 8),
    sql.length,
  );
  return { statement: { _prepare: () => prepared }, bytes, reads: /^\s*select\b/i.test(sql) };
}

interface PreparedQuery {
  getQuery: () => { sql: string; params: unknown[] };
}
