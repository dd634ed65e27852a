import { and, type Column, eq, type SQL, sql } from 'drizzle-orm';
import { codeOf, userWithCode } from '../access/codes.ts';
import { listedBytes, pageBytes } from '../access/limits.ts';
import { isDeletedStudy, selectAlive, studyOf } from '../access/visibility.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { named, type Parameters, query, textOf } from '../db/query.ts';
import { forbidden, notFound } from '../errors.ts';
import { givenAt, maxLateMs } from '../items/schema.ts';
import { dateOf, dayMs, dayOf, lastDay } from '../schedule/days.ts';
import { slotOf } from '../schedule/slots.ts';
import { members } from '../studies/schema.ts';
import { surveys } from '../studies/survey-schema.ts';
import { allColumns, type Notification } from './columns.ts';
import { notifications } from './schema.ts';

/**
 * The position of the last row of the page before: an instant, survey, occurrence, revision. The instant is when it is due,
 * or an earlier one of the same survey and revision: somebody who travels may have a later date due before an earlier one.
 */
export type HistoryKey = readonly [number, string, string, number];

export interface HistoryPage {
  limit: number;
  after?: HistoryKey | undefined;
}

/** Epoch ms, or 0; only of pending notifications. */
const pausedUntil = (
  study: SQL | Column,
) => sql<number>`case when ${notifications.settledAt} is null then max(
    coalesce((select u.paused_until from user u where u.id = ${notifications.userId}), 0),
    coalesce((select m.paused_until from current_member m
      where m.investigation_id = ${study} and m.user_id = ${notifications.userId}), 0)) else 0 end`;

const ownColumns = {
  revision: notifications.revision,
  key: notifications.key,
  counter: notifications.counter,
  dueAt: notifications.dueAt,
  timeZone: notifications.timeZone,
  settledAt: notifications.settledAt,
  state: notifications.state,
  reason: notifications.reason,
  deliveries: notifications.deliveries,
  followUps: notifications.followUps,
  nextFollowUpAt: notifications.nextFollowUpAt,
  retryAt: notifications.retryAt,
  snoozedUntil: notifications.snoozedUntil,
  shownAt: notifications.shownAt,
  openedAt: notifications.openedAt,
  dismissedAt: notifications.dismissedAt,
  answeredAt: notifications.answeredAt,
  answeredLate: notifications.answeredLate,
  attempts: notifications.attempts,
  nextAttemptAt: notifications.nextAttemptAt,
};

export const historyColumns = {
  user: notifications.userId,
  survey: sql<string>`${notifications.surveyId}`.as('notified_survey'),
  ...ownColumns,
  currentRevision: surveys.remindersRevision,
  pausedUntil: pausedUntil(surveys.investigationId).as('paused_until'),
};

/** In SQL: when the response that answers a notification was received, which may be after it was given. */
export const answerReceivedAt = ({
  user,
  survey,
  answeredAt,
}: Record<'user' | 'survey' | 'answeredAt', Column | SQL>) =>
  sql<number | null>`case when ${answeredAt} is not null then (
    select r.created_at from survey s join response r on r.investigation_id = s.investigation_id
    where s.id = ${survey} and r.responder_id = ${user} and r.survey_id = s.id
      and r.created_at between ${answeredAt} and ${answeredAt} + ${sql.raw(String(maxLateMs))}
      and ${givenAt('r')} = ${answeredAt} order by r.created_at limit 1) end`.as('answer_received_at');

/** A notification as the history shows it. */
export interface HistoryEntry extends Pick<Notification, keyof typeof ownColumns> {
  user: string;
  survey: string;
  /** Of the survey's reminders. */
  currentRevision: number;
  /** Epoch ms, or 0; only of pending notifications. */
  pausedUntil: number;
  answerReceivedAt: number | null;
}

/** One of a page, and where it stands. */
export interface ListedEntry extends HistoryEntry {
  /** The instant of its {@link HistoryKey}. */
  at: number;
  bytes: number;
}

/** The position of an entry of a page. */
export const keyOfEntry = ({ at, survey, key, revision }: ListedEntry): HistoryKey => [
  at,
  survey,
  key,
  revision,
];

/** In SQL: users of table `u` and the surveys from which they have had notifications, found without reading those. */
export function notifiedSurveys(condition: SQL): SQL {
  const next = (where: SQL) => sql`(select min(n.survey_id) from scheduled_notification n where ${where})`;
  return sql`(with recursive pairs(user, survey) as (
    select u.id, ${next(sql`n.user_id = u.id`)} from user u where ${condition}
    union all select user, ${next(sql`n.user_id = user and n.survey_id > survey`)} from pairs
      where survey is not null) select user, survey from pairs where survey is not null)`;
}

/** Bytes of the row in the answer: finished pushes are stored in half of those. */
const bytesOfRow = `(${listedBytes} + 2 * coalesce(octet_length(deliveries), 0)
  + 2 * coalesce(octet_length(follow_ups), 0))`;

const newestFirst = 'at desc, survey_id desc, revision desc, occurrence desc';

const shown = [
  'user_id as user, survey_id as survey, current_revision as currentRevision',
  ...Object.entries(ownColumns).map(([name, column]) => `${column.name} as "${name}"`),
  `${textOf(pausedUntil(sql`study`))} as pausedUntil`,
].join(', ');

/** Looked up for the rows of the page alone. */
const received = textOf(
  answerReceivedAt({ user: sql`listed.user`, survey: sql`listed.survey`, answeredAt: sql`listed.answeredAt` })
    .sql,
);

const ofRow = allColumns.replace(/\w+/g, 'n.$&');

/**
 * A page of the notifications of `surveysOf` (user, survey, study, current revision): as many as `pageBytes` holds, at most
 * `limit`, and an extra one if more follow. Each survey and revision is a series in the order of its keys. The recursion
 * merges them: of the rows in its queue SQLite takes the one that is due last, and the next of its series takes its place.
 * So a page costs its rows and a few for each series, whatever the history holds.
 */
const pageText = (
  surveysOf: string,
) => `with recursive asked(user, survey, study, current_revision) as (${surveysOf}),
  series(user, survey, study, current_revision, revision) as (
    select a.*, (select max(n.revision) from scheduled_notification n where n.user_id = a.user and n.survey_id = a.survey)
    from asked a
    union all
    select e.user, e.survey, e.study, e.current_revision, (select max(n.revision) from scheduled_notification n
      where n.user_id = e.user and n.survey_id = e.survey and n.revision < e.revision)
    from series e where e.revision is not null),
  page(at, study, current_revision, ${allColumns}) as (
    select min(:at, n.due_at) as at, r.study, r.current_revision, ${ofRow} from series r cross join scheduled_notification n
      on n.user_id = r.user and n.survey_id = r.survey and n.revision = r.revision and n.occurrence = (
        select h.occurrence from scheduled_notification h where h.user_id = r.user and h.survey_id = r.survey
          and h.revision = r.revision and h.occurrence < :end
          and iif((r.survey, r.revision) = (:survey, :revision), h.occurrence < :key,
            h.due_at < :at + ((r.survey, r.revision) < (:survey, :revision)))
        order by h.occurrence desc limit 1)
    union all
    select min(p.at, n.due_at) as at, p.study, p.current_revision, ${ofRow} from page p cross join scheduled_notification n
      on n.user_id = p.user_id and n.survey_id = p.survey_id and n.revision = p.revision and n.occurrence = (
        select max(h.occurrence) from scheduled_notification h where h.user_id = p.user_id and h.survey_id = p.survey_id
          and h.revision = p.revision and h.occurrence < p.occurrence)
    order by 1 desc, 5 desc, 6 desc, 7 desc limit :limit)
  select listed.*, ${received} as answerReceivedAt from (select ${shown}, at, ${bytesOfRow} as bytes,
    sum(${bytesOfRow}) over (order by ${newestFirst}) - ${bytesOfRow} as bytesBefore
    from page scheduled_notification) listed where bytesBefore <= ${pageBytes}`;

const decoders = { deliveries: JSON.parse, followUps: JSON.parse };

/** Before every notification. */
const start: HistoryKey = [Number.MAX_SAFE_INTEGER, '', '', 0];

/** Before every notification that was due before this instant. @param at epoch ms */
export const startBefore = (at: number | undefined): HistoryKey | undefined =>
  at === undefined ? undefined : [at, '', '', 0];

function selectPage(db: Database, text: string, { limit, after = start }: HistoryPage, values: Parameters) {
  const [at, survey, key, revision] = after;
  // Rows that are due earlier have no later date than the day after: no date begins more than 14 hours before it does in
  // UTC.
  const day = Math.max(Math.floor(at / dayMs) + 2, dayOf(slotOf(key).on) + 3 || 0);
  const end = day < lastDay ? dateOf(day) : '~';
  const given = { ...values, at, survey, key, revision, end, limit: limit + 1 };
  return query<ListedEntry & { bytesBefore: number }>(db, text, given, decoders);
}

const inOrder = (rows: (ListedEntry & { bytesBefore: number })[]): ListedEntry[] =>
  rows.toSorted((a, b) => a.bytesBefore - b.bytesBefore);

const surveyColumns = 's.id, s.investigation_id, s.reminders_revision';

const isOfUser = sql`u.id = ${named('user')}`;
const ofUser = pageText(`select :user, ${surveyColumns} from ${textOf(notifiedSurveys(isOfUser))} c
  cross join survey s on s.id = c.survey where not ${textOf(isDeletedStudy(sql`s.investigation_id`))}`);

/** Of a user, or of the one with a code in the study, if the actor owns or edits it. */
const ofStaff = (which: string, study: SQL) => {
  const withCode = textOf(userWithCode(study, named('code')));
  return pageText(`select coalesce(:user, ${withCode}), ${surveyColumns} from survey s
    where ${which} and exists (select 1 from current_member me
      where me.investigation_id = s.investigation_id and me.user_id = :actor and me.role <> 'responder')`);
};
const ofSurvey = ofStaff('s.id = :asked', sql`s.investigation_id`);
const ofStudy = ofStaff('s.investigation_id = :asked', named('asked'));

/**
 * A user's past and upcoming notifications, with the reasons of those not sent; newest first. One round trip.
 * @throws resource.not-found when the user is deleted
 */
export async function listUserNotifications({ db }: Pick<Context, 'db'>, user: string, page: HistoryPage) {
  const [[me], found] = await db.batch([selectAlive(db, user), selectPage(db, ofUser, page, { user })]);
  if (!me) throw notFound('user');
  return inOrder(found);
}

/** A member, by their identifier or by the code that the study gave them. */
type Somebody = { user: string; code?: never } | { code: string; user?: never };

/**
 * The same for one survey and one member, for owners and editors, with the member's code.
 * @throws resource.not-found, action.forbidden
 */
export const listSurveyNotifications = (
  context: Reading,
  { survey, ...who }: { survey: string } & Somebody,
  page: HistoryPage,
) =>
  listForStaff(context, page, {
    who,
    asked: survey,
    study: studyOf(survey),
    of: ofSurvey,
    missing: 'survey',
  });

/** The same for all surveys of a study. @throws resource.not-found, action.forbidden */
export const listStudyNotifications = (
  context: Reading,
  { investigation, ...who }: { investigation: string } & Somebody,
  page: HistoryPage,
) =>
  listForStaff(context, page, {
    who,
    asked: investigation,
    study: investigation,
    of: ofStudy,
    missing: 'investigation',
  });

type Reading = Pick<Context, 'db' | 'actor'>;

interface OfStudy {
  who: Somebody;
  /** The survey or the study. */
  asked: string;
  study: string | SQL;
  of: string;
  missing: 'survey' | 'investigation';
}

async function listForStaff(
  { db, actor }: Reading,
  page: HistoryPage,
  { who, asked, study, of, missing }: OfStudy,
) {
  const { user = null, code = null }: { user?: string | null; code?: string | null } = who;
  const [[me], found] = await db.batch([
    selectReader(db, actor, { study, user: who.user ?? userWithCode(study, who.code) }),
    selectPage(db, of, page, { user, code, actor, asked }),
  ]);
  if (!me) throw notFound(missing);
  if (me.role === 'responder') throw forbidden('Only owners and editors read the notifications of others.');
  if (!me.includesUser) throw notFound('user');
  return { rows: inOrder(found), code: me.code };
}

/** drizzle leaves out the table of a column where a query has one alone, which would name another one in a subquery. */
const thisStudy = sql.raw('current_member.investigation_id');

/**
 * The actor's role in a study, whether the user is also a member, and their code; undefined if the actor is no member.
 */
export const selectReader = (
  db: Database,
  actor: string,
  { study, user }: { study: string | SQL; user: string | SQL },
) =>
  db
    .select({
      role: members.role,
      includesUser: sql<number>`exists (select 1 from current_member other
        where other.investigation_id = ${thisStudy} and other.user_id = ${user})`.as('includes'),
      code: codeOf(thisStudy, user).as('member_code'),
    })
    .from(members)
    .where(and(eq(members.investigationId, study), eq(members.userId, actor)));
