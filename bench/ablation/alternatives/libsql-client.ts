import { type Client, createClient, type InValue } from '@libsql/client';
import type { Statement } from '../../../src/platform/server/libsql-client.ts';

export type * from '../../../src/platform/server/libsql-client.ts';

/** The client that drizzle is made for, with one connection, so that pragmas hold for every statement. */
export class LibsqlClient {
  readonly #client: Client;

  constructor(path: string) {
    this.#client = createClient({ url: path === ':memory:' ? path : `file:${path}`, concurrency: 1 });
  }

  execute(statement: Statement | string) {
    return this.#client.execute(typeof statement === 'string' ? statement : toInput(statement));
  }

  batch(statements: readonly Statement[]) {
    const writes = statements.some(({ sql }) => !/^\s*select\b/i.test(sql));
    return this.#client.batch(statements.map(toInput), writes ? 'write' : 'deferred');
  }

  async query<Row = Record<string, unknown>>(sql: string, args: readonly unknown[] = []): Promise<Row[]> {
    return (await this.execute({ sql, args })).rows as unknown as Row[];
  }

  executeMultiple(sql: string) {
    return this.#client.executeMultiple(sql);
  }

  close() {
    this.#client.close();
  }
}

const toInput = ({ sql, args = [] }: Statement) => ({ sql, args: args as InValue[] });
