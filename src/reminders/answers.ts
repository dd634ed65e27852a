import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { givenAt, isGivenSince } from '../items/schema.ts';
import { answeredName, earliestAnswerMs } from '../schedule/answers.ts';
import { dayMs } from '../schedule/days.ts';
import type { ReminderState } from '../schedule/occurrences.ts';
import { slotOf } from '../schedule/slots.ts';
import type { Notification } from './notification.ts';

/** `unlessAnswered` needs the local date of a due time, which was a date of the user's at most this long ago. */
export const answersSinceMs = 3 * dayMs;

/**
 * A recent response of a user to a survey that is there, since deleted ones hold back no first push; or an answer that is set aside and
 * waits.
 */
export interface Answer {
  /** Epoch ms: when it was given. */
  at: number;
  /** The occurrence that it belongs to, in the form of {@link occurrenceText}. */
  occurrence: string | null;
  /** 1: that has a notification, which counts. */
  counts: number;
}

/** In SQL: answer `r` belongs to a notification that counts. */
const counts = sql`exists (select 1 from notification b where b.id = r.notification and b.outcome is not null)`;

/** An occurrence of a user and a survey, as responses keep it: the revision of the reminders, and the key. */
export const occurrenceText = ({ revision, key }: Pick<Notification, 'revision' | 'key'>): string =>
  `${revision}/${key}`;

/** In SQL: the rows of both kinds that count. */
const counting = [
  [sql`response`, sql`r.deleted_at is null`],
  [sql`set_aside`, sql`r.settled_at is null`],
] as const;

const answersTo = sql.join(
  counting.map(
    ([table, isThere]) => sql`select ${givenAt('r')} as at, r.occurrence, ${counts} as counts
  from survey s cross join ${table} r on r.responder_id = :user and r.investigation_id = s.investigation_id
    and r.survey_id = s.id and ${isGivenSince('r', sql`:since`)} and ${isThere}
  where s.id = :survey`,
  ),
  sql` union all `,
);

/** In SQL: a settled notification of survey `s` has taken answer `r`, which belongs to none. */
export const isTaken = sql`exists (select 1 from notification t
  where t.user_id = r.responder_id and t.due_at > ${givenAt('r')} - ${answersSinceMs + dayMs} and t.survey_id = s.id
    and t.answered_at = ${givenAt('r')} and t.state not in ('sending', 'invalidated'))`;

/** In SQL: answer `r` is one of user `u` to survey `s`, and may belong to a notification that is due at an instant. */
export const answersSince = (dueAt: SQL): SQL =>
  sql`r.responder_id = u.id and r.investigation_id = s.investigation_id and r.survey_id = s.id
    and ${isGivenSince('r', sql`(${dueAt} - ${earliestAnswerMs})`)}`;

/**
 * In SQL: the first answer (epoch ms) of user `u` to survey `s` that belongs to the occurrence of an id, which is due at an
 * instant, whatever becomes of it: for one that has no notification yet.
 */
export const answerOf = (id: SQL, dueAt: SQL): SQL => {
  const given = (table: SQL) => sql`select ${givenAt('r')} as at from ${table} r
    where ${answersSince(dueAt)} and r.notification = ${id}`;
  return sql`(select min(at) from (${given(sql`response`)} union all ${given(sql`set_aside`)} and r.settled_at is null))`;
};

/** A user's answers to a survey since an instant (epoch ms). */
export const selectAnswers = (db: Database, of: { user: string; survey: string; since: number }) =>
  query<Answer>(db, answersTo, { ...of });

const ofDates = sql.join(
  counting.map(
    ([table, isThere]) => sql`select ${givenAt('r')} as at, r.occurrence, ${counts} as counts from ${table} r
    where r.responder_id = u.id and r.investigation_id = i.id and r.survey_id = s.id
      and ${isGivenSince('r', sql`(:now - ${answersSinceMs})`)} and ${isThere}
      and (r.occurrence is not null or not ${isTaken})`,
  ),
  sql` union all `,
);

/** In SQL: an answer to survey `s` holds back a reminder. */
export const skipsAnswered = sql`json_valid(s.plain_reminders) and s.plain_reminders ->> 'unlessAnswered' = 1`;

/** In SQL: the answers of user `u` to survey `s` of the last days, `[at, occurrence, counts]`, where a date is skipped for them. None that is taken. */
export const answersOfDates = sql`case when ${skipsAnswered} then
  (select json_group_array(json_array(given.at, given.occurrence, given.counts)) from (${ofDates}) given) else '[]' end`;

interface Asked {
  revision: number;
  isTriggered: boolean;
  unlessAnswered: boolean;
  /** Notifications of any revision that may have noted an answer. */
  noted: readonly (Notification | null)[];
}

/**
 * The answers to one survey as decisions read them: those that belong to occurrences of these reminders, and those that
 * belong to none. So does one to an occurrence of earlier reminders that was taken back. An answer that
 * a notification has noted ends its nudges, whatever becomes of the response.
 */
export function answersFor(
  all: readonly Answer[],
  { revision, isTriggered, unlessAnswered, noted }: Asked,
): Pick<ReminderState, 'answers' | 'answered'> {
  const answers: number[] = [];
  const answered = new Map<string, number>();
  const note = (name: string, at: number) => answered.set(name, Math.min(at, answered.get(name) ?? at));
  for (const row of noted) {
    if (
      row &&
      row.answeredAt !== null &&
      row.revision === revision &&
      (row.settledAt !== null || !unlessAnswered)
    )
      note(answeredName(slotOf(row.key)), row.answeredAt);
  }
  for (const { at, occurrence, counts } of all) {
    const slash = occurrence?.indexOf('/') ?? -1;
    const of = Number(occurrence?.slice(0, slash));
    if (occurrence !== null && (isTriggered || of === revision))
      note(answeredName(slotOf(occurrence.slice(slash + 1))), at);
    else if (!counts && !noted.some((row) => row && row.settledAt !== null && row.answeredAt === at))
      answers.push(at);
  }
  return { answers, answered };
}
