import { occurrenceIdentifier } from '../../src/identifiers.ts';
import { occurrenceKey } from '../../src/schedule/slots.ts';

/*
 * The one place in which tests know the tables of reminders: statements that write and read them past the front door, for
 * whatever database carries them out. Their arguments speak of reminders, not of columns. Times are in milliseconds.
 */

/** A statement with its values, for any client of SQLite. */
export interface Statement {
  sql: string;
  values: (string | number | null)[];
}

const statement = (sql: string, ...values: Statement['values']): Statement => ({ sql, values });

/** The names of tables by what they hold, for tests that look at every table of the database. */
export const tables = {
  scheduled: 'scheduled_notification',
  past: 'notification',
  /** Changes of many people whose plans are still to be made. */
  work: 'wake',
  downloads: 'scheduled_notification',
} as const;

/** Columns about a person that their export leaves out, and why. */
export const unexportedColumns: Record<string, string> = {
  'scheduled_notification.version': 'a number that changes with what the plan depends on',
  'scheduled_notification.next_at': 'when the service looks at it next',
  'response.occurrence': 'the reminder that is exported as its notification',
  'set_aside.occurrence': 'the same',
  'scheduled_notification.retry_at': 'when the service tries it next for some phones',
  'scheduled_notification.claimed_until': 'until when the service is at work on it',
  'scheduled_notification.claims': 'how often the service has begun to work on it',
  'scheduled_notification.triggers': 'which of the responses, exported as such, remind',
};

/** The beginnings of the service's own statements, for tests in which one of them fails. */
export const texts = {
  claim: /^update scheduled_notification\s+set version/,
  plan: /^update scheduled_notification as c/,
  walked: /^delete from "wake"/,
  purge: /^delete from "notification"/,
};

/** The triggers that count what is written into the past. */
export const countingTriggers = ['notification_added', 'notification_changed'];

/** An occurrence for a person, of the first reminders of the survey unless another revision is named. */
export interface Occurrence {
  user: string;
  survey: string;
  /** The date, as `2027-03-01`. */
  on: string;
  /** Of reminders in windows. */
  slot?: number | undefined;
  revision?: number | undefined;
  counter?: number | undefined;
  /** UTC, unless named. */
  timeZone?: string | undefined;
}

/** The reminder that comes next for a person and a survey. */
export interface Scheduled extends Occurrence {
  dueAt: number;
}

/** A reminder that is over. */
export interface Past extends Occurrence {
  state: 'sent' | 'failed' | 'skipped' | 'invalidated';
  reason?: string | null | undefined;
  /** Noon of the date, unless named. */
  dueAt?: number | undefined;
  /** When it was sent or given up: when it was due, unless named. */
  settledAt?: number | undefined;
  /** When a nudge is due. */
  nudgeAt?: number | undefined;
  shownAt?: number | null | undefined;
  openedAt?: number | null | undefined;
  dismissedAt?: number | null | undefined;
  answeredAt?: number | null | undefined;
  answeredLate?: boolean | undefined;
  /** The push to each phone with its result, and later pushes, as the history shows them. */
  deliveries?: object[] | undefined;
  followUps?: object[] | undefined;
}

/** Characters of one value, below the 2 MB that D1 takes. */
const maxCharacters = 1_500_000;

/** The statement for each part of the rows, as `value` of a table. */
function* insertion(rows: Iterable<object>, sqls: readonly string[]): Generator<Statement> {
  let part: string[] = [];
  let characters = 0;
  const all = () => sqls.map((sql) => statement(sql, `[${part}]`));
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (characters + text.length > maxCharacters) {
      yield* all();
      part = [];
      characters = 0;
    }
    part.push(text);
    characters += text.length + 1;
  }
  if (part.length > 0) yield* all();
}

function rowOf(one: Occurrence, dueAt: number) {
  const key = occurrenceKey({ on: one.on, slot: one.slot });
  const { user, survey, revision = 0, counter = 0, timeZone = 'UTC' } = one;
  return {
    id: occurrenceIdentifier(user, survey, revision, key),
    user,
    survey,
    revision,
    key,
    counter,
    dueAt,
    timeZone,
  };
}

function pastRow(one: Past) {
  const {
    dueAt = Date.parse(`${one.on}T12:00:00.000Z`),
    settledAt = dueAt,
    state,
    nudgeAt,
    answeredLate,
    deliveries,
    followUps = [],
  } = one;
  const { reason, shownAt, openedAt, dismissedAt, answeredAt } = one;
  const first = { kind: 'first', dueAt: new Date(dueAt).toISOString(), attempts: 1, deliveries };
  const pushes = [...(deliveries ? [first] : []), ...followUps];
  return {
    ...rowOf(one, dueAt),
    ...{ settledAt, state, nudgeAt, reason, shownAt, openedAt, dismissedAt, answeredAt },
    answeredLate: answeredLate ? 1 : null,
    pushes: pushes.length > 0 ? pushes : null,
  };
}

const ofCursor = {
  id: 'id',
  revision: 'revision',
  occurrence: 'key',
  counter: 'counter',
  due_at: 'dueAt',
  time_zone: 'timeZone',
  attempt_at: 'dueAt',
  next_at: 'dueAt',
};
const ofPast = {
  user_id: 'user',
  due_at: 'dueAt',
  id: 'id',
  survey_id: 'survey',
  revision: 'revision',
  occurrence: 'key',
  counter: 'counter',
  time_zone: 'timeZone',
  settled_at: 'settledAt',
  state: 'state',
  reason: 'reason',
  shown_at: 'shownAt',
  opened_at: 'openedAt',
  dismissed_at: 'dismissedAt',
  answered_at: 'answeredAt',
  answered_late: 'answeredLate',
};
const values = (names: object) =>
  Object.values(names)
    .map((name) => `value ->> '${name}'`)
    .join(', ');
const excluded = (names: object) =>
  Object.keys(names)
    .map((name) => `${name} = excluded.${name}`)
    .join(', ');

const scheduledSql = `insert into scheduled_notification (user_id, survey_id, ${Object.keys(ofCursor).join(', ')})
  select value ->> 'user', value ->> 'survey', ${values(ofCursor)} from json_each(?1) where true
  on conflict do update set ${excluded(ofCursor)}`;

/** The person's properties of now, or as they left: those of a notification that counts stay. */
const combination = `(select nullif(json_group_object(p.key, p.value ->> 0), '{}') from (
  select own.key, own.value from survey s cross join json_each(coalesce(
    (select m.properties from member m where m.investigation_id = s.investigation_id and m.user_id = e.value ->> 'user'),
    (select c.properties from change c where c.investigation_id = s.investigation_id and c.identifier = e.value ->> 'user'
      and c.kind = 'member' and c.state = 'removed'))) own
  where s.id = e.value ->> 'survey' order by own.key) p)`;

const pastSql = `insert into notification (${Object.keys(ofPast).join(', ')}, pushes, properties)
  select ${values(ofPast)}, nullif(value -> 'pushes', 'null'), ${combination} from json_each(?1) e where true
  on conflict (id) do update set ${excluded(ofPast)}, pushes = excluded.pushes,
    properties = iif(notification.outcome is null, excluded.properties, notification.properties)`;

/** The cursors stand behind what is past. */
const lastSql = `insert into scheduled_notification (user_id, survey_id, last, again_at, next_at, unanswered)
  select p.user, p.survey, (select n.id from notification n where n.user_id = p.user and n.survey_id = p.survey
      and n.outcome is not null order by n.revision desc, n.occurrence desc limit 1), p.nudgeAt, p.nudgeAt,
    (select count(*) from (select sum(n.answered_at is not null or n.outcome = 'skipped:answered') over (
        order by n.revision desc, n.occurrence desc) as answers
      from notification n where n.user_id = p.user and n.survey_id = p.survey and n.outcome is not null) where answers = 0)
  from (select value ->> 'user' as user, value ->> 'survey' as survey, max(value ->> 'nudgeAt') as nudgeAt
    from json_each(?1) group by 1, 2) p where true
  on conflict do update set last = excluded.last, unanswered = excluded.unanswered,
    again_at = coalesce(excluded.again_at, again_at), next_at = coalesce(min(next_at, excluded.next_at), next_at, excluded.next_at)`;

export const insertScheduled = (all: Iterable<Scheduled>) =>
  insertion(
    Iterator.from(all).map((one) => rowOf(one, one.dueAt)),
    [scheduledSql],
  );

export const insertPast = (all: Iterable<Past>) =>
  insertion(Iterator.from(all).map(pastRow), [pastSql, lastSql]);

/** Notes that these people downloaded a survey. */
export const insertDownloads = (survey: string, users: readonly string[], at: number, on: string) =>
  statement(
    `insert into scheduled_notification (user_id, survey_id, downloaded_at, downloaded_on) select value, ?1, ?2, ?3 from json_each(?4)
      where true on conflict do update set downloaded_at = excluded.downloaded_at, downloaded_on = excluded.downloaded_on`,
    ...[survey, at, on, JSON.stringify(users)],
  );

/** Notes that these people answered none of the last three reminders of a survey. */
export const insertSilent = (survey: string, users: readonly string[]) =>
  statement(
    `insert into scheduled_notification (user_id, survey_id, unanswered) select value, ?1, 3 from json_each(?2) where true
      on conflict do update set unanswered = 3`,
    ...[survey, JSON.stringify(users)],
  );

/** Of which reminders: of these people, or of all others; of this survey, or of this study. All, if nothing is named. */
export interface Which {
  users?: readonly string[];
  except?: readonly string[];
  survey?: string;
  study?: string;
}

function where({ users, except, survey, study }: Which): Statement {
  const conditions = [
    ...(users ? ['user_id in (select value from json_each(?1))'] : []),
    ...(except ? ['user_id not in (select value from json_each(?2))'] : []),
    ...(survey ? ['survey_id = ?3'] : []),
    ...(study ? ['survey_id in (select id from survey where investigation_id = ?4)'] : []),
  ];
  const lists = [users, except].map((list) => (list ? JSON.stringify(list) : null));
  return statement(conditions.join(' and ') || '1', ...lists, survey ?? null, study ?? null);
}

const over = (text: string, which: Which) => {
  const { sql, values } = where(which);
  // Each value has to occur.
  return statement(`${text} (${sql}) and coalesce(?1, ?2, ?3, ?4, 1) is not null /* a test's */`, ...values);
};

/** Forgets what is scheduled and what is past. */
export const deleteReminders = (which: Which = {}) => [
  over(
    'update scheduled_notification set id = null, last = null, again_at = null, retry_at = null, next_at = null, unanswered = 0 where',
    which,
  ),
  over('delete from notification where', which),
];

/** Forgets what is past, of dates before this one. */
export const deletePastBefore = (on: string, survey: string) =>
  statement('delete from notification where survey_id = ?1 and occurrence < ?2', survey, on);

/** `n`: how many are scheduled. */
export const countScheduled = (which: Which = {}) =>
  over('select count(*) as n from scheduled_notification where id is not null and', which);

/** `n`: how many are past. */
export const countPast = (which: Which = {}) =>
  over("select count(*) as n from notification where state <> 'sending' and", which);

/** The reminders of these: `user`, `survey`, `revision`, `on`, `state`, `reason`, `dueAt`, `settledAt`, `answered` as 0 or 1. */
export const selectReminders = (which: Which = {}) =>
  over(
    `select * from (select user_id, user_id as user, survey_id, survey_id as survey, revision, occurrence as "on", state, reason,
        due_at as dueAt, settled_at as settledAt, time_zone as timeZone, answered_at is not null as answered
        from notification n where state <> 'sending'
          and not (state = 'invalidated' and exists (select 1 from scheduled_notification c where c.user_id = n.user_id
            and c.survey_id = n.survey_id and c.id = n.id))
      union all select user_id, user_id, survey_id, survey_id, revision, occurrence, 'scheduled', null,
        due_at, null, time_zone, 0 from scheduled_notification where id is not null) where`,
    which,
  );

/** One of the reminders that {@link selectReminders} reads. */
export interface Reminder {
  user: string;
  survey: string;
  revision: number;
  /** The date, with the slot of reminders in windows behind it. */
  on: string;
  state: 'scheduled' | Past['state'];
  reason: string | null;
  dueAt: number;
  settledAt: number | null;
  timeZone: string;
  answered: number;
}

/** `n`: when the service looks at a person next, for a reminder, a retry or a nudge. */
export const selectNextPoll = (user: string) =>
  statement('select min(next_at) as n from scheduled_notification where user_id = ?1', user);

/** `n`: a number that rises each time that the plans of a person have to be made again. */
export const selectPlanVersion = (user: string) =>
  statement('select total(version) as n from scheduled_notification where user_id = ?1', user);

/** The plans of a person, or of everyone for a survey, have to be made again: as if something that they depend on had changed. */
export const outdate = ({ user, survey, study }: { user?: string; survey?: string; study?: string }) =>
  over('update scheduled_notification set version = version + 1, next_at = 0 where', {
    ...(user !== undefined && { users: [user] }),
    ...(survey !== undefined && { survey }),
    ...(study !== undefined && { study }),
  });

/** `n`: how much work waits that makes plans again, of a study or in all. */
export const countWork = (study?: string) =>
  statement(
    `select count(*) as n from wake where ?1 is null or id = ?1 or id in (select s.id from survey s where s.investigation_id = ?1)`,
    study ?? null,
  );

/** Work that waits since `at`, as a process that died behind its change leaves it: the plans of a person, or of a study. */
export const insertWork = (work: { at: number; user?: string; study?: string }) =>
  statement(
    'insert into wake (id, kind, at) values (?1, ?2, ?3)',
    ...[work.user ?? work.study ?? '', work.user ? 'user' : 'study', work.at],
  );

/** Loses the work that follows changes. */
export const deleteWork = () => statement('delete from wake');

/** Everything that is scheduled in a time zone is due so much later: of these people, or of all. */
export const delayScheduled = (timeZone: string, ms: number, users?: readonly string[]) =>
  statement(
    `update scheduled_notification set due_at = due_at + ?1, attempt_at = attempt_at + ?1,
      next_at = next_at + ?1 where id is not null and time_zone = ?2 and (?3 is null or user_id in (select value from json_each(?3))) returning 1`,
    ...[ms, timeZone, users ? JSON.stringify(users) : null],
  );

/** Makes the database refuse the record of a push to this person, and take everything else, until {@link takeRecords}. */
export const refuseRecordsOf = (user: string) =>
  statement(
    `create trigger planted before update on notification when new.user_id = '${user}' and new.state = 'sent'
      begin select raise(abort, 'planted'); end`,
  );

export const takeRecords = () => statement('drop trigger planted');

/** Forgets the receipts of a person of one kind. */
export const forgetReceipts = (user: string, kind: 'shown' | 'opened') =>
  statement(`update notification set ${kind}_at = null where user_id = ?1 and ${kind}_at is not null`, user);

/** Forgets which surveys a person downloaded. */
export const deleteDownloads = (user: string) =>
  statement(
    'update scheduled_notification set downloaded_at = null, downloaded_on = null where user_id = ?1',
    user,
  );
