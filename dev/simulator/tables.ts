import { readDeliveries, readFollowUps } from '../../src/reminders/deliveries.ts';
import type { SimulatedDatabase } from './database.ts';

/** A notification as the database holds it. */
export interface Row {
  user: string;
  survey: string;
  revision: number;
  on: string;
  counter: number;
  dueAt: number;
  lookAt: number;
  timeZone: string;
  attempts: number;
  settledAt: number | null;
  state: string | null;
  reason: string | null;
  deliveries: Delivered[];
  followUps: FollowUpRow[];
  nextFollowUpAt: number | null;
  /** The first push is still to be retried for some phones. */
  retryAt: number | null;
  snoozedUntil: number | null;
  shownAt: number | null;
  openedAt: number | null;
  answeredAt: number | null;
  answeredLate: number | null;
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
    select 1 from survey q join survey_download l on l.survey_id = q.id
    where q.investigation_id = m.investigation_id and l.user_id = m.user_id))`;

export async function readRows(database: SimulatedDatabase): Promise<Row[]> {
  const rows = await database.query(
    `select user_id as user, survey_id as survey, revision, occurrence as "on", counter, due_at as dueAt,
      next_attempt_at as lookAt, time_zone as timeZone, attempts, settled_at as settledAt, state, reason, deliveries,
      follow_ups as followUps, next_follow_up_at as nextFollowUpAt, retry_at as retryAt, snoozed_until as snoozedUntil,
      shown_at as shownAt, opened_at as openedAt, answered_at as answeredAt, answered_late as answeredLate
    from scheduled_notification order by due_at, user_id, survey_id`,
  );
  const listIn = (value: unknown) => JSON.parse(String(value ?? '[]'));
  return rows.map(({ deliveries, ...row }) => ({
    ...row,
    deliveries: readDeliveries(listIn(deliveries), Number(row.dueAt)),
    followUps: readFollowUps(listIn(row.followUps)),
  })) as never;
}

export async function readMemberSurveys(database: SimulatedDatabase): Promise<MemberSurvey[]> {
  const rows = await database.query(
    `select m.user_id as user, s.id as survey, d.local_date as downloadedOn,
      ${concerned} as concerned, m.participant_since as participantSince, m.created_at as joinedAt,
      (select min(at) from (select p.created_at as at from device p where p.user_id = m.user_id
        union all select l.at from survey q join survey_download l on l.survey_id = q.id
          where q.investigation_id = m.investigation_id and l.user_id = m.user_id)) as firstSign,
      max(s.reminders_since, iif(m.role = 'responder', m.created_at, coalesce(m.participant_since, m.created_at)), i.active_since,
        case when s.reminders ->> 'type' = 'fixed' then coalesce(d.at, 0) else 0 end) as since,
      (select time_zone from device where user_id = m.user_id and time_zone is not null
        order by enabled desc, zone_since desc, rowid desc limit 1) as deviceZone
    from member m join investigation i on i.id = m.investigation_id
      join survey s on s.investigation_id = i.id
      left join survey_download d on d.user_id = m.user_id and d.survey_id = s.id`,
  );
  return rows as never;
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
  downloaded: number;
  /** Epoch ms, or 0. */
  pausedUntil: number;
}

export async function readStandings(database: SimulatedDatabase): Promise<Standing[]> {
  const rows = await database.query(
    `select m.user_id as user, max(coalesce(u.paused_until, 0), coalesce(m.paused_until, 0)) as pausedUntil,
      exists (select 1 from device d where d.user_id = u.id and d.enabled) as reachable,
      exists (select 1 from survey s join survey_download d on d.survey_id = s.id
        where s.investigation_id = m.investigation_id and d.user_id = u.id) as downloaded
    from member m join user u on u.id = m.user_id where ${concerned} order by m.user_id`,
  );
  return rows as never;
}

/** The inputs of the draws within a survey's windows, by survey. */
export async function readSecrets(database: SimulatedDatabase): Promise<Map<string, string>> {
  const rows = await database.query(`select id, coalesce(window_secret, '') as secret from survey`);
  return new Map(rows.map(({ id, secret }) => [String(id), String(secret)]));
}

/** Records of triggers about rows that were written again or vanished, and about writes to frozen studies. */
export const readRewritten = async (database: SimulatedDatabase): Promise<string[]> =>
  (await database.query('select what from rewritten')).map(({ what }) => String(what));
