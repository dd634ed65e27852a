import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { type ExportKind, exportKinds } from './export-kinds.ts';

/** A row of the export; instants are epoch ms. */
export type ExportedRow = { kind: string } & Record<string, unknown>;

/** The end of a page of the export: the kind, and the keys of its last row. */
export interface ExportPosition {
  kind: number;
  after: readonly (string | number)[] | null;
}

/** The bounds of a page: rows, and bytes beyond its first row. */
const pageRows = 500;
const pageBytes = 300_000;

/**
 * The next rows of everything stored about the caller, and the start of the next page; null after the last page. One
 * round trip.
 */
export async function readExport({ db, actor }: Context, { kind, after }: ExportPosition) {
  const reading = exportKinds[kind];
  if (!reading) return { rows: [], next: null };
  const lines = await db
    .select({ line: sql<string>`line`.as('line'), position: sql<string>`position`.as('position') })
    .from(pageOf(reading, actor, after));
  const { shape = (row) => row } = reading;
  const rows = lines.map(({ line }): ExportedRow => ({ kind: reading.kind, ...shape(JSON.parse(line)) }));
  const last = lines.at(-1);
  const next = last ? { kind, after: JSON.parse(last.position) } : { kind: kind + 1, after: null };
  return { rows, next: next.kind < exportKinds.length ? next : null };
}

/** The rows after `after`, cut by rows and bytes before long values are read. */
function pageOf(
  { fields, from, where, keys, indexed = keys.length, size }: ExportKind,
  user: string,
  after: ExportPosition['after'],
) {
  const names = sql.raw(keys.join(', '));
  // SQLite starts at the right place of an index only if one index has all compared columns.
  const first = after && indexed < keys.length ? compare(keys, '>=', after.slice(0, indexed)) : sql``;
  const behind = after ? sql`${first} ${compare(keys, '>', after)}` : sql``;
  const rows = sql`from ${from} where ${where(user)} ${behind} order by ${names}`;
  const fitting = sql`select count(*) filter (where total - size < ${pageBytes}) from (
    select size, sum(size) over (order by place) as total from (
      select ${size} as size, row_number() over (order by ${names}) as place ${rows} limit ${pageRows}))`;
  const values = listOf(
    Object.entries(fields).map(([name, { value }]) => sql`${sql.raw(`'${name}'`)}, ${value}`),
  );
  return sql`(select json_object(${values}) as line, json_array(${names}) as position ${rows} limit (${fitting}))`;
}

const compare = (keys: readonly string[], operator: '>' | '>=', values: readonly (string | number)[]) =>
  sql`and (${sql.raw(keys.slice(0, values.length).join(', '))}) ${sql.raw(operator)} (${listOf(values.map((value) => sql`${value}`))})`;

const listOf = (parts: SQL[]) => sql.join(parts, sql`, `);
