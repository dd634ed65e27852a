import { eq } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { tzRelease } from '../schedule/zones.ts';
import { jobRuns } from './schema.ts';

/** A statement: a periodic job runs. */
export const noteRun = (db: Database, run: typeof jobRuns.$inferInsert) =>
  db.insert(jobRuns).values(run).onConflictDoUpdate({ target: jobRuns.name, set: run });

/** The newest release of the zone rules that everyone was planned by. */
export const selectZoneRelease = (db: Database) =>
  db.select({ release: jobRuns.after }).from(jobRuns).where(eq(jobRuns.name, 'zones'));

/** A statement: everyone is planned by this release. */
export const noteZoneRelease = (db: Database, now: number) =>
  noteRun(db, { name: 'zones', ranAt: now, after: tzRelease });
