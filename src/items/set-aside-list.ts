import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { namedBatch } from '../db/named-batch.ts';
import { named, query, textOf } from '../db/query.ts';
import { countInSlices, sliceRows } from '../log/recorded-downloads.ts';
import { knownTo, requireKnownFilter } from '../permissions/declared-properties.ts';
import { fits, type PropertyRule, propertiesOf, shownProperties } from '../permissions/groups.ts';
import { listedBytes, pageBytes } from '../permissions/limits.ts';
import { codeOf } from '../permissions/member-codes.ts';
import { staff } from '../permissions/roles.ts';
import { asReader, isInScope, isUnblinded, requireStaff, selectRole } from '../permissions/visibility.ts';
import { members } from '../studies/schema.ts';
import {
  allOf,
  type Grouped,
  isOfSeenSurvey,
  keysOfPart,
  type Looked,
  type Place,
  pageOf,
  type Reader,
  readersOfAll,
  selectAsked,
  sliceOf,
} from './lists.ts';
import type { Content } from './response-content.ts';
import { cases } from './schema.ts';
import type { SetAsideReason } from './set-aside-reasons.ts';

/** An answer that waits for owners and editors, as its list reads it. */
export interface ListedSetAside extends Content, Grouped {
  id: string;
  createdAt: number;
  reason: SetAsideReason;
  surveyId: string;
  surveyName: string | null;
  caseId: string;
  /** Null: there is no such case, or it is deleted. */
  caseLabel: string | null;
  responderId: string;
  responderName: string | null;
  code: string | null;
  givenAt: number;
  notification: string | null;
  late: number | null;
  outdated: number;
  bytes: number;
}

/**
 * A page in order of receipt, with one extra row if more follow; of a part, `end` is the place at which the search for a full one
 * ended. Has as many rows as fit `pageBytes`, at most `limit`. One round trip.
 * @param isTable reads the properties that have a column
 * @throws resource.not-found, action.forbidden, request.invalid
 */
export async function listSetAsides(
  context: Context,
  investigation: string,
  {
    limit,
    after,
    properties,
    isTable = false,
  }: SetAsideFilter & { limit: number; after?: Place | undefined; isTable?: boolean },
) {
  const { db, actor } = context;
  const values = { ...valuesOf(context, investigation, { after, properties }), limit: limit + 1 };
  const read = (text: string | undefined) =>
    text === undefined ? undefined : query<ListedSetAside & Looked>(db, text, values, decoders);
  const {
    role: [me] = [],
    asked: [study] = [],
    all = [],
    part = [],
  } = await namedBatch(db, {
    role: selectRole(db, investigation, actor),
    asked: selectAsked(context, investigation, { properties, isTable }),
    all: read(properties ? undefined : pageOfAll),
    part: read(properties ? pageOfFilter : pageOfPart),
  });
  requireStaff(me, 'see answers that are set aside');
  const known = knownTo(me.role, study?.declared);
  requireKnownFilter(properties, known);
  const { rows, end } = pageOf(part, after);
  return { rows: [...all, ...rows], end, columns: known };
}

export interface SetAsideFilter {
  /** Only those of people with these properties. */
  properties?: PropertyRule | undefined;
}

const valuesOf = (
  { actor }: Context,
  investigation: string,
  { after, properties }: SetAsideFilter & { after: Place | undefined },
) => ({
  investigation,
  actor,
  createdAt: after?.[0] ?? 0,
  id: after?.[1] ?? '',
  properties: properties && JSON.stringify(properties),
});

const decoders = { items: JSON.parse, reasons: JSON.parse, properties: JSON.parse };

const code = textOf(codeOf(sql.raw('s.investigation_id'), sql.raw('s.responder_id')));

/** In SQL: the answers that wait, after a place. */
const waiting = `set_aside.investigation_id = :investigation and set_aside.settled_at is null
  and (set_aside.created_at, set_aside.id) > (:createdAt, :id)`;

/** In SQL: the properties of the person, in a study that has some; in others nothing is read. */
const properties = textOf(
  shownProperties(
    sql`(case when (select json_type(i.course, '$.properties') from investigation i where i.id = :investigation) is not null
      then ${propertiesOf(named('investigation'), sql.raw('s.responder_id'))} end)`,
    sql`current_member.role`,
    named('investigation'),
  ),
);
const label = textOf(sql`(select ${cases.label} from ${cases} where ${cases.id} = s.case_id
  and ${cases.investigationId} = s.investigation_id and ${cases.deletedAt} is null and ${isInScope(cases.properties)})`);

/** In SQL: a page of those whose keys, with their bytes, are `measured`. */
const page = (
  measured: string,
  { joined }: Reader,
  isEnd: string,
) => `select s.id, s.created_at as createdAt, s.reason,
    s.survey_id as surveyId, survey.name as surveyName, s.case_id as caseId, ${label} as caseLabel,
    s.responder_id as responderId, user.name as responderName, ${code} as code, ${properties} as properties, s.items, s.reasons,
    s.given_at as givenAt, s.notification, s.late, s.outdated, measured.bytes, ${isEnd} as isEnd
  from (${measured}) measured
  cross join set_aside s on s.id = measured.id join ${joined}
  left join survey on survey.id = s.survey_id left join user on user.id = s.responder_id
  where measured.total - measured.bytes <= ${pageBytes} order by s.created_at, s.id, isEnd`;

const bytes = `octet_length(items) + octet_length(reasons) + ${listedBytes}`;

const { all, part } = readersOfAll('response', { status: 'active' });
const { part: everybody } = readersOfAll('response', { status: 'active', properties: {} });

const pageOfAll =
  all &&
  page(
    `select id, bytes, sum(bytes) over (order by created_at, id) as total from (
      select id, created_at, ${bytes} as bytes from set_aside where ${waiting} and ${all.exists}
      order by created_at, id limit :limit)`,
    all,
    '0',
  );

/** In SQL: the answer with the identifier `looked.id` is of somebody in the reader's part, and to a survey that the reader sees. */
const isShown = (isFiltered: boolean) =>
  textOf(sql`exists (select 1 from ${members} join set_aside shown on shown.id = looked.id
    where ${asReader(named('investigation'), named('actor'), staff)} and ${isInScope(ofPerson)}
      and ${isFiltered ? fits(named('properties'), ofPerson) : sql`1`} and ${isUnblinded(sql`shown.survey_id`)})`);
const ofPerson = propertiesOf(named('investigation'), sql.raw('shown.responder_id'));

const keysWhere = (condition: string) => (limit: string) =>
  `select created_at as createdAt, id from set_aside where ${condition} order by created_at, id limit ${limit}`;
const keys = keysWhere(waiting);
const keysOfSeen = keysWhere(allOf(waiting, isOfSeenSurvey('set_aside.survey_id')));

const partOf = (reader: Reader | undefined, isFiltered: boolean) =>
  reader &&
  page(
    `select found.id, found.isEnd, ${bytes} as bytes,
      sum(${bytes}) over (order by found.createdAt, found.id, found.isEnd) as total
      from (${keysOfPart(keysOfSeen, isShown(isFiltered), { reader, limit: ':limit' })}) found
      cross join set_aside on set_aside.id = found.id`,
    reader,
    'measured.isEnd',
  );
const [pageOfPart, pageOfFilter] = [partOf(part, false), partOf(everybody, true)];

/** Counts the answers that wait, and that the actor, one of the staff, sees. */
export const countSetAsides = (context: Context, investigation: string, { properties }: SetAsideFilter) =>
  countInSlices<Place>((after) =>
    sliceOf(
      query(
        context.db,
        properties ? countedOf('0', true) : countedOf(all?.exists ?? '0', false),
        valuesOf(context, investigation, { after, properties }),
      ),
    ),
  );

const countedOf = (seesAll: string, isFiltered: boolean) =>
  `select count(*) as n, coalesce(sum(case when ${seesAll} then 1 else ${isShown(isFiltered)} end), 0) as found,
    max(printf('%015d', createdAt) || id) as last from (${keys(String(sliceRows))}) looked`;
