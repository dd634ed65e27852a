import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { eachListed, isListed, listed } from '../../db/json.ts';
import { type Delivery, devices, type StoredReminders } from '../../db/schema.ts';
import { type Placeholders, statement } from '../../db/statements.ts';
import type { Agenda } from '../../schedule/occurrences.ts';
import { parseRule, type Rule } from '../../schedule/rule.ts';
import { effectiveZone } from '../surveys.ts';
import { noteUnderWay } from './under-way.ts';

export type { Delivery };

/** The row that waits to be sent, of a user and a survey. */
export interface PendingRow {
  revision: number;
  on: string;
  counter: number;
  dueAt: number;
  lookAt: number;
  timeZone: string;
  attempts: number;
  deliveries: Delivery[];
}

/** All that decides what one user gets for one survey, as the database says at this moment. */
export interface UserAgenda extends Agenda {
  user: string;
  survey: string;
  investigation: string;
  revision: number;
  notification: { subject: string; body: string };
  /** A plan made from this agenda is stored only while both are unchanged. */
  userStamp: number;
  surveyStamp: number;
  pending: PendingRow | null;
  /** The stored reminders cannot be understood, so there is no `rule`; other surveys must not suffer from it. */
  unreadable: boolean;
}

/**
 * One row per user and survey of their studies that has reminders, or still has a pending row. `latest` are the
 * last two notifications by key: a pending one is always the last, so that it is found without an index of its
 * own, and the one before it is the newest settled. Answers are read from `answeredSince` on, where they matter.
 */
const agendasOf = statement(
  (
    db,
    { users, answeredSince }: Placeholders<{ users: string; answeredSince: number | null }>,
    single: boolean,
  ) =>
    db
      .select({
        user: sql<string>`u.id`.as('user'),
        survey: sql<string>`s.id`.as('survey'),
        investigation: sql<string>`s.investigation_id`.as('investigation'),
        joinedAt: sql<number>`m.created_at`.as('joined_at'),
        userStamp: sql<number>`u.plan_stamp`.as('user_stamp'),
        surveyStamp: sql<number>`s.plan_stamp`.as('survey_stamp'),
        time: sql<string | null>`u.custom_reminders_time`.as('time'),
        pausedUntil: sql<number | null>`u.paused_until`.as('paused_until'),
        timeZone: effectiveZone(sql`u.id`, sql`u.time_zone`, sql`i.time_zone`).as('zone'),
        startsOn: sql<string>`i.starts_on`.as('starts_on'),
        activeSince: sql<number>`i.active_since`.as('active_since'),
        archived: sql<number>`i.archived_at is not null or s.archived_at is not null`.as('archived'),
        reminders: sql<string | null>`s.reminders`.as('reminders'),
        revision: sql<number>`s.reminders_revision`.as('reminders_revision'),
        remindersSince: sql<number>`s.reminders_since`.as('reminders_since'),
        downloadedAt: sql<number | null>`d.at`.as('downloaded_at'),
        downloadedOn: sql<string | null>`d.local_date`.as('downloaded_on'),
        latest: sql<string>`(select json_group_array(json_object(
          'revision', revision, 'on', occurs_on, 'counter', counter, 'dueAt', due_at, 'lookAt', look_at,
          'timeZone', time_zone, 'attempts', attempts, 'deliveries', json(coalesce(deliveries, '[]')),
          'settled', settled_at is not null))
        from (select * from scheduled_notification y where y.user_id = u.id and y.survey_id = s.id
          order by y.revision desc, y.occurs_on desc limit 2))`.as('latest'),
        answers: sql<string>`case when json_valid(s.reminders) and s.reminders ->> 'unlessAnswered' = 1 then
        (select json_group_array(r.created_at) from response r
          where r.responder_id = u.id and r.investigation_id = i.id and r.survey_id = s.id
            and r.created_at > ${answeredSince} and r.deleted_at is null)
        else '[]' end`.as('answers'),
      })
      .from(
        sql`${eachListed(users, single)} j
        join user u on u.id = j.value and u.deleted_at is null
        join member m on m.user_id = u.id
        join investigation i on i.id = m.investigation_id
        join survey s on s.investigation_id = i.id
        left join survey_download d on d.user_id = u.id and d.survey_id = s.id`,
      )
      .where(
        sql`s.reminders is not null or (select n.settled_at is null from scheduled_notification n
        where n.user_id = u.id and n.survey_id = s.id order by n.revision desc, n.occurs_on desc limit 1)`,
      ),
);

const selectAgendas = (db: Database, users: readonly string[], answeredSince: number | null) =>
  agendasOf(db, { users: listed(users), answeredSince }, users.length === 1);

const phonesOf = statement((db, { users }: Placeholders<{ users: string }>, single: boolean) =>
  db
    .select({
      user: devices.userId,
      id: devices.id,
      platform: devices.platform,
      endpoint: devices.endpoint,
    })
    .from(devices)
    .where(and(isListed(devices.userId, users, single), eq(devices.enabled, true))),
);

type AgendaRow = Awaited<ReturnType<typeof selectAgendas>>[number];

/** The agendas of users, for planning: what only sending needs (answers, phones) is left out. */
export async function readAgendas(db: Database, users: readonly string[]): Promise<UserAgenda[]> {
  const rows = await selectAgendas(db, users, null);
  const parse = ruleParser();
  return rows.map((row) => toAgenda(row, parse, true));
}

/** The agenda of one member for one survey with reminders, or nothing. */
export async function readAgenda(
  db: Database,
  user: string,
  survey: string,
): Promise<UserAgenda | undefined> {
  const agendas = await readAgendas(db, [user]);
  return agendas.find((agenda) => agenda.survey === survey);
}

const answersWindow = 3 * 24 * 3600 * 1000;

/** What sending to a user needs. */
export interface UserDelivery {
  agendas: UserAgenda[];
  phones: { id: string; platform: string; endpoint: string }[];
}

/**
 * What sending needs, of each of the users in turn: their agendas, and their phones. One round trip; with `underWay`,
 * whose deliveries are under way is noted with it.
 */
export async function readDeliveries(
  db: Database,
  users: readonly string[],
  now: number,
  underWay?: readonly string[],
): Promise<UserDelivery[]> {
  const [rows, phones] = await db.batch([
    selectAgendas(db, users, now - answersWindow),
    phonesOf(db, { users: listed(users) }, users.length === 1),
    ...(underWay ? [noteUnderWay(db, underWay, now)] : []),
  ]);
  const parse = ruleParser();
  const rowsOf = Map.groupBy(rows, ({ user }) => user);
  const byUser = Map.groupBy(phones, ({ user }) => user);
  return users.map((user) => {
    const own = (byUser.get(user) ?? []).map(({ id, platform, endpoint }) => ({ id, platform, endpoint }));
    return {
      agendas: (rowsOf.get(user) ?? []).map((row) => toAgenda(row, parse, own.length > 0)),
      phones: own,
    };
  });
}

function toAgenda(
  row: AgendaRow,
  parse: (reminders: string) => Parsed | null,
  reachable: boolean,
): UserAgenda {
  const [last, ...earlier] = JSON.parse(row.latest) as (PendingRow & { settled: 0 | 1 })[];
  const settled = [last, ...earlier].find((one) => one?.settled && one.revision === row.revision);
  const parsed = row.reminders === null ? null : parse(row.reminders);
  const reminders = parsed?.reminders;
  const fixed = reminders?.type === 'fixed';
  return {
    user: row.user,
    survey: row.survey,
    investigation: row.investigation,
    revision: row.revision,
    userStamp: row.userStamp,
    surveyStamp: row.surveyStamp,
    rule: parsed?.rule ?? null,
    unreadable: row.reminders !== null && parsed === null,
    notification: reminders?.notification ?? { subject: '', body: '' },
    expiresAfter: reminders?.expiresAfter ?? 0,
    unlessAnswered: reminders?.unlessAnswered ?? false,
    start: fixed ? row.downloadedOn : row.startsOn,
    since: Math.max(row.remindersSince, row.joinedAt, row.activeSince, fixed ? (row.downloadedAt ?? 0) : 0),
    settledThrough: settled?.on ?? null,
    timeZone: row.timeZone,
    time: row.time,
    pausedUntil: row.pausedUntil,
    member: true,
    archived: row.archived === 1,
    pending: last && !last.settled ? last : null,
    answers: JSON.parse(row.answers) as number[],
    reachable,
  };
}

interface Parsed {
  reminders: StoredReminders;
  rule: Rule;
}

/** Users of one survey share its reminders: each is parsed once. Null: they cannot be understood. */
function ruleParser() {
  const known = new Map<string, Parsed | null>();
  return (text: string): Parsed | null => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const parsed = parse(text);
    known.set(text, parsed);
    return parsed;
  };
}

function parse(text: string): Parsed | null {
  try {
    const reminders = JSON.parse(text) as StoredReminders;
    const parsed = parseRule(reminders);
    return 'rule' in parsed ? { reminders, rule: parsed.rule } : null;
  } catch {
    return null;
  }
}
