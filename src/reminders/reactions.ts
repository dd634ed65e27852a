import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { each } from '../db/json.ts';
import { textOf } from '../db/query.ts';
import { occurrenceIdentifier } from '../identifiers.ts';
import { givenAt, isGivenSince } from '../items/schema.ts';
import { earliestAnswerMs } from '../schedule/answers.ts';
import { isTaken, skipsAnswered } from './answers.ts';
import type { Notification, NotificationKey } from './columns.ts';
import { notifications } from './schema.ts';

/** Reactions to a notification: those that phones report, and the answer. */
const reactions = ['shownAt', 'openedAt', 'dismissedAt', 'answeredAt'] as const;
type Reaction = (typeof reactions)[number];

/** When each reaction to one notification happened (epoch ms). */
export type Reacted = NotificationKey & Partial<Record<Reaction, number>> & { answeredLate?: 1 | undefined };

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

/** Notes receipts of phones, and answers that are set aside, at most one for each notification. */
export const noteReceipts = (db: Database, receipts: readonly Reacted[]) =>
  noteReactions(
    db,
    sql`(select value ->> 'userId' as user, value ->> 'surveyId' as survey, value ->> 'revision' as number,
      value ->> 'key' as slot_key, value ->> 'answeredLate' as answeredLate, ${sql.raw(reactions.map((name) => `value ->> '${name}' as ${name}`).join(', '))}
      from ${each(receipts)})`,
  );

/** Notes a response, if its revision is the stored one, as the answer to a notification that still counts. */
export const noteAnswer = (
  db: Database,
  { userId, surveyId, revision, key }: NotificationKey,
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

/** A notification that was late: it fell due before it had a row, from `since` on, and before `until` (epoch ms). */
interface LateNotification extends NotificationKey {
  identifier: string;
  since: number;
  until: number | null;
  isSettled: boolean;
}

/** The written notifications whose answers have to be looked up: the service was late, so they fell due before they had a row. */
export function withUnreadAnswers(rows: readonly Notification[], now: number): LateNotification[] {
  const due = rows.filter(({ dueAt, state }) => dueAt <= now && state !== 'invalidated');
  const series = Map.groupBy(due, ({ userId, surveyId, revision }) => `${userId} ${surveyId} ${revision}`);
  return [...series.values()].flatMap((some) => {
    const [only] = some.length === 1 ? some : [];
    // The row was the pending one: settled now, or to be attempted later.
    if (only && (only.settledAt !== null || only.nextAttemptAt > now)) return [];
    const inOrder = some.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    return inOrder.map(({ userId, surveyId, revision, key, dueAt, settledAt }, n) => ({
      userId,
      surveyId,
      revision,
      key,
      identifier: occurrenceIdentifier(userId, surveyId, revision, key),
      since: dueAt,
      until: inOrder[n + 1]?.dueAt ?? null,
      isSettled: settledAt !== null,
    }));
  });
}

const given = textOf(givenAt('r'));

/** In SQL: answers may hold back the late notification `g`, which waits for the decision: that sees all that are due. */
const waits = `case when not g.value ->> 'isSettled' and ${skipsAnswered} then 1 else 0 end`;

/** In SQL: the first response that belongs to the late notification `g`, or to none and was given before the next was due. */
const firstAnswer = `(select min(${given}) from survey s join response r on r.investigation_id = s.investigation_id
    where s.id = g.value ->> 'surveyId' and r.responder_id = g.value ->> 'userId' and r.survey_id = s.id
      and ${textOf(isGivenSince('r', sql.raw(`(g.value ->> 'since' - ${earliestAnswerMs})`)))}
      and (r.notification = g.value ->> 'identifier' or (r.notification is null
        and ${given} >= g.value ->> 'since' and ${given} < coalesce(g.value ->> 'until', 9e15) and not ${isTaken}
        and not ${waits})))`;

const limitOf = `(select case when json_valid(s.plain_reminders) then s.plain_reminders ->> 'answerWithin' end
    from survey s where s.id = told.survey)`;

/** Notes the answers to notifications that had no row when those were given. */
export const lookUpAnswers = (db: Database, some: readonly LateNotification[]) =>
  noteReactions(
    db,
    sql`(select told.*, iif(answeredAt > since + 60000 * ${sql.raw(limitOf)}, 1, null) as answeredLate from (
      select g.value ->> 'userId' as user, g.value ->> 'surveyId' as survey, g.value ->> 'revision' as number,
        g.value ->> 'key' as slot_key, g.value ->> 'since' as since, null as shownAt, null as openedAt,
        null as dismissedAt, ${sql.raw(firstAnswer)} as answeredAt from ${each(some)} g limit -1) told)`,
  );
