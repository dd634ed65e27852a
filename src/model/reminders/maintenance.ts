import { eq, gt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { each } from '../../db/json.ts';
import { notifications } from '../../db/schema/notifications.ts';
import { jobRuns } from '../../db/schema/operations.ts';
import { users } from '../../db/schema/users.ts';
import { retentionMs } from '../../schedule/decide.ts';
import type { Context } from '../context.ts';

type Maintaining = Pick<Context, 'db' | 'now'>;

/** A statement: a periodic job runs. */
export const noteRun = (db: Database, run: typeof jobRuns.$inferInsert) =>
  db.insert(jobRuns).values(run).onConflictDoUpdate({ target: jobRuns.name, set: run });

const hourMs = 3600_000;

/** Whether an hour of the clock has begun since the plans were last checked, whichever minute of it this is. */
export async function isReconcileDue({ db, now }: Maintaining): Promise<boolean> {
  const [run] = await db.select({ ranAt: jobRuns.ranAt }).from(jobRuns).where(eq(jobRuns.name, 'reconcile'));
  return !run || Math.floor(run.ranAt / hourMs) !== Math.floor(now / hourMs);
}

/** The next users whose plans are to be checked, by identifier. Fewer than `limit`: then the walk starts again. */
export async function nextUsers({ db, now }: Maintaining, limit: number): Promise<string[]> {
  const [run] = await db.select({ after: jobRuns.after }).from(jobRuns).where(eq(jobRuns.name, 'reconcile'));
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(gt(users.id, run?.after ?? ''))
    .orderBy(users.id)
    .limit(limit);
  const after = rows.length < limit ? '' : (rows.at(-1)?.id ?? '');
  await noteRun(db, { name: 'reconcile', ranAt: now, after });
  return rows.map(({ id }) => id);
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
