import { and, eq, gt } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { deadLetters, members, replans } from '../../db/schema.ts';
import { newIdentifier } from '../../identifiers.ts';
import type { ReplanJob } from '../../services.ts';

/** A job for the outbox: what one user, or every member of a study, gets must be planned anew. */
export const replanJob = (of: { user: string } | { investigation: string }, now: number): ReplanJob => ({
  id: newIdentifier(now),
  user: null,
  investigation: null,
  after: '',
  ...of,
});

/** Stands in the same batch as the change it follows from, so that a crash cannot lose it. */
export const insertReplan = (db: Database, job: ReplanJob, now: number) =>
  db.insert(replans).values({
    id: job.id,
    userId: job.user,
    investigationId: job.investigation,
    after: job.after,
    createdAt: now,
  });

/** The next members of a study, by identifier. */
export async function selectMemberPage(db: Database, investigation: string, after: string, limit: number) {
  const rows = await db
    .select({ user: members.userId })
    .from(members)
    .where(and(eq(members.investigationId, investigation), gt(members.userId, after)))
    .orderBy(members.userId)
    .limit(limit);
  return rows.map((row) => row.user);
}

export async function saveProgress(db: Database, job: string, after: string) {
  await db.update(replans).set({ after }).where(eq(replans.id, job));
}

/** Keeps users whose planning failed for good, until somebody replays them. */
export async function keepDeadLetter(db: Database, users: string[], now: number) {
  await db.insert(deadLetters).values({ id: newIdentifier(now), users, at: now });
}

export async function dropReplan(db: Database, job: string) {
  await db.delete(replans).where(eq(replans.id, job));
}
