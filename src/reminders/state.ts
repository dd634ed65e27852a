import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { columnsOf, named, query, type RowOf, textOf } from '../db/query.ts';
import { lastInstantOf, localDate } from '../schedule/civil.ts';
import type { ReminderTexts } from '../schedule/languages.ts';
import { clockedBy, type ReminderState, userZoneOf } from '../schedule/occurrences.ts';
import { retentionMs } from '../schedule/retention.ts';
import { type FollowUpRule, parseRule, type Rule } from '../schedule/rule.ts';
import { endOfDate, slotOf } from '../schedule/slots.ts';
import { tzRelease } from '../schedule/zones.ts';
import type { StoredReminders } from '../studies/survey-schema.ts';
import { type Answer, answersFor, answersOfDates, answersSinceMs } from './answers.ts';
import { laterPushes } from './changes.ts';
import { asJson, type Notification, parseNotifications } from './columns.ts';
import { effectiveZone, knownZone, logUnknown } from './effective-zone.ts';
import { readTriggers, triggersOf } from './triggers.ts';

/** The state behind all decisions about one user and one survey, as the database has it now. */
export interface UserReminders extends ReminderState {
  frozen: boolean;
  user: string;
  survey: string;
  investigation: string;
  revision: number;
  /** Epoch ms: when the reminders were changed last. */
  remindersSince: number;
  /**
   * Epoch ms: the end of the local date on which earlier reminders of the survey were pushed last, by the user's present
   * clock. Nothing due up to it exists, so that a change never reminds twice on one date. 0: not lately, or the
   * change says that the user shall be reminded again.
   */
  remindedUntil: number;
  /** The phone has asked for one more push of one of the last two that count. */
  snoozed: boolean;
  texts: ReminderTexts;
  followUps: FollowUpRule | null;
  /** The last sent notification, if it is followed up or retried. */
  followed: Notification | null;
  /** The stamps that a plan made from this state depends on: the plan is stored only while they hold. */
  plannedFrom: string;
  pending: Notification | null;
  /** Pending behind a later date: planned while the later one was being sent. */
  superseded: Notification[];
  /** The stored reminders cannot be parsed, so there is no `rule`. Other surveys are not affected. */
  unreadable: boolean;
}

/** In SQL: the stamps that plans of user `u` for survey `s` are made from, as in {@link notifications.plannedFrom}. */
export const stampsOf = (u: string, s: string): SQL =>
  sql.raw(`${u}.plan_stamp || '/' || ${s}.plan_stamp || '/${tzRelease}'`);

/** Notifications that are searched for the last two that count. Rarely more than a few in a row are invalidated. */
const maxLooked = 50;

/** In SQL: the last two notifications by key of user `u` and survey `s` that count. */
export const latest = sql`(select * from (select * from scheduled_notification y where y.user_id = u.id and y.survey_id = s.id
    order by y.revision desc, y.occurrence desc limit ${sql.raw(String(maxLooked))}) y
  where y.state is not 'invalidated' limit 2)`;

/** In SQL: a column of the last of them, `n`. */
export const lastOf = (column: SQL) => sql`(select ${column} from ${latest} n limit 1)`;

/** In SQL: a delivery handles one of them, now or later. */
export const hasNext = sql`exists (select 1 from ${latest} l where l.next_at is not null)`;

/** Notifications that are searched for the last push: more than a date has, and those that changes have invalidated. */
const maxSearched = 250;

/** In SQL: the last pushes of reminders before a revision, as `[instant, zone]`. More than one, since people fly west. */
export const pushedBefore = (revision: string) =>
  sql.raw(`(select json_group_array(json_array(y.settled_at, y.time_zone)) from (select * from (select * from scheduled_notification y
    where y.user_id = u.id and y.survey_id = s.id and y.revision < ${revision}
    order by y.revision desc, y.occurrence desc limit ${maxSearched}) y where y.state = 'sent' limit 3) y)`);

/**
 * The columns of one user `u` and one survey `s`, from tables with these aliases. `latest` are the last two notifications
 * by key that count: the pending one is always the last, so it is found without an index of its own, and the one before
 * it is the newest settled one. Invalidated notifications do not count, since their dates may come again. Days after a
 * change earlier pushes matter no longer. `now` is in SQL, epoch ms.
 */
export const reminderColumns = (reminders: SQL, answers: SQL, now: SQL) => ({
  user: sql<string>`u.id`.as('user'),
  survey: sql<string>`s.id`.as('survey'),
  investigation: sql<string>`s.investigation_id`.as('investigation'),
  member: sql<number>`m.participant_since is not null`.as('member'),
  joinedAt: sql<number>`coalesce(m.participant_since, 0)`.as('joined_at'),
  plannedFrom: sql<string>`${stampsOf('u', 's')}`.as('planned_from'),
  time: sql<string | null>`u.custom_reminders_time`.as('time'),
  quietFrom: sql<string | null>`u.quiet_hours_start`.as('quiet_start'),
  quietTo: sql<string | null>`u.quiet_hours_end`.as('quiet_end'),
  pausedUntil: sql<number>`max(coalesce(u.paused_until, 0), coalesce(m.paused_until, 0))`.as('paused_until'),
  timeZone: effectiveZone(sql`u.id`, sql`u.time_zone`, sql`i.time_zone`).as('zone'),
  studyZone: sql<string>`i.time_zone`.as('study_zone'),
  startsOn: sql<string>`i.starts_on`.as('starts_on'),
  activeSince: sql<number>`i.active_since`.as('active_since'),
  frozen: sql<number>`i.frozen_at is not null`.as('frozen'),
  archived: sql<number>`i.archived_at is not null or s.archived_at is not null`.as('archived'),
  reminders: sql<string | null>`${reminders}`.as('reminders'),
  windowSecret: sql<string | null>`s.window_secret`.as('window_secret'),
  revision: sql<number>`s.reminders_revision`.as('reminders_revision'),
  remindersSince: sql<number>`s.reminders_since`.as('reminders_since'),
  downloadedAt: sql<number | null>`d.at`.as('downloaded_at'),
  downloadedOn: sql<string | null>`d.local_date`.as('downloaded_on'),
  latest: sql<string>`(select json_group_array(${asJson('n')}) from ${latest} n)`.as('latest'),
  answers: sql<string>`${answers}`.as('answers'),
  pushed: sql<
    string | null
  >`case when s.reminders_revision > 0 and s.reminders_since > ${now} - ${sql.raw(String(answersSinceMs))} and not s.reminds_again
    then ${pushedBefore('s.reminders_revision')} end`.as('pushed'),
  triggers: sql<string>`${triggersOf(now)}`.as('triggers'),
});

/** The tables of {@link reminderColumns} beside `u`: all surveys of the user. */
export const reminderTables = sql`join member m on m.user_id = u.id
  join investigation i on i.id = m.investigation_id
  join survey s on s.investigation_id = i.id
  left join survey_download d on d.user_id = u.id and d.survey_id = s.id`;

/** In SQL: a survey may have many translations, and each phone needs one. */
export const withoutTranslations = sql`s.plain_reminders`;

/** In SQL: the translations that may serve a phone of the user, whose language begins with their tag. */
const translations = sql`case when json_valid(s.plain_reminders) and octet_length(s.reminders) > octet_length(s.plain_reminders) then
  (select json_group_object(t.key, json(t.value)) from (select distinct lower(v.language) || '-' as spoken
      from device v where v.user_id = u.id and v.language is not null) v
    cross join json_each(s.reminders, '$.translations') t
    where instr(v.spoken, lower(t.key) || '-') = 1) end`;

const nextAttempt = sql`(select min(l.next_at) from ${latest} l)`;

/** In SQL: the earliest time of the survey's next push. */
const nextForeseen = sql`max(${nextAttempt}, coalesce(u.paused_until, 0), coalesce(m.paused_until, 0))`;

const columns = {
  ...reminderColumns(withoutTranslations, answersOfDates, named('now')),
  translations: sql<string | null>`${translations}`.as('translations'),
};
const plainColumns = { ...columns, translations: sql<string | null>`null`.as('translations') };

export type ReminderRow = RowOf<typeof columns>;

/** With surveys whose reminders ended lately, since what they pushed counts towards a day. */
const rows = `from user u ${textOf(reminderTables)}
  where u.id = :user and u.deleted_at is null
    and (m.participant_since is not null
        and (s.reminders is not null or s.reminders_revision > 0 and s.reminders_since > :now - ${answersSinceMs})
      or ${textOf(hasNext)})`;
const select = (of = columns) => `select ${columnsOf(of)} ${rows}`;

/** The columns of a portion are read for it alone. */
function portion(at: SQL, { where = '', of = columns } = {}) {
  const order = `order by ${textOf(at)} is null, ${textOf(at)}, s.id`;
  return `${select(of)} and s.id in (select s.id ${rows} ${where} ${order} limit :limit offset :offset) ${order}`;
}

const texts = {
  ofSurvey: `${select()} and s.id = :survey`,
  some: `${select()} limit :limit`,
  someWithoutTranslations: `${select(plainColumns)} limit :limit`,
  /** By next attempt. */
  attempted: portion(nextAttempt),
  /** By the earliest possible push, without frozen studies and translations. */
  foreseen: portion(nextForeseen, { where: 'and i.frozen_at is null', of: plainColumns }),
};

interface Selection {
  /** Epoch ms. */
  now: number;
  limit: number;
  /** Rows to skip in that order. */
  offset?: number;
}

/**
 * One row per survey that has reminders, or had them lately, of the studies that the user takes part in, or whose
 * deliveries are not finished. `limit` bounds the rows; only
 * users with more rows than that need an `order`.
 */
export const selectReminders = (
  db: Database,
  user: string,
  { now, limit, offset = 0 }: Selection,
  order: Exclude<keyof typeof texts, 'ofSurvey'> = 'some',
) => query<ReminderRow>(db, texts[order], { user, now, limit, offset });

/** The row of one survey, if there is one. */
export const selectRemindersOf = (
  db: Database,
  { user, survey }: Record<'user' | 'survey', string>,
  now: number,
) => query<ReminderRow>(db, texts.ofSurvey, { user, survey, now });

/** The translations of some surveys that may serve a phone of the user. */
export async function readTranslations(
  db: Database,
  user: string,
  surveys: readonly string[],
): Promise<Map<string, ReminderTexts['translations']>> {
  const found = await query<{ survey: string; translations: string | null }>(db, translationsOf, {
    user,
    surveys: JSON.stringify(surveys),
  });
  return new Map(found.map(({ survey, translations }) => [survey, JSON.parse(translations ?? '{}')]));
}

const translationsOf = `select s.id as survey, ${textOf(translations)} as translations
  from json_each(:surveys) j join survey s on s.id = j.value join user u on u.id = :user`;

/** Dates that were due longer ago are not planned: their outcomes may be purged. */
const horizonMs = retentionMs - 2 * 24 * 3600 * 1000;

type Reading = Pick<Context, 'db' | 'now' | 'log'>;

interface Known {
  /** The users have an enabled device, which only a delivery needs to know. */
  reachable?: boolean;
  /** Answers beside those of the rows, if it is the rows of one survey and user. */
  answers?: readonly Answer[];
}

/** The states of these rows. */
export function toReminders(
  context: Reading,
  rows: ReminderRow[],
  { reachable = true, answers = [] }: Known = {},
): UserReminders[] {
  logUnknown(
    context,
    rows.map(({ timeZone }) => timeZone),
  );
  return rows.map((row) => toState(row, { reachable, answers, now: context.now }));
}

function toState(
  row: ReminderRow,
  { reachable, answers, now }: Required<Known> & { now: number },
): UserReminders {
  const parsed = parsedOf(row);
  const latest = parseNotifications(row.latest);
  const settled = latest.find((one) => one.settledAt !== null && one.revision === row.revision);
  const [last, ...earlier] = latest;
  const pending = last?.settledAt === null ? last : null;
  const reminders = parsed?.reminders;
  const { user, revision, windowSecret: secret, quietFrom, quietTo } = row;
  const fixed = reminders?.type === 'fixed';
  const unlessAnswered = reminders?.unlessAnswered ?? false;
  const clocked = clockedBy(reminders?.clock, {
    userZone: knownZone(row.timeZone, row.studyZone),
    studyZone: knownZone(row.studyZone),
    time: row.time,
  });
  // A triggered occurrence belongs to its response, which is never reminded of twice, and not to a date.
  const isDated = reminders?.type !== 'triggered';
  const remindedUntil = row.pushed !== null && isDated ? endOfPush(row.pushed, userZoneOf(clocked)) : 0;
  return {
    user: row.user,
    survey: row.survey,
    investigation: row.investigation,
    revision: row.revision,
    remindersSince: row.remindersSince,
    remindedUntil,
    snoozed: latest.some(isSnoozed),
    plannedFrom: row.plannedFrom,
    rule: parsed?.rule ?? null,
    unreadable: row.reminders !== null && parsed === null,
    texts: {
      notification: reminders?.notification ?? { subject: '', body: '' },
      translations: row.translations === null ? {} : JSON.parse(row.translations),
    },
    expiresAfter: reminders?.expiresAfter ?? 0,
    unlessAnswered,
    followUps: reminders?.followUps ?? null,
    start: fixed ? row.downloadedOn : row.startsOn,
    since: Math.max(
      now - horizonMs,
      row.remindersSince,
      row.joinedAt,
      row.activeSince,
      fixed ? (row.downloadedAt ?? 0) : 0,
      remindedUntil,
    ),
    settledThrough: settled ? throughOf(settled) : null,
    ...clocked,
    ...(secret !== null && { draw: { secret, user, revision } }),
    quietHours: quietFrom !== null && quietTo !== null ? { from: quietFrom, to: quietTo } : null,
    pausedUntil: row.pausedUntil || null,
    member: row.member === 1,
    archived: row.archived === 1,
    frozen: row.frozen === 1,
    pending,
    followed: latest.find((one) => one.settledAt !== null && laterPushes(one).length > 0) ?? null,
    superseded: earlier.filter(({ settledAt }) => settledAt === null),
    ...answersFor([...answers, ...ofDates(row.answers)], {
      revision,
      isTriggered: !isDated,
      unlessAnswered,
      latest,
    }),
    ...(parsed?.rule.type === 'triggered' && {
      triggers: readTriggers(row.triggers, pending, now),
      settledCount: settled ? settled.counter + 1 : 0,
    }),
    reachable,
  };
}

const ofDates = (answers: string) =>
  (JSON.parse(answers) as [number, string | null][]).map(([at, notification]) => ({ at, notification }));

/** The end of the last date of pushes where the user was, by the clock of where they are now. */
function endOfPush(pushed: string, timeZone: string): number {
  const pushes = JSON.parse(pushed) as [number, string][];
  const dates = pushes.map(([at, zone]) => localDate(at, knownZone(zone)));
  const [last] = dates.sort().reverse();
  return last === undefined ? 0 : lastInstantOf(last, timeZone);
}

/** One that is too many stands for the rest of its date, but each response for itself. */
const throughOf = ({ key, reason }: Notification) =>
  reason === 'too-many' && slotOf(key).trigger === undefined ? endOfDate(key) : key;

const isSnoozed = ({ snoozedUntil, followUps }: Notification) =>
  snoozedUntil !== null || (followUps ?? []).some(({ kind }) => kind === 'snooze');

interface Parsed {
  reminders: StoredReminders;
  rule: Rule;
}

/** Null: there are no reminders, or they are unreadable. */
function parsedOf({ reminders, windowSecret }: ReminderRow): Parsed | null {
  const parsed = reminders === null ? null : parse(reminders);
  // Without a secret anyone could compute the minutes.
  return parsed?.rule.windows && !windowSecret ? null : parsed;
}

/** Users of a survey share its reminders, so a text is parsed once. Null: unreadable. */
function parse(text: string): Parsed | null {
  const before = parsedTexts.get(text);
  if (before !== undefined) return before;
  if (parsedTexts.size >= maxParsedTexts) parsedTexts.clear();
  const parsed = parseStored(text);
  parsedTexts.set(text, parsed);
  return parsed;
}

const parsedTexts = new Map<string, Parsed | null>();
const maxParsedTexts = 500;

function parseStored(text: string): Parsed | null {
  try {
    const reminders = JSON.parse(text) as StoredReminders;
    const parsed = parseRule(reminders);
    return 'rule' in parsed ? { reminders, rule: parsed.rule } : null;
  } catch {
    return null;
  }
}
