import { type SQL, sql } from 'drizzle-orm';
import { givenAt, maxLateMs } from '../items/schema.ts';
import { listedBytes } from '../permissions/limits.ts';
import { answerOf } from './answers.ts';
import { fromPushes, type Notification, type Settled } from './notification.ts';
import type { Push } from './schema.ts';

/** A notification as the history shows it. */
export interface HistoryEntry extends Omit<Notification, 'userId' | 'surveyId'> {
  user: string;
  survey: string;
  shownAt: number | null;
  dismissedAt: number | null;
  /** Of the survey's reminders. */
  currentRevision: number;
  /** Epoch ms, or 0; only of those that come. */
  pausedUntil: number;
  answerReceivedAt: number | null;
}

/** A row of {@link entriesOf}. */
export interface EntryRow
  extends Omit<HistoryEntry, 'attempts' | 'deliveries' | 'followUps' | 'nextAttemptAt' | 'answeredLate'> {
  state: Settled | null;
  pushes: string | null;
  attemptAt: number | null;
  storedLate: number | null;
  answerWithin: number | null;
}

/**
 * In SQL: the columns of each row `x` (user, survey, revision, occurrence, dueAt, id), which comes from the cursor if `isNext`.
 * Only then its time, zone and attempt are the cursor's, with the results of a push that is being tried.
 */
const shown = sql`x.user, x.survey, x.id, x.revision, x.occurrence as key, x.dueAt,
  iif(x.isNext, c.counter, n.counter) as counter, iif(x.isNext, c.time_zone, n.time_zone) as timeZone,
  iif(x.isNext, c.attempt_at, null) as attemptAt, iif(x.isNext, null, nullif(n.state, 'sending')) as state,
  iif(x.isNext, null, n.settled_at) as settledAt, iif(x.isNext, null, n.reason) as reason,
  iif(x.isNext and n.state = 'invalidated', null, n.pushes) as pushes,
  iif(c.last = x.id, c.again_at, null) as nextFollowUpAt, iif(c.last = x.id, c.retry_at, null) as retryAt,
  iif(c.last = x.id, c.snoozed_until, null) as snoozedUntil,
  n.shown_at as shownAt, n.opened_at as openedAt, n.dismissed_at as dismissedAt,
  case when x.isNext and n.answered_at is null then ${answerOf(sql`x.id`, sql`x.dueAt`)} else n.answered_at end as answeredAt,
  n.answered_late as storedLate, s.reminders_revision as currentRevision,
  iif(x.isNext and json_valid(s.plain_reminders), s.plain_reminders ->> 'answerWithin', null) as answerWithin,
  case when x.isNext then max(coalesce(u.paused_until, 0), coalesce((select m.paused_until from current_member m
    where m.investigation_id = s.investigation_id and m.user_id = x.user), 0)) else 0 end as pausedUntil`;

/** In SQL: the tables of {@link shown}, beside `x`. */
const tables = sql`join user u on u.id = x.user join survey s on s.id = x.survey left join notification n on n.id = x.id
  left join scheduled_notification c on c.user_id = x.user and c.survey_id = x.survey`;

/** In SQL: bytes of the row in the answer. */
export const bytesOfEntry = sql`(${listedBytes} + coalesce(octet_length(n.pushes), 0))`;

/** In SQL: when the response that answers a notification was received, which may be after it was given. */
const received = sql`case when listed.answeredAt is not null then (
    select r.created_at from survey s join response r on r.investigation_id = s.investigation_id
    where s.id = listed.survey and r.responder_id = listed.user and r.survey_id = s.id
      and r.created_at between listed.answeredAt and listed.answeredAt + ${maxLateMs}
      and ${givenAt('r')} = listed.answeredAt order by r.created_at limit 1) end as answerReceivedAt`;

/** In SQL: the entries of rows `x`, with more columns. */
export const entriesOf = (rows: SQL, more = sql``): SQL => sql`select listed.*, ${received} from (
    select ${shown}${more} from (${rows}) x ${tables}) listed`;

/**
 * In SQL: the cursor `c` stands before a notification that is not settled. It is listed in the place of its `sending` row,
 * and of one that was taken back before it came again.
 */
export const comesNext = (state: SQL) =>
  sql`c.id is not null and coalesce(${state} in ('sending', 'invalidated'), 1)`;

/** The entry of a row, with the other columns of the row. */
export function toEntry<Row extends EntryRow>(
  row: Row,
): Omit<Row, 'pushes' | 'attemptAt' | 'storedLate' | 'answerWithin'> & HistoryEntry {
  const { pushes, attemptAt, storedLate, answerWithin, ...entry } = row;
  const pushed = fromPushes(pushes === null ? null : (JSON.parse(pushes) as Push[]), row.dueAt);
  const isLate =
    answerWithin !== null && row.answeredAt !== null && row.answeredAt > row.dueAt + answerWithin * 60_000;
  return {
    ...entry,
    ...pushed,
    nextAttemptAt: attemptAt ?? pushed.nextAttemptAt,
    answeredLate: storedLate ?? (isLate ? 1 : null),
  };
}
