import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { namedBatch } from '../db/named-batch.ts';
import { named, query, textOf } from '../db/query.ts';
import { lockBytes } from '../locks/signatures.ts';
import { countInSlices, sliceRows } from '../log/recorded-downloads.ts';
import { knownTo } from '../permissions/declared-properties.ts';
import { shownProperties } from '../permissions/groups.ts';
import { listedBytes, pageBytes } from '../permissions/limits.ts';
import { codeOf, userWithCode } from '../permissions/member-codes.ts';
import { roles, staff } from '../permissions/roles.ts';
import { maySeePerson } from '../permissions/shown-people.ts';
import { asReader, maySeeSurvey, selectRole } from '../permissions/visibility.ts';
import { members } from '../studies/schema.ts';
import {
  allOf,
  counted,
  type Grouped,
  inList,
  isOfSeenSurvey,
  isShown,
  keysOf,
  keysOfPart,
  type ListFilter,
  type Looked,
  listRanges,
  listValues,
  lockBytesOf,
  lockColumns,
  maxLooked,
  merged,
  type Place,
  pageOf,
  type Reader,
  readersOfAll,
  requireReader,
  responders,
  restorable,
  type Signed,
  selectAsked,
  sliceOf,
  withCase,
} from './lists.ts';
import { type Response, responseColumns, responseDecoders } from './responses.ts';

export interface ListedRow extends Response, Signed, Grouped {
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
  /** Reads the identifiers of the survey's items, or of the whole study's, too: one more than `maxItems`; and the study's properties. */
  withItems?: { maxItems: number | undefined } | false;
}

/**
 * A page in order of creation, with one extra row if more follow; of a part, `end` is the place at which the search for a full one
 * ended. Has as many rows as fit `pageBytes`, at most `limit`. One round trip.
 * @throws resource.not-found, action.forbidden, request.invalid
 */
export async function listResponses(context: Context, investigation: string, filter: ResponseFilter) {
  const { db, actor, now } = context;
  const { case: inCase, survey, responder, code, withItems } = filter;
  const values = { investigation, actor, inCase, survey, responder, code, now, ...listValues(filter) };
  const read = (text: string | undefined) =>
    text === undefined ? undefined : query<ListedRow & Looked>(db, text, values, responseDecoders);
  const {
    role: [me] = [],
    asked: [study] = [],
    all = [],
    own = [],
    part = [],
    items = [],
  } = await namedBatch(db, {
    role: selectRole(db, investigation, actor),
    asked: selectAsked(context, investigation, { ...filter, isTable: !!withItems }),
    all: read(pageOfAll(filter)),
    own: read(filter.properties ? undefined : pageOfOwn(filter)),
    part: read(pageOfPart(filter)),
    items: withItems ? selectItems(db, investigation, actor, { survey, ...withItems }) : undefined,
  });
  const declared = study?.declared ?? [];
  requireReader(me, filter, declared);
  const { rows, end } = pageOf(part, filter.after);
  return {
    rows: [...all, ...own, ...rows],
    end,
    items: items.map(({ item }) => item),
    columns: knownTo(me.role, declared),
  };
}

const bytesOf = (filter: ResponseFilter) =>
  `octet_length(response.items) + octet_length(response.reasons) + ${listedBytes} + ${lockBytesOf('response', filter)} as bytes`;

/** Names are read for tables only: the list form has none. Responders get no codes, and no properties. */
const columnsOf = (filter: ResponseFilter, reader: Reader) => `${responseColumns}, ${bytesOf(filter)},
  response.deleted_at as deletedAt, ${lockColumns('response', filter.withLock)}, user.name as responderName,
  ${reader === responders ? 'null, null' : `${code} as code, ${properties}`} as properties,
  ${filter.isTable ? '(select label from study_case where id = response.case_id)' : 'null'} as caseLabel,
  ${filter.isTable ? '(select name from survey where id = response.survey_id)' : 'null'} as surveyName`;

function page(filter: ResponseFilter, ranges: readonly string[], reader: Reader) {
  const select = `select ${columnsOf(filter, reader)} from response join ${reader.joined} ${withResponder}
    ${reader === responders ? '' : withCase('response.case_id')}`;
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

/** Staff who see all: states of a study, a case or a survey, or the responses of one responder. */
function pageOfAll(filter: ResponseFilter) {
  const { all } = readersOfAll('response', filter);
  return all && page(filter, rangesOfAll(filter), all);
}

/** Staff who see a part, or filter by properties. */
function pageOfPart(filter: ResponseFilter) {
  const { part } = readersOfAll('response', filter);
  if (!part) return undefined;
  const shown = isShown.response(filter);
  const ranges = rangesOfAll(filter, isOfSeenSurvey('response.survey_id'));
  const keysTo = (limit: string) => keysOf('response', ranges, limit, whenSeen(filter));
  const measured = `select found.createdAt, found.id, ${bytesOf(filter)}
    from (select createdAt, id from (${keysTo(String(maxLooked))}) looked where ${shown} limit :limit) found
    cross join response on response.id = found.id`;
  const keys = keysOfPart(keysTo, shown, { reader: part, limit: '(select rows from fits)' });
  return `with fits(rows) as materialized (select ${rowsOf(filter, part.exists, measured)})
    select ${columnsOf(filter, part)}, found.isEnd
    from (${keys}) found cross join response on response.id = found.id cross join ${part.joined} ${withResponder}
    ${withCase('response.case_id')} order by found.createdAt, found.id, found.isEnd`;
}

const asShown = [sql`response.investigation_id`, sql`response.responder_id`, named('actor')] as const;

/** In SQL: of a list of one person, the reader sees them. Else the list would tell whose responses are shown without a name. */
const seeing = (person: SQL) =>
  textOf(sql`join ${members} on ${asReader(named('investigation'), named('actor'), staff)}
    and ${maySeePerson(named('investigation'), person, named('actor'))}`);

const whenSeen = ({ responder, code }: ResponseFilter) =>
  responder !== undefined ? ofResponder : code !== undefined ? ofCode : '';

function rangesOfAll(filter: ResponseFilter, seen?: string) {
  const isDeleted = filter.status === 'deleted';
  const rest = allOf(isDeleted ? restorable('response') : undefined, seen) || undefined;
  const responder = filter.responder ? ':responder' : filter.code && withCode;
  return responder
    ? [allOf(isOwn(filter, responder), isCoded(filter), inList('response', filter), rest)]
    : listRanges('response', filter, scopeOf(filter, rest));
}

/** Counts the responses that the actor, one of the staff, finds by a filter. */
export const countResponses = (
  { db, actor, now }: Context,
  investigation: string,
  filter: Omit<ResponseFilter, 'limit' | 'after'>,
) => {
  const { case: inCase, survey, responder, code } = filter;
  return countInSlices<Place>((after) => {
    const slice = { ...filter, limit: sliceRows, after };
    const values = { investigation, actor, inCase, survey, responder, code, now, ...listValues(slice) };
    const text = counted('response', rangesOfAll(slice), {
      filter: slice,
      shown: isShown.response(slice),
      when: whenSeen(slice),
    });
    return sliceOf(query(db, text, values));
  });
};

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

const withResponder = `left join user on user.id = response.responder_id and ${textOf(maySeePerson(...asShown))}`;
const code = textOf(codeOf(sql.raw('response.investigation_id'), sql.raw('user.id')));
const properties = textOf(
  shownProperties(sql`of_case.properties`, sql`current_member.role`, named('investigation')),
);

const withCode = textOf(userWithCode(named('investigation'), named('code')));
const [ofResponder, ofCode] = [seeing(named('responder')), seeing(sql.raw(withCode))];

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
    .from(sql`(select survey.id, survey.items from ${members} cross join survey
      where ${asReader(investigation, actor, roles)} and survey.investigation_id = ${investigation}
      ${survey === undefined ? sql`` : sql`and survey.id = ${survey}`}
      and ${maySeeSurvey} order by survey.created_at, survey.id limit -1) asked
      cross join json_each(asked.items) item`)
    .limit(maxItems === undefined ? 100_000 : maxItems + 1);
