import { sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { query, textOf } from '../db/query.ts';
import { partsOfOccurrence, revisionsTold } from '../identifiers.ts';
import { givenAt, isGivenSince } from '../items/schema.ts';
import { answeredName } from '../schedule/answers.ts';
import type { ReminderState } from '../schedule/occurrences.ts';
import { slotOf } from '../schedule/slots.ts';
import type { Notification } from './columns.ts';

/** `unlessAnswered` needs the local date of a due time, which was a date of the user's at most this long ago. */
export const answersSinceMs = 3 * 24 * 3600 * 1000;

/**
 * A recent response of a user to a survey that is there, since deleted ones hold back no first push; or an answer that is set aside and
 * waits.
 */
export interface Answer {
  /** Epoch ms: when it was given. */
  at: number;
  /** The identifier of the occurrence that it belongs to. */
  notification: string | null;
}

/** In SQL: the rows of both kinds that count. */
const counting = [
  ['response', 'r.deleted_at is null'],
  ['set_aside', 'r.settled_at is null'],
];

const answersTo = counting
  .map(
    ([table, counts]) => `select ${textOf(givenAt('r'))} as at, r.notification
  from survey s cross join ${table} r on r.responder_id = :user and r.investigation_id = s.investigation_id
    and r.survey_id = s.id and ${textOf(isGivenSince('r', sql.raw(':since')))} and ${counts}
  where s.id = :survey`,
  )
  .join(' union all ');

/** In SQL: a settled notification of survey `s` has taken answer `r`, which belongs to none. */
export const isTaken = `exists (select 1 from scheduled_notification n
  where n.user_id = r.responder_id and n.survey_id = s.id and n.revision in (s.reminders_revision, s.reminders_revision - 1)
    and n.occurrence >= date(${textOf(givenAt('r'))} / 1000, 'unixepoch', '-3 days')
    and n.answered_at = ${textOf(givenAt('r'))} and n.settled_at is not null and n.state <> 'invalidated')`;

/** A user's answers to a survey since an instant (epoch ms). */
export const selectAnswers = (db: Database, of: { user: string; survey: string; since: number }) =>
  query<Answer>(db, answersTo, { ...of });

const ofDates = counting
  .map(
    ([table, counts]) => `select ${textOf(givenAt('r'))} as at, r.notification from ${table} r
    where r.responder_id = u.id and r.investigation_id = i.id and r.survey_id = s.id
      and ${textOf(isGivenSince('r', sql.raw(`(:now - ${answersSinceMs})`)))} and ${counts}
      and (r.notification is not null or not ${isTaken})`,
  )
  .join(' union all ');

/** In SQL: an answer to survey `s` holds back a reminder. */
export const skipsAnswered = "json_valid(s.plain_reminders) and s.plain_reminders ->> 'unlessAnswered' = 1";

/** In SQL: the answers of user `u` to survey `s` of the last days, `[at, notification]`, where a date is skipped for them. None that is taken. */
export const answersOfDates = sql`case when ${sql.raw(skipsAnswered)} then
  (select json_group_array(json_array(given.at, given.notification)) from (${sql.raw(ofDates)}) given)
  else '[]' end`;

interface Asked {
  revision: number;
  isTriggered: boolean;
  unlessAnswered: boolean;
  /** The last notifications that count, of any revision. */
  latest: readonly Notification[];
}

/**
 * The answers to one survey as decisions read them: those that belong to occurrences of these reminders, and those that
 * belong to none. So does one to an occurrence of earlier reminders that was taken back. An answer that
 * a notification has noted ends its nudges, whatever becomes of the response.
 */
export function answersFor(
  all: readonly Answer[],
  { revision, isTriggered, unlessAnswered, latest }: Asked,
): Pick<ReminderState, 'answers' | 'answered'> {
  const answers: number[] = [];
  const answered = new Map<string, number>();
  const note = (name: string, at: number) => answered.set(name, Math.min(at, answered.get(name) ?? at));
  for (const row of latest) {
    const isNoted = row.settledAt !== null || !unlessAnswered;
    if (row.answeredAt !== null && row.revision === revision && isNoted)
      note(answeredName(slotOf(row.key)), row.answeredAt);
  }
  for (const { at, notification } of all) {
    const parts = notification === null ? null : partsOfOccurrence(notification);
    if (parts && (isTriggered || parts.revision === revision % revisionsTold))
      note(isTriggered ? parts.responseEnd : parts.key, at);
    else if (!latest.some((one) => one.settledAt !== null && one.answeredAt === at)) answers.push(at);
  }
  return { answers, answered };
}
