import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { each, eachListed } from '../../db/json.ts';
import { notifications, replans } from '../../db/schema/notifications.ts';
import { devices } from '../../db/schema/users.ts';
import { type Placeholders, statement } from '../../db/statements.ts';
import type { Planned, Unreachable } from './changes.ts';
import { boundColumns, excluded, fromJson, keyColumns, type Notification, valueColumns } from './columns.ts';
import { stampsOf } from './state.ts';

const stored = { user: notifications.userId, survey: notifications.surveyId };

const unsettled = sql`${notifications.settledAt} is null`;

/** A settled notification stays as it is, unless its date may come again: it was invalidated. */
const isOpen = sql`(${unsettled} or ${notifications.state} = 'invalidated')`;

const isUnsent = sql`coalesce(${notifications.state} <> 'sent', 1)`;

/** In SQL: the user `u` and the survey `s` of a plan, if both are still as it was made from. */
const stampsHold = (user: unknown, survey: unknown, plannedFrom: unknown) =>
  sql`user u join survey s on u.id = ${user} and s.id = ${survey} and ${stampsOf('u', 's')} = ${plannedFrom}`;
const whileStampsHold = sql`join ${stampsHold(sql`p.value ->> 'userId'`, sql`p.value ->> 'surveyId'`, sql`p.value ->> 'plannedFrom'`)}`;

const notificationRow = sql`p.value`;

/** In SQL: the row that `p.value` names. */
const isRow = sql`(user_id, survey_id, revision, occurs_on) = (
  p.value ->> 'userId', p.value ->> 'surveyId', p.value ->> 'revision', p.value ->> 'key')`;

/** Inserts the rows that a query selects; those that are there and `replaceable` get the given columns of it. */
const upsert = (db: Database, query: SQL, set: Record<string, SQL>, replaceable: SQL) =>
  db
    .insert(notifications)
    .select(query)
    .onConflictDoUpdate({ target: [...keyColumns], set, setWhere: replaceable });

type Rows = Placeholders<Partial<Notification> & { rows?: string }>;

/** Of a single notification each column is a parameter; more are one of JSON. */
export const asParameters = (rows: readonly Notification[]) =>
  rows.length === 1 ? { ...rows[0] } : { rows: JSON.stringify(rows) };

export const insertPlanned = statement((db, row: Rows) =>
  upsert(
    db,
    row.rows
      ? sql`select ${fromJson(notificationRow)} from ${eachListed(row.rows, false)} p ${whileStampsHold} where true`
      : sql`select ${boundColumns(row)} from ${stampsHold(row.userId, row.surveyId, row.plannedFrom)} where true`,
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
      state: 'invalidated',
      reason: sql`p.value ->> 'reason'`,
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
      : sql`values (${boundColumns(row)})`,
    excluded(...valueColumns),
    sql`(${unsettled} or (${isUnsent} and excluded.state = 'sent'))`,
  ),
);

/** Record attempts even if the plan is stale: they say when to try next. */
export const updateAttempts = statement((db, { rows }: Placeholders<{ rows: string }>, single: boolean) =>
  db
    .update(notifications)
    .set({
      nextAttemptAt: sql`p.value ->> 'nextAttemptAt'`,
      attempts: sql`p.value ->> 'attempts'`,
      deliveries: sql`p.value -> 'deliveries'`,
    })
    .from(sql`${eachListed(rows, single)} p`)
    .where(and(isRow, unsettled)),
);

export const updateFollowUps = statement((db, { rows }: Placeholders<{ rows: string }>, single: boolean) => {
  const isSnooze = sql`${notifications.snoozedUntil} is p.value ->> 'readSnooze'`;
  return db
    .update(notifications)
    .set({
      followUps: sql`coalesce(p.value -> 'followUps', ${notifications.followUps})`,
      pushes: sql`coalesce(p.value -> 'pushes', ${notifications.pushes})`,
      retryAt: sql`p.value ->> 'retryAt'`,
      nextFollowUpAt: sql`iif(${isSnooze}, p.value ->> 'nextFollowUpAt', ${notifications.nextFollowUpAt})`,
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
