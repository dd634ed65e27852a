import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { each } from '../db/json.ts';
import { cursors, notifications } from './schema.ts';
import { noteAnswered } from './silence.ts';

/** Reactions to a notification: those that phones report, and the answer. */
const reactions = ['shownAt', 'openedAt', 'dismissedAt', 'answeredAt'] as const;
type Reaction = (typeof reactions)[number];

/** When each reaction to one notification happened (epoch ms). */
export type Reacted = { id: string } & Partial<Record<Reaction, number>> & { answeredLate?: 1 | undefined };

/**
 * The statement that notes reactions, from receipts and answers, at most one row for each notification: of each kind the
 * earliest counts, whatever the order of arrival. Known reactions write nothing. `which` is a condition in SQL.
 */
export function noteReactions(db: Database, told: readonly Reacted[], which = sql`true`) {
  const columns = reactions.map((name) => ({
    name,
    noted: notifications[name],
    given: sql.raw(`(told.value ->> '${name}')`),
  }));
  const first = columns.map(({ name, noted, given }) => [
    name,
    sql`min(coalesce(${noted}, ${given}), coalesce(${given}, ${noted}))`,
  ]);
  const isLate = sql`iif(told.value ->> 'answeredAt' < coalesce(${notifications.answeredAt}, 9e15),
    told.value ->> 'answeredLate', ${notifications.answeredLate})`;
  const isFirst = columns.map(({ noted, given }) => sql`${given} < coalesce(${noted}, 9e15)`);
  return db
    .update(notifications)
    .set({ ...Object.fromEntries(first), answeredLate: isLate })
    .from(sql`${each(told)} told`)
    .where(sql`${notifications.id} = told.value ->> 'id' and ${which} and (${sql.join(isFirst, sql` or `)})`);
}

/**
 * Writes the notifications of a user whose time has come, and that no turn has claimed yet: a phone may show its own copy
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
      c.time_zone, null, 'sending', null, null, null, null, null, null, null from scheduled_notification c
      where c.user_id = ${user} and c.due_at <= ${now} and c.id in (select value from ${each(ids)})`)
    .onConflictDoNothing();

/** A response that belongs to a notification. */
interface Answer {
  /** The notification. */
  notification: string;
  user: string;
  survey: string;
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
export const endNudges = (
  db: Database,
  { user, survey, notification }: Pick<Answer, 'user' | 'survey' | 'notification'>,
) =>
  db
    .update(cursors)
    .set({ againAt: null })
    .where(
      sql`user_id = ${user} and survey_id = ${survey} and last = ${notification} and again_at is not null`,
    );
