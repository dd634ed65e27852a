import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { compiledOnce } from '../../db/limit.ts';

export interface Statement {
  sql: string;
  params?: readonly unknown[];
}

/** Each row is an array of values, in the order of `columns`. */
interface Result {
  columns: string[];
  rows: unknown[][];
}

interface Prepared {
  statement: StatementSync;
  columns: string[];
  reads: boolean;
}

/** Values are bound, so there are few different texts. */
const maxPrepared = 500;

/**
 * One connection to a SQLite file, by the SQLite of the runtime. Statements stay prepared, and rows stay arrays: making
 * objects of them is most of the cost of a small statement. Nothing waits: its promises are settled when they are returned.
 */
export class SqliteClient {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  /** A path, or `:memory:`. */
  constructor(path: string) {
    this.#database = new DatabaseSync(path);
  }

  async execute(statement: Statement | string): Promise<Result> {
    return this.#run(typeof statement === 'string' ? { sql: statement } : statement);
  }

  /** In one transaction. One that writes takes the file's lock at once, not half-way. */
  async batch(statements: readonly Statement[]): Promise<Result[]> {
    const writes = statements.some(({ sql }) => !this.#prepare(sql).reads);
    this.#database.exec(writes ? 'begin immediate' : 'begin');
    try {
      const results = statements.map((statement) => this.#run(statement));
      this.#database.exec('commit');
      return results;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** Rows as objects by column name. */
  async query<Row = Record<string, unknown>>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    const { columns, rows } = await this.execute({ sql, params });
    return rows.map((row) => Object.fromEntries(columns.map((name, n) => [name, row[n]])) as Row);
  }

  /** Several statements with semicolons between them. An error rolls back a transaction that it leaves open. */
  async executeMultiple(sql: string): Promise<void> {
    try {
      this.#database.exec(sql);
    } finally {
      this.#rollBack();
    }
  }

  /** Rolls back what is open, and releases the file's locks. */
  close(): void {
    this.#database.close();
  }

  #rollBack() {
    if (this.#database.isTransaction) this.#database.exec('rollback');
  }

  #run({ sql, params = [] }: Statement): Result {
    const { statement, columns } = this.#prepare(sql);
    return { columns, rows: statement.all(...params.map(bound)) as unknown as unknown[][] };
  }

  #prepare(sql: string): Prepared {
    const before = this.#prepared.get(sql);
    if (before) return before;
    if (this.#prepared.size === maxPrepared) this.#prepared.clear();
    const statement = this.#database.prepare(compiledOnce(sql));
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    const prepared = { statement, columns, reads: /^\s*select\b/i.test(sql) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** SQLite has no booleans. */
const bound = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value) as SQLInputValue;
