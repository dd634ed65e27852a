import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { type Delivery, devices, type StoredReminders } from '../db/schema.ts';
import type { Agenda } from '../schedule/agenda.ts';
import { parseRule, type Rule } from '../schedule/rule.ts';
import { effectiveZone } from './surveys.ts';

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
 * One row per user and survey of their studies that has reminders, or still has a pending row. The pending
 * row, if any, is the last by key, so that it is found without an index of its own.
 */
const selectAgendas = (db: Database, users: readonly string[]) =>
  db
    .select({
      user: sql<string>`u.id`.as('user'),
      survey: sql<string>`s.id`.as('survey'),
      investigation: sql<string>`s.investigation_id`.as('investigation'),
      role: sql<string>`m.role`.as('role'),
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
      settledThrough: sql<
        string | null
      >`case when n.revision = s.reminders_revision and n.settled_at is not null
        then n.occurs_on else (select x.occurs_on from scheduled_notification x
          where x.user_id = u.id and x.survey_id = s.id and x.revision = s.reminders_revision and x.settled_at is not null
          order by x.occurs_on desc limit 1) end`.as('settled_through'),
      pending: sql<string | null>`case when n.settled_at is null and n.user_id is not null then json_object(
        'revision', n.revision, 'on', n.occurs_on, 'counter', n.counter, 'dueAt', n.due_at, 'lookAt', n.look_at,
        'timeZone', n.time_zone, 'attempts', n.attempts, 'deliveries', json(coalesce(n.deliveries, '[]'))) end`.as(
        'pending',
      ),
    })
    .from(
      sql`json_each(${JSON.stringify(users)}) j
        join user u on u.id = j.value and u.deleted_at is null
        join member m on m.user_id = u.id
        join investigation i on i.id = m.investigation_id
        join survey s on s.investigation_id = i.id
        left join survey_download d on d.user_id = u.id and d.survey_id = s.id
        left join scheduled_notification n on n.user_id = u.id and n.survey_id = s.id
          and (n.revision, n.occurs_on) = (select y.revision, y.occurs_on from scheduled_notification y
            where y.user_id = u.id and y.survey_id = s.id order by y.revision desc, y.occurs_on desc limit 1)`,
    )
    .where(sql`s.reminders is not null or (n.user_id is not null and n.settled_at is null)`);

type AgendaRow = Awaited<ReturnType<typeof selectAgendas>>[number];

/** The agendas of users, for planning: what only sending needs (answers, devices) is left out. */
export async function readAgendas(db: Database, users: readonly string[]): Promise<UserAgenda[]> {
  const rows = await selectAgendas(db, users);
  const parse = ruleParser();
  return rows.map((row) => toAgenda(row, parse, { answers: [], reachable: true }));
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

/** What sending needs beside the agendas of the user: their devices, and what they answered lately. */
export async function readDelivery(db: Database, user: string, now: number) {
  const [rows, phones, answers] = await db.batch([
    selectAgendas(db, [user]),
    db
      .select({ id: devices.id, platform: devices.platform, endpoint: devices.endpoint })
      .from(devices)
      .where(and(eq(devices.userId, user), eq(devices.enabled, true))),
    db
      .select({ survey: sql<string>`r.survey_id`.as('survey'), at: sql<number>`r.created_at`.as('at') })
      .from(
        sql`member m join survey s on s.investigation_id = m.investigation_id
            and json_valid(s.reminders) and s.reminders ->> 'unlessAnswered' = 1
          join response r on r.responder_id = m.user_id and r.investigation_id = m.investigation_id
            and r.survey_id = s.id and r.created_at > ${now - answersWindow}`,
      )
      .where(sql`m.user_id = ${user} and r.deleted_at is null`)
      .limit(200),
  ]);
  const parse = ruleParser();
  const agendas = rows.map((row) =>
    toAgenda(row, parse, {
      answers: answers.filter((answer) => answer.survey === row.survey).map((answer) => answer.at),
      reachable: phones.length > 0,
    }),
  );
  return { agendas, phones };
}

function toAgenda(
  row: AgendaRow,
  parse: (reminders: string) => Parsed | null,
  sending: Pick<Agenda, 'answers' | 'reachable'>,
): UserAgenda {
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
    settledThrough: row.settledThrough,
    timeZone: row.timeZone,
    time: row.time,
    pausedUntil: row.pausedUntil,
    member: true,
    archived: row.archived === 1,
    pending: row.pending === null ? null : (JSON.parse(row.pending) as PendingRow),
    ...sending,
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
