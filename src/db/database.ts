import type { BatchItem } from 'drizzle-orm/batch';
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core';

/**
 * The common interface of D1 and a SQLite file: reads and writes one by one, and `batch`, which is one round trip and one
 * transaction. There are no interactive transactions: conditions of a write live in its SQL.
 */
export type Database = BaseSQLiteDatabase<'async', unknown> & {
  batch<U extends BatchItem<'sqlite'>, T extends Readonly<[U, ...U[]]>>(
    batch: T,
  ): Promise<{ [K in keyof T]: T[K]['_']['result'] }>;
  /** The same database, which tells how long it computes. */
  measured(spend: Spend): Database;
};

/** Takes note of milliseconds of computing. */
export type Spend = (ms: number) => void;

/** A statement with the values of its parameters. */
export interface BoundStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** The result of a statement: each row is an array of values, in the order of `columns`. */
export interface Rows {
  columns: readonly string[];
  rows: unknown[][];
}

/** The driver of a runtime's database. */
export interface Driver {
  /** The rows alone, whose columns may have equal names. */
  run(statement: BoundStatement, spend?: Spend): Promise<unknown[][]>;
  /** One round trip and one transaction. */
  batch(statements: readonly BoundStatement[], spend?: Spend): Promise<Rows[]>;
}
