import { eq, gt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { users } from '../people/schema.ts';
import { tzRelease } from '../schedule/zones.ts';
import { investigations } from '../studies/schema.ts';
import { jobRuns } from './schema.ts';

type Maintaining = Pick<Context, 'db' | 'now'>;

/** A statement: a periodic job runs. */
export const noteRun = (db: Database, run: typeof jobRuns.$inferInsert) =>
  db.insert(jobRuns).values(run).onConflictDoUpdate({ target: jobRuns.name, set: run });

/** The newest release of the zone rules that everyone was planned by. */
export const selectZoneRelease = (db: Database) =>
  db.select({ release: jobRuns.after }).from(jobRuns).where(eq(jobRuns.name, 'zones'));

/** A statement: everyone is planned by this release. */
export const noteZoneRelease = (db: Database, now: number) =>
  noteRun(db, { name: 'zones', ranAt: now, after: tzRelease });

const hourMs = 3600_000;

/** Whether an hour of the clock has begun since the plans were last checked, at whatever minute. */
export async function isReconcileDue({ db, now }: Maintaining): Promise<boolean> {
  const [run] = await db.select({ ranAt: jobRuns.ranAt }).from(jobRuns).where(eq(jobRuns.name, 'reconcile'));
  return !run || Math.floor(run.ranAt / hourMs) !== Math.floor(now / hourMs);
}

/** The walks over all users and all studies, by the names of their runs. */
const walks = { reconcile: users, bytes: investigations };

/**
 * The identifiers of the next users or studies, in order; the run is noted at once. Fewer than `limit`: the walk is over
 * and starts again.
 */
export async function nextOf(
  { db, now }: Maintaining,
  name: keyof typeof walks,
  limit: number,
): Promise<string[]> {
  const { id } = walks[name];
  const [run] = await db.select({ after: jobRuns.after }).from(jobRuns).where(eq(jobRuns.name, name));
  const rows = await db
    .select({ id })
    .from(walks[name])
    .where(gt(id, run?.after ?? ''))
    .orderBy(id)
    .limit(limit);
  const after = rows.length < limit ? '' : (rows.at(-1)?.id ?? '');
  await noteRun(db, { name, ranAt: now, after });
  return rows.map((row) => row.id);
}
