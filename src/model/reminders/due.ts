import { and, asc, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { devices, notifications } from '../../db/schema.ts';
import { type Placeholders, statement } from '../../db/statements.ts';
import type { Context } from '../context.ts';
import { selectReminders, toReminders, type UserReminders } from './state.ts';

const dayMs = 24 * 3600 * 1000;
/** `unlessAnswered` asks for the local date of a due time, which no longer than this ago was a date of the user's. */
export const answersSinceMs = 3 * dayMs;

/** A device that can be pushed to. */
export interface Phone {
  id: string;
  platform: string;
  endpoint: string;
  /** A language tag. */
  language: string | null;
}

/** Surveys that one read takes, with texts of up to 4 KB each. Whoever has more is read by what is attempted first. */
export const maxSurveys = 100;

export interface DeliveryState {
  reminders: UserReminders[];
  phones: Phone[];
  /** The user has more surveys than these, which are those that are attempted first. */
  crowded: boolean;
  /** More than these may be due. */
  more: boolean;
}

/** What delivering to one user needs: the state of their reminders, and their phones. One round trip. */
export async function readDelivery(
  context: Pick<Context, 'db' | 'now' | 'log'>,
  user: string,
  crowded: boolean,
): Promise<DeliveryState> {
  const { db, now } = context;
  const selection = { answeredSince: now - answersSinceMs, limit: maxSurveys + 1 };
  const [rows, phones] = await db.batch([
    selectReminders(db, [user], selection, crowded),
    phonesOf(db, { user }),
  ]);
  const full = rows.length > maxSurveys;
  if (full && !crowded) return readDelivery(context, user, true);
  const reminders = await toReminders(context, rows.slice(0, maxSurveys), phones.length > 0);
  const nextAttemptAt = reminders.at(-1)?.pending?.nextAttemptAt;
  return { reminders, phones, crowded, more: full && nextAttemptAt !== undefined && nextAttemptAt <= now };
}

const phonesOf = statement((db, { user }: Placeholders<{ user: string }>) =>
  db
    .select({
      id: devices.id,
      platform: devices.platform,
      endpoint: devices.endpoint,
      language: devices.language,
    })
    .from(devices)
    .where(and(eq(devices.userId, user), eq(devices.enabled, true))),
);

/** A position in the order in which pending notifications are attempted; `at` in epoch ms. */
export interface Cursor {
  at: number;
  user: string;
}

/** Before every notification. */
export const beginning: Cursor = { at: Number.MIN_SAFE_INTEGER, user: '' };

/**
 * Users with a notification to attempt by `now`, at most `limit`, after the cursor; and when the first of the later ones
 * is, for runtimes without an alarm per user. One round trip, along the index of what is pending.
 */
export async function selectDueUsers(
  { db, now }: { db: Database; now: number },
  after: Cursor,
  limit: number,
): Promise<{ due: Cursor[]; next: number | null }> {
  const { nextAttemptAt, userId, settledAt } = notifications;
  const [due, [later]] = await db.batch([
    db
      .selectDistinct({ at: nextAttemptAt, user: userId })
      .from(notifications)
      .where(
        and(
          isNull(settledAt),
          lte(nextAttemptAt, now),
          sql`(${nextAttemptAt}, ${userId}) > (${after.at}, ${after.user})`,
        ),
      )
      .orderBy(asc(nextAttemptAt), asc(userId))
      .limit(limit),
    db
      .select({ at: nextAttemptAt })
      .from(notifications)
      .where(and(isNull(settledAt), gt(nextAttemptAt, now)))
      .orderBy(asc(nextAttemptAt))
      .limit(1),
  ]);
  return { due, next: later?.at ?? null };
}
