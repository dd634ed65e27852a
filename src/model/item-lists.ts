import { and, type SQL, sql } from 'drizzle-orm';
import type { SQLiteSelect } from 'drizzle-orm/sqlite-core';
import { unionAll } from 'drizzle-orm/sqlite-core';
import { itemStateIn } from '../db/schema/items.ts';
import type { Placeholders, Value } from '../db/statements.ts';
import { forbidden, notFound } from '../errors.ts';
import { deletedRetention } from './item-states.ts';

/** What a list of cases or responses is narrowed to. */
export interface ListFilter {
  /**
   * Locked items count as archived too; `active` leaves out what was archived, locked or not; `all` leaves out what was
   * deleted.
   */
  status: 'active' | 'archived' | 'deleted' | 'all';
  locked?: boolean | undefined;
  /** Epoch seconds of the latest revision. */
  since?: number | undefined;
  limit: number;
  /** The creation time and identifier of the last row of the previous page. */
  after?: readonly [number, string] | undefined;
}

/** Bytes of the content of a page, the only one in memory. */
export const pageBytes = 1_000_000;
/** Of a row, beside its content: its identifiers and times as JSON. */
export const listedBytes = 600;

/** The values of a list's statement that cases and responses share. */
export const listValues = ({ since, limit, after }: ListFilter) => ({
  since: since && since * 1000,
  createdAt: after?.[0],
  id: after?.[1],
  // The extra row tells whether there is another page.
  limit: limit + 1,
});

/** The rest of the filter, which the text of the statement depends on. */
export const listShape = ({ status, locked }: ListFilter) => ({
  states: statesOf[status].filter((state) => locked === undefined || (state % 2 === 1) === locked),
  deleted: status === 'deleted',
});

/** States of items as the indexes have them: 0 open, 1 locked, 2 archived, 3 both, 4 deleted. */
const statesOf = { active: [0, 1], archived: [1, 2, 3], all: [0, 1, 2, 3], deleted: [4] };

/** @throws resource.not-found, action.forbidden */
export function requireReader(role: string | undefined, { status }: ListFilter): void {
  if (!role) throw notFound('investigation');
  if (status === 'deleted' && role !== 'owner') throw forbidden('Only owners list deleted items.');
}

interface Listed {
  table: 'study_case' | 'response';
  revisedAt: 'edited_at' | 'revised_at';
  /** Equalities with which an index begins: the study, a case or a survey. */
  scope: SQL;
  investigation: Value<string>;
  /** Conditions without an index. */
  rest?: SQL | undefined;
}

/**
 * A list as the ranges of indexes that it consists of, each in order of creation: one for each state, and for `since`
 * another for what was created before and edited after it (what was created later was revised later, too).
 */
export function listRanges(
  { table, revisedAt, scope, investigation, rest }: Listed,
  values: Placeholders<ReturnType<typeof listValues>>,
  { states }: ReturnType<typeof listShape>,
) {
  const column = columnsOf(table);
  const { since } = values;
  const shared = and(rest, afterCursor(table, values));
  const ranges = (states.length > 0 ? states : [-1]).map((state) =>
    and(
      scope,
      sql`${stateOf(table)} = ${sql.raw(`${state}`)}`,
      since && sql`${column('created_at')} >= ${since}`,
      shared,
    ),
  );
  if (!since) return ranges;
  const edited = and(
    sql`${column('investigation_id')} = ${investigation} and ${column(revisedAt)} >= ${since}`,
    sql`${column(revisedAt)} > ${column('created_at')} and ${column('created_at')} < ${since}`,
    inStates(table, states),
    // Of the two, the index of what was edited is the short one.
    sql`+(${scope})`,
    shared,
  );
  return [...ranges, edited];
}

/** The same filters as conditions of a list that is short anyway: a responder's own. */
export const inList = (
  table: Listed['table'],
  revisedAt: Listed['revisedAt'],
  values: Placeholders<ReturnType<typeof listValues>>,
  { states }: ReturnType<typeof listShape>,
) =>
  and(
    inStates(table, states),
    values.since && sql`${columnsOf(table)(revisedAt)} >= ${values.since}`,
    afterCursor(table, values),
  );

const columnsOf = (table: string) => (column: string) => sql.raw(`${table}.${column}`);
const stateOf = (table: string) => sql.raw(itemStateIn(`${table}.`));
const inStates = (table: string, states: number[]) =>
  sql`+${stateOf(table)} in (${sql.raw(states.join(', '))})`;

const afterCursor = (
  table: string,
  { createdAt, id }: Placeholders<ReturnType<typeof listValues>>,
): SQL | undefined =>
  createdAt && id && sql`(${sql.raw(`${table}.created_at, ${table}.id`)}) > (${createdAt}, ${id})`;

/** In SQL: deleted items that may still be brought back. */
export const restorable = (table: string, now: Value<number>) =>
  sql`${sql.raw(`${table}.deleted_at`)} >= ${now} - ${sql.raw(`${deletedRetention}`)}`;

/** One list of its ranges, which SQLite merges as it reads them; `order` names result columns. */
export function merged<Q extends SQLiteSelect>(selects: Q[], order: string, limit: SQL): Q {
  const [first, second, ...more] = selects;
  if (!first) throw new Error('A list has at least one range.');
  const list = second ? (unionAll as unknown as (...all: Q[]) => Q)(first, second, ...more) : first;
  return list.orderBy(sql.raw(order)).limit(limit as unknown as number) as unknown as Q;
}
