import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { oneOf } from '../../db/json.ts';
import {
  cases,
  jobs,
  notifications,
  relayMessages,
  replans,
  responseRevisions,
  responses,
  users,
} from '../../db/schema.ts';
import type { ReplanJob } from '../../services.ts';
import { deletedRetention } from '../item-states.ts';
import { isStray } from './record.ts';

/** Users and outbox rows that one sweep takes on; the rest waits for the next minute. */
const mostRows = 1000;
const mostJobs = 100;

/**
 * What alarms and crashed requests left behind for more than `graceMs`: users with an overdue notification,
 * and outbox rows. One round trip; it also notes that the sweep ran. When there is more than one sweep takes on, the
 * next one goes on behind it, so that what fails again and again does not stand in the way of the rest.
 */
export async function readSweep(db: Database, now: number, graceMs: number) {
  const before = now - graceMs;
  const [overdue, left] = await db.batch([
    db
      .select({ at: notifications.lookAt, user: notifications.userId, survey: notifications.surveyId })
      .from(notifications)
      .where(and(lt(notifications.lookAt, before), isNull(notifications.settledAt), behindLastSweep))
      .orderBy(asc(notifications.lookAt), asc(notifications.userId), asc(notifications.surveyId))
      .limit(mostRows),
    // Identifiers sort by time, so the oldest come first, and nothing else is read.
    db.select().from(replans).orderBy(asc(replans.id)).limit(mostJobs),
    noteRun(db, 'sweep', now),
  ]);
  const last = overdue.length === mostRows ? overdue.at(-1) : undefined;
  if (last) await noteRun(db, 'sweep', now, JSON.stringify([last.at, last.user, last.survey]));
  return {
    users: [...new Set(overdue.map((row) => row.user))],
    replans: left
      .filter((row) => row.touchedAt < before)
      .map(
        (row): ReplanJob => ({
          id: row.id,
          user: row.userId,
          investigation: row.investigationId,
          after: row.after,
        }),
      ),
  };
}

const behindLastSweep = sql`(${notifications.lookAt}, ${notifications.userId}, ${notifications.surveyId}) > (
  select coalesce(after ->> 0, -9e15), coalesce(after ->> 1, ''), coalesce(after ->> 2, '')
  from (select nullif(max(after), '') as after from job where name = 'sweep'))`;

const noteRun = (db: Database, name: string, now: number, after = '') =>
  db
    .insert(jobs)
    .values({ name, ranAt: now, after })
    .onConflictDoUpdate({ target: jobs.name, set: { ranAt: now, after } });

/**
 * Overdue rows that no delivery reads are settled: those of users who are no longer members (or no more at all), and
 * those that are not the last of their survey.
 */
export async function settleOrphans(db: Database, suspects: readonly string[], now: number) {
  await db
    .update(notifications)
    .set({ settledAt: now, state: 'skipped', reason: sql`iif(${isStray}, 'superseded', 'left-study')` })
    .where(
      and(
        oneOf(notifications.userId, suspects),
        isNull(notifications.settledAt),
        lt(notifications.lookAt, now),
        sql`(${isStray} or not exists (select 1 from survey s join member m on m.investigation_id = s.investigation_id
          where s.id = ${notifications.surveyId} and m.user_id = ${notifications.userId}))`,
      ),
    );
}

/** The next slice of all users, by identifier, and then from the start again. */
export async function nextSlice(db: Database, limit: number, now: number): Promise<string[]> {
  const [place] = await db.select({ after: jobs.after }).from(jobs).where(eq(jobs.name, 'reconcile'));
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(gt(users.id, place?.after ?? ''))
    .orderBy(users.id)
    .limit(limit);
  const slice = rows.map((row) => row.id);
  await noteRun(db, 'reconcile', now, slice.length < limit ? '' : (slice.at(-1) ?? ''));
  return slice;
}

/** The relay repeats a message for an hour at most; the rest is for clocks that differ. */
const relayMessageRetention = 2 * 3600 * 1000;
const notificationRetention = 400 * 24 * 3600 * 1000;
const mostPurged = 500;
const mostRounds = 20;

/** Removes what is past its retention: notifications of the given users; deleted items and the relay's messages of anyone. */
export async function purge(db: Database, slice: readonly string[], now: number) {
  await db.batch([
    db
      .delete(notifications)
      .where(
        and(oneOf(notifications.userId, slice), lt(notifications.settledAt, now - notificationRetention)),
      ),
    db.delete(relayMessages).where(lt(relayMessages.at, now - relayMessageRetention)),
  ]);
  for (let round = 0, more = true; more && round < mostRounds; round++) more = await purgeItems(db, now);
}

/** Whether more remain. A response goes with its revisions; a case leaves its responses, which have their own state. */
async function purgeItems(db: Database, now: number): Promise<boolean> {
  const gone = (table: typeof cases | typeof responses) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(isNotNull(table.deletedAt), lt(table.deletedAt, now - deletedRetention)))
      .orderBy(asc(table.deletedAt), asc(table.id))
      .limit(mostPurged);
  const [, ...purged] = await db.batch([
    db.delete(responseRevisions).where(inArray(responseRevisions.responseId, gone(responses))),
    db
      .delete(responses)
      .where(inArray(responses.id, gone(responses)))
      .returning({ id: responses.id }),
    db
      .delete(cases)
      .where(inArray(cases.id, gone(cases)))
      .returning({ id: cases.id }),
  ]);
  return purged.some((rows) => rows.length === mostPurged);
}
