import {
  Column,
  is,
  Param,
  Placeholder,
  type Query,
  QueryPromise,
  SQL,
  sql,
  type TablesRelationalConfig,
} from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { RunnableQuery } from 'drizzle-orm/runnable-query';
import type { SQLiteExecuteMethod, SQLiteSession } from 'drizzle-orm/sqlite-core';
import type { Database } from './database.ts';

/** A value, or the placeholder of one in a statement that is prepared once. */
export type Value<T> = T | Placeholder<string, T>;

/** The placeholder of each value; none for a value that is omitted. */
export type Placeholders<V> = { [K in keyof V]: Placeholder<string, Exclude<V[K], undefined>> };

/**
 * A statement whose text drizzle generates once rather than for each request, which takes longer than SQLite needs to
 * run it. `build` is an ordinary drizzle query with placeholders instead of values. The text may depend on which values
 * are omitted, and on `shape`; each combination is kept, so shapes are few and small. The result can be awaited or put in
 * a batch, on any database.
 */
export function statement<V extends object, Q extends Buildable, S = void>(
  build: (db: Database, placeholders: Placeholders<V>, shape: S) => Q,
) {
  const prepared = new Map<string, Written>();
  return (db: Database, values: V, shape: S): Statement<Q['_']['result']> => {
    const names = Object.keys(values).filter((name) => (values as Values)[name] !== undefined);
    const key = shape === undefined ? names.join() : `${names.join()} ${JSON.stringify(shape)}`;
    let text = prepared.get(key);
    if (!text) {
      const placeholders = Object.fromEntries(
        names.map((name) => [name, sql.placeholder(name)]),
      ) as Placeholders<V>;
      text = write(build(db, placeholders, shape));
      prepared.set(key, text);
    }
    return new Filled(db, text, values as Values);
  };
}

/** Runs when it is awaited, or with its batch. */
export type Statement<T> = RunnableQuery<T, 'sqlite'> & PromiseLike<T>;

type Buildable = BatchItem<'sqlite'> & { prepare(): object };

type Values = Readonly<Record<string, unknown>>;

interface Written {
  sql: string;
  /** What is bound, given the values. */
  bind(values: Values): unknown[];
  method: SQLiteExecuteMethod;
  /** From arrays of columns to objects; of a statement that answers no rows, nothing. */
  mapRows: ((rows: unknown[][]) => unknown) | undefined;
}

/** A statement with its values: drizzle runs what `_prepare` gives, by itself or in a batch. */
class Filled<T> extends QueryPromise<T> {
  declare readonly _: { readonly dialect: 'sqlite'; readonly result: T };
  readonly #db: Database;
  readonly #text: Written;
  readonly #values: Values;

  constructor(db: Database, text: Written, values: Values) {
    super();
    this.#db = db;
    this.#text = text;
    this.#values = values;
  }

  _prepare() {
    const { bind, method, mapRows } = this.#text;
    const { session } = this.#db as unknown as WithSession;
    const query = { sql: this.#text.sql, params: bind(this.#values) };
    return session.prepareQuery(query, undefined, method, true, mapRows);
  }

  execute() {
    return this._prepare().execute() as Promise<T>;
  }
}

type WithSession = {
  session: SQLiteSession<'async', unknown, Record<string, unknown>, TablesRelationalConfig>;
};

/** What drizzle's types leave out of a prepared query and of a field. */
interface PreparedQuery {
  getQuery(): Query;
  executeMethod: SQLiteExecuteMethod;
  fields?: Field[];
}
type Field = { path: string[]; field: Column | SQL | SQL.Aliased };

function write(query: Buildable): Written {
  const prepared = query.prepare() as PreparedQuery;
  const { executeMethod: method, fields } = prepared;
  const { sql, params } = prepared.getQuery();
  return { sql, bind: binderOf(params), method, mapRows: fields && mapperOf(fields) };
}

function binderOf(params: unknown[]) {
  const binders = params.map((param): ((values: Values) => unknown) => {
    if (is(param, Placeholder)) return (values) => values[param.name];
    if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
    const { encoder, value: placeholder } = param;
    return ({ [placeholder.name]: value }) => (value === null ? null : encoder.mapToDriverValue(value));
  });
  return (values: Values) => binders.map((bind) => bind(values));
}

function mapperOf(fields: Field[]) {
  const columns = fields.map(({ path: [name = ''], field }) => ({ name, decoder: decoderOf(field) }));
  return (rows: unknown[][]) =>
    rows.map((row) => {
      const object: Record<string, unknown> = {};
      columns.forEach(({ name, decoder }, n) => {
        const value = row[n];
        object[name] = value === null ? null : decoder.mapFromDriverValue(value);
      });
      return object;
    });
}

function decoderOf(field: Field['field']): Pick<Column, 'mapFromDriverValue'> {
  if (is(field, Column)) return field;
  return (is(field, SQL) ? field : field.sql)['decoder' as never];
}
