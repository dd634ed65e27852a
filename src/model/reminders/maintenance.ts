import { and, asc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { oneOf } from '../../db/json.ts';
import { jobRuns, notifications, replans, users } from '../../db/schema.ts';
import type { ReplanJob } from '../../services.ts';
import type { Context } from '../context.ts';
import { type InterruptedChange, selectInterrupted } from '../relay-changes.ts';
import { isSuperseded } from './record.ts';
import { hasUpgradeWork, selectUpgradeState } from './zone-upgrade.ts';

type Maintaining = Pick<Context, 'db' | 'now'>;

/** What one sweep takes on; the rest waits for the next minute. */
const maxNotifications = 1000;
const maxJobs = 100;

/**
 * What alarms and crashed requests left behind for more than `graceMs`: users with an overdue notification, and outbox
 * rows; whether the zone rules were upgraded; and devices whose change at the relay did not end. One round trip, which also notes that the sweep ran. When there is more than one sweep takes on, the next one
 * continues behind it, so that what fails again and again does not stand in the way of the rest.
 */
export async function readSweep(
  { db, now }: Maintaining,
  graceMs: number,
): Promise<{ users: string[]; replans: ReplanJob[]; zonesChanged: boolean; devices: InterruptedChange[] }> {
  const before = now - graceMs;
  const [overdue, jobs, [upgrade], devices] = await db.batch([
    db
      .select({
        at: notifications.nextAttemptAt,
        user: notifications.userId,
        survey: notifications.surveyId,
      })
      .from(notifications)
      .where(and(lt(notifications.nextAttemptAt, before), isNull(notifications.settledAt), behindLastSweep))
      .orderBy(asc(notifications.nextAttemptAt), asc(notifications.userId), asc(notifications.surveyId))
      .limit(maxNotifications),
    // Identifiers sort by time, so the oldest come first, and nothing else is read.
    db.select().from(replans).orderBy(asc(replans.id)).limit(maxJobs),
    selectUpgradeState(db),
    selectInterrupted(db, before),
    noteRun(db, { name: 'sweep', ranAt: now, after: '' }),
  ]);
  const last = overdue.length === maxNotifications ? overdue.at(-1) : undefined;
  if (last) {
    const after = JSON.stringify([last.at, last.user, last.survey]);
    await noteRun(db, { name: 'sweep', ranAt: now, after });
  }
  return {
    users: [...new Set(overdue.map((row) => row.user))],
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

const behindLastSweep = sql`(${notifications.nextAttemptAt}, ${notifications.userId}, ${notifications.surveyId}) > (
  select coalesce(after ->> 0, -9e15), coalesce(after ->> 1, ''), coalesce(after ->> 2, '')
  from (select nullif(max(${jobRuns.after}), '') as after from ${jobRuns} where ${jobRuns.name} = 'sweep'))`;

const noteRun = (db: Database, run: typeof jobRuns.$inferInsert) =>
  db.insert(jobRuns).values(run).onConflictDoUpdate({ target: jobRuns.name, set: run });

/**
 * Settles overdue notifications that no delivery reads: those of users who are no longer members (or no longer exist), and
 * those that are not the last of their survey.
 */
export async function settleOrphans({ db, now }: Maintaining, suspects: readonly string[]): Promise<void> {
  await db
    .update(notifications)
    .set({
      settledAt: now,
      state: 'skipped',
      reason: sql`iif(${isSuperseded(now)}, 'superseded', 'left-study')`,
    })
    .where(
      and(
        oneOf(notifications.userId, suspects),
        isNull(notifications.settledAt),
        lt(notifications.nextAttemptAt, now),
        sql`(${isSuperseded(now)} or not exists (select 1 from survey s join member m on m.investigation_id = s.investigation_id
          where s.id = ${notifications.surveyId} and m.user_id = ${notifications.userId}))`,
      ),
    );
}

/** The next slice of all users, by identifier; behind the last one, the walk starts again. */
export async function nextSlice({ db, now }: Maintaining, limit: number): Promise<string[]> {
  const [run] = await db.select({ after: jobRuns.after }).from(jobRuns).where(eq(jobRuns.name, 'reconcile'));
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(gt(users.id, run?.after ?? ''))
    .orderBy(users.id)
    .limit(limit);
  const slice = rows.map((row) => row.id);
  const after = slice.length < limit ? '' : (slice.at(-1) ?? '');
  await noteRun(db, { name: 'reconcile', ranAt: now, after });
  return slice;
}

const retentionMs = 400 * 24 * 3600 * 1000;

/** Removes the settled notifications of these users that are past their retention. */
export async function purgeNotifications({ db, now }: Maintaining, slice: readonly string[]): Promise<void> {
  await db
    .delete(notifications)
    .where(and(oneOf(notifications.userId, slice), lt(notifications.settledAt, now - retentionMs)));
}
