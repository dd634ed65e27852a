import { sql } from 'drizzle-orm';
import { named, textOf } from '../db/query.ts';
import { forbidden, notFound } from '../errors.ts';
import { type LockEntry, lockBytes, lockEntry, lockSignature } from '../locks/signatures.ts';
import { sliceRows } from '../log/recorded-downloads.ts';
import type { Signature } from '../log/schema.ts';
import { type Role, staff } from '../permissions/roles.ts';
import { asReader, whenMember } from '../permissions/visibility.ts';
import { deletedRetentionMs } from '../schedule/retention.ts';
import { members } from '../studies/schema.ts';
import { itemStateIn } from './schema.ts';

/** The filters of a list of cases or responses. */
export interface ListFilter {
  /**
   * Locked items count as archived too; `active` leaves out archived items, locked or not; `all` leaves out deleted ones.
   */
  status: 'active' | 'archived' | 'deleted' | 'all';
  locked?: boolean | undefined;
  /** Epoch seconds of the latest revision. */
  since?: number | undefined;
  limit: number;
  /** Reads who locked the locked items, and why. */
  withLock?: boolean;
  /** The creation time and identifier of the last row of the previous page. */
  after?: readonly [number, string] | undefined;
}

/** The parameters of a list's query that cases and responses share. */
export const listValues = ({ since, limit, after }: ListFilter) => ({
  since: since && since * 1000,
  createdAt: after?.[0],
  id: after?.[1],
  // The extra row tells whether another page follows.
  limit: limit + 1,
});

function statesIn({ status, locked }: ListFilter): number[] {
  const states = statesOf[status].filter((state) => locked === undefined || (state % 2 === 1) === locked);
  return states.length > 0 ? states : [noState];
}

const noState = -1;

/** States of items as the indexes have them: 0 open, 1 locked, 2 archived, 3 both, 4 deleted. */
export const statesOf = { active: [0, 1], archived: [1, 2, 3], all: [0, 1, 2, 3], deleted: [4] };

/** The lock of an item, by {@link lockColumns}. */
export interface Signed {
  /** Only for owners, editors and monitors. */
  lockSignature: Signature | null;
  /** Only if it was asked for. */
  lock: LockEntry | null;
}

/** In SQL: the columns of an item's lock, for lists and for one item. */
export const lockColumns = (table: Table, withLock: boolean | undefined) =>
  `${lockSignature(table)} as lockSignature, ${withLock ? lockEntry(table) : 'null'} as lock`;

/** In SQL: the bytes that the lock adds to an item of a list. */
export const lockBytesOf = (table: Table, { withLock }: ListFilter) =>
  withLock ? `(${table}.locked_at is not null) * ${lockBytes}` : '0';

/** @throws resource.not-found, action.forbidden */
export function requireReader(role: string | undefined, { status }: ListFilter): void {
  if (!role) throw notFound('investigation');
  if (status === 'deleted' && role !== 'owner') throw forbidden('Only owners list deleted items.');
}

type Table = 'study_case' | 'response';

/** The reader of a list, in SQL: a membership to join, and the condition that there is one. */
function reader(...roles: readonly Role[]) {
  const [investigation, actor] = [named('investigation'), named('actor')];
  return {
    joined: textOf(sql`${members} on ${asReader(investigation, actor, roles)}`),
    exists: textOf(whenMember(investigation, actor, ...roles)),
  };
}

export type Reader = ReturnType<typeof reader>;
export const responders = reader('responder');
const [owners, ofStaff] = [reader('owner'), reader(...staff)];

/** Only owners may list deleted items. */
export const readersOfAll = ({ status }: ListFilter) => (status === 'deleted' ? owners : ofStaff);

const revisedAtOf = { study_case: 'edited_at', response: 'revised_at' };

/** All filters as one condition, in SQL. */
export const allOf = (...conditions: (string | undefined)[]) => conditions.filter(Boolean).join(' and ');

/**
 * A list as the index ranges that it consists of, each in order of creation: one for each state, and for `since` another
 * for items that were created before and edited after it (items created later were revised later, too).
 * @param scope equalities with which an index begins: the study, a case or a survey
 * @param rest conditions without an index
 */
export function listRanges(
  table: Table,
  filter: ListFilter,
  { scope, rest }: { scope: string; rest?: string | undefined },
) {
  const states = statesIn(filter);
  const shared = allOf(rest, afterCursor(table, filter));
  const ranges = states.map((state) =>
    allOf(
      scope,
      `${stateOf(table)} = ${state}`,
      filter.since ? `${table}.created_at >= :since` : undefined,
      shared,
    ),
  );
  if (!filter.since) return ranges;
  const revisedAt = revisedAtOf[table];
  const edited = allOf(
    `${table}.investigation_id = :investigation and ${table}.${revisedAt} >= :since`,
    `${table}.${revisedAt} > ${table}.created_at and ${table}.created_at < :since`,
    inStates(table, states),
    // Of the two indexes, the one of edited items is the short one.
    `+(${scope})`,
    shared,
  );
  return [...ranges, edited];
}

/** The same filters as conditions of a list that is short by nature: a responder's own. */
export const inList = (table: Table, filter: ListFilter) =>
  allOf(
    inStates(table, statesIn(filter)),
    filter.since ? `${table}.${revisedAtOf[table]} >= :since` : undefined,
    afterCursor(table, filter),
  );

const stateOf = (table: Table) => itemStateIn(`${table}.`);
const inStates = (table: Table, states: number[]) => `+${stateOf(table)} in (${states.join(', ')})`;

const afterCursor = (table: Table, { after }: ListFilter) =>
  after && `(${table}.created_at, ${table}.id) > (:createdAt, :id)`;

/** In SQL: deleted items that may still be brought back. */
export const restorable = (table: Table) => `${table}.deleted_at >= :now - ${deletedRetentionMs}`;

/** In SQL: the length of a slice of a list, and its last place, as {@link sliceOf} reads it. */
export const counted = (table: Table, ranges: readonly string[]) => {
  const keys = ranges.map(
    (range) => `select ${table}.created_at as createdAt, ${table}.id as id from ${table} where ${range}`,
  );
  return `select count(*) as n, max(printf('%0${digits}d', createdAt) || id) as last
    from (${merged(keys, String(sliceRows))})`;
};

const digits = 15;

export const sliceOf = async (slice: PromiseLike<{ n: number; last: string | null }[]>) => {
  const [row] = await slice;
  const { n = 0, last } = row ?? {};
  return { n, last: [Number(last?.slice(0, digits)), last?.slice(digits) ?? ''] as const };
};

/** One list from its ranges, which SQLite merges while reading. */
export const merged = (selects: readonly string[], limit: string) =>
  `${selects.join(' union all ')} order by createdAt, id limit ${limit}`;
