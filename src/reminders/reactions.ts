import { desc, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { each, withEach } from '../db/json.ts';
import { query, textOf } from '../db/query.ts';
import { partsOfOccurrence, revisionsTold } from '../identifiers.ts';
import { givenAt, isGivenSince, maxLateMs } from '../items/schema.ts';
import type { Notification, NotificationKey } from './columns.ts';
import { notifications } from './schema.ts';

/** Reactions to a notification: those that phones report, and the answer. */
const reactions = ['shownAt', 'openedAt', 'dismissedAt', 'answeredAt'] as const;
type Reaction = (typeof reactions)[number];

/** When each reaction to one notification happened (epoch ms). */
export type Reacted = NotificationKey & Partial<Record<Reaction, number>>;

/**
 * The statement that notes all reactions, from receipts and answers: of each kind the earliest counts, whatever the order
 * of arrival. `told` is a table of keys and reactions, one row for each notification. Known reactions write nothing.
 */
function noteReactions(db: Database, told: SQL) {
  const columns = reactions.map((name) => ({
    name,
    noted: notifications[name],
    given: sql.raw(`told.${name}`),
  }));
  const first = columns.map(({ name, noted, given }) => [
    name,
    sql`min(coalesce(${noted}, ${given}), coalesce(${given}, ${noted}))`,
  ]);
  const isLate = sql`iif(told.answeredAt < coalesce(${notifications.answeredAt}, 9e15), told.answeredLate, ${notifications.answeredLate})`;
  const isFirst = columns.map(({ noted, given }) => sql`${given} < coalesce(${noted}, 9e15)`);
  return db
    .update(notifications)
    .set({ ...Object.fromEntries(first), answeredLate: isLate })
    .from(sql`${told} told`)
    .where(
      sql`(user_id, survey_id, revision, occurrence) = (told.user, told.survey, told.number, told.slot_key)
        and (${sql.join(isFirst, sql` or `)})`,
    );
}

/** Notes receipts of phones, at most one for each notification. */
export const noteReceipts = (db: Database, receipts: readonly Reacted[]) =>
  noteReactions(
    db,
    sql`(select value ->> 'userId' as user, value ->> 'surveyId' as survey, value ->> 'revision' as number,
      value ->> 'key' as slot_key, null as answeredLate, ${sql.raw(reactions.map((name) => `value ->> '${name}' as ${name}`).join(', '))}
      from ${each(receipts)})`,
  );

/** The notification that a response answers. */
export type Answered = NotificationKey & Pick<Notification, 'dueAt' | 'settledAt'>;

interface Answering {
  user: string;
  survey: string;
  /** When the response was given (epoch ms). */
  at: number;
  /** The identifier that the phone names. */
  notification: string | undefined;
}

/**
 * The notification that a response answers: the one that the phone names, else the user's last one of the survey that was
 * due by then, settled or not.
 */
export const selectAnswered = (db: Database, response: Answering) => {
  const { userId, surveyId, revision, key, dueAt, settledAt } = notifications;
  return db
    .select({ userId, surveyId, revision, key, dueAt, settledAt })
    .from(notifications)
    .where(isAnsweredBy(response))
    .orderBy(desc(revision), desc(key))
    .limit(1);
};

function isAnsweredBy({ user, survey, at, notification }: Answering): SQL {
  const { userId, surveyId, revision, key, dueAt, state } = notifications;
  const isOf = sql`${userId} = ${user} and ${surveyId} = ${survey}`;
  if (notification === undefined) return sql`${isOf} and ${dueAt} <= ${at} and ${state} is not 'invalidated'`;
  const named = partsOfOccurrence(notification);
  const current = sql`(select s.reminders_revision from survey s where s.id = ${survey})`;
  // The `+` keeps SQLite to the index of triggered ones.
  return sql`${isOf} and (${revision}, ${key}) in (
    select ${current} - (${current} + ${revisionsTold} - ${named.revision}) % ${revisionsTold}, ${named.key}
    union all select t.revision, t.occurrence from scheduled_notification t where +t.user_id = ${user}
      and +t.survey_id = ${survey} and t.response_end = ${named.responseEnd})`;
}

/** In SQL: the response still answers the notification that {@link selectAnswered} found. */
export const stillAnswers = (response: Answering, found: Answered | undefined): SQL =>
  sql`(select ${notifications.revision} || ' ' || ${notifications.key} from ${notifications} where ${isAnsweredBy(response)}
    order by ${notifications.revision} desc, ${notifications.key} desc limit 1) is ${found ? `${found.revision} ${found.key}` : null}`;

/** Notes a response, if its revision is the stored one, as the answer to a notification that still counts. */
export const noteAnswer = (
  db: Database,
  { userId, surveyId, revision, key }: Answered,
  response: { id: string; revision: string; at: number; late: boolean },
) =>
  noteReactions(
    db,
    sql`(select user_id as user, survey_id as survey, revision as number, occurrence as slot_key,
      null as shownAt, null as openedAt, null as dismissedAt, ${response.at} as answeredAt,
      ${response.late ? 1 : null} as answeredLate from scheduled_notification
      where (user_id, survey_id, revision, occurrence) = (${userId}, ${surveyId}, ${revision}, ${key})
        and state is not 'invalidated'
        and exists (select 1 from response r where r.id = ${response.id} and r.revision_id = ${response.revision}))`,
  );

/** A notification that may have been answered before it had a row: from `since`, and before `until` (epoch ms). */
interface Answerable extends NotificationKey {
  since: number;
  until: number | null;
  /**
   * The key of the first notification that is written in the same batch: an answer to an earlier one does not count
   * again.
   */
  first: string;
}

/**
 * The written notifications whose answers have to be looked up: the service was late, so that they fell due before they
 * had a row, or the one before them took the answer.
 */
export function withUnreadAnswers(rows: readonly Notification[], now: number): Answerable[] {
  const due = rows.filter(({ dueAt, state }) => dueAt <= now && state !== 'invalidated');
  const series = Map.groupBy(due, ({ userId, surveyId, revision }) => `${userId} ${surveyId} ${revision}`);
  return [...series.values()].flatMap((some) => {
    const [only] = some.length === 1 ? some : [];
    // The row was the pending one: settled now, or to be attempted later.
    if (only && (only.settledAt !== null || only.nextAttemptAt > now)) return [];
    const inOrder = some.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    return inOrder.map(({ userId, surveyId, revision, key, dueAt }, n) => ({
      userId,
      surveyId,
      revision,
      key,
      since: dueAt,
      until: inOrder[n + 1]?.dueAt ?? null,
      first: inOrder[0]?.key ?? key,
    }));
  });
}

const before = `(select l.answered_at from scheduled_notification l
    where l.user_id = g.value ->> 'userId' and l.survey_id = g.value ->> 'surveyId' and l.state is not 'invalidated'
      and (l.revision, l.occurrence) < (g.value ->> 'revision', g.value ->> 'first')
    order by l.revision desc, l.occurrence desc limit 1)`;

/** The limit keeps SQLite from looking up what is `before` again for each response. */
const unread = (rows: string) => `(select g.value ->> 'userId' as user, g.value ->> 'surveyId' as survey,
    g.value ->> 'revision' as number, g.value ->> 'key' as slot_key,
    max(g.value ->> 'since', coalesce(${before} + 1, 0)) as since, coalesce(g.value ->> 'until', 9e15) as until
  from ${rows} g limit -1)`;

const given = textOf(givenAt('r'));

const firstAnswer = `(select min(${given}) from survey s join response r on r.investigation_id = s.investigation_id
    where s.id = o.survey and r.responder_id = o.user and r.survey_id = s.id
      and ${textOf(isGivenSince('r', sql.raw('o.since')))} and ${given} < o.until
      and r.created_at < o.until + ${maxLateMs})`;

const answered = withEach(
  (rows) => `update scheduled_notification set answered_at = told.answer,
    answered_late = iif(told.answer > due_at + 60000 * (select case when json_valid(s.plain_reminders)
      then s.plain_reminders ->> 'answerWithin' end from survey s where s.id = told.survey), 1, null)
  from (select user, survey, number, slot_key, ${firstAnswer} as answer from ${unread(rows)} o limit -1) told
  where (user_id, survey_id, revision, occurrence) = (told.user, told.survey, told.number, told.slot_key)
    and answered_at is not told.answer`,
);

/** Looks up the first answer to each notification, among its user's responses since it was due. */
export function lookUpAnswers(db: Database, some: readonly Answerable[]) {
  const { text, rows } = answered(some);
  return query(db, text, { rows });
}
