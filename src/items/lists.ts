import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { named, query, textOf } from '../db/query.ts';
import { forbidden, notFound } from '../errors.ts';
import { type LockEntry, lockBytes, lockEntry, lockSignature } from '../locks/signatures.ts';
import { sliceRows } from '../log/recorded-downloads.ts';
import type { Signature } from '../log/schema.ts';
import { knownTo, requireKnownFilter } from '../permissions/declared-properties.ts';
import { fits, type GivenProperties, type Property, type PropertyRule } from '../permissions/groups.ts';
import { hiddenPlace } from '../permissions/hidden-places.ts';
import { type Role, staff } from '../permissions/roles.ts';
import { asReader, type Me } from '../permissions/visibility.ts';
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
  /** Only items with these properties: for owners, editors and monitors. */
  properties?: PropertyRule | undefined;
  limit: number;
  /** Reads who locked the locked items, and why. */
  withLock?: boolean;
  /** The creation time and identifier of the last row of the previous page. */
  after?: Place | undefined;
}

/** The parameters of a list's query that cases and responses share. */
export const listValues = ({ since, properties, limit, after }: ListFilter) => ({
  since: since && since * 1000,
  properties: properties && JSON.stringify(properties),
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
export const lockBytesOf = (table: Table, { withLock }: { withLock?: boolean | undefined }) =>
  withLock ? `(${table}.locked_at is not null) * ${lockBytes}` : '0';

/**
 * @param declared the properties of the study, if the filter has some
 * @throws resource.not-found, action.forbidden, request.invalid
 */
export function requireReader(
  me: Me | undefined,
  { status, properties }: ListFilter,
  declared: readonly Property[],
): asserts me is Me {
  if (!me) throw notFound('investigation');
  if (status === 'deleted' && me.role !== 'owner') throw forbidden('Only owners list deleted items.');
  requireKnownFilter(properties, knownTo(me.role, declared));
}

type Table = 'study_case' | 'response';

/** In SQL: one row of the reader's membership. */
const membershipOf = 'current_member.investigation_id = :investigation and current_member.user_id = :actor';

/** The reader of a list, in SQL: a membership to join, and the condition that there is one. */
function reader(roles: readonly Role[], condition = '1') {
  const [investigation, actor] = [named('investigation'), named('actor')];
  const joined = textOf(sql`${members} on ${asReader(investigation, actor, roles)}`);
  const isOne = roles.map((role) => `'${role}'`).join(', ');
  return {
    joined: `${joined} and ${condition}`,
    exists: `exists (select 1 from current_member where ${membershipOf} and current_member.role in (${isOne}) and ${condition})`,
  };
}

export type Reader = ReturnType<typeof reader>;
export const responders = reader(['responder']);

/** A place of a list: the creation time (epoch ms) and the identifier of a row. */
export type Place = readonly [createdAt: number, id: string];

/** In SQL: the surveys of the study whose responses only owners see, one column. */
const blindedSurveys =
  'select b.id from survey b indexed by survey_blinded_in where b.investigation_id = :investigation and b.blinded';

/** In SQL, of a joined membership: nothing of such a list is out of its sight. */
const seesAll: Record<Table, string> = {
  study_case: 'current_member.scope is null',
  response: `current_member.scope is null and (current_member.role = 'owner' or not exists (${blindedSurveys}))`,
};

const readers = (['study_case', 'response'] as const).map((table) => [
  table,
  {
    // Only owners list deleted items.
    owners: { all: reader(['owner']), part: undefined, any: reader(['owner']) },
    staff: {
      all: reader(staff, `(${seesAll[table]})`),
      part: reader(staff, `not (${seesAll[table]})`),
      any: reader(staff),
    },
  },
]);
const readersOf = Object.fromEntries(readers) as Record<Table, Record<'owners' | 'staff', Readers>>;

interface Readers {
  all: Reader;
  part: Reader | undefined;
  any: Reader;
}

/**
 * The members of staff who see a whole list, and those who see a part of it, for whom rows are looked at one by one; with a filter by
 * properties that is everybody.
 */
export function readersOfAll(
  table: Table,
  { status, properties }: Pick<ListFilter, 'status' | 'properties'>,
): { all: Reader | undefined; part: Reader | undefined } {
  const { all, part, any } = readersOf[table][status === 'deleted' ? 'owners' : 'staff'];
  return properties ? { all: undefined, part: any } : { all, part };
}

/** Rows that one page looks at: a page of a part may be short, and yet have a next one. */
export const maxLooked = 5_000;

/** In SQL: the part of the study that the reader sees. */
const ownScope = sql`(select scope from current_member where ${sql.raw(membershipOf)})`;

/** In SQL: stored properties are in the reader's part, and those of the filter. */
const fitsReader = (properties: string) => {
  const [part, asked] = [ownScope, named('properties')].map((rule) =>
    textOf(fits(rule, sql.raw(properties))),
  );
  return { part: `${part}`, filtered: `${part} and ${asked}` };
};
const ofCase = fitsReader('shown.properties');
const ofResponse = fitsReader('of_case.properties');

/** In SQL: the item with the identifier `looked.id` is in the reader's part, and has the properties of the filter. */
export const isShown = {
  study_case: ({ properties }: ListFilter) =>
    `exists (select 1 from study_case shown where shown.id = looked.id and ${properties ? ofCase.filtered : ofCase.part})`,
  response: ({ properties }: ListFilter) =>
    `exists (select 1 from response shown left join study_case of_case on of_case.id = shown.case_id
      where ${allOf(
        'shown.id = looked.id',
        properties ? ofResponse.filtered : ofResponse.part,
        `((select role from current_member where ${membershipOf}) = 'owner' or shown.survey_id not in (${blindedSurveys}))`,
      )})`,
};

/** In SQL: the surveys of the study that the reader does not see, one column. */
const unseenSurveys = `${blindedSurveys} and (select role from current_member where ${membershipOf}) <> 'owner'`;

/**
 * In SQL, in a range of a part: the reader sees this survey. It comes before the bound of rows that are looked at, so that no end of a
 * page depends on responses to surveys that only owners see. If there are none, the survey of no row is read.
 */
export const isOfSeenSurvey = (survey: string) =>
  `(not exists (${unseenSurveys}) or ${survey} not in (${unseenSurveys}))`;

/** In SQL: the keys of a list in order, at most `limit`. `when` joins a condition of the whole list. */
export const keysOf = (table: Table, ranges: readonly string[], limit: string, when = '') =>
  merged(
    ranges.map(
      (range) =>
        `select ${table}.created_at as createdAt, ${table}.id as id from ${table} ${when} where ${range}`,
    ),
    limit,
  );

/**
 * In SQL: for its reader, the keys of a part of a list, at most `limit`, among so many that are looked at; behind fewer the last one
 * of those, with `isEnd`, if others may follow. Rows come in the order in which they are looked at, and no more than needed.
 * @param keysTo the keys of the whole list, up to a number
 */
export function keysOfPart(
  keysTo: (limit: string) => string,
  shown: string,
  { reader, limit }: { reader: Reader; limit: string },
) {
  const looked = keysTo(String(maxLooked));
  return `select * from (select createdAt, id, 0 as isEnd from (${looked}) looked where ${shown} limit ${limit})
    union all select * from (select createdAt, id, 1 from (${looked}) limit 1 offset ${maxLooked - 1})
    limit (case when ${reader.exists} then ${limit} else 0 end)`;
}

/** A row of a page of a part. */
export interface Looked {
  id: string;
  createdAt: number;
  /** 1: no row of the page, but the place where the search for more ended. */
  isEnd?: number;
}

/** The rows of a page behind `after`, without the place at which it ended. */
export function pageOf<T extends Looked>(found: T[], after: Place | undefined) {
  const looked = found.at(-1);
  if (!looked?.isEnd) return { rows: found, end: undefined };
  const rows = found.slice(0, -1);
  return { rows, end: endOf(looked, rows.at(-1), after) };
}

/**
 * The end of a page that looked this far, for a reader who may not see that row: unless it is the last of the page, its identifier is not
 * shown, and the next page looks at it again. Only if that would go on nowhere it is.
 */
function endOf(looked: Looked, last: Looked | undefined, after: Place | undefined): [number, string] {
  const place = placeOf(looked);
  if (looked.id === last?.id) return place;
  const hidden: [number, string] = [looked.createdAt, hiddenPlace(looked.id)];
  const end = last && isBehind(placeOf(last), hidden) ? placeOf(last) : hidden;
  return !after || isBehind(end, after) ? end : place;
}

const placeOf = ({ createdAt, id }: Looked): [number, string] => [createdAt, id];
const isBehind = ([at, id]: Place, [otherAt, other]: Place) => at > otherAt || (at === otherAt && id > other);

/** A statement: the properties of the study, for those who filter by them, or have a column for each. */
export const selectAsked = (
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  investigation: string,
  { properties, isTable }: Pick<ListFilter, 'properties'> & { isTable?: boolean },
) =>
  properties || isTable
    ? query<{ declared: readonly Property[] | null }>(
        db,
        `select i.course -> '$.properties' as declared from current_member join investigation i on i.id = :investigation
          where ${membershipOf} and current_member.role <> 'responder'`,
        { investigation, actor },
        { declared: JSON.parse },
      )
    : undefined;

const isGrouped = `(select json_type(i.course, '$.properties') is not null from investigation i where i.id = :investigation)`;

/** In SQL: joins the case of a response as `of_case`, in a study that has properties; in others nothing is read. */
export const withCase = (id: string) =>
  `left join study_case of_case on of_case.id = iif(${isGrouped}, ${id}, null)`;

/** A row of an item with its properties. */
export interface Grouped {
  /** Those that the reader may see; null: none. */
  properties: GivenProperties | null;
}

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

/**
 * In SQL: the length of a slice of a list, how many of it the reader sees, and its last place, as {@link sliceOf} reads it. Nothing is
 * looked at for somebody who sees all.
 */
export const counted = (
  table: Table,
  ranges: readonly string[],
  { filter, shown, when }: { filter: ListFilter; shown: string; when?: string },
) => {
  const { all } = readersOfAll(table, filter);
  return `select count(*) as n, coalesce(sum(case when ${all?.exists ?? '0'} then 1 else ${shown} end), 0) as found,
      max(printf('%0${digits}d', createdAt) || id) as last
    from (${keysOf(table, ranges, String(sliceRows), when)}) looked`;
};

const digits = 15;

export const sliceOf = async (slice: PromiseLike<{ n: number; found: number; last: string | null }[]>) => {
  const [row] = await slice;
  const { n = 0, found = 0, last } = row ?? {};
  return { n, found, last: [Number(last?.slice(0, digits)), last?.slice(digits) ?? ''] as const };
};

/** One list from its ranges, which SQLite merges while reading. */
export const merged = (selects: readonly string[], limit: string) =>
  `${selects.join(' union all ')} order by createdAt, id limit ${limit}`;
