import { and, asc, gt, isNull, lte, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { notifications } from '../../db/schema.ts';

/** A place in the order in which pending notifications are to be looked at; `at` in epoch ms. */
export interface Place {
  at: number;
  user: string;
}

/**
 * Whose notifications are to be looked at by now, from behind `after` on, and when the first of the others is.
 * One round trip, along the index of what is pending.
 */
export async function readWakes(
  db: Database,
  after: Place,
  { now, limit }: { now: number; limit: number },
): Promise<{ due: Place[]; next: number | null }> {
  const { lookAt, userId, settledAt } = notifications;
  const [due, [later]] = await db.batch([
    db
      .selectDistinct({ at: lookAt, user: userId })
      .from(notifications)
      .where(
        and(isNull(settledAt), lte(lookAt, now), sql`(${lookAt}, ${userId}) > (${after.at}, ${after.user})`),
      )
      .orderBy(asc(lookAt), asc(userId))
      .limit(limit),
    db
      .select({ at: lookAt })
      .from(notifications)
      .where(and(isNull(settledAt), gt(lookAt, now)))
      .orderBy(asc(lookAt))
      .limit(1),
  ]);
  return { due, next: later?.at ?? null };
}
