import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { each, eachListed } from '../../db/json.ts';
import { notifications, replans } from '../../db/schema/notifications.ts';
import { surveys } from '../../db/schema/surveys.ts';
import { devices } from '../../db/schema/users.ts';
import { type Placeholders, statement, type Value } from '../../db/statements.ts';
import type { Context } from '../context.ts';
import {
  bound,
  excluded,
  type FollowUpEntry,
  fromJson,
  keyColumns,
  type Notification,
  valueColumns,
} from './columns.ts';
import { stampsOf } from './state.ts';

/** A notification that is stored only while what it was planned from is the same. */
export interface Planned extends Notification {
  plannedFrom: string;
}

/** What followed a notification that was sent. Instants are epoch ms. */
export interface FollowedUp extends Pick<Notification, 'userId' | 'surveyId' | 'revision' | 'key'> {
  /** Absent: as they are. */
  followUps?: FollowUpEntry[];
  /** What became of the first push on each phone. Absent: as it was. */
  pushes?: Notification['pushes'];
  next: number | null;
  /** The snooze that this was decided with: one that the phone asked for since stays. */
  readSnooze: number | null;
  snoozedUntil: number | null;
}

/** A device that the relay does not reach any more. `readAt` (epoch ms): one registered since stays enabled. */
export interface Unreachable {
  device: string;
  readAt: number;
}

const stored = { user: notifications.userId, survey: notifications.surveyId };

const unsettled = sql`${notifications.settledAt} is null`;

/** A settled notification stays as it is, unless its date may come again: it was invalidated. */
const isOpen = sql`(${unsettled} or ${notifications.state} = 'invalidated')`;

const isUnsent = sql`coalesce(${notifications.state} <> 'sent', 1)`;

/** In SQL: whether a phone has it. */
export const reachedPhone = (deliveries: SQL) =>
  sql`exists (select 1 from json_each(${deliveries}) delivered where delivered.value ->> 'messageId' is not null)`;

/** In SQL: the user `u` and the survey `s` of a plan, if both are still as it was made from. */
const stampsHold = (user: unknown, survey: unknown, plannedFrom: unknown) =>
  sql`user u join survey s on u.id = ${user} and s.id = ${survey} and ${stampsOf('u', 's')} = ${plannedFrom}`;
const whileStampsHold = sql`join ${stampsHold(sql`p.value ->> 'userId'`, sql`p.value ->> 'surveyId'`, sql`p.value ->> 'plannedFrom'`)}`;

const notificationRow = sql`p.value`;

/** In SQL: the row that `p.value` names. */
export const isRow = sql`(user_id, survey_id, revision, occurs_on) = (
  p.value ->> 'userId', p.value ->> 'surveyId', p.value ->> 'revision', p.value ->> 'key')`;

/** Inserts the rows that a query selects; those that are there and `replaceable` get the given columns of it. */
const upsert = (db: Database, query: SQL, set: Record<string, SQL>, replaceable: SQL) =>
  db
    .insert(notifications)
    .select(query)
    .onConflictDoUpdate({ target: [...keyColumns], set, setWhere: replaceable });

type Rows = Placeholders<Partial<Notification> & { rows?: string }>;

/** Of a single notification each column is a parameter; more are one of JSON. */
export const given = (rows: readonly Notification[]) =>
  rows.length === 1 ? { ...rows[0] } : { rows: JSON.stringify(rows) };

export const insertPlanned = statement((db, row: Rows) =>
  upsert(
    db,
    row.rows
      ? sql`select ${fromJson(notificationRow)} from ${eachListed(row.rows, false)} p ${whileStampsHold} where true`
      : sql`select ${bound(row)} from ${stampsHold(row.userId, row.surveyId, row.plannedFrom)} where true`,
    excluded(...valueColumns),
    isOpen,
  ).returning(stored),
);

export const confirmPlanned = (db: Database, rows: Planned[]) =>
  db
    .update(notifications)
    .set({
      timeZone: sql`p.value ->> 'timeZone'`,
      plannedFrom: sql`p.value ->> 'plannedFrom'`,
    })
    .from(sql`${each(rows)} p ${whileStampsHold}`)
    .where(and(isRow, unsettled))
    .returning(stored);

/** A push that is under way may still go out, which {@link insertFinished} then says. */
export const invalidatePending = (db: Database, rows: Planned[]) =>
  db
    .update(notifications)
    .set({
      settledAt: sql`p.value ->> 'settledAt'`,
      state: sql`iif(${reachedPhone(sql`${notifications.deliveries}`)}, 'sent', 'invalidated')`,
      reason: sql`iif(${reachedPhone(sql`${notifications.deliveries}`)}, null, p.value ->> 'reason')`,
    })
    .from(sql`${each(rows)} p ${whileStampsHold}`)
    .where(and(isRow, unsettled))
    .returning(stored);

/** What was pushed is sent, even if it was settled otherwise meanwhile: the reminders changed during the push, say. */
export const insertFinished = statement((db, row: Rows) =>
  upsert(
    db,
    row.rows
      ? sql`select ${fromJson(notificationRow)} from ${eachListed(row.rows, false)} p where true`
      : sql`values (${bound(row)})`,
    excluded(...valueColumns),
    sql`(${unsettled} or (${isUnsent} and excluded.state = 'sent'))`,
  ),
);

/**
 * Also when its plan was refused: which phones have it is true all the same. A row that is gone comes back as sent, and so
 * does one that was settled otherwise meanwhile.
 */
export const insertRetried = statement(
  (db, { rows, now }: Placeholders<{ rows: string; now: number }>, single: boolean) =>
    upsert(
      db,
      attemptedRows(rows, now, single),
      {
        ...excluded('nextAttemptAt', 'attempts', 'deliveries'),
        state: sql`iif(${unsettled}, null, 'sent')`,
        reason: sql`null`,
      },
      sql`(${unsettled} or (${isUnsent} and ${reachedPhone(sql`excluded.deliveries`)}))`,
    ),
);

const attemptedRows = (rows: Value<string>, now: Value<number>, single: boolean) =>
  sql`select ${fromJson(notificationRow, { settledAt: sql`${now}`, state: sql`'sent'` })}
    from ${eachListed(rows, single)} p
    where ${reachedPhone(sql`p.value -> 'deliveries'`)}
      or exists (select 1 from scheduled_notification n where n.user_id = p.value ->> 'userId'
        and n.survey_id = p.value ->> 'surveyId' and n.revision = p.value ->> 'revision'
        and n.occurs_on = p.value ->> 'key')`;

export const updateFollowUps = statement((db, { rows }: Placeholders<{ rows: string }>, single: boolean) => {
  const isSnooze = sql`${notifications.snoozedUntil} is p.value ->> 'readSnooze'`;
  return db
    .update(notifications)
    .set({
      followUps: sql`coalesce(p.value -> 'followUps', ${notifications.followUps})`,
      pushes: sql`coalesce(p.value -> 'pushes', ${notifications.pushes})`,
      nextFollowUpAt: sql`iif(${isSnooze}, p.value ->> 'next', ${notifications.nextFollowUpAt})`,
      snoozedUntil: sql`iif(${isSnooze}, p.value ->> 'snoozedUntil', ${notifications.snoozedUntil})`,
    })
    .from(sql`${eachListed(rows, single)} p`)
    .where(isRow);
});

export const deletePending = (db: Database, rows: Planned[]) =>
  db
    .delete(notifications)
    .where(
      sql`${unsettled} and (user_id, survey_id, revision, occurs_on) in (
        select p.value ->> 'userId', p.value ->> 'surveyId', p.value ->> 'revision', p.value ->> 'key'
        from ${each(rows)} p ${whileStampsHold})`,
    )
    .returning(stored);

export const disableDevices = (db: Database, gone: Unreachable[], now: number) =>
  db
    .update(devices)
    .set({ enabled: false, updatedAt: now })
    .from(sql`${each(gone)} g`)
    .where(sql`${devices.id} = g.value ->> 'device' and ${devices.seenAt} <= g.value ->> 'readAt'`);

/** The job stays in the outbox when one of its plans is refused: a crash must not lose the next attempt. */
export const deleteJob = (db: Database, job: string, conditional: Planned[]) =>
  db
    .delete(replans)
    .where(
      conditional.length === 0
        ? eq(replans.id, job)
        : and(
            eq(replans.id, job),
            sql`(select count(*) from json_each(${JSON.stringify(conditional)}) p ${whileStampsHold}) = ${conditional.length}`,
          ),
    );

/**
 * In SQL: a pending notification behind which another one stands that was not invalidated. Only the last of a survey is
 * attempted.
 */
export const isSuperseded = sql`exists (
  select 1 from scheduled_notification l where l.user_id = ${notifications.userId}
  and l.survey_id = ${notifications.surveyId} and l.state is not 'invalidated'
  and (l.revision, l.occurs_on) > (${notifications.revision}, ${notifications.key}))`;

/** In SQL: a later notification of the survey is settled and not invalidated, so that this one is not followed up. */
export const hasNewer = sql`exists (
  select 1 from scheduled_notification l where l.user_id = ${notifications.userId}
  and l.survey_id = ${notifications.surveyId} and l.settled_at is not null and l.state <> 'invalidated'
  and (l.revision, l.occurs_on) > (${notifications.revision}, ${notifications.key}))`;

/** Settles what a user who leaves a study would still have got. It counts as sent if a phone has it. */
export const invalidateLeft = (
  { db, now }: Pick<Context, 'db' | 'now'>,
  { user, investigation }: { user: string; investigation: string },
) =>
  db
    .update(notifications)
    .set({
      settledAt: now,
      state: sql`iif(${reachedPhone(sql`${notifications.deliveries}`)}, 'sent', 'invalidated')`,
      reason: sql`iif(${reachedPhone(sql`${notifications.deliveries}`)}, null, 'left-study')`,
    })
    .from(sql`${surveys} s`)
    .where(
      sql`s.investigation_id = ${investigation} and ${notifications.userId} = ${user} and ${unsettled}
        and (${notifications.surveyId}, ${notifications.revision}, ${notifications.key}) = (
          select n.survey_id, n.revision, n.occurs_on from scheduled_notification n
          where n.user_id = ${user} and n.survey_id = s.id and n.state is not 'invalidated'
          order by n.revision desc, n.occurs_on desc limit 1)`,
    );
