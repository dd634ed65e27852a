import { type SQL, sql } from 'drizzle-orm';
import { isFrozenWith } from '../permissions/frozen-groups.ts';
import { combinationOf } from '../permissions/groups.ts';
import { dayMs } from '../schedule/days.ts';
import { joinedOn } from '../studies/schema.ts';
import { answerOf, answersOfDates, answersSinceMs } from './answers.ts';
import { effectiveZone } from './effective-zone.ts';
import { isBarred } from './groups.ts';
import { keptTriggers } from './triggers.ts';

/* The state of a user and a survey in SQL: the input of every decision, read in one statement for as many as are due. */

/** A row of {@link stateColumns}. */
export interface StateRow
  extends Record<'user' | 'survey' | 'investigation' | 'timeZone' | 'studyZone' | 'startsOn', string>,
    Record<'member' | 'joinedAt' | 'pausedUntil' | 'activeSince' | 'frozen' | 'archived', number>,
    Record<'blinded' | 'barred', number>,
    Record<'for' | 'properties', string | null>,
    Record<'revision' | 'remindersSince', number>,
    Record<'time' | 'quietFrom' | 'quietTo' | 'windowSecret' | 'downloadedOn' | 'pushed', string | null>,
    Record<'joinedOn' | 'dates' | 'participation' | 'combination' | 'course', string | null>,
    Record<'answers' | 'triggers', string> {
  downloadedAt: number | null;
  /** The notification that the cursor stands before, and the last one, as JSON. */
  next: string | null;
  last: string | null;
}

/** Earlier reminders that may have been pushed on a date that is not over: the longest expiry, and days of clocks. */
const pushedSinceMs = 63 * dayMs;

/**
 * In SQL: the last pushes of reminders before a revision of survey `s`, as `[instant, zone]`. More than one, since people
 * fly west.
 */
export const pushedBefore = (revision: SQL) =>
  sql`(select json_group_array(json_array(y.settled_at, y.time_zone)) from (select y.settled_at, y.time_zone from notification y
    where y.user_id = u.id and y.due_at > :now - ${pushedSinceMs} and y.survey_id = s.id and y.revision < ${revision}
      and y.state = 'sent' order by y.due_at desc limit 3) y)`;

/** In SQL: the fields of {@link Notification} that cursor `c`, its row `n` or the last row `l` has. D1 takes 32 arguments. */
const nextNotification = sql`json_object('id', c.id, 'revision', c.revision, 'key', c.occurrence, 'counter', c.counter,
  'dueAt', c.due_at, 'timeZone', c.time_zone, 'pushes', json(n.pushes), 'nextAttemptAt', c.attempt_at,
  'answeredAt', iif(n.id is null, ${answerOf(sql`c.id`, sql`c.due_at`)}, n.answered_at))`;
const lastNotification = sql`json_object('id', l.id, 'revision', l.revision, 'key', l.occurrence, 'counter', l.counter,
  'dueAt', l.due_at, 'timeZone', l.time_zone, 'pushes', json(l.pushes), 'state', l.state, 'reason', l.reason,
  'settledAt', l.settled_at, 'openedAt', l.opened_at, 'answeredAt', l.answered_at,
  'nextFollowUpAt', c.again_at, 'retryAt', c.retry_at, 'snoozedUntil', c.snoozed_until)`;

/** In SQL: study `i`, or a group that member `m` is in, is frozen. */
export const isFrozen = isFrozenWith(sql`m.properties`);

/** In SQL: the properties of the person, who may have left the study. */
const properties = sql`iif(m.user_id is null, (select f.properties from change f
  where f.identifier = u.id and f.investigation_id = i.id and f.kind = 'member'), m.properties)`;

/**
 * In SQL: the state of user `u` and survey `s` of study `i` at `:now` (epoch ms), from the tables of {@link stateTables}. Days
 * after a change earlier pushes matter no longer.
 */
export const stateColumns = sql`u.id as user, s.id as survey, i.id as investigation,
  m.participant_since is not null as member, coalesce(m.participant_since, 0) as joinedAt, ${joinedOn('m')} as joinedOn,
  m.dates, m.participation, m.properties, s.for, s.blinded, ${isBarred} as barred, ${combinationOf(properties)} as combination,
  i.course, u.custom_reminders_time as time,
  u.quiet_hours_start as quietFrom, u.quiet_hours_end as quietTo,
  max(coalesce(u.paused_until, 0), coalesce(m.paused_until, 0)) as pausedUntil,
  ${effectiveZone(sql`u.id`, sql`u.time_zone`, sql`i.time_zone`)} as timeZone, i.time_zone as studyZone,
  i.starts_on as startsOn, i.active_since as activeSince, ${isFrozen} as frozen,
  i.archived_at is not null or s.archived_at is not null as archived, s.window_secret as windowSecret,
  s.reminders_revision as revision, s.reminders_since as remindersSince,
  c.downloaded_at as downloadedAt, c.downloaded_on as downloadedOn,
  iif(c.id is null, null, ${nextNotification}) as next, iif(l.id is null, null, ${lastNotification}) as last,
  ${answersOfDates} as answers,
  case when s.reminders_revision > 0 and s.reminders_since > :now - ${answersSinceMs} and not s.reminds_again
    then ${pushedBefore(sql`s.reminders_revision`)} end as pushed,
  ${keptTriggers} as triggers`;

/** In SQL: the past of cursor `c`. A notification that was taken back, and comes again, has no earlier attempts. */
const pastTables = sql`left join notification n on n.id = c.id and n.state = 'sending'
  left join notification l on l.id = c.last`;

/** In SQL: the tables of the columns, from cursors `c`. */
export const tablesOfCursors = sql`join survey s on s.id = c.survey_id join investigation i on i.id = s.investigation_id
  join user u on u.id = c.user_id left join member m on m.investigation_id = i.id and m.user_id = u.id ${pastTables}`;

/** In SQL: the same from members `m`. */
export const tablesOfMembers = sql`join user u on u.id = m.user_id join investigation i on i.id = m.investigation_id
  join survey s on s.investigation_id = i.id
  left join scheduled_notification c on c.user_id = u.id and c.survey_id = s.id ${pastTables}`;

/** In SQL: a survey may have many translations, and each phone needs one. */
export const reminders = sql`s.plain_reminders as reminders`;

/** In SQL: the translations that may serve a phone of these users, whose language begins with their tag. */
const translationsFor = (users: SQL) =>
  sql`case when json_valid(s.plain_reminders) and octet_length(s.reminders) > octet_length(s.plain_reminders) then
  (select json_group_object(t.key, json(t.value)) from (select distinct lower(v.language) || '-' as spoken
      from device v where v.user_id in (${users}) and v.language is not null) l
    cross join json_each(s.reminders, '$.translations') t
    where instr(l.spoken, lower(t.key) || '-') = 1) end`;

/** The reminders of a survey. */
export interface SurveyTexts {
  survey: string;
  reminders: string | null;
  translations: string | null;
}

/** In SQL: the reminders of surveys, and their translations that may serve a phone of users. Each selects identifiers. */
export const selectTextsOf = (surveys: SQL, users: SQL): SQL =>
  sql`select s.id as survey, ${reminders}, ${translationsFor(users)} as translations from survey s where s.id in (${surveys})`;
