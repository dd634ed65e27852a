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

/** A value, or the place of one in a text that is written once. */
export type Value<T> = T | Placeholder<string, T>;

/** The place of each value; none for a value that is left out. */
export type Placeholders<V> = { [K in keyof V]: Placeholder<string, V[K]> };

/**
 * A statement whose text drizzle writes once, not for each request: that takes longer than SQLite needs to run it.
 * `build` says it with drizzle, as ever, but gets places instead of values. The text may depend on which values are left
 * out, and on `shape`, which holds whatever else it depends on: few and small things, since each shape is kept. What it
 * gives can be awaited, or stand in a batch, on any database.
 */
export function statement<V extends object, Q extends Buildable, S = void>(
  build: (db: Database, places: Placeholders<V>, shape: S) => Q,
) {
  const written = new Map<string, Written>();
  return (db: Database, values: V, shape: S): Statement<Q['_']['result']> => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    const names = given.map(([name]) => name);
    const key = JSON.stringify([names, shape]);
    let text = written.get(key);
    if (!text) {
      const places = Object.fromEntries(
        names.map((name) => [name, sql.placeholder(name)]),
      ) as Placeholders<V>;
      text = write(build(db, places, shape));
      written.set(key, text);
    }
    return new Filled(db, text, values as Values);
  };
}

/** It runs when it is awaited, or with its batch. */
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

/** What drizzle's types do not tell of a prepared query and of a field. */
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
    const { encoder, value: place } = param;
    return ({ [place.name]: value }) => (value === null ? null : encoder.mapToDriverValue(value));
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
