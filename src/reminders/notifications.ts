import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { query } from '../db/query.ts';
import { notFound } from '../errors.ts';
import { fits, propertiesOf } from '../permissions/groups.ts';
import { isDeletedStudy } from '../permissions/visibility.ts';
import { comesNext, type EntryRow, entriesOf, type HistoryEntry, toEntry } from './entries.ts';
import { takesSurvey } from './groups.ts';

type Reading = Pick<Context, 'db' | 'actor'>;

/** A notification, and what the actor may do with it. */
interface Found extends HistoryEntry {
  /** Of the actor in the study; null: none. */
  role: string | null;
  /** 1: the actor is of the staff that sees the survey and the person; null: no member. */
  seen: number | null;
  /** 1: the survey is for its user, who takes part. */
  taken: number;
  /** Minutes; null without reminders. */
  expiresAfter: number | null;
  /** 1: a later notification of the survey is settled and counts, so this one gets no follow-up. */
  newer: number;
  archived: number;
}

/** In SQL: the user and survey of a notification whose time has come, or that the actor's own cursor stands before. */
const own = sql`select user_id as user, survey_id as survey from notification where id = :id
  union select user_id, survey_id from scheduled_notification where user_id = :actor and id = :id`;

/**
 * Members, and their cursors, of the studies that the actor owns or edits, among which one that still comes is sought:
 * an index would cost a row written for each reminder. In a larger study the lists have it until its time has come.
 */
const maxSought = 10_000;

/** In SQL: the same of a cursor of somebody in a study that the actor owns or edits. */
const ofMembers = sql`select user, survey from (
    select c.user_id as user, c.survey_id as survey, c.id from (
      select m.user_id from current_member me cross join current_member m on m.investigation_id = me.investigation_id
      where me.user_id = :actor and me.role <> 'responder' limit ${maxSought}) m
    cross join scheduled_notification c on c.user_id = m.user_id limit ${maxSought})
  where id = :id`;

const columns = sql`,
  (select m.role from current_member m where m.investigation_id = s.investigation_id and m.user_id = :actor) as role,
  (select m.role <> 'responder' and (m.role = 'owner' or not s.blinded)
      and ${fits(sql`m.scope`, propertiesOf(sql`s.investigation_id`, sql`x.user`))}
    from current_member m where m.investigation_id = s.investigation_id and m.user_id = :actor) as seen,
  exists (select 1 from current_member m join investigation i on i.id = m.investigation_id
    where m.investigation_id = s.investigation_id and m.user_id = x.user and ${takesSurvey}) as taken,
  case when json_valid(s.plain_reminders) then s.plain_reminders ->> 'expiresAfter' end as expiresAfter,
  exists (select 1 from notification l where l.id = c.last and (l.revision, l.occurrence) > (x.revision, x.occurrence)) as newer,
  s.archived_at is not null or exists (select 1 from investigation i
    where i.id = s.investigation_id and i.archived_at is not null) as archived`;

/** In SQL: the entry of a notification of one of these pairs. */
const ofPairs = (pairs: SQL) =>
  entriesOf(
    sql`select p.user, p.survey, :id as id, coalesce(c.revision, n.revision) as revision,
      coalesce(c.occurrence, n.occurrence) as occurrence, coalesce(c.due_at, n.due_at) as dueAt, c.id is not null as isNext
    from (${pairs}) p join survey s on s.id = p.survey left join notification n on n.id = :id
    left join scheduled_notification c on c.user_id = p.user and c.survey_id = p.survey and c.id = :id and ${comesNext(sql`n.state`)}
    where not ${isDeletedStudy(sql`s.investigation_id`)} limit 1`,
    columns,
  );

const texts = { own: ofPairs(own), ofMembers: ofPairs(ofMembers) };

/**
 * A notification by its identifier: the user's own, or one in the part of a study that the actor sees as its staff. One round trip; two for
 * one of somebody else that still comes. @throws resource.not-found
 */
export async function readNotification(reading: Reading, id: string): Promise<HistoryEntry> {
  const found = (await find(reading, id)) ?? (await find(reading, id, 'ofMembers'));
  if (!found || (found.user !== reading.actor && !found.seen)) throw notFound('notification');
  return found;
}

/** One of the actor's own. @throws resource.not-found */
export async function readOwn(reading: Reading, id: string): Promise<Found> {
  const found = await find(reading, id);
  if (found?.user !== reading.actor) throw notFound('notification');
  return found;
}

async function find(
  { db, actor }: Reading,
  id: string,
  among: keyof typeof texts = 'own',
): Promise<Found | undefined> {
  const [row] = await query<EntryRow & Omit<Found, keyof HistoryEntry>>(db, texts[among], { id, actor });
  return row && toEntry(row);
}
