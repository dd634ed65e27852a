import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { BoundStatement, Rows, Spend } from '../../db/database.ts';
import { compiledOnce } from '../../db/limit.ts';

interface Prepared {
  statement: StatementSync;
  columns: string[];
  reads: boolean;
}

/** Longest wait for another process, such as a backup, to release the file. */
const busyTimeoutMs = 500;

/** A batch that takes longer lets other work run before its next statement. */
const sliceMs = 20;

/** Changed pages that a long batch keeps in memory (KiB). The others are written on the way: its commit has few left. */
const longBatchKib = 8_192;

/** Errors of a file that cannot be written: later writes fail as well. */
const fileFault = /database is locked|database or disk is full|readonly database|disk I\/O error/i;

/** Values are bound, so there are few different texts. */
const maxPrepared = 500;

/**
 * One connection to a SQLite file, by the SQLite of the runtime. Statements stay prepared, and rows stay arrays: turning
 * them into objects is most of the cost of a small statement. Only a long batch makes others wait: writes come before it
 * or after it, and reads continue meanwhile, on a connection of their own.
 */
export class SqliteClient {
  readonly #path: string;
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();
  #reader: SqliteClient | undefined;
  #longBatch: Promise<unknown> | undefined;
  #takesWrites = true;

  /** A path, or `:memory:`. */
  constructor(path: string) {
    this.#path = path;
    this.#database = new DatabaseSync(path);
    this.#database.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  }

  async execute(statement: BoundStatement | string, spend?: Spend): Promise<Rows> {
    const query = typeof statement === 'string' ? { sql: statement, values: [] } : statement;
    const { reads } = this.#prepare(query.sql);
    if (this.#longBatch) return this.#meanwhile(reads, (client) => client.execute(query, spend));
    return reads ? this.#run(query, spend) : this.#writing(() => this.#run(query, spend));
  }

  /** Runs in one transaction. A batch that writes takes the file's lock at once, not half-way. */
  async batch(statements: readonly BoundStatement[], spend?: Spend): Promise<Rows[]> {
    const reads = statements.every(({ sql }) => this.#prepare(sql).reads);
    if (this.#longBatch) return this.#meanwhile(reads, (client) => client.batch(statements, spend));
    return this.#transaction(reads, statements, spend);
  }

  /** Whether the file can be written now: nobody else has locked it, and the last write did not fail because of it. */
  canWrite(): boolean {
    if (this.#longBatch) return true;
    try {
      this.#database.exec('begin immediate');
      this.#database.exec('rollback');
      return this.#takesWrites;
    } catch {
      return false;
    }
  }

  /** A read has another connection; a write comes after the batch under way. */
  async #meanwhile<T>(reads: boolean, run: (client: SqliteClient) => Promise<T>): Promise<T> {
    if (reads && this.#path !== ':memory:') {
      this.#reader ??= new SqliteClient(this.#path);
      return run(this.#reader);
    }
    await this.#longBatch;
    return run(this);
  }

  async #transaction(
    reads: boolean,
    statements: readonly BoundStatement[],
    spend: Spend | undefined,
  ): Promise<Rows[]> {
    const results: Rows[] = [];
    const run = <T>(work: () => T): T => (reads ? work() : this.#writing(work));
    let began = performance.now();
    let end: ((value?: unknown) => void) | undefined;
    let restore: (() => void) | undefined;
    try {
      run(() => this.#database.exec(reads ? 'begin' : 'begin immediate'));
      for (const statement of statements) {
        if (performance.now() - began > sliceMs) {
          if (!end) {
            this.#longBatch = new Promise((resolve) => {
              end = resolve;
            });
            if (!reads) restore = this.#writeOnTheWay();
          }
          await setImmediate();
          began = performance.now();
        }
        results.push(run(() => this.#run(statement, spend)));
      }
      run(() => this.#database.exec('commit'));
      if (restore) {
        await setImmediate();
        this.#database.exec('pragma wal_checkpoint(passive)');
      }
      return results;
    } catch (error) {
      this.#rollBack();
      throw error;
    } finally {
      restore?.();
      this.#longBatch = undefined;
      end?.();
    }
  }

  /** The commit has neither all changed pages to write nor the checkpoint to make. Returns what undoes this. */
  #writeOnTheWay(): () => void {
    const value = (name: string) => this.#run({ sql: `pragma ${name}`, values: [] }).rows[0]?.[0];
    const [cache, checkpoint] = [value('cache_size'), value('wal_autocheckpoint')];
    this.#database.exec(`pragma cache_size = -${longBatchKib}; pragma wal_autocheckpoint = 0`);
    return () =>
      this.#database.exec(`pragma cache_size = ${cache}; pragma wal_autocheckpoint = ${checkpoint}`);
  }

  /** After a write found the file locked, no write waits for the lock until one has succeeded. */
  #writing<T>(write: () => T): T {
    try {
      const result = write();
      if (!this.#takesWrites) this.#setTakesWrites(true);
      return result;
    } catch (error) {
      if (this.#takesWrites && fileFault.test(String(error))) this.#setTakesWrites(false);
      throw error;
    }
  }

  #setTakesWrites(takes: boolean) {
    this.#takesWrites = takes;
    this.#database.exec(`pragma busy_timeout = ${takes ? busyTimeoutMs : 0}`);
  }

  /** Rows as objects by column name. */
  async query<Row = Record<string, unknown>>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { columns, rows } = await this.execute({ sql, values });
    return rows.map((row) => Object.fromEntries(columns.map((name, n) => [name, row[n]])) as Row);
  }

  /** Several statements, separated by semicolons. An error rolls back a transaction that the statements leave open. */
  async executeMultiple(sql: string): Promise<void> {
    try {
      this.#database.exec(sql);
    } finally {
      this.#rollBack();
    }
  }

  /** Rolls back the open transaction, and releases the file's locks. */
  close(): void {
    this.#reader?.close();
    this.#database.close();
  }

  #rollBack() {
    if (this.#database.isTransaction) this.#database.exec('rollback');
  }

  #run({ sql, values: given }: BoundStatement, spend?: Spend): Rows {
    const { statement, columns } = this.#prepare(sql);
    const values = given.map(bound);
    const began = performance.now();
    const rows =
      takesNumbers || !sql.includes('?1') ? statement.all(...values) : statement.all(byNumber(values));
    spend?.(performance.now() - began);
    return { columns, rows: rows as unknown as unknown[][] };
  }

  #prepare(sql: string): Prepared {
    const before = this.#prepared.get(sql);
    if (before) return before;
    if (this.#prepared.size === maxPrepared) this.#prepared.clear();
    const statement = this.#database.prepare(compiledOnce(sql));
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    const prepared = { statement, columns, reads: isRead(sql) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** Pages of lists begin with `with`, and so may a statement that writes. */
const isRead = (sql: string) =>
  /^\s*select\b/i.test(sql) ||
  (/^\s*with\b/i.test(sql) && !/\b(?:insert|update|delete|replace)\b/i.test(sql));

/** Node 22 takes `?1` for a name. */
const byNumber = (values: readonly SQLInputValue[]) =>
  Object.fromEntries(values.map((value, n) => [`?${n + 1}`, value]));
const takesNumbers = (() => {
  const database = new DatabaseSync(':memory:');
  try {
    return database.prepare('select ?1').all(1).length === 1;
  } catch {
    return false;
  } finally {
    database.close();
  }
})();

/** SQLite has no booleans. */
const bound = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value) as SQLInputValue;
