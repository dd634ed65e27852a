import { and, asc, eq, gt, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { oneOf } from '../../db/json.ts';
import { responses } from '../../db/schema/items.ts';
import { notifications } from '../../db/schema/notifications.ts';
import { devices, isEnabled } from '../../db/schema/users.ts';
import { type Placeholders, statement } from '../../db/statements.ts';
import type { Context } from '../context.ts';
import { answersSinceMs, selectReminders, toReminders, type UserReminders } from './state.ts';

/** A device that can be pushed to. */
export interface Phone {
  id: string;
  platform: string;
  endpoint: string;
  /** A language tag. */
  language: string | null;
}

/** Surveys that one read takes, with texts of up to 4 KB each. A user with more is read by what is attempted first. */
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
    selectReminders(db, [user], selection, crowded ? 'attempted' : undefined),
    phonesOf(db, { user }),
  ]);
  const full = rows.length > maxSurveys;
  if (full && !crowded) return readDelivery(context, user, true);
  const reminders = await withAnswers(
    context,
    await toReminders(context, rows.slice(0, maxSurveys), phones.length > 0),
  );
  const nextAttemptAt = reminders.at(-1)?.pending?.nextAttemptAt;
  return { reminders, phones, crowded, more: full && nextAttemptAt !== undefined && nextAttemptAt <= now };
}

/**
 * With the answers to surveys without nudges of which a phone asked for one more push by `until` (epoch ms). They are rare,
 * so that only they cost a round trip more.
 */
export async function withAnswers(
  { db, now }: Pick<Context, 'db' | 'now'>,
  reminders: UserReminders[],
  until = now,
): Promise<UserReminders[]> {
  const snoozed = reminders.filter(
    ({ followed, followUps }) =>
      followed?.snoozedUntil != null && !followUps && (followed.nextFollowUpAt ?? now) <= until,
  );
  const [first] = snoozed;
  if (!first) return reminders;
  const rows = await db
    .select({ survey: responses.surveyId, at: responses.createdAt })
    .from(responses)
    .where(
      and(
        eq(responses.responderId, first.user),
        oneOf(
          sql`${responses.investigationId}`,
          snoozed.map(({ investigation }) => investigation),
        ),
        gt(responses.createdAt, now - answersSinceMs),
        isNull(responses.deletedAt),
      ),
    );
  return reminders.map((state) =>
    snoozed.includes(state)
      ? { ...state, answers: rows.filter(({ survey }) => survey === state.survey).map(({ at }) => at) }
      : state,
  );
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
    .where(and(eq(devices.userId, user), isEnabled)),
);

/** A position in the order in which pending notifications are attempted; `at` in epoch ms. */
export interface Cursor {
  at: number;
  user: string;
}

/** Before every notification. */
export const beginning: Cursor = { at: Number.MIN_SAFE_INTEGER, user: '' };

const inOrder = (a: Cursor, b: Cursor) => a.at - b.at || (a.user < b.user ? -1 : Number(a.user > b.user));

/**
 * Users with a notification to attempt by `now`, at most `limit`, after the cursor; and when the first of the later ones
 * is, for runtimes without an alarm per user. One round trip, along the index of what is pending.
 */
export async function selectDueUsers(
  { db, now }: { db: Database; now: number },
  after: Cursor,
  limit: number,
): Promise<{ due: Cursor[]; next: number | null }> {
  const dueBy = (at: typeof notifications.nextAttemptAt | typeof notifications.nextFollowUpAt, waits: SQL) =>
    db
      .selectDistinct({ at: sql<number>`${at}`.as('at'), user: notifications.userId })
      .from(notifications)
      .where(and(waits, lte(at, now), sql`(${at}, ${notifications.userId}) > (${after.at}, ${after.user})`))
      .orderBy(asc(at), asc(notifications.userId))
      .limit(limit);
  const laterBy = (
    at: typeof notifications.nextAttemptAt | typeof notifications.nextFollowUpAt,
    waits: SQL,
  ) =>
    db
      .select({ at: sql<number>`${at}`.as('at') })
      .from(notifications)
      .where(and(waits, gt(at, now)))
      .orderBy(asc(at))
      .limit(1);
  const { nextAttemptAt, nextFollowUpAt, settledAt } = notifications;
  const [pending, followUps, ...laters] = await db.batch([
    dueBy(nextAttemptAt, isNull(settledAt)),
    dueBy(nextFollowUpAt, isNotNull(nextFollowUpAt)),
    laterBy(nextAttemptAt, isNull(settledAt)),
    laterBy(nextFollowUpAt, isNotNull(nextFollowUpAt)),
  ]);
  const due = [...pending, ...followUps].toSorted(inOrder).slice(0, limit);
  const times = laters.flat().map(({ at }) => at);
  return { due, next: times.length > 0 ? Math.min(...times) : null };
}
