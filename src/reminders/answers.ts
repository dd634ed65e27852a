import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { queryEach } from '../db/json.ts';
import { query } from '../db/query.ts';
import { givenAt, isGivenSince } from '../items/schema.ts';
import { answeredName, earliestAnswerMs } from '../schedule/answers.ts';
import { dayMs } from '../schedule/days.ts';
import type { ReminderState } from '../schedule/occurrences.ts';
import { slotOf } from '../schedule/slots.ts';
import type { Notification } from './notification.ts';

/** `unlessAnswered` needs the local date of a due time, which was a date of the user's at most this long ago. */
export const answersSinceMs = 3 * dayMs;

/** A recent response of a user to a survey, which is not deleted; or an answer that waits, set aside. */
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

/** In SQL: the tables of answers, and the condition of those that count. */
const counting = [
  [sql`response`, sql`r.deleted_at is null`],
  [sql`set_aside`, sql`r.settled_at is null`],
] as const;

/** In SQL: the answers of user `u` to survey `s` since an instant, `Answer`. `tables` come before theirs. */
const answersIn = (tables: SQL, since: SQL, further = sql``) =>
  sql.join(
    counting.map(
      ([
        table,
        isThere,
      ]) => sql`select ${givenAt('r')} as at, r.occurrence, ${counts} as counts from ${tables}${table} r
    where r.responder_id = u.id and r.investigation_id = s.investigation_id and r.survey_id = s.id
      and ${isGivenSince('r', since)} and ${isThere} ${further}`,
    ),
    sql` union all `,
  );

/** In SQL: a settled notification of survey `s` has taken answer `r`, which belongs to none. */
const isTaken = sql`exists (select 1 from notification t
  where t.user_id = r.responder_id and t.due_at > ${givenAt('r')} - ${answersSinceMs + dayMs} and t.survey_id = s.id
    and t.answered_at = ${givenAt('r')} and t.state not in ('sending', 'invalidated'))`;

/** In SQL: answer `r` is one of user `u` to survey `s`, and may belong to a notification that is due at an instant. */
const answersSince = (dueAt: SQL): SQL =>
  sql`r.responder_id = u.id and r.investigation_id = s.investigation_id and r.survey_id = s.id
    and ${isGivenSince('r', sql`(${dueAt} - ${earliestAnswerMs})`)}`;

/**
 * In SQL: the first answer (epoch ms) of user `u` to survey `s` that belongs to the occurrence of an id, which is due at an
 * instant, whatever becomes of it: for one that has no notification yet.
 */
export const answerOf = (id: SQL, dueAt: SQL): SQL => {
  const first = (table: SQL) => sql`select ${givenAt('r')} as at from ${table} r
    where ${answersSince(dueAt)} and r.notification = ${id}`;
  return sql`(select min(at) from (${first(sql`response`)} union all ${first(sql`set_aside`)} and r.settled_at is null))`;
};

/** A user's answers to a survey since an instant (epoch ms). */
export const selectAnswers = (db: Database, of: { user: string; survey: string; since: number }) =>
  query<Answer>(db, answersOfUser, { ...of });

const answersOfUser = answersIn(
  sql`(select :user as id) u cross join (select * from survey where id = :survey) s cross join `,
  sql`:since`,
);

/** In SQL: an answer to survey `s` holds back a reminder. */
const skipsAnswered = sql`json_valid(s.plain_reminders) and s.plain_reminders ->> 'unlessAnswered' = 1`;

/** In SQL: the recent answers of user `u` to survey `s` that hold back its reminders, as `[at, occurrence, counts]`. */
export const answersOfDates = sql`case when ${skipsAnswered} then
  (select json_group_array(json_array(given.at, given.occurrence, given.counts)) from (${answersIn(
    sql``,
    sql`(:now - ${answersSinceMs})`,
    sql`and (r.occurrence is not null or not ${isTaken})`,
  )}) given) else '[]' end`;

interface Known {
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
  { revision, isTriggered, unlessAnswered, noted }: Known,
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

/** A notification that is written later than this after it was due (ms) may have been planned after it was answered. */
const lateMs = 60_000;

/** A notification whose answers are to be looked up: those that name it, and one that belongs to none, given before `until`. */
interface Late {
  id: string;
  dueAt: number;
  /** When the next one of its survey was due (epoch ms); null: none was. */
  until: number | null;
}

/** The late ones of what a slice writes for one survey, whose cursor stood before `pending`; and those that a plan skips without a claim. */
export function lateOf(written: readonly Notification[], pending: Notification | null): Late[] {
  const counting = written.filter(({ state }) => state !== 'invalidated');
  return counting.flatMap(({ id, dueAt, settledAt, state }, n) =>
    id !== pending?.id || state === 'skipped' || (settledAt ?? dueAt) > dueAt + lateMs
      ? [{ id, dueAt, until: counting[n + 1]?.dueAt ?? null }]
      : [],
  );
}

/**
 * In SQL: the first answer to notification `n`, also one that was deleted since, or that is set aside. The
 * decision has said which of those that belong to none it takes, if answers hold reminders back.
 */
const firstAnswer = sql`(select min(at) from (
    select ${givenAt('r')} as at from response r where ${answersSince(sql`n.due_at`)}
      and (r.notification = n.id or (r.notification is null and (${skipsAnswered}) is not 1 and n.state <> 'sending' and ${givenAt('r')} >= n.due_at
        and ${givenAt('r')} < coalesce(p.value ->> 'until', 9e15) and not ${isTaken}))
    union all select ${givenAt('r')} from set_aside r where ${answersSince(sql`n.due_at`)} and r.settled_at is null and r.notification = n.id))`;

/** Notes the answers of late notifications, behind the statement that writes them. */
export const noteLateAnswers = queryEach(
  (rows) => sql`update notification set answered_at = found.at,
    answered_late = iif(found.at > due_at + 60000 * found.within, 1, null)
  from (select n.id, ${firstAnswer} as at, iif(json_valid(s.plain_reminders), s.plain_reminders ->> 'answerWithin', null) as within
    from ${rows} p join notification n on n.id = p.value ->> 'id' join user u on u.id = n.user_id
      join survey s on s.id = n.survey_id limit -1) found
  where notification.id = found.id and notification.answered_at is null and found.at is not null`,
);
