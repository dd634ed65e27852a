import Connection from 'libsql';
import type { Statement } from '../../../src/platform/server/sqlite-client.ts';

export type * from '../../../src/platform/server/sqlite-client.ts';

type Run = (params: readonly unknown[]) => { columns: string[]; rows: unknown[][] };

/** The same over libSQL's own build of SQLite, a native package, with prepared statements and rows as arrays too. */
export class SqliteClient {
  readonly #connection: Connection.Database;
  readonly #prepared = new Map<string, Run>();

  constructor(path: string) {
    this.#connection = new Connection(path);
  }

  async execute(statement: Statement | string) {
    const { sql, params = [] } = typeof statement === 'string' ? { sql: statement } : statement;
    return this.#prepare(sql)(params);
  }

  async batch(statements: readonly Statement[]) {
    const writes = statements.some(({ sql }) => !/^\s*select\b/i.test(sql));
    this.#connection.exec(writes ? 'begin immediate' : 'begin');
    try {
      const results = statements.map(({ sql, params = [] }) => this.#prepare(sql)(params));
      this.#connection.exec('commit');
      return results;
    } catch (error) {
      this.#rollBack();
      throw error;
    }
  }

  async query<Row = Record<string, unknown>>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    const { columns, rows } = await this.execute({ sql, params });
    return rows.map((row) => Object.fromEntries(columns.map((name, n) => [name, row[n]])) as Row);
  }

  async executeMultiple(sql: string) {
    try {
      this.#connection.exec(sql);
    } finally {
      this.#rollBack();
    }
  }

  close() {
    this.#rollBack();
    this.#prepared.clear();
    this.#connection.close();
  }

  #rollBack() {
    if (this.#connection.inTransaction) this.#connection.exec('rollback');
  }

  #prepare(sql: string): Run {
    const before = this.#prepared.get(sql);
    if (before) return before;
    const statement = this.#connection.prepare<unknown[][]>(sql);
    const { reader } = statement;
    const columns = reader
      ? statement
          .raw()
          .columns()
          .map(({ name }) => name)
      : [];
    const run: Run = (params) => {
      const values = params.map((value) => (typeof value === 'boolean' ? Number(value) : value));
      if (reader) return { columns, rows: statement.all(values) as unknown[][] };
      statement.run(values);
      return { columns, rows: [] };
    };
    this.#prepared.set(sql, run);
    return run;
  }
}
