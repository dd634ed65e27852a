import { sql } from 'drizzle-orm';
import { textOf } from '../src/db/query.ts';
import { comesNext } from '../src/reminders/entries.ts';
import type { Push } from '../src/reminders/schema.ts';
import type { SimulatedDatabase } from './database.ts';
import type { Values } from './oracle/groups.ts';

/** An occurrence as it stands, scheduled or settled. Instants are epoch ms. */
export interface Row {
  user: string;
  survey: string;
  revision: number;
  /** The date, with the slot or the response, as in `2027-06-08/2`. */
  on: string;
  counter: number;
  dueAt: number;
  timeZone: string;
  /** Null: it is still to come. */
  settledAt: number | null;
  state: string | null;
  reason: string | null;
  /** Of the first push, on each phone. */
  deliveries: Delivered[];
  followUps: FollowUpRow[];
  /** Pushes that are still to come. */
  coming: Coming[];
  shownAt: number | null;
  openedAt: number | null;
  answeredAt: number | null;
  answeredLate: number | null;
}

/** Whether its outcome counts: it is settled, and was not replaced. */
export const hasOutcome = (row: Row): row is Row & { state: string } =>
  row.settledAt !== null && row.state !== null && row.state !== 'invalidated';

/** A push of an occurrence that is still to come: the first push also while some phones do not have it. */
interface Coming {
  kind: 'first' | FollowUpRow['kind'];
  at: number;
}

interface Delivered {
  device: string;
  at: string;
  messageId?: string;
  error?: string;
}

/** An attempt of an occurrence after its first push. */
export interface FollowUpRow {
  kind: 'nudge' | 'snooze';
  dueAt: string;
  /** When it was sent, skipped or given up. */
  at: string;
  state: 'retrying' | 'sent' | 'failed' | 'skipped';
  reason?: string;
  deliveries?: Delivered[];
}

/** The database's rows of one member and one survey of their study. */
export interface MemberSurvey {
  user: string;
  survey: string;
  /** Only occurrences due after it exist. */
  since: number;
  downloadedOn: string | null;
  joinedOn: string | null;
  /** By name: the date, and when it was set; without those that were taken away. */
  dates: Readonly<Record<string, readonly [string, number]>>;
  participation: { from?: string; until?: string; at: number } | null;
  deviceZone: string | null;
  /** Whether they take part, by the rows that say so. */
  concerned: number;
  /** When they are said to have begun to. */
  participantSince: number | null;
  joinedAt: number;
  /** The earliest of their phones and downloads. */
  firstSign: number | null;
}

/** In SQL: the member `m` takes part: as a responder, or with a phone or a download. */
const concerned = `(m.role = 'responder' or exists (select 1 from device p where p.user_id = m.user_id) or exists (
    select 1 from survey q join scheduled_notification l on l.survey_id = q.id
    where q.investigation_id = m.investigation_id and l.user_id = m.user_id and l.downloaded_at is not null))`;

const comes = textOf(comesNext(sql`n.state`));

/** Occurrences that come, by the cursors, each with the push of it that is tried; and what is settled. A cursor hides its own past. */
const rowsOf = `select c.user_id as user, c.survey_id as survey, c.revision, c.occurrence as "on", c.counter, c.due_at as dueAt,
    c.attempt_at as firstAt, null as againAt, null as againKind, c.time_zone as timeZone, null as settledAt, null as state,
    null as reason, iif(n.state = 'sending', n.pushes, null) as pushes, n.shown_at as shownAt, n.opened_at as openedAt,
    n.answered_at as answeredAt, n.answered_late as answeredLate
  from scheduled_notification c left join notification n on n.id = c.id where ${comes}
  union all select n.user_id, n.survey_id, n.revision, n.occurrence, n.counter, n.due_at,
    iif(c.last = n.id, c.retry_at, null), iif(c.last = n.id, c.again_at, null), iif(c.snoozed_until is null, 'nudge', 'snooze'),
    n.time_zone, n.settled_at, n.state, n.reason, n.pushes, n.shown_at, n.opened_at, n.answered_at, n.answered_late
  from notification n left join scheduled_notification c on c.user_id = n.user_id and c.survey_id = n.survey_id
  where n.state <> 'sending' and not (c.id is n.id and ${comes})
  order by dueAt, user, survey`;

export async function readRows(database: SimulatedDatabase): Promise<Row[]> {
  const rows = await database.query(rowsOf);
  return rows.map(({ pushes, firstAt, againAt, againKind, ...row }) => {
    const all: Push[] = JSON.parse(String(pushes ?? '[]'));
    return {
      ...row,
      deliveries: all.flatMap((push) => (push.kind === 'first' ? push.deliveries : [])),
      followUps: all.filter(({ kind }) => kind !== 'first'),
      coming: [
        { kind: 'first', at: firstAt },
        { kind: againKind, at: againAt },
      ].filter(({ at }) => at !== null),
    };
  }) as never;
}

export async function readMemberSurveys(database: SimulatedDatabase): Promise<MemberSurvey[]> {
  const rows = await database.query(
    `select m.user_id as user, s.id as survey, d.downloaded_on as downloadedOn, m.dates, m.participation,
      iif(m.participant_since is null, null, coalesce(m.joined_on, date(m.participant_since / 1000, 'unixepoch'))) as joinedOn,
      ${concerned} as concerned, m.participant_since as participantSince, m.created_at as joinedAt,
      (select min(at) from (select p.created_at as at from device p where p.user_id = m.user_id
        union all select l.downloaded_at from survey q join scheduled_notification l on l.survey_id = q.id
          where q.investigation_id = m.investigation_id and l.user_id = m.user_id)) as firstSign,
      max(s.reminders_since, iif(m.role = 'responder', m.created_at, coalesce(m.participant_since, m.created_at)), i.active_since,
        case when s.reminders ->> 'type' = 'fixed' and coalesce(s.reminders ->> 'from', 'download') = 'download'
          then coalesce(d.downloaded_at, 0) else 0 end,
        max(coalesce(i.course ->> 'since', 0), coalesce(m.participation ->> 'at', 0),
          coalesce(m.dates -> (s.reminders ->> '$.from.date') ->> 1, 0),
          coalesce((select max(m.properties -> f.key ->> 1) from json_each(s.for) f), 0))
          - coalesce(s.reminders ->> 'expiresAfter', 360) * 60000) as since,
      (select time_zone from device where user_id = m.user_id and time_zone is not null
        order by enabled desc, zone_since desc, rowid desc limit 1) as deviceZone
    from member m join investigation i on i.id = m.investigation_id
      join survey s on s.investigation_id = i.id
      left join scheduled_notification d on d.user_id = m.user_id and d.survey_id = s.id`,
  );
  const parsed = <T>(text: unknown): T | null => (text === null ? null : JSON.parse(String(text)));
  return rows.map(({ dates, participation, ...row }) => ({
    ...row,
    dates: Object.fromEntries(
      Object.entries(parsed<Record<string, [string | null]>>(dates) ?? {}).filter(
        ([, [date]]) => date !== null,
      ),
    ),
    participation: parsed(participation),
  })) as never;
}

/** A response as the database holds it. */
export interface StoredResponse {
  id: string;
  responder: string;
  survey: string;
  /** Epoch ms. */
  given: number;
  received: number;
  /** The occurrence that it belongs to. */
  notification: string | null;
  items: Record<string, string>;
  deleted: boolean;
}

/** The responses, or the answers that are set aside. */
export async function readResponses(
  database: SimulatedDatabase,
  table: 'response' | 'set_aside' = 'response',
): Promise<StoredResponse[]> {
  const gone = { response: 'deleted_at', set_aside: 'settled_at' }[table];
  const rows = await database.query(
    `select id, responder_id as responder, survey_id as survey, coalesce(given_at, created_at) as given, created_at as received, notification, items,
      ${gone} is not null as deleted from ${table}`,
  );
  return rows.map(({ items, deleted, ...row }) => ({
    ...row,
    items: JSON.parse(String(items)),
    deleted: deleted === 1,
  })) as never;
}

/** The inputs of a participant's attention. */
export interface Standing {
  user: string;
  reachable: number;
  /** The surveys that they have downloaded. */
  downloaded: string[];
  /** Epoch ms, or 0. */
  pausedUntil: number;
}

export async function readStandings(database: SimulatedDatabase): Promise<Standing[]> {
  const rows = await database.query(
    `select m.user_id as user, max(coalesce(u.paused_until, 0), coalesce(m.paused_until, 0)) as pausedUntil,
      exists (select 1 from device d where d.user_id = u.id and d.enabled) as reachable,
      (select json_group_array(s.id) from survey s join scheduled_notification d on d.survey_id = s.id
        where s.investigation_id = m.investigation_id and d.user_id = u.id and d.downloaded_at is not null) as downloaded
    from member m join user u on u.id = m.user_id where ${concerned} order by m.user_id`,
  );
  return rows.map(({ downloaded, ...row }) => ({
    ...row,
    downloaded: JSON.parse(String(downloaded)),
  })) as never;
}

/** The inputs of the draws within a survey's windows, by survey. */
export async function readSecrets(database: SimulatedDatabase): Promise<Map<string, string>> {
  const rows = await database.query(`select id, coalesce(window_secret, '') as secret from survey`);
  return new Map(rows.map(({ id, secret }) => [String(id), String(secret)]));
}

/** The codes of the study's people. */
export const readCodes = async (database: SimulatedDatabase): Promise<Map<string, string>> =>
  new Map(
    (await database.query('select user_id as user, code from member_code')).map(({ user, code }) => [
      String(user),
      String(code),
    ]),
  );

/** The properties of the study's people, also of those who have left it; nothing for those without any. */
export async function readProperties(database: SimulatedDatabase): Promise<Map<string, Values>> {
  const rows = await database.query(
    `select user_id as user, properties from member where properties is not null union all
      select identifier, properties from change where kind = 'member' and state = 'removed' and properties is not null`,
  );
  return new Map(
    rows.map(({ user, properties }) => {
      const own = Object.entries(JSON.parse(String(properties)) as Record<string, [string]>);
      return [String(user), Object.fromEntries(own.map(([name, [value]]) => [name, value]).sort())];
    }),
  );
}

/** Accounts that are gone, with all that was still to come. */
export const readDeleted = async (database: SimulatedDatabase): Promise<Set<string>> =>
  new Set(
    (await database.query('select id from user where deleted_at is not null')).map(({ id }) => String(id)),
  );

/** When the service looks at a cursor next (epoch ms); null: never. */
export async function readNextLook(database: SimulatedDatabase): Promise<number | null> {
  const [found] = await database.query('select min(next_at) as at from scheduled_notification');
  return (found?.at ?? null) as number | null;
}

/**
 * The earliest time (epoch ms) of work for a sweep that takes cursors when they are more than `graceMs` late, and other
 * work at once; null: none waits.
 */
export async function readFirstWork(
  database: SimulatedDatabase,
  { release, graceMs }: { release: string; graceMs: number },
): Promise<number | null> {
  const [found] = await database.query(
    `select min(at) as at from (select min(next_at) + ? as at from scheduled_notification
      union all select min(at) from wake
      union all select 0 from job_run where name = 'zones' and after < ?)`,
    graceMs,
    release,
  );
  return (found?.at ?? null) as number | null;
}
