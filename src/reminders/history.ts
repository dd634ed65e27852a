import { and, asc, type Column, desc, eq, lte, type SQL, sql } from 'drizzle-orm';
import { codeOf, userWithCode } from '../access/codes.ts';
import { listedBytes, pageBytes } from '../access/limits.ts';
import { asMember, isDeletedStudy, selectAlive } from '../access/visibility.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { forbidden, notFound } from '../errors.ts';
import { givenAt, maxLateMs } from '../items/schema.ts';
import { members } from '../studies/schema.ts';
import { surveys } from '../studies/survey-schema.ts';
import { notifications } from './schema.ts';

/** The sort key of the last row of the previous page: due instant, survey, occurrence, revision. */
export type HistoryKey = readonly [number, string, string, number];

export interface HistoryPage {
  limit: number;
  after?: HistoryKey | undefined;
}

export const historyColumns = {
  user: notifications.userId,
  survey: sql<string>`${notifications.surveyId}`.as('notified_survey'),
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
  attempts: notifications.attempts,
  nextAttemptAt: notifications.nextAttemptAt,
  currentRevision: surveys.remindersRevision,
  /** Epoch ms, or 0; only of pending notifications. */
  pausedUntil: sql<number>`case when ${notifications.settledAt} is null then max(
    coalesce((select u.paused_until from user u where u.id = ${notifications.userId}), 0),
    coalesce((select m.paused_until from current_member m
      where m.investigation_id = ${surveys.investigationId} and m.user_id = ${notifications.userId}), 0)) else 0 end`.as(
    'paused_until',
  ),
};

/** In SQL: when the response that answers a notification was received, which may be after it was given. */
export const answerReceivedAt = ({
  user,
  survey,
  answeredAt,
}: Record<'user' | 'survey' | 'answeredAt', Column | SQL.Aliased>) =>
  sql<number | null>`case when ${answeredAt} is not null then (
    select r.created_at from survey s join response r on r.investigation_id = s.investigation_id
    where s.id = ${survey} and r.responder_id = ${user} and r.survey_id = s.id
      and r.created_at between ${answeredAt} and ${answeredAt} + ${sql.raw(String(maxLateMs))}
      and ${givenAt('r')} = ${answeredAt} order by r.created_at limit 1) end`.as('answer_received_at');

/** A notification as the history shows it. */
export type HistoryEntry = Omit<
  Awaited<ReturnType<typeof listUserNotifications>>[number],
  'bytes' | 'bytesBefore'
>;

const behind = (after: HistoryKey | undefined) =>
  after &&
  sql`(${notifications.dueAt}, ${notifications.surveyId}, ${notifications.key}, ${notifications.revision})
    < (${after[0]}, ${after[1]}, ${after[2]}, ${after[3]})`;

const newestFirst = [
  notifications.dueAt,
  notifications.surveyId,
  notifications.key,
  notifications.revision,
].map((column) => desc(column));

/** Bytes of the row in the answer: finished pushes are stored in half of those. */
const bytesOfRow = sql<number>`(${listedBytes} + 2 * coalesce(octet_length(${notifications.deliveries}), 0)
  + 2 * coalesce(octet_length(${notifications.followUps}), 0))`;

const bytesBefore = sql<number>`sum(${bytesOfRow}) over (order by ${sql.join(newestFirst, sql`, `)}) - ${bytesOfRow}`;

/** As many as fit `pageBytes`, at most `limit`, and an extra one if more follow. */
function selectPage(db: Database, rows: SQL, { limit, after }: HistoryPage) {
  const listed = db
    .select({
      ...historyColumns,
      bytes: bytesOfRow.as('bytes'),
      bytesBefore: bytesBefore.as('bytes_before'),
    })
    .from(notifications)
    .innerJoin(surveys, eq(surveys.id, notifications.surveyId))
    .where(and(rows, behind(after)))
    .as('listed');
  // Looked up for the rows of the page alone.
  const page = db
    .select()
    .from(listed)
    .where(lte(listed.bytesBefore, pageBytes))
    .orderBy(asc(listed.bytesBefore))
    .limit(limit + 1)
    .as('page');
  return db
    .select({ ...page._.selectedFields, answerReceivedAt: answerReceivedAt(page) })
    .from(page)
    .orderBy(asc(page.bytesBefore));
}

/**
 * A user's past and upcoming notifications, with the reasons of those not sent; newest first. One round trip.
 * @throws resource.not-found when the user is deleted
 */
export async function listUserNotifications({ db }: Pick<Context, 'db'>, user: string, page: HistoryPage) {
  const rows = sql`${notifications.userId} = ${user} and not ${isDeletedStudy(surveys.investigationId)}`;
  const [[me], found] = await db.batch([selectAlive(db, user), selectPage(db, rows, page)]);
  if (!me) throw notFound('user');
  return found;
}

/** A member, by their identifier or by the code that the study gave them. */
type Somebody = { user: string; code?: never } | { code: string; user?: never };

/**
 * The same for one survey and one member, for owners and editors, with the member's code.
 * @throws resource.not-found, action.forbidden
 */
export function listSurveyNotifications(
  context: Reading,
  { survey, ...who }: { survey: string } & Somebody,
  page: HistoryPage,
) {
  const investigation = sql`(select s.investigation_id from survey s where s.id = ${survey})`;
  const user = who.user ?? userWithCode(investigation, who.code);
  return listForStaff(context, page, {
    user,
    role: selectSurveyRole(context.db, context.actor, { survey, user }),
    of: sql`${notifications.surveyId} = ${survey}`,
    missing: 'survey',
  });
}

/** The same for all surveys of a study. @throws resource.not-found, action.forbidden */
export function listStudyNotifications(
  context: Reading,
  { investigation, ...who }: { investigation: string } & Somebody,
  page: HistoryPage,
) {
  const user = who.user ?? userWithCode(investigation, who.code);
  return listForStaff(context, page, {
    user,
    role: selectStudyRole(context.db, context.actor, { investigation, user }),
    // By the primary key: the user's notifications in other studies are not read.
    of: sql`${notifications.surveyId} in (select s.id from survey s where s.investigation_id = ${investigation})`,
    missing: 'investigation',
  });
}

type Reading = Pick<Context, 'db' | 'actor'>;

interface OfStudy {
  user: string | SQL;
  role: ReturnType<typeof selectSurveyRole> | ReturnType<typeof selectStudyRole>;
  of: SQL;
  missing: 'survey' | 'investigation';
}

async function listForStaff({ db, actor }: Reading, page: HistoryPage, { user, role, of, missing }: OfStudy) {
  const rows = sql`${notifications.userId} = ${user} and ${of}
    and exists (select 1 from current_member me
      where me.investigation_id = ${surveys.investigationId} and me.user_id = ${actor} and me.role <> 'responder')`;
  const [[me], found] = await db.batch([role, selectPage(db, rows, page)]);
  if (!me) throw notFound(missing);
  if (me.role === 'responder') throw forbidden('Only owners and editors read the notifications of others.');
  if (!me.includesUser) throw notFound('user');
  return { rows: found, code: me.code };
}

/**
 * The actor's role in the study of a survey, whether the user is also a member, and their code; undefined if the actor is
 * no member.
 */
export const selectSurveyRole = (
  db: Database,
  actor: string,
  { survey, user }: { survey: string; user: string | SQL },
) =>
  db
    .select({
      role: members.role,
      includesUser: includes(surveys.investigationId, user),
      code: codeOf(surveys.investigationId, user).as('member_code'),
    })
    .from(surveys)
    .innerJoin(members, asMember(surveys.investigationId, actor))
    .where(eq(surveys.id, survey));

const selectStudyRole = (
  db: Database,
  actor: string,
  { investigation, user }: { investigation: string; user: string | SQL },
) =>
  db
    .select({
      role: members.role,
      includesUser: includes(investigation, user),
      code: codeOf(investigation, user).as('member_code'),
    })
    .from(members)
    .where(and(eq(members.investigationId, investigation), eq(members.userId, actor)));

const includes = (investigation: string | Column, user: string | SQL) =>
  sql<number>`exists (select 1 from current_member other
    where other.investigation_id = ${investigation} and other.user_id = ${user})`.as('includes');
