import { asc, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { deadLetters, jobRuns, metrics, notifications, replans } from '../db/schema.ts';
import type { Context } from './context.ts';

/** Upper bounds of the lateness histogram, in seconds. */
export const latenessBounds = [1, 2, 5, 10, 30, 60, 300, 1800, 7200];

/** Adds to counters, keyed by their name and labels in Prometheus' notation. One round trip. */
export async function addCounts(db: Database, counts: ReadonlyMap<string, number>) {
  await db
    .insert(metrics)
    .select(sql`select value ->> 0, value ->> 1 from json_each(${JSON.stringify([...counts])}) where true`)
    .onConflictDoUpdate({ target: metrics.name, set: { value: sql`${metrics.value} + excluded.value` } });
}

/** Counting stops here, so that the query costs the same however long a backlog is. */
const maxBacklog = 10_000;

const backlogOf = (rows: ReturnType<typeof sql>) =>
  sql<number>`(select count(*) from (select 1 from ${rows} limit ${sql.raw(String(maxBacklog))}))`;

/** Ages in ms (null: it never ran, or nothing is overdue), and backlogs up to `maxBacklog`. One round trip. */
export async function readOperations({ db, now }: Pick<Context, 'db' | 'now'>) {
  const [runs, [oldest], [backlog]] = await db.batch([
    db.select({ name: jobRuns.name, ranAt: jobRuns.ranAt }).from(jobRuns),
    db
      .select({ nextAttemptAt: notifications.nextAttemptAt })
      .from(notifications)
      .where(isNull(notifications.settledAt))
      .orderBy(asc(notifications.nextAttemptAt))
      .limit(1),
    db
      .select({
        overdue: backlogOf(sql`scheduled_notification where settled_at is null and look_at < ${now}`).as(
          'overdue',
        ),
        replans: backlogOf(sql`${replans}`).as('replans'),
        deadLetters: backlogOf(sql`${deadLetters}`).as('dead_letters'),
      })
      .from(sql`(select 1)`),
  ]);
  const age = (name: string) => {
    const ranAt = runs.find((run) => run.name === name)?.ranAt;
    return ranAt === undefined ? null : now - ranAt;
  };
  return {
    sweepAge: age('sweep'),
    reconcileAge: age('reconcile'),
    oldestOverdueAge: oldest && oldest.nextAttemptAt < now ? now - oldest.nextAttemptAt : null,
    overdue: backlog?.overdue ?? 0,
    replans: backlog?.replans ?? 0,
    deadLetters: backlog?.deadLetters ?? 0,
  };
}

export type Operations = Awaited<ReturnType<typeof readOperations>>;

export const readCounters = ({ db }: Pick<Context, 'db'>) => db.select().from(metrics).orderBy(metrics.name);
