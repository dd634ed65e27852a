import { QueryPromise, type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import type { BoundStatement, Database, Rows } from './database.ts';

/** The part of a statement that a batch needs: its text, its values, and the conversion of its rows. */
export interface Bound<T = unknown> extends BoundStatement {
  read(rows: Rows): T;
}

/** A statement that runs when it is awaited, or with its batch, on any database. */
export class BoundQuery<T> extends QueryPromise<T> implements Bound<T> {
  declare readonly _: { readonly dialect: 'sqlite'; readonly result: T };
  readonly sql: string;
  readonly values: readonly unknown[];
  readonly read: (rows: Rows) => T;
  readonly #db: Database;

  constructor(db: Database, { sql, values, read }: Bound<T>) {
    super();
    this.#db = db;
    this.sql = sql;
    this.values = values;
    this.read = read;
  }

  async execute(): Promise<T> {
    const [result] = await this.#db.batch([this]);
    return result;
  }
}

/** Values by the names of a statement's parameters. */
export type Parameters = Readonly<Record<string, string | number | null | undefined>>;

/** Conversions from SQLite's values to the model's, for non-null columns that differ: `{ items: JSON.parse }`. */
export type Decoders<Row> = { readonly [K in keyof Row]?: (value: never) => Row[K] };

/**
 * A statement in an `sql` template that is a constant of its module, with named parameters (`:user`), so that its text is
 * made once: drizzle writes the text of other statements at each call, which takes longer than SQLite needs to run it.
 * Numbers in `${}` are constants of the text; other values are parameters.
 */
export function query<Row>(
  db: Database,
  statement: SQL | string,
  parameters: Parameters = {},
  decoders: Decoders<Row> = {},
): BoundQuery<Row[]> {
  const { sql, names } = compile(statement);
  const values = names.map((name) => parameters[name]);
  return new BoundQuery(db, { sql, values, read: (rows) => objectsOf(rows, decoders) });
}

/** The parameter of a query, in a condition that statements of drizzle share. */
export const named = (name: string): SQL => sql.raw(`:${name}`);

/** The text of such conditions, whose only values are named, or numbers. */
export function textOf(part: SQL): string {
  const { sql: text, params } = dialect.sqlToQuery(part);
  if (params.some((value) => typeof value !== 'number'))
    throw new Error(`A query names its parameters: ${text}`);
  return dialect.sqlToQuery(sql`${part}`.inlineParams()).sql;
}

const dialect = new SQLiteAsyncDialect();

/** The text for SQLite on every runtime: its parameters have numbers, in the order of `names`. */
interface CompiledQuery {
  sql: string;
  names: string[];
}

const texts = new WeakMap<SQL, string>();
const compiled = new Map<string, CompiledQuery>();

function compile(statement: SQL | string): CompiledQuery {
  const text = typeof statement === 'string' ? statement : (texts.get(statement) ?? textOf(statement));
  if (typeof statement !== 'string') texts.set(statement, text);
  const before = compiled.get(text);
  if (before) return before;
  const names: string[] = [];
  const sql = text.replace(/:([a-z]\w*)/gi, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `?${names.indexOf(name) + 1}`;
  });
  compiled.set(text, { sql, names });
  return { sql, names };
}

function objectsOf<Row>({ columns, rows }: Rows, decoders: Decoders<Row>): Row[] {
  const fields = columns.map((name) => ({
    name,
    decode: decoders[name as keyof Row] as Decoder | undefined,
  }));
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    fields.forEach(({ name, decode }, n) => {
      const value = values[n];
      row[name] = decode && value !== null ? decode(value) : value;
    });
    return row as Row;
  });
}

type Decoder = (value: unknown) => unknown;

/** The prepared part of drizzle's statements. */
interface Preparable {
  prepare(): Prepared;
}
interface Prepared {
  getQuery(): { sql: string; params: unknown[] };
  mapResult(rows: Rows, isFromBatch: true): unknown;
}

/** A statement of a batch, of drizzle or of {@link query}. */
export function bind(item: BatchItem<'sqlite'> | Bound): Bound {
  if ('read' in item) return item;
  const prepared = (item as unknown as Preparable).prepare();
  const { sql, params } = prepared.getQuery();
  return { sql, values: params, read: (rows) => prepared.mapResult(rows, true) };
}
