import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { named, query, textOf } from '../db/query.ts';
import { lockBytes } from '../locks/signatures.ts';
import { countInSlices, sliceRows } from '../log/recorded-downloads.ts';
import { listedBytes, pageBytes } from '../permissions/limits.ts';
import { codeOf, userWithCode } from '../permissions/member-codes.ts';
import { selectRole, whenMember } from '../permissions/visibility.ts';
import {
  allOf,
  counted,
  inList,
  type ListFilter,
  listRanges,
  listValues,
  lockBytesOf,
  lockColumns,
  merged,
  type Reader,
  readersOfAll,
  requireReader,
  responders,
  restorable,
  type Signed,
  sliceOf,
} from './lists.ts';
import { type Response, responseColumns, responseDecoders } from './responses.ts';

export interface ListedRow extends Response, Signed {
  deletedAt: number | null;
  bytes: number;
  responderName: string | null;
  /** The responder's; read for owners, editors and monitors only. */
  code: string | null;
  caseLabel: string | null;
  surveyName: string | null;
}

export interface ResponseFilter extends ListFilter {
  case?: string | undefined;
  survey?: string | undefined;
  responder?: string | undefined;
  /** The responder's code. */
  code?: string | undefined;
  /** Reads the names of cases and surveys too. */
  isTable?: boolean;
  /** Reads the identifiers of the survey's items, or of the whole study's, too: one more than `maxItems`. */
  withItems?: { maxItems: number | undefined } | false;
}

/**
 * A page in order of creation, with one extra row if more follow. Has as many rows as fit `pageBytes`, at most `limit`.
 * One round trip. @throws resource.not-found, action.forbidden
 */
export async function listResponses(context: Context, investigation: string, filter: ResponseFilter) {
  const { db, actor, now } = context;
  const { case: inCase, survey, responder, code, withItems } = filter;
  const values = { investigation, actor, inCase, survey, responder, code, now, ...listValues(filter) };
  const [role, all, own, ...items] = await db.batch([
    selectRole(db, investigation, actor),
    query<ListedRow>(db, pageOfAll(filter), values, responseDecoders),
    query<ListedRow>(db, pageOfOwn(filter), values, responseDecoders),
    ...(withItems ? [selectItems(db, investigation, actor, { survey, ...withItems })] : []),
  ]);
  requireReader(role[0]?.role, filter);
  return { rows: [...all, ...own], items: items.flat().map(({ item }) => item) };
}

const bytesOf = (filter: ResponseFilter) =>
  `octet_length(response.items) + octet_length(response.reasons) + ${listedBytes} + ${lockBytesOf('response', filter)} as bytes`;

const code = textOf(codeOf(sql.raw('response.investigation_id'), sql.raw('response.responder_id')));

/** Names are read for tables only: the list form has none. Responders get no codes. */
const columnsOf = (filter: ResponseFilter, reader: Reader) => `${responseColumns}, ${bytesOf(filter)},
  response.deleted_at as deletedAt, ${lockColumns('response', filter.withLock)}, user.name as responderName,
  ${reader === responders ? 'null' : code} as code,
  ${filter.isTable ? '(select label from study_case where id = response.case_id)' : 'null'} as caseLabel,
  ${filter.isTable ? '(select name from survey where id = response.survey_id)' : 'null'} as surveyName`;

function page(filter: ResponseFilter, ranges: readonly string[], reader: Reader) {
  const select = `select ${columnsOf(filter, reader)} from response join ${reader.joined} left join user on user.id = response.responder_id`;
  const measured = merged(
    ranges.map(
      (range) =>
        `select response.id as id, response.created_at as createdAt, ${bytesOf(filter)} from response where ${range}`,
    ),
    ':limit',
  );
  return merged(
    ranges.map((range) => `${select} where ${range}`),
    rowsOf(filter, reader.exists, measured),
  );
}

/**
 * The number of rows to read: one more than fit a page. Rows are measured only if the study has a response so long that a
 * page might not hold them.
 */
const rowsOf = ({ withLock }: ResponseFilter, isReader: string, measured: string) => `case
  when (select largest_response + ${listedBytes + (withLock ? lockBytes : 0)} from investigation where id = :investigation) * :limit <= ${pageBytes}
    then :limit
  when not ${isReader} then 0
  else min(:limit, 1 + max(1, (
    select count(*) from (select sum(bytes) over (order by createdAt, id) as total from (${measured}))
    where total <= ${pageBytes})))
  end`;

/** Owners and editors: states of a study, a case or a survey, or the responses of one responder. */
const pageOfAll = (filter: ResponseFilter) => page(filter, rangesOfAll(filter), readersOfAll(filter));

function rangesOfAll(filter: ResponseFilter) {
  const isDeleted = filter.status === 'deleted';
  const rest = isDeleted ? restorable('response') : undefined;
  const responder = filter.responder ? ':responder' : filter.code && withCode;
  return responder
    ? [allOf(isOwn(filter, responder), isCoded(filter), inList('response', filter), rest)]
    : listRanges('response', filter, scopeOf(filter, rest));
}

/** Counts the responses that owners and editors find by a filter. */
export const countResponses = (
  { db, now }: Context,
  investigation: string,
  filter: Omit<ResponseFilter, 'limit' | 'after'>,
) => {
  const { case: inCase, survey, responder, code } = filter;
  return countInSlices<Place>((after) => {
    const slice = { ...filter, limit: sliceRows, after };
    const values = { investigation, inCase, survey, responder, code, now, ...listValues(slice) };
    return sliceOf(query(db, counted('response', rangesOfAll(slice)), values));
  });
};

type Place = NonNullable<ListFilter['after']>;

/** The `+` keeps SQLite to the index of the requested list. */
function scopeOf({ case: inCase, survey }: ResponseFilter, rest: string | undefined) {
  const inStudy = '+response.investigation_id = :investigation';
  if (inCase)
    return {
      scope: 'response.case_id = :inCase',
      rest: allOf(inStudy, survey && '+response.survey_id = :survey', rest),
    };
  if (survey) return { scope: 'response.survey_id = :survey', rest: allOf(inStudy, rest) };
  return { scope: 'response.investigation_id = :investigation', rest };
}

/** Responders: their own responses. */
const pageOfOwn = (filter: ResponseFilter) =>
  page(
    filter,
    [
      allOf(
        isOwn(filter, ':actor'),
        filter.responder && '+response.responder_id = :responder',
        isCoded(filter),
        inList('response', filter),
        filter.status === 'deleted' ? '0' : undefined,
      ),
    ],
    responders,
  );

const withCode = textOf(userWithCode(named('investigation'), named('code')));

const isCoded = (filter: ResponseFilter) => filter.code && `+response.responder_id = ${withCode}`;

const isOwn = ({ case: inCase, survey }: ResponseFilter, responder: string) =>
  allOf(
    `response.responder_id = ${responder} and response.investigation_id = :investigation`,
    inCase && '+response.case_id = :inCase',
    survey && '+response.survey_id = :survey',
  );

/** Identifiers of items, each once, in the order of the surveys; one more than `maxItems`. */
export const selectItems = (
  db: Database,
  investigation: string,
  actor: string,
  { survey, maxItems }: { survey: string | undefined; maxItems: number | undefined },
) =>
  db
    .selectDistinct({ item: sql<string>`item.value ->> 'identifier'`.as('item') })
    .from(sql`(select id, items from survey where investigation_id = ${investigation}
      ${survey === undefined ? sql`` : sql`and id = ${survey}`}
      and ${whenMember(investigation, actor)} order by created_at, id limit -1) asked
      cross join json_each(asked.items) item`)
    .limit(maxItems === undefined ? 100_000 : maxItems + 1);
