import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { each } from '../db/json.ts';
import { notFound } from '../errors.ts';
import { isAlive, isDeletedStudy, whenMember } from '../permissions/visibility.ts';
import { pauseRetentionMs } from '../schedule/retention.ts';
import { allMembers } from '../studies/schema.ts';
import { users } from './schema.ts';

/** A pause that a user made. */
export interface Pause {
  /** Epoch ms; null ends it. */
  until: number | null;
  /** For this study only. */
  investigation?: string | undefined;
}

/** Pauses all reminders of a user, or those of one study; both kinds are independent. @throws resource.not-found */
export async function pauseReminders(
  { db }: Pick<Context, 'db'>,
  user: string,
  { until, investigation }: Pause,
): Promise<void> {
  if (investigation === undefined) {
    const changed = await db
      .update(users)
      .set({ pausedUntil: until })
      .where(isAlive(user))
      .returning({ id: users.id });
    if (changed.length === 0) throw notFound('user');
    return;
  }
  const paused = await db
    .update(allMembers)
    .set({ pausedUntil: until })
    .where(
      and(
        eq(allMembers.investigationId, investigation),
        eq(allMembers.userId, user),
        whenMember(investigation, user),
      ),
    )
    .returning({ investigation: allMembers.investigationId });
  if (paused.length === 0) throw notFound('investigation');
}

/** The studies that a user pauses at this moment. Without the name of the index SQLite reads all the user's studies. */
export const selectStudyPauses = (db: Database, user: string, now: number) =>
  db
    .select({
      investigation: sql<string>`investigation_id`.as('investigation'),
      until: sql<number>`paused_until`.as('until'),
    })
    .from(sql`member indexed by member_paused`)
    .where(sql`user_id = ${user} and paused_until > ${now}
      and not ${isDeletedStudy(sql`member.investigation_id`)}`)
    .orderBy(sql`investigation_id`);

/** Deletes long-expired pauses of these users, so that nobody reads them again. One round trip. */
export async function forgetPauses({ db, now }: Pick<Context, 'db' | 'now'>, slice: readonly string[]) {
  const isOver = sql`paused_until < ${now - pauseRetentionMs}`;
  const of = sql`(select value from ${each(slice)})`;
  await db.batch([
    db.update(users).set({ pausedUntil: null }).where(sql`id in ${of} and ${isOver}`),
    db.update(allMembers).set({ pausedUntil: null }).where(sql`user_id in ${of} and ${isOver}`),
  ]);
}
