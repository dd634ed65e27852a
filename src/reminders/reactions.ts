import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { each } from '../db/json.ts';
import { query } from '../db/query.ts';
import { dayMs } from '../schedule/days.ts';
import { cursors, notifications } from './schema.ts';

/** Reactions to a notification: those that phones report, and the answer. */
const reactions = ['shownAt', 'openedAt', 'dismissedAt', 'answeredAt'] as const;
type Reaction = (typeof reactions)[number];

/** When each reaction to one notification happened (epoch ms). */
export type Reacted = { id: string } & Partial<Record<Reaction, number>> & { answeredLate?: 1 | undefined };

/**
 * The statement that notes reactions, from receipts and answers, at most one row for each notification: of each kind the
 * earliest counts, whatever the order of arrival. Known reactions write nothing. `which` is a condition in SQL.
 */
export function noteReactions(db: Database, reported: readonly Reacted[], which = sql`true`) {
  const columns = reactions.map((name) => ({
    name,
    noted: notifications[name],
    given: sql.raw(`(reported.value ->> '${name}')`),
  }));
  const first = columns.map(({ name, noted, given }) => [
    name,
    sql`min(coalesce(${noted}, ${given}), coalesce(${given}, ${noted}))`,
  ]);
  const isLate = sql`iif(reported.value ->> 'answeredAt' < coalesce(${notifications.answeredAt}, 9e15),
    reported.value ->> 'answeredLate', ${notifications.answeredLate})`;
  const isFirst = columns.map(({ noted, given }) => sql`${given} < coalesce(${noted}, 9e15)`);
  return db
    .update(notifications)
    .set({ ...Object.fromEntries(first), answeredLate: isLate })
    .from(sql`${each(reported)} reported`)
    .where(
      sql`${notifications.id} = reported.value ->> 'id' and ${which} and (${sql.join(isFirst, sql` or `)})`,
    );
}

/**
 * Writes the notifications of a user whose time has come, and that no slice has claimed yet: a phone may show its own copy
 * before the service gets to it.
 */
export const insertDue = (
  db: Database,
  { user, now }: { user: string; now: number },
  ids: readonly string[],
) =>
  db
    .insert(notifications)
    .select(sql`select c.user_id, c.due_at, c.id, c.survey_id, c.revision, c.occurrence, c.counter,
      c.time_zone, null, 'sending', null, null, null, null, null, null, null, null from scheduled_notification c
      where c.user_id = ${user} and c.due_at <= ${now} and c.id in (select value from ${each(ids)})`)
    .onConflictDoNothing();

/** A notification that is answered. */
type Answered = Record<'notification' | 'user' | 'survey', string>;

/** A response that belongs to a notification. */
interface Answer extends Answered {
  response: string;
  revision: string;
  /** Epoch ms. */
  at: number;
  late: boolean;
}

/**
 * Notes a response, if its revision is the stored one, as the answer to a notification that counts. One that is still to
 * come finds its answer when its time has come.
 */
export const noteAnswer = (db: Database, { notification, at, late, response, revision, ...of }: Answer) => {
  const isStored = sql`exists (select 1 from response r where r.id = ${response} and r.revision_id = ${revision})`;
  return [
    noteReactions(
      db,
      [{ id: notification, answeredAt: at, answeredLate: late ? 1 : undefined }],
      sql`${notifications.state} <> 'invalidated' and ${isStored}`,
    ),
    noteAnswered(db, { ...of, notification }),
  ] as const;
};

/** The person has answered the notification, with an answer that is set aside: no nudge follows. */
export const endNudges = (db: Database, { user, survey, notification }: Answered) =>
  db
    .update(cursors)
    .set({ againAt: null })
    .where(
      sql`user_id = ${user} and survey_id = ${survey} and last = ${notification} and again_at is not null`,
    );

/** Notifications of all surveys behind the answered one that are looked at. */
const maxLooked = 1000;

/** Somebody who travels has later dates that are due earlier, by this many days at most. */
const travelMs = 3 * dayMs;

/** Later ones of the survey that count, by their keys. More of them make nobody more silent. */
const laterCount = sql`(select count(*) from (select 1 from (
    select n.survey_id, n.outcome, (n.revision, n.occurrence) > (a.revision, a.occurrence) as isLater from notification a cross join notification n
      on n.user_id = a.user_id and n.due_at >= a.due_at - ${travelMs}
    where a.id = :notification order by n.due_at, n.id limit ${maxLooked})
  where survey_id = :survey and outcome is not null and isLater limit 3))`;

const lowerUnanswered = sql`update scheduled_notification set unanswered = min(unanswered, ${laterCount})
  where user_id = :user and survey_id = :survey and unanswered > 0
    and exists (select 1 from notification a where a.id = :notification and a.answered_at is not null)`;

/**
 * The statement after an answer was noted for a notification: only later ones are without an answer. It comes behind the
 * statement that notes the answer, and does nothing if none was noted.
 */
export const noteAnswered = (db: Database, { user, survey, notification }: Answered) =>
  query<never>(db, lowerUnanswered, { user, survey, notification });
