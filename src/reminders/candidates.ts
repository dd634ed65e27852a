import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { partsOfOccurrence, revisionsTold } from '../identifiers.ts';
import { dateOf, dayMs } from '../schedule/days.ts';
import type { Notification } from './columns.ts';
import { notifications } from './schema.ts';

/** A response to be written. */
export interface Answering {
  user: string;
  survey: string;
  /** When it was given (epoch ms). */
  at: number;
  /** The identifier that the phone names. */
  notification: string | undefined;
}

/** The stored notification that a response may belong to, as it was read. */
export type Candidate = Pick<Notification, 'revision' | 'key' | 'dueAt' | 'settledAt' | 'answeredAt'>;

const minuteMs = 60_000;

/** Notifications that are searched for one without an answer. */
const maxSearched = 50;

/** In SQL: it had no answer at the time of this one. A phone that was offline may send an earlier answer later. */
const isUnanswered = (at: number) => sql`iif(${notifications.answeredAt} is null,
  ${notifications.outcome} is not 'skipped:answered', ${notifications.answeredAt} > ${at})`;

/**
 * In SQL: the notification that the phone names, or the newest due one that has no answer or is not settled. A response
 * that was triggered under earlier reminders may have two.
 */
function candidate({ user, survey, at, notification }: Answering): { from: SQL; where: SQL } {
  if (notification === undefined)
    return {
      from: sql`(select * from scheduled_notification n where n.user_id = ${user} and n.survey_id = ${survey}
        and n.due_at <= ${at} and n.state is not 'invalidated'
        order by n.revision desc, n.occurrence desc limit ${sql.raw(String(maxSearched))}) scheduled_notification`,
      where: sql`(${notifications.settledAt} is null or ${isUnanswered(at)})`,
    };
  const { userId, surveyId, revision, key } = notifications;
  const named = partsOfOccurrence(notification);
  const current = sql`(select s.reminders_revision from survey s where s.id = ${survey})`;
  return {
    from: sql`scheduled_notification`,
    // The `+` keeps SQLite to the index of triggered ones.
    where: sql`${userId} = ${user} and ${surveyId} = ${survey} and (${revision}, ${key}) in (
      select ${current} - (${current} + ${revisionsTold} - ${named.revision}) % ${revisionsTold}, ${named.key}
      union all select t.revision, t.occurrence from scheduled_notification t where +t.user_id = ${user}
        and +t.survey_id = ${survey} and t.response_end = ${named.responseEnd})
      order by ${notifications.state} is 'invalidated', ${revision} desc, ${key} desc`,
  };
}

const { revision, key, dueAt, settledAt } = notifications;

const candidateColumns = {
  revision: sql<number>`${revision}`.as('candidate_revision'),
  key: sql<string>`${key}`.as('candidate_key'),
  dueAt: sql<number>`${dueAt}`.as('candidate_due_at'),
  settledAt: sql<number | null>`${settledAt}`.as('candidate_settled_at'),
  answeredAt: sql<number | null>`${notifications.answeredAt}`.as('candidate_answered_at'),
};

/** The candidate of a response. */
export function selectCandidate(db: Database, response: Answering) {
  const { from, where } = candidate(response);
  return db.select(candidateColumns).from(from).where(where).limit(1);
}

/** In SQL: the response still has the candidate that {@link selectCandidate} found. */
export function stillBelongs(response: Answering, found: Candidate | undefined): SQL {
  const { from, where } = candidate(response);
  const text = found ? `${found.revision} ${found.key} ${Number(found.settledAt === null)}` : null;
  return sql`(select ${revision} || ' ' || ${key} || ' ' || (${settledAt} is null) from ${from} where ${where} limit 1) is ${text}`;
}

/** The newest settled one that was due and has no answer, and had not expired if there is such a one. */
export function selectStored(db: Database, response: Answering, expiresAfter: number) {
  const { from } = candidate({ ...response, notification: undefined });
  return db
    .select(candidateColumns)
    .from(from)
    .where(sql`${settledAt} is not null and ${isUnanswered(response.at)}`)
    .orderBy(sql`${dueAt} > ${response.at - expiresAfter * minuteMs} desc, ${revision} desc, ${key} desc`)
    .limit(1);
}

/** Of a response that comes late: the settled ones that were due since on the days around it, and have no answer. */
export function selectLater(db: Database, { user, survey, at }: Answering) {
  const day = Math.floor(at / dayMs);
  return db
    .select(candidateColumns)
    .from(notifications)
    .where(
      sql`${notifications.userId} = ${user} and ${notifications.surveyId} = ${survey}
        and ${revision} = (select s.reminders_revision from survey s where s.id = ${survey})
        and ${key} between ${dateOf(day - 1)} and ${`${dateOf(day + 1)}/~`} and ${dueAt} > ${at}
        and ${settledAt} is not null and ${notifications.state} <> 'invalidated' and ${isUnanswered(at)}`,
    )
    .orderBy(key);
}
