import { is, Param, Placeholder, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Database, Rows } from './database.ts';
import { BoundQuery, bind } from './query.ts';

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
  return (db: Database, values: V, shape: S): BoundQuery<Q['_']['result']> => {
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
    const { sql: written, read } = text;
    return new BoundQuery(db, { sql: written, values: text.bind(values as Values), read });
  };
}

type Buildable = BatchItem<'sqlite'>;

type Values = Readonly<Record<string, unknown>>;

interface Written {
  sql: string;
  /** What is bound, given the values. */
  bind(values: Values): unknown[];
  read(rows: Rows): unknown;
}

function write(query: Buildable): Written {
  const { sql, values, read } = bind(query);
  return { sql, bind: binderOf(values), read };
}

function binderOf(params: readonly unknown[]) {
  const binders = params.map((param): ((values: Values) => unknown) => {
    if (is(param, Placeholder)) return (values) => values[param.name];
    if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
    const { encoder, value: placeholder } = param;
    return ({ [placeholder.name]: value }) => (value === null ? null : encoder.mapToDriverValue(value));
  });
  return (values: Values) => binders.map((bind) => bind(values));
}
