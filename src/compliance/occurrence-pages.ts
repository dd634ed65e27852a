import { type SQL, sql } from 'drizzle-orm';
import { isFormerMember } from '../changes/schema.ts';
import { named } from '../db/query.ts';
import { firstAnswerOf, givenAt } from '../items/schema.ts';
import { sliceRows } from '../log/recorded-downloads.ts';
import { fits, type PropertyRule, shownProperties } from '../permissions/groups.ts';
import { listedBytes, pageBytes } from '../permissions/limits.ts';
import { codeOf, userWithCode } from '../permissions/member-codes.ts';
import { type Asking, askedSurveys, byStaff, myRole, myScope } from './filter.ts';
import { dueTimesOf } from './participant-counts.ts';

/** The place of an occurrence in the list: user, when it was due (epoch ms), identifier. */
export type OccurrenceKey = readonly [user: string, dueAt: number, id: string];

export interface OccurrenceFilter {
  /** The dates on which occurrences were due where the participants were, both included. */
  from?: string | undefined;
  to?: string | undefined;
  survey?: string | undefined;
  /** Only this member, present or former. */
  user?: string | undefined;
  /** Only the member with this code. */
  code?: string | undefined;
  /** Only people with these properties, members or those who had them. */
  property?: PropertyRule | undefined;
}

/**
 * Notifications of the study that one page looks at, of surveys that the actor sees, and members without any: a filter that
 * leaves few comes in shorter pages.
 */
const maxLooked = 5000;

/** People whom a page looks at for who does not see all surveys: others' notifications are read, and nothing depends on them. */
const maxPeople = 100;

const [investigation, actor, property] = [named('investigation'), named('actor'), named('property')];
const [role, scope] = [myRole({ actor }, { investigation }), myScope({ actor }, { investigation })];

/** In SQL: the only member of a list. */
const onlyOne = (user: SQL) =>
  sql`and ${user} = coalesce(:user, ${userWithCode(investigation, named('code'))})`;

/** In SQL: the actor does not see all surveys of the study. */
const isBlind = sql`(${role} in ('editor', 'monitor') and exists (
  select 1 from survey b indexed by survey_blinded_in where b.investigation_id = :investigation and b.blinded))`;

/** In SQL: as many people as a page looks at. */
const people = sql`iif(${isBlind}, ${maxPeople}, ${maxLooked})`;

/** In SQL: the members of the study, present and former, in order and from the place on: of `most` rows, since the first one may have none. */
function everyone(isOne: boolean, most: SQL): SQL {
  const isNext = (user: SQL) => sql`investigation_id = :investigation and ${user} >= :afterUser
    ${isOne ? onlyOne(user) : sql``}`;
  return sql`select user_id as user, properties, 0 as isFormer from current_member where ${isNext(sql`user_id`)}
    union all select identifier, null, 1 from change where ${sql.raw(isFormerMember)} and ${isNext(sql`identifier`)}
    order by user limit ${most} + 1`;
}

/** In SQL: the stored properties of a row of {@link everyone}. Nothing is read for members. */
const ownProperties = (of: string) => {
  const [user, isFormer, properties] = ['user', 'isFormer', 'properties'].map((name) =>
    sql.raw(`${of}.${name}`),
  );
  return sql`iif(${isFormer}, (select f.properties from change f
    where f.identifier = ${user} and f.investigation_id = :investigation and f.kind = 'member'), ${properties})`;
};

/** In SQL: a row of {@link everyone} is of somebody whom the actor sees, and asks for. */
const isAsked = (of: string) =>
  sql`(${fits(scope, ownProperties(of))} and ${fits(property, ownProperties(of))})`;

/** In SQL: the user of a list is a member of the study, present or former, whom the actor sees. */
export const isMemberOf = (context: Asking, study: string, user: string) => {
  const isSeen = fits(myScope(context, { investigation: study }), sql`m.properties`);
  return sql<number>`exists (select 1 from current_member m where m.investigation_id = ${study} and m.user_id = ${user}
      and (m.role <> 'responder' or m.user_id = ${context.actor} or ${isSeen}))
    or exists (select 1 from change m where m.identifier = ${user} and m.investigation_id = ${study}
      and m.${sql.raw(isFormerMember)} and ${isSeen})`;
};

/** Notifications to look at. */
interface Looking {
  most: number;
  people: SQL;
  /** In SQL: only these notifications `n`. */
  which: SQL;
}

/** In SQL: notification `n` is of the study, and of a survey that the actor sees, so that no end of a page names or counts others. */
const ofPage: Looking = {
  most: maxLooked,
  people,
  which: sql`and n.survey_id in (${askedSurveys({ actor }, { investigation })})`,
};

/** Nobody is told where a slice ends. */
const ofSlice: Looking = { most: sliceRows, people: sql`${sliceRows}`, which: sql`` };

/**
 * In SQL: the next notifications of all members, `most` at most, in the order of the list: both sides of the join come in it,
 * and sorting them would read all of a person's. A member without notifications is a row, too, so that no statement reads more
 * members than that; and so is one who is not asked for, whose notifications are not read.
 */
const lookedAt = (
  isOne: boolean,
  { most, people, which }: Looking,
) => sql`select m.user, m.properties, m.isFormer, n.due_at as dueAt, n.id,
    n.survey_id as survey, n.occurrence as key, n.outcome
  from (${everyone(isOne, people)}) m left join notification n on n.user_id = case when ${isAsked('m')} then m.user end
    and n.due_at between iif(m.user = :afterUser, :afterAt, :since) and :until ${which}
  where (m.user > :afterUser or (n.due_at, n.id) > (:afterAt, :afterId)) and ${byStaff({ actor }, { investigation })}
  limit ${most}`;

/** In SQL: the notification `l` is settled, and in the list, if the actor sees its survey. */
const isListed = (
  isSurvey: boolean,
) => sql`(l.outcome is not null and substr(l.key, 1, 10) between :from and :to
  ${isSurvey ? sql`and l.survey = :survey` : sql``})`;

/** In SQL: the notification `l` is of the study, and of a survey that the actor sees. */
const isSeen = sql`l.survey in (${askedSurveys({ actor }, { investigation })})`;

/** In SQL: the nudges of notification `n` that were sent. */
const sentNudges = sql`(select count(*) from json_each(n.pushes) p
  where p.value ->> 'kind' = 'nudge' and p.value ->> 'state' = 'sent')`;

/** In SQL: the response beside notification `l`, if its case is in the actor's part of the study. */
const seenAnswer = sql`iif(${scope} is null, ${firstAnswerOf(sql`l.id`)}, (
  select a.id from response a join study_case c on c.id = a.case_id
  where a.id = ${firstAnswerOf(sql`l.id`)} and ${fits(scope, sql`c.properties`)}))`;

/** The kinds of lists, each of which is one statement. */
interface Kind {
  isOne: boolean;
  isSurvey: boolean;
}

/** In SQL: the first rows of the list, `limit` at most. */
const firstRows = (
  { isOne, isSurvey }: Kind,
  columns: SQL,
  limit: SQL,
) => sql`select l.user, l.properties, l.isFormer, l.dueAt, l.id, ${columns}
  from (${lookedAt(isOne, ofPage)}) l where ${isListed(isSurvey)} limit ${limit}`;

/** The answers of a page are measured only if the study has a response so long that a page might not hold them. */
function fitting(kind: Kind): SQL {
  if (!kind.isSurvey) return named('limit');
  const answered = firstRows(kind, sql`${seenAnswer} as response`, named('limit'));
  const measured = sql`select ${listedBytes} + coalesce(octet_length(r.items), 0) as bytes
    from (${answered}) x left join response r on r.id = x.response`;
  return sql`case when (select i.largest_response + ${listedBytes} from investigation i where i.id = :investigation) * :limit <= ${pageBytes}
    then :limit
    else min(:limit, 1 + max(1, (select count(*) from (
      select sum(bytes) over (rows unbounded preceding) as total from (${measured})) where total <= ${pageBytes}))) end`;
}

/**
 * In SQL: a page of the list with an extra row if more follow, at most `limit` and as many as `pageBytes` holds; behind
 * fewer the last row, or the last person, that was looked at, if others may follow. Nothing is sorted: rows come in the order
 * in which they are looked at.
 */
function pageOf(kind: Kind) {
  const rows = sql`(select rows from fits)`;
  const listed = firstRows(kind, sql`${seenAnswer} as response, 0 as isEnd`, rows);
  const lastRow = sql`select l.user, l.properties, l.isFormer, l.dueAt, l.id, null, 1 from (${lookedAt(kind.isOne, ofPage)}) l
    limit 1 offset ${maxLooked - 1}`;
  const lastPerson = sql`select m.user, m.properties, m.isFormer, null, null, null, 1
    from (${everyone(kind.isOne, people)}) m limit iif(${isBlind}, 1, 0) offset ${maxPeople}`;
  const end = sql`select * from (${lastRow}) union all select * from (${lastPerson}) limit 1`;
  const answers = kind.isSurvey
    ? sql`r.items, ${givenAt('r')} as givenAt, r.revised_at as revisedAt, r.revised_at > r.created_at as isEdited, coalesce(octet_length(r.items), 0)`
    : sql`null as items, null as givenAt, null as revisedAt, null as isEdited, 0`;
  const response = kind.isSurvey ? sql`left join response r on r.id = x.response` : sql``;
  return sql`with fits(rows) as materialized (select ${fitting(kind)})
    select x.id, x.user, x.dueAt, x.isEnd, x.isEnd and not ${fits(scope, ownProperties('x'))} as isUnseen, x.response, ${answers} + ${listedBytes} as bytes, ${codeOf(investigation, sql`x.user`)} as code,
      ${shownProperties(ownProperties('x'), role, investigation)} as properties,
      n.survey_id as survey, n.occurrence as key, n.counter, n.revision, n.time_zone as timeZone,
      n.settled_at as settledAt, n.shown_at as shownAt, n.opened_at as openedAt, n.answered_at as answeredAt,
      n.answered_late is not null as isLate, n.state, n.reason, ${sentNudges} as nudges
    from (select * from (${listed}) union all select * from (${end}) limit ${rows}) x
      left join notification n on n.user_id = x.user and n.due_at = x.dueAt and n.id = x.id ${response}`;
}

/** In SQL: the number of rows of a slice, those of the list among them, and the last one. */
const countedIn = ({ isOne, isSurvey }: Kind) => sql`select count(*) as n,
    coalesce(sum(${isListed(isSurvey)} and ${isSeen}), 0) as found,
    max(user || printf('%015d', coalesce(dueAt, ${behindAll})) || coalesce(id, '')) as last
  from (${lookedAt(isOne, ofSlice)}) l`;

/** Behind every due time (epoch ms), for the place of a member without notifications. */
export const behindAll = 999_999_999_999_999;

const statements = new Map(
  [false, true].flatMap((isOne) =>
    [false, true].map((isSurvey) => {
      const kind = { isOne, isSurvey };
      return [nameOf(kind), { page: pageOf(kind), count: countedIn(kind) }] as const;
    }),
  ),
);

function nameOf({ isOne, isSurvey }: Kind) {
  return `${isOne} ${isSurvey}`;
}

/** The statements of a list, in SQL: of a page, and of the length of a slice. */
export function statementsOf({ user, code, survey }: OccurrenceFilter) {
  const name = nameOf({ isOne: (user ?? code) !== undefined, isSurvey: survey !== undefined });
  return statements.get(name) as { page: SQL; count: SQL };
}

const start: OccurrenceKey = ['', 0, ''];
/** Before and behind every date. */
const [firstDate, lastDate] = ['0000-01-01', '9999-12-31'];

/** The parameters of these statements. */
export function valuesOf(
  context: Asking,
  study: string,
  { from = firstDate, to = lastDate, survey, user, code, property }: OccurrenceFilter,
  [afterUser, afterAt, afterId]: OccurrenceKey = start,
) {
  const only = {
    survey: survey ?? null,
    user: user ?? null,
    code: code ?? null,
    property: property ? JSON.stringify(property) : null,
  };
  const asked = { investigation: study, actor: context.actor, ...only, from, to };
  return { ...asked, ...dueTimesOf({ from, to }), afterUser, afterAt, afterId };
}
