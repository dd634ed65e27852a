import { and, desc, eq, not, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { members, notifications, surveys } from '../../db/schema.ts';
import { forbidden, notFound } from '../../errors.ts';
import type { Context } from '../context.ts';
import { selectAlive } from '../users.ts';
import { asMember, isDeletedStudy } from '../visibility.ts';
import { isUndone } from './settled-ahead.ts';

/** The sort key of the last row of the page before: due instant, survey, occurrence. */
export type HistoryKey = readonly [number, string, string];

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
  pushes: notifications.pushes,
  followUps: notifications.followUps,
  nextFollowUpAt: notifications.nextFollowUpAt,
  snoozedUntil: notifications.snoozedUntil,
  shownAt: notifications.shownAt,
  openedAt: notifications.openedAt,
  dismissedAt: notifications.dismissedAt,
  answeredAt: notifications.answeredAt,
  attempts: notifications.attempts,
  nextAttemptAt: notifications.nextAttemptAt,
  currentRevision: surveys.remindersRevision,
  /** Epoch ms, or 0; of what is pending only. */
  pausedUntil: sql<number>`case when ${notifications.settledAt} is null then max(
    coalesce((select u.paused_until from user u where u.id = ${notifications.userId}), 0),
    coalesce((select m.paused_until from current_member m
      where m.investigation_id = ${surveys.investigationId} and m.user_id = ${notifications.userId}), 0)) else 0 end`.as(
    'paused_until',
  ),
};

/** A notification as the history shows it. */
export type HistoryEntry = Awaited<ReturnType<typeof listUserNotifications>>[number];

const behind = (after: HistoryKey | undefined) =>
  after &&
  sql`(${notifications.dueAt}, ${notifications.surveyId}, ${notifications.key}) < (${after[0]}, ${after[1]}, ${after[2]})`;

const newestFirst = [
  desc(notifications.dueAt),
  desc(notifications.surveyId),
  desc(notifications.key),
] as const;

/**
 * What one user got, gets next, and did not get and why; newest first. One round trip.
 * @throws resource.not-found when the user is deleted
 */
export async function listUserNotifications(
  { db, now }: Pick<Context, 'db' | 'now'>,
  user: string,
  { limit, after }: HistoryPage,
) {
  const [[me], rows] = await db.batch([
    selectAlive(db, user),
    db
      .select(historyColumns)
      .from(notifications)
      .innerJoin(surveys, eq(surveys.id, notifications.surveyId))
      .where(
        and(
          eq(notifications.userId, user),
          not(isDeletedStudy(surveys.investigationId)),
          not(isUndone(now)),
          behind(after),
        ),
      )
      .orderBy(...newestFirst)
      .limit(limit + 1),
  ]);
  if (!me) throw notFound('user');
  return rows;
}

/** The same for one survey and one user, for owners and editors. @throws resource.not-found, action.forbidden */
export async function listSurveyNotifications(
  { db, actor, now }: Pick<Context, 'db' | 'actor' | 'now'>,
  { survey, user }: { survey: string; user: string },
  { limit, after }: HistoryPage,
) {
  const [[me], rows] = await db.batch([
    selectSurveyRole(db, actor, { survey, user }),
    db
      .select(historyColumns)
      .from(notifications)
      .innerJoin(surveys, eq(surveys.id, notifications.surveyId))
      .innerJoin(members, and(asMember(surveys.investigationId, actor), sql`${members.role} <> 'responder'`))
      .where(
        and(
          eq(notifications.userId, user),
          eq(notifications.surveyId, survey),
          not(isUndone(now)),
          behind(after),
        ),
      )
      .orderBy(...newestFirst)
      .limit(limit + 1),
  ]);
  if (!me) throw notFound('survey');
  if (me.role === 'responder') throw forbidden('Only owners and editors read the notifications of others.');
  if (!me.includesUser) throw notFound('user');
  return rows;
}

/** The actor's role in the study of a survey, and whether the user is a member of it too; or nothing. */
export const selectSurveyRole = (
  db: Database,
  actor: string,
  { survey, user }: { survey: string; user: string },
) =>
  db
    .select({
      role: members.role,
      includesUser: sql<number>`exists (select 1 from current_member other
        where other.investigation_id = ${surveys.investigationId} and other.user_id = ${user})`.as(
        'includes',
      ),
    })
    .from(surveys)
    .innerJoin(members, asMember(surveys.investigationId, actor))
    .where(eq(surveys.id, survey));
