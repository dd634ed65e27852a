import { type Client, createClient, type InStatement } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import type { Database } from '../db/database.ts';
import { checkStatement } from '../db/limits.ts';
import * as schema from '../db/schema.ts';

/** So long a statement waits for another process, such as a backup, to let go of the file. */
const busyTimeoutMs = 5_000;

export interface OpenDatabase {
  db: Database;
  /** For what the application does not do: migrations and backups. */
  client: Client;
  close(): void;
}

/**
 * Opens a libSQL database: `file:/path/to/fieldbell.db`, or `:memory:`. It has one connection, so that its settings
 * hold for every statement, and it refuses what D1 refuses. A write is on the disk when it is answered (SQLite,
 * "synchronous": FULL is the default), so that it outlives a power cut too.
 */
export async function openLibsql(url: string): Promise<OpenDatabase> {
  const client = limited(createClient({ url, concurrency: 1, timeout: busyTimeoutMs }));
  try {
    await client.execute('pragma journal_mode = wal');
    await client.execute('pragma foreign_keys = on');
  } catch (error) {
    client.close();
    throw error;
  }
  return { db: drizzle({ client, schema }), client, close: () => client.close() };
}

/** Checks each statement before it runs. A batch that writes takes the file's lock at once, not half-way. */
function limited(client: Client): Client {
  const execute = client.execute.bind(client) as (statement: InStatement) => ReturnType<Client['execute']>;
  const batch = client.batch.bind(client);
  client.execute = async (statement: InStatement | string, values?: unknown) => {
    const one = typeof statement === 'string' ? asStatement([statement, values as never]) : statement;
    check(one);
    return execute(one);
  };
  client.batch = async (statements, mode) => {
    for (const statement of statements) check(asStatement(statement));
    return batch(statements, mode ?? (statements.every(reads) ? 'read' : 'write'));
  };
  return client;
}

type Given = Parameters<Client['batch']>[0][number];

const asStatement = (given: Given): InStatement =>
  Array.isArray(given) ? { sql: given[0], args: given[1] ?? [] } : given;

const textOf = (given: Given) => {
  const statement = asStatement(given);
  return typeof statement === 'string' ? statement : statement.sql;
};

const reads = (given: Given) => /^\s*select\b/i.test(textOf(given));

function check(statement: InStatement) {
  const values = typeof statement === 'string' ? [] : (statement.args ?? []);
  checkStatement(textOf(statement), Array.isArray(values) ? values : Object.values(values));
}
