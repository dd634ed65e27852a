import { and, eq, isNull, lte, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { jobs, notifications } from '../../db/schema.ts';
import { type Placeholders, statement } from '../../db/statements.ts';

const name = 'deliver';

/** Notes whose deliveries are under way, for a process that is the only one to deliver. */
export const noteUnderWay = (db: Database, users: readonly string[], now: number) =>
  note(db, { ranAt: now, after: JSON.stringify(users) });

const note = statement((db, row: Placeholders<{ ranAt: number; after: string }>) =>
  db
    .insert(jobs)
    .values({ name, ...row })
    .onConflictDoUpdate({
      target: jobs.name,
      set: { ranAt: sql`excluded.ran_at`, after: sql`excluded.after` },
    }),
);

/** How many notifications the last note covers that are still not recorded: each may have been pushed already. */
export async function countInterrupted(db: Database): Promise<number> {
  const [found] = await db
    .select({ count: sql<number>`count(*)` })
    .from(sql`${jobs}, json_each(${jobs.after}) u`)
    .innerJoin(notifications, eq(notifications.userId, sql`u.value`))
    .where(and(eq(jobs.name, name), isNull(notifications.settledAt), lte(notifications.lookAt, jobs.ranAt)));
  return found?.count ?? 0;
}
