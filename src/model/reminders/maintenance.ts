import { and, asc, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { each } from '../../db/json.ts';
import { jobRuns, notifications, replans, users } from '../../db/schema.ts';
import type { ReplanJob } from '../../services.ts';
import type { Context } from '../context.ts';
import { type InterruptedChange, selectInterrupted } from '../relay-changes.ts';
import { type Notification, retentionMs } from './columns.ts';
import { isRow, isSuperseded } from './statements.ts';
import { hasUpgradeWork, selectUpgradeState } from './zone-upgrade.ts';

type Maintaining = Pick<Context, 'db' | 'now'>;

/** What one sweep takes on; the rest waits for the next minute. */
const maxNotifications = 1000;
const maxJobs = 100;

/** A notification that should have been attempted. */
type Overdue = Pick<Notification, 'userId' | 'surveyId' | 'revision' | 'key'>;

/** What one sweep takes on. */
export interface SweepWork {
  overdue: Overdue[];
  replans: ReplanJob[];
  /** The zone rules were upgraded. */
  zonesChanged: boolean;
  /** Changes of a device at the relay that did not end. */
  devices: InterruptedChange[];
}

/**
 * What alarms and crashed requests left behind for more than `graceMs`: overdue notifications, outbox rows, devices. One
 * round trip, which also notes that the sweep ran. When there is more of one kind than a sweep takes on, the next one continues
 * behind it, so that what fails again and again does not stand in the way of the rest.
 */
export async function readSweep({ db, now }: Maintaining, graceMs: number): Promise<SweepWork> {
  const before = now - graceMs;
  const { userId, surveyId, revision, key, nextAttemptAt, settledAt } = notifications;
  const [overdue, jobs, [upgrade], devices] = await db.batch([
    db
      .select({ nextAttemptAt, userId, surveyId, revision, key })
      .from(notifications)
      .where(and(lt(nextAttemptAt, before), isNull(settledAt), behindLastSweep))
      .orderBy(asc(nextAttemptAt), asc(userId), asc(surveyId))
      .limit(maxNotifications),
    // Identifiers sort by time, so the oldest come first, and nothing else is read.
    db.select().from(replans).where(behindLastJob).orderBy(asc(replans.id)).limit(maxJobs),
    selectUpgradeState(db),
    selectInterrupted(db, before),
    noteRun(db, { name: 'sweep', ranAt: now, after: '' }),
  ]);
  const last = overdue.length === maxNotifications ? overdue.at(-1) : undefined;
  const lastJob = jobs.length === maxJobs ? jobs.at(-1) : undefined;
  if (last || lastJob) {
    const after = JSON.stringify([last?.nextAttemptAt, last?.userId, last?.surveyId, lastJob?.id]);
    await noteRun(db, { name: 'sweep', ranAt: now, after });
  }
  return {
    overdue,
    replans: jobs
      .filter((job) => job.touchedAt < before)
      .map(({ id, userId, investigationId, after }) => ({
        id,
        user: userId,
        investigation: investigationId,
        after,
      })),
    zonesChanged: hasUpgradeWork(upgrade, now),
    devices,
  };
}

// Where the last sweep stopped: time, user and survey of a notification, and an outbox row; null is the beginning.
const behindLastSweep = sql`(${notifications.nextAttemptAt}, ${notifications.userId}, ${notifications.surveyId}) > (
  select coalesce(after ->> 0, -9e15), coalesce(after ->> 1, ''), coalesce(after ->> 2, '')
  from (select nullif(max(${jobRuns.after}), '') as after from ${jobRuns} where ${jobRuns.name} = 'sweep'))`;

const behindLastJob = sql`${replans.id} > coalesce(
  (select ${jobRuns.after} ->> 3 from ${jobRuns} where ${jobRuns.name} = 'sweep' and ${jobRuns.after} <> ''), '')`;

const noteRun = (db: Database, run: typeof jobRuns.$inferInsert) =>
  db.insert(jobRuns).values(run).onConflictDoUpdate({ target: jobRuns.name, set: run });

/**
 * Settles those of the overdue notifications that no delivery reads: of users who are no longer members (or no longer
 * exist), and those that are not the last of their survey.
 */
export async function settleOrphans({ db, now }: Maintaining, overdue: readonly Overdue[]): Promise<void> {
  await db
    .update(notifications)
    .set({
      settledAt: now,
      state: 'skipped',
      reason: sql`iif(${isSuperseded(now)}, 'superseded', 'left-study')`,
    })
    .from(sql`${each(overdue)} p`)
    .where(
      and(
        isRow,
        isNull(notifications.settledAt),
        lt(notifications.nextAttemptAt, now),
        sql`(${isSuperseded(now)} or not exists (select 1 from survey s join member m on m.investigation_id = s.investigation_id
          where s.id = ${notifications.surveyId} and m.user_id = ${notifications.userId}))`,
      ),
    );
}

const hourMs = 3600_000;

/** Whether an hour of the clock has begun since the plans were last checked, whichever minute of it this is. */
export async function isReconcileDue({ db, now }: Maintaining): Promise<boolean> {
  const [run] = await db.select({ ranAt: jobRuns.ranAt }).from(jobRuns).where(eq(jobRuns.name, 'reconcile'));
  return !run || Math.floor(run.ranAt / hourMs) !== Math.floor(now / hourMs);
}

/**
 * The next users whose plans are to be checked, by identifier: at most `users`, with at most `surveys` of them all, or
 * one user. Behind the last one the walk starts again.
 */
export async function nextSlice(
  { db, now }: Maintaining,
  max: { users: number; surveys: number },
): Promise<string[]> {
  const [run] = await db.select({ after: jobRuns.after }).from(jobRuns).where(eq(jobRuns.name, 'reconcile'));
  const rows = await db
    .select({
      id: users.id,
      surveys: sql<number>`(select coalesce(sum(i.survey_count), 0) from member m
        join investigation i on i.id = m.investigation_id where m.user_id = ${users.id})`.as('surveys'),
    })
    .from(users)
    .where(gt(users.id, run?.after ?? ''))
    .orderBy(users.id)
    .limit(max.users);
  let left = max.surveys;
  const end = rows.findIndex(({ surveys }, n) => {
    left -= surveys;
    return left < 0 && n > 0;
  });
  const slice = (end < 0 ? rows : rows.slice(0, end)).map(({ id }) => id);
  const after = end < 0 && rows.length < max.users ? '' : (slice.at(-1) ?? '');
  await noteRun(db, { name: 'reconcile', ranAt: now, after });
  return slice;
}

/** Notifications that one statement removes, and statements of one call. */
const purgeSize = 1000;
const maxPurges = 20;

/** Dates that were settled longer ago than `retentionMs` are before it, whatever the zone. */
const dateMarginMs = 3 * 24 * hourMs;

/**
 * Removes the settled notifications of these users that are past their retention. They are the first of each revision of a
 * survey's reminders, so that nothing of what is kept is read: two rows for each revision.
 */
export async function purgeNotifications(
  { db, now }: Maintaining,
  slice: readonly string[],
): Promise<number> {
  const before = now - retentionMs;
  const lastDate = new Date(before + dateMarginMs).toISOString().slice(0, 10);
  const next = (column: 'survey_id' | 'revision', where: SQL) =>
    sql`(select min(${sql.raw(column)}) from scheduled_notification where ${where})`;
  const expired = sql`with recursive
    surveys(user, survey) as (
      select value, ${next('survey_id', sql`user_id = value`)} from ${each(slice)}
      union all
      select user, ${next('survey_id', sql`user_id = user and survey_id > survey`)} from surveys
        where survey is not null),
    series(user, survey, revision) as (
      select user, survey, ${next('revision', sql`user_id = user and survey_id = survey`)} from surveys
        where survey is not null
      union all
      select user, survey, (select min(n.revision) from scheduled_notification n
        where n.user_id = user and n.survey_id = survey and n.revision > series.revision) from series
        where series.revision is not null)
    select n.user_id, n.survey_id, n.revision, n.occurs_on from series cross join scheduled_notification n
      on n.user_id = series.user and n.survey_id = series.survey and n.revision = series.revision
        and n.occurs_on < ${lastDate}
      where n.settled_at < ${before} limit ${purgeSize}`;
  let purged = 0;
  for (let run = 0; run < maxPurges; run++) {
    const gone = await db
      .delete(notifications)
      .where(sql`(user_id, survey_id, revision, occurs_on) in (${expired})`)
      .returning({ key: notifications.key });
    purged += gone.length;
    if (gone.length < purgeSize) break;
  }
  return purged;
}
