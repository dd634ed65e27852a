import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { each, eachListed, listed } from '../../db/json.ts';
import { devices, notifications, replans } from '../../db/schema.ts';
import { type Placeholders, statement, type Value } from '../../db/statements.ts';
import type { Context } from '../context.ts';
import { excluded, fromJson, keyColumns, type Notification, valueColumns } from './columns.ts';
import { aheadOf, isUndoneBehind } from './settled-ahead.ts';

/** A pending notification with the stamps of the state it was planned from. */
export interface Planned extends Notification {
  userStamp: number;
  surveyStamp: number;
}

/** A device that the relay does not reach any more. `readAt` (epoch ms): one registered since stays enabled. */
export interface Unreachable {
  device: string;
  readAt: number;
}

/** What makes the notifications of some users what they should be. */
export interface Changes {
  /** Pending notifications to store, unless what they were planned from has changed. */
  schedule: Planned[];
  /** Notifications that stay pending after an attempt. What was attempted is stored whatever has changed. */
  retried: Planned[];
  /** Notifications that are settled. */
  finish: Notification[];
  /** Pending notifications whose date is no longer the next. They leave no trace, since they may come again. */
  unschedule: Notification[];
  disable: Unreachable[];
}

export const noChanges = (): Changes => ({
  schedule: [],
  retried: [],
  finish: [],
  unschedule: [],
  disable: [],
});

export const joinChanges = (all: Changes[]): Changes => ({
  schedule: all.flatMap((changes) => changes.schedule),
  retried: all.flatMap((changes) => changes.retried),
  finish: all.flatMap((changes) => changes.finish),
  unschedule: all.flatMap((changes) => changes.unschedule),
  disable: all.flatMap((changes) => changes.disable),
});

/**
 * Writes changes in one batch, and takes `job` from the outbox with them. `refused` are users with a plan that was not
 * stored, because what it was made from has changed.
 */
export async function writeChanges(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { schedule, retried, finish, unschedule, disable }: Changes,
  job?: string,
): Promise<{ refused: string[] }> {
  const planned = [...schedule, ...retried];
  const ahead = aheadOf(now);
  const statements = [
    ...(retried.length > 0 ? [insertRetried(db, { rows: listed(retried), now }, retried.length === 1)] : []),
    ...(finish.length > 0 ? [insertFinished(db, { rows: listed(finish), ahead }, finish.length === 1)] : []),
    ...(unschedule.length > 0 ? [deletePending(db, unschedule)] : []),
    ...(disable.length > 0 ? [disableDevices(db, disable, now)] : []),
    ...(job === undefined ? [] : [deleteJob(db, job, planned)]),
  ];
  if (planned.length > 0) {
    const [rows] = await db.batch([
      insertPlanned(db, { rows: listed(planned), ahead }, planned.length === 1),
      ...statements,
    ]);
    const stored = new Set(rows.map(({ user, survey }) => `${user} ${survey}`));
    const refused = planned.filter(({ userId, surveyId }) => !stored.has(`${userId} ${surveyId}`));
    return { refused: [...new Set(refused.map(({ userId }) => userId))] };
  }
  const [first, ...rest] = statements;
  if (first) await db.batch([first, ...rest]);
  return { refused: [] };
}

const unsettled = sql`${notifications.settledAt} is null`;

/** A settled notification stays as it is, unless a clock that was ahead settled it without a push. */
const isOpen = (ahead: Value<number>) => sql`(${unsettled} or ${isUndoneBehind(ahead)})`;

const whileStampsHold = sql`join user u on u.id = p.value ->> 'userId' and u.plan_stamp = p.value ->> 'userStamp'
  join survey s on s.id = p.value ->> 'surveyId' and s.plan_stamp = p.value ->> 'surveyStamp'`;

const notificationRow = sql`p.value`;

/** Inserts the rows that a query selects; those that are there get the given columns of it where `setWhere` holds. */
const upsert = (db: Database, query: SQL, set: Record<string, SQL>, setWhere: SQL) =>
  db
    .insert(notifications)
    .select(query)
    .onConflictDoUpdate({ target: [...keyColumns], set, setWhere });

type Rows = Placeholders<{ rows: string; ahead: number }>;

const insertPlanned = statement((db, { rows, ahead }: Rows, single: boolean) =>
  upsert(
    db,
    sql`select ${fromJson(notificationRow)} from ${eachListed(rows, single)} p ${whileStampsHold} where true`,
    excluded(
      ...([
        'counter',
        'dueAt',
        'nextAttemptAt',
        'timeZone',
        'attempts',
        'settledAt',
        'state',
        'reason',
        'deliveries',
      ] as const),
    ),
    isOpen(ahead),
  ).returning({ user: notifications.userId, survey: notifications.surveyId }),
);

/** What was pushed is sent, even if it was settled otherwise meanwhile: the reminders changed during the push, say. */
const insertFinished = statement((db, { rows, ahead }: Rows, single: boolean) =>
  upsert(
    db,
    sql`select ${fromJson(notificationRow)} from ${eachListed(rows, single)} p where true`,
    excluded(...valueColumns),
    sql`(${isOpen(ahead)} or (${notifications.state} <> 'sent' and excluded.state = 'sent'))`,
  ),
);

/**
 * Also when its plan was refused: which phones have it is true all the same. A row that is gone comes back as sent, and so
 * does one that was settled otherwise meanwhile.
 */
const insertRetried = statement(
  (db, { rows, now }: Placeholders<{ rows: string; now: number }>, single: boolean) =>
    upsert(
      db,
      attemptedRows(rows, now, single),
      {
        ...excluded('nextAttemptAt', 'attempts', 'deliveries'),
        state: sql`iif(${unsettled}, null, 'sent')`,
        reason: sql`null`,
      },
      sql`(${unsettled} or (${notifications.state} <> 'sent' and exists (
        select 1 from json_each(excluded.deliveries) d where d.value ->> 'messageId' is not null)))`,
    ),
);

const attemptedRows = (rows: Value<string>, now: Value<number>, single: boolean) =>
  sql`select ${fromJson(notificationRow, { settledAt: sql`${now}`, state: sql`'sent'` })}
    from ${eachListed(rows, single)} p
    where exists (select 1 from json_each(p.value, '$.deliveries') d where d.value ->> 'messageId' is not null)
      or exists (select 1 from scheduled_notification n where n.user_id = p.value ->> 'userId'
        and n.survey_id = p.value ->> 'surveyId' and n.revision = p.value ->> 'revision'
        and n.occurs_on = p.value ->> 'on')`;

const deletePending = (db: Database, rows: Notification[]) =>
  db.delete(notifications).where(
    sql`${unsettled} and (user_id, survey_id, revision, occurs_on) in (
      select value ->> 'userId', value ->> 'surveyId', value ->> 'revision', value ->> 'on' from ${each(rows)})`,
  );

const disableDevices = (db: Database, gone: Unreachable[], now: number) =>
  db
    .update(devices)
    .set({ enabled: false, updatedAt: now })
    .from(sql`${each(gone)} g`)
    .where(sql`${devices.id} = g.value ->> 'device' and ${devices.seenAt} <= g.value ->> 'readAt'`);

/** The job stays in the outbox when one of its plans is refused: a crash must not lose the next attempt. */
const deleteJob = (db: Database, job: string, planned: Planned[]) =>
  db
    .delete(replans)
    .where(
      planned.length === 0
        ? eq(replans.id, job)
        : and(
            eq(replans.id, job),
            sql`(select count(*) from json_each(${JSON.stringify(planned)}) p ${whileStampsHold}) = ${planned.length}`,
          ),
    );

/**
 * In SQL: a pending notification behind which another one stands that no clock has settled ahead. Only the last of a survey
 * is attempted.
 */
export const isSuperseded = (now: number) => sql`exists (
  select 1 from scheduled_notification l where l.user_id = ${notifications.userId}
  and l.survey_id = ${notifications.surveyId} and (l.settled_at is null or l.settled_at <= ${aheadOf(now)})
  and (l.revision, l.occurs_on) > (${notifications.revision}, ${notifications.on}))`;

/** Settles dates of a user that were planned while a later one was being sent, because the user moved west. */
export async function finishSuperseded(
  { db, now }: Pick<Context, 'db' | 'now'>,
  user: string,
): Promise<void> {
  await db
    .update(notifications)
    .set({ settledAt: now, state: 'skipped', reason: 'superseded' })
    .where(and(eq(notifications.userId, user), unsettled, isSuperseded(now)));
}
