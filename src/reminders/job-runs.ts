import type { Database } from '../db/database.ts';
import { jobRuns } from '../operations/schema.ts';

/** A statement: a periodic job runs. */
export const noteRun = (db: Database, run: typeof jobRuns.$inferInsert) =>
  db.insert(jobRuns).values(run).onConflictDoUpdate({ target: jobRuns.name, set: run });
