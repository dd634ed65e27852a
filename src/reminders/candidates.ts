import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { query, textOf } from '../db/query.ts';
import { dateOf, dayMs } from '../schedule/days.ts';
import type { Notification } from './notification.ts';

/** A response to be written. */
export interface Answering {
  user: string;
  survey: string;
  /** When it was given (epoch ms). */
  at: number;
  /** The identifier that the phone names. */
  notification: string | undefined;
}

/** The notification that a response may belong to, as it was read: of the past, or the one that the cursor stands before. */
export type Candidate = Pick<Notification, 'id' | 'revision' | 'key' | 'dueAt' | 'settledAt' | 'answeredAt'>;

/** A user's notifications that are searched for one without an answer, of all their surveys. */
const maxSearched = 1000;

const ofCursor = sql`select c.id, c.revision, c.occurrence as key, c.due_at as dueAt, null as settledAt, null as answeredAt
  from scheduled_notification c where c.user_id = :user and c.survey_id = :survey and c.id is not null`;

const ofPast = sql`select n.id, n.revision, n.occurrence as key, n.due_at as dueAt, n.settled_at as settledAt, n.answered_at as answeredAt`;

const isSettled = sql`n.state not in ('sending', 'invalidated')`;

/** In SQL: it had no answer at the time of this one. A phone that was offline may send an earlier answer later. */
const isUnanswered = sql`iif(n.answered_at is null, n.state <> 'skipped' or n.reason is not 'answered', n.answered_at > :at)`;

const fits = sql`n.survey_id = :survey and ${isSettled} and ${isUnanswered}`;

/** In SQL: when the one that was due last was due. The search ends there. */
const lastDue = sql`(select n.due_at from (select * from notification where user_id = :user and due_at <= :at
    order by due_at desc limit ${maxSearched}) n where ${fits} limit 1)`;

/**
 * In SQL: the newest settled one that was due and has no answer, by the keys: a traveller may have later dates that are due
 * earlier, by less than three days.
 */
const settledBy = (order: SQL) => sql`${ofPast} from notification n
  where n.user_id = :user and n.due_at between ${lastDue} - ${3 * dayMs} and :at and ${fits}
  order by ${order} n.revision desc, n.occurrence desc limit 1`;
const newestSettled = settledBy(sql``);
const openFirst = settledBy(sql`n.due_at > :openSince desc,`);

/** In SQL: the one that the phone names. One that was taken back may come again. */
const named = sql`select * from (${ofPast}, n.state = 'invalidated' as order_ from notification n
    where n.id = :notification and n.user_id = :user and n.survey_id = :survey and n.state <> 'sending'
  union all select *, 0.5 from (${ofCursor} and c.id = :notification)) order by order_ limit 1`;

/** In SQL: the newest due one that has no answer or is not settled: nothing is settled behind the cursor. */
const newest = sql`select * from (${ofCursor} and c.due_at <= :at)
  union all select * from (${newestSettled}) where not exists (${ofCursor} and c.due_at <= :at)`;

const statementFor = ({ notification }: Answering) => (notification === undefined ? newest : named);

const parametersOf = ({ notification, ...of }: Answering) => ({ ...of, notification: notification ?? null });

/** The candidate of a response. */
export const selectCandidate = (db: Database, response: Answering) =>
  query<Candidate>(db, statementFor(response), parametersOf(response));

/** In SQL: the response still has the candidate that {@link selectCandidate} found. */
export function stillBelongs(response: Answering, found: Candidate | undefined): SQL {
  const values = parametersOf(response);
  const parts = textOf(statementFor(response))
    .split(/:(user|survey|at|notification)\b/)
    .map((part, n) => (n % 2 === 0 ? sql.raw(part) : sql`${values[part as keyof typeof values]}`));
  const text = found ? `${found.id} ${Number(found.settledAt === null)}` : null;
  return sql`(select id || ' ' || (settledAt is null) from (${sql.join(parts)})) is ${text}`;
}

/** The newest settled one that was due and has no answer: one that had not expired comes first. */
export const selectStored = (db: Database, response: Answering, expiresAfter: number) =>
  query<Candidate>(db, openFirst, {
    ...parametersOf(response),
    openSince: response.at - expiresAfter * 60_000,
  });

/** Of a response that comes late: the settled ones that were due since on the days around it, and have no answer. */
export function selectLater(db: Database, response: Answering) {
  const day = Math.floor(response.at / dayMs);
  return query<Candidate>(db, later, {
    ...parametersOf(response),
    until: response.at + 3 * dayMs,
    from: dateOf(day - 1),
    to: `${dateOf(day + 1)}/~`,
  });
}

const later = sql`${ofPast} from notification n where n.user_id = :user and n.due_at > :at and n.due_at < :until and n.survey_id = :survey
    and n.revision = (select s.reminders_revision from survey s where s.id = :survey)
    and n.occurrence between :from and :to and ${isSettled} and ${isUnanswered} order by n.occurrence`;
