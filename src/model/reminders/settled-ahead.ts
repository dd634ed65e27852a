import { and, eq, isNull, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Database } from '../../db/database.ts';
import { each } from '../../db/json.ts';
import { notifications } from '../../db/schema/notifications.ts';
import type { Value } from '../../db/statements.ts';
import type { Context } from '../context.ts';
import { asJson, type Notification, parseNotifications } from './columns.ts';
import { replanSelected } from './outbox.ts';

/*
 * A clock that is ahead for a moment settles what is not due: a year of dates, and the newest of them may be sent. Once it
 * is right again, such rows say that they were settled in the future. They do not count, so their dates are planned again;
 * those that were sent are left out of the series.
 */

/** Clocks of different machines differ by less. */
const toleranceMs = 10 * 60_000;

/** What is settled after this instant was settled by a clock that was ahead. */
export const aheadOf = (now: number): number => now + toleranceMs;

/** In SQL: a clock that was ahead settled it without a push, so its date is planned again. */
export const isUndone = (now: number) => isUndoneBehind(aheadOf(now));

/** The same, given `aheadOf` the present. */
export const isUndoneBehind = (ahead: Value<number>) =>
  sql`(coalesce(${notifications.settledAt} > ${ahead}, 0) and ${notifications.state} <> 'sent')`;

// The index of these rows has the same text.
const isSettledAhead = (now: number) => sql`settled_at > ${aheadOf(now)} and state in ('skipped', 'failed')`;

/** Whether there are such rows: one row read; none unless it `asks`. */
export const selectSettledAhead = (db: Database, now: number, asks: boolean) =>
  db
    .select({ any: sql<number>`1`.as('any') })
    .from(notifications)
    .where(isSettledAhead(now))
    .limit(Number(asks));

/** What one batch takes back. Each row is counted off, which takes several writes. */
const maxRows = 1_000;
const maxUsers = 100;

/**
 * Removes rows that a clock that was ahead settled without a push, of at most a hundred users, who are planned again. They
 * are dates to come, or are due still. `users` (identifiers) says whose they were.
 */
export async function takeBackAhead(
  context: Pick<Context, 'db' | 'now' | 'outbox'>,
): Promise<{ users: number; more: boolean }> {
  const { db, now, outbox } = context;
  const rows = sql`select user_id, survey_id, revision, occurs_on from scheduled_notification
    where ${isSettledAhead(now)} order by settled_at, user_id, survey_id, revision, occurs_on limit ${maxRows}`;
  const users = sql`select distinct user_id from (${rows}) limit ${maxUsers}`;
  const [, jobs, , , gone] = await db.batch([
    ...replanSelected(context, users),
    // Pending again, so that triggers take off what they had counted. The next statements know them by the time.
    db
      .update(notifications)
      .set({ settledAt: null, state: null, nextAttemptAt: goingAt })
      .where(sql`(user_id, survey_id, revision, occurs_on) in (${rows}) and user_id in (${users})`),
    db.insert(silenceChange).select(sql`select user_id, survey_id, revision, min(occurs_on)
      from scheduled_notification where settled_at is null and look_at = ${goingAt} group by 1, 2, 3`),
    db
      .delete(notifications)
      .where(and(isNull(notifications.settledAt), eq(notifications.nextAttemptAt, goingAt)))
      .returning({ user: notifications.userId }),
  ]);
  outbox.push(...jobs);
  return { users: jobs.length, more: gone.length === maxRows };
}

/** The time (epoch ms) of the next attempt of what is about to go: no notification is planned for it. */
const goingAt = -1;

/** A view: a trigger looks again at who is silent, and what those behind say of it, for each that is inserted. */
const silenceChange = sqliteTable('silence_change', {
  userId: text('user_id'),
  surveyId: text('survey_id'),
  revision: integer(),
  key: text('occurs_on'),
});

interface WithLatest {
  user: string;
  survey: string;
  revision: number;
  /** The last two notifications by key that count, as JSON. */
  latest: string;
}

/** A row with the last two notifications that count, and the occurrences that were sent ahead of their time. */
export type Latest<R> = Omit<R, 'latest'> & { latest: Notification[]; sentAhead: readonly string[] };

/** Reads again, without what was settled ahead, for rows where that is the newest. Otherwise it costs nothing. */
export async function withoutAhead<R extends WithLatest>(
  { db, now }: Pick<Context, 'db' | 'now'>,
  rows: readonly R[],
): Promise<Latest<R>[]> {
  const limit = aheadOf(now);
  const parsed = rows.map((row) => ({
    ...row,
    latest: parseNotifications(row.latest),
    sentAhead: none,
  }));
  const wrong = parsed.filter(({ latest }) => latest.some(({ settledAt }) => (settledAt ?? 0) > limit));
  for (let start = 0; start < wrong.length; start += chunkSize) {
    const chunk = wrong.slice(start, start + chunkSize);
    const keys = chunk.map(({ user, survey, revision }, n) => ({ n, user, survey, revision }));
    const found = await db
      .select({
        n: sql<number>`k.value ->> 'n'`.as('position'),
        latest: sql<string>`(select json_group_array(${asJson('n')}) from (
          select * from scheduled_notification y
          where y.user_id = k.value ->> 'user' and y.survey_id = k.value ->> 'survey'
            and y.state is not 'invalidated' and (y.settled_at is null or y.settled_at <= ${limit})
          order by y.revision desc, y.occurs_on desc limit 2) n)`.as('latest'),
        sentAhead: sql<string>`(select json_group_array(y.occurs_on) from scheduled_notification y
          where y.user_id = k.value ->> 'user' and y.survey_id = k.value ->> 'survey'
            and y.revision = k.value ->> 'revision' and y.settled_at > ${limit} and y.state = 'sent')`.as(
          'ahead',
        ),
      })
      .from(sql`${each(keys)} k`);
    for (const { n, latest, sentAhead } of found)
      Object.assign(chunk[n] ?? {}, { latest: parseNotifications(latest), sentAhead: JSON.parse(sentAhead) });
  }
  return parsed;
}

const none: readonly string[] = [];
const chunkSize = 200;
