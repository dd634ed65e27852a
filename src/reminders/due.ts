import { and, asc, gt, lte, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { query, textOf } from '../db/query.ts';
import { isEnabled } from '../phones/schema.ts';
import { laterPushes } from './changes.ts';
import { notifications } from './schema.ts';
import { selectReminders, toReminders, type UserReminders } from './state.ts';

/** A device that can be pushed to. */
export interface Phone {
  id: string;
  platform: string;
  endpoint: string;
  /** A language tag. */
  language: string | null;
}

/** Surveys that one read takes, with texts of up to 4 KB each. */
export const maxSurveys = 100;

/** The input of a delivery to one user: the state of their reminders, and their phones. */
export interface DeliveryState {
  reminders: UserReminders[];
  phones: Phone[];
  /** The user has more surveys than these, which are the ones due first. */
  isPage: boolean;
  /** All surveys of this page are due, so others may be due as well. */
  isFull: boolean;
}

/**
 * Reads the input of a delivery in one round trip; for a user with more surveys than a page, a second one reads the page
 * of those that are due first.
 */
export async function readDelivery(
  context: Pick<Context, 'db' | 'now' | 'log'>,
  user: string,
): Promise<DeliveryState> {
  const { db, now } = context;
  const selection = { now, limit: maxSurveys + 1 };
  const [some, phones] = await db.batch([
    selectReminders(db, user, selection),
    query<Phone>(db, phonesOfUser, { user }),
  ]);
  const isPage = some.length > maxSurveys;
  const rows = isPage
    ? await selectReminders(db, user, { ...selection, limit: maxSurveys }, 'attempted')
    : some;
  const reminders = toReminders(context, rows, { reachable: phones.length > 0 });
  const last = reminders.at(-1);
  const dueAt = Math.min(
    ...[last?.pending?.nextAttemptAt ?? [], last?.followed ? laterPushes(last.followed) : []].flat(),
  );
  return { reminders, phones, isPage, isFull: isPage && dueAt <= now };
}

const phonesOfUser = `select id, platform, endpoint, language from device where user_id = :user and ${textOf(isEnabled)}`;

/** A position in the order of due deliveries; `at` in epoch ms. */
export interface Cursor {
  at: number;
  user: string;
}

/** Before every notification. */
export const beginning: Cursor = { at: Number.MIN_SAFE_INTEGER, user: '' };

/**
 * Users with a due delivery at `now`, at most `limit`, after the cursor; and the time of the first later delivery, for
 * runtimes without an alarm per user. One round trip, along the index of next deliveries.
 */
export async function selectDueUsers(
  { db, now }: { db: Database; now: number },
  after: Cursor,
  limit: number,
): Promise<{ due: Cursor[]; next: number | null }> {
  const { nextAt, userId } = notifications;
  const [due, [later]] = await db.batch([
    db
      .selectDistinct({ at: sql<number>`${nextAt}`.as('at'), user: userId })
      .from(notifications)
      .where(and(lte(nextAt, now), sql`(${nextAt}, ${userId}) > (${after.at}, ${after.user})`))
      .orderBy(asc(nextAt), asc(userId))
      .limit(limit),
    db
      .select({ at: sql<number>`${nextAt}`.as('at') })
      .from(notifications)
      .where(gt(nextAt, now))
      .orderBy(asc(nextAt))
      .limit(1),
  ]);
  return { due, next: later?.at ?? null };
}
