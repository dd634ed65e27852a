import Connection from 'libsql';

export interface Statement {
  sql: string;
  args?: readonly unknown[];
}

/** Of a statement that answers rows: each is an array of values, in the order of `columns`. */
interface Result {
  columns: string[];
  rows: unknown[][];
  rowsAffected: number;
}

interface Prepared {
  run(values: readonly unknown[]): Result;
  reads: boolean;
}

/** Values are bound, so there are few different texts. */
const maxPrepared = 500;

/**
 * One connection to a SQLite file, in the shape in which drizzle calls libSQL. Unlike libSQL's own client, it keeps
 * statements prepared and makes no object of each row, which is most of what a small statement costs.
 * Nothing waits: a promise is settled when it is given.
 */
export class LibsqlClient {
  readonly #connection: Connection.Database;
  readonly #prepared = new Map<string, Prepared>();

  /** A path, or `:memory:`. */
  constructor(path: string) {
    this.#connection = new Connection(path);
  }

  async execute(statement: Statement | string): Promise<Result> {
    const { sql, args = [] } = typeof statement === 'string' ? { sql: statement } : statement;
    return this.#prepare(sql).run(args);
  }

  /** In one transaction. One that writes takes the file's lock at once, not half-way. */
  async batch(statements: readonly Statement[]): Promise<Result[]> {
    const writes = statements.some(({ sql }) => !this.#prepare(sql).reads);
    this.#connection.exec(writes ? 'begin immediate' : 'begin');
    try {
      const results = statements.map(({ sql, args = [] }) => this.#prepare(sql).run(args));
      this.#connection.exec('commit');
      return results;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  /** Rows as objects by column name. */
  async query<Row = Record<string, unknown>>(sql: string, args: readonly unknown[] = []): Promise<Row[]> {
    const { columns, rows } = await this.execute({ sql, args });
    return rows.map((row) => Object.fromEntries(columns.map((name, n) => [name, row[n]])) as Row);
  }

  /** Several statements with semicolons between them. An error rolls back a transaction that it leaves open. */
  async executeMultiple(sql: string): Promise<void> {
    try {
      this.#connection.exec(sql);
    } finally {
      this.#rollBack();
    }
  }

  close(): void {
    // Prepared statements keep a closed connection alive until they are collected, and its locks with it.
    this.#rollBack();
    this.#prepared.clear();
    this.#connection.close();
  }

  #rollBack() {
    if (this.#connection.inTransaction) this.#connection.exec('rollback');
  }

  #prepare(sql: string): Prepared {
    const before = this.#prepared.get(sql);
    if (before) return before;
    if (this.#prepared.size === maxPrepared) this.#prepared.clear();
    const prepared = this.#prepareFirst(sql);
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  #prepareFirst(sql: string): Prepared {
    const statement = this.#connection.prepare<unknown[][]>(sql);
    const { reader } = statement;
    const columns = reader
      ? statement
          .raw()
          .columns()
          .map(({ name }) => name)
      : [];
    return {
      reads: /^\s*select\b/i.test(sql),
      run: (args) => {
        const values = args.map(bound);
        if (reader) return { columns, rows: statement.all(values) as unknown[][], rowsAffected: 0 };
        return { columns, rows: [], rowsAffected: statement.run(values).changes };
      },
    };
  }
}

/** SQLite has no booleans. */
const bound = (value: unknown) => (typeof value === 'boolean' ? Number(value) : value);
