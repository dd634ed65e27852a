import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { each, withEach } from '../db/json.ts';
import { query, textOf } from '../db/query.ts';
import { devices } from '../phones/schema.ts';
import type { FollowUpChange, Planned, Unreachable } from './changes.ts';
import { allColumns, fromJson, type Notification, valueColumns } from './columns.ts';
import { notifications, replans } from './schema.ts';
import { stampsOf } from './state.ts';

const stored = { user: notifications.userId, survey: notifications.surveyId };

const unsettled = sql`${notifications.settledAt} is null`;

/** A settled notification stays, unless its date may come again: it was invalidated. */
const isOpen = sql`(${unsettled} or ${notifications.state} = 'invalidated')`;

const isUnsent = sql`coalesce(${notifications.state} <> 'sent', 1)`;

/** In SQL: the user `u` and the survey `s` of the plan `p.value`, if their stamps still hold. */
const whileStampsHold = sql`join user u join survey s on u.id = p.value ->> 'userId' and s.id = p.value ->> 'surveyId'
  and ${stampsOf('u', 's')} = p.value ->> 'plannedFrom'`;

/** In SQL: the row that `p.value` names. */
const isRow = sql`(user_id, survey_id, revision, occurrence) = (
  p.value ->> 'userId', p.value ->> 'surveyId', p.value ->> 'revision', p.value ->> 'key')`;

/** A query about rows; its text reads them as `p.value`. `one`: the text for one row, `:rows`. */
function about<Given extends object, Row = never>(textOf: (rows: string) => string, one?: string) {
  const texts = withEach((table) => textOf(`${table} p`), one);
  return (db: Database, given: readonly Given[]) => {
    const { text, rows } = texts(given);
    return query<Row>(db, text, { rows });
  };
}

const table = 'scheduled_notification';

/** In SQL: the user answered the notification since it was due, while it waited if it is pending. */
const isAnswered = `coalesce(${table}.answered_at >= ${table}.due_at, 0)`;

/**
 * In SQL: a value of a pending notification that will not come, or another one if it was answered. That one was due and
 * needs no push: it is skipped as `answered`, so that its answer counts.
 */
const unlessAnswered = (value: string, other: string) => `iif(${isAnswered}, ${other}, ${value})`;

const isInvalid = "excluded.state = 'invalidated'";
const settledAs: Partial<Record<string, string>> = {
  state: `iif(${isInvalid}, ${unlessAnswered('excluded.state', "'skipped'")}, excluded.state)`,
  reason: `iif(${isInvalid}, ${unlessAnswered('excluded.reason', "'answered'")}, excluded.reason)`,
};

/** Inserts the rows; existing rows that are `replaceable` get the columns of a plan or a delivery, and an answer if they have none. */
const upsert = (rows: string, replaceable: string) => `insert into ${table} (${allColumns})
  ${rows} on conflict (user_id, survey_id, revision, occurrence) do update
  set ${valueColumns.map((name) => `${name} = ${settledAs[name] ?? `excluded.${name}`}`).join(', ')},
    answered_at = coalesce(${table}.answered_at, excluded.answered_at) where ${replaceable}`;

const selectOf = (rows: string) => `select ${fromJson} from ${rows} where true`;

/** For the triggers' sake SQLite collects the rows of a SELECT first, which D1 counts as one more row read. */
const valuesOfOne = `values (${fromJson.replaceAll('p.value', ':rows')})`;

const whilePlanned = textOf(whileStampsHold);
const isReplaceable = textOf(isOpen);

export const insertPlanned = about<Planned, { user: string; survey: string }>(
  (rows) =>
    `${upsert(selectOf(`${rows} ${whilePlanned}`), isReplaceable)} returning user_id as user, survey_id as survey`,
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

/** A push under way may still go out; {@link insertFinished} then records it. */
export const invalidatePending = (db: Database, rows: Planned[]) =>
  db
    .update(notifications)
    .set({
      settledAt: sql`p.value ->> 'settledAt'`,
      state: sql.raw(unlessAnswered("'invalidated'", "'skipped'")),
      reason: sql.raw(unlessAnswered("p.value ->> 'reason'", "'answered'")),
    })
    .from(sql`${each(rows)} p ${whileStampsHold}`)
    .where(and(isRow, unsettled))
    .returning(stored);

const isUnfinished = textOf(sql`(${unsettled} or (${isUnsent} and excluded.state = 'sent')
  or (${notifications.state} = 'invalidated' and excluded.state <> 'invalidated'))`);

/**
 * Pushed notifications become sent, even if they were settled otherwise meanwhile: the reminders changed during the push,
 * say. One that was invalidated, and is due again, may be settled before it has a plan.
 */
export const insertFinished = about<Notification>(
  (rows) => upsert(selectOf(rows), isUnfinished),
  upsert(valuesOfOne, isUnfinished),
);

const isGiven = textOf(isRow);
const isPending = textOf(unsettled);

/** Record attempts even if the plan is stale: they say when to try next. */
export const updateAttempts = about<Notification>(
  (rows) => `update scheduled_notification
      set next_attempt_at = p.value ->> 'nextAttemptAt', attempts = p.value ->> 'attempts', deliveries = p.value -> 'deliveries'
      from ${rows} where ${isGiven} and ${isPending}`,
);

const isSnooze = `${table}.snoozed_until is p.value ->> 'readSnooze'`;

export const updateFollowUps = about<FollowUpChange>(
  (rows) => `update ${table}
      set follow_ups = coalesce(p.value -> 'followUps', ${table}.follow_ups),
        deliveries = coalesce(p.value -> 'deliveries', ${table}.deliveries),
        retry_at = p.value ->> 'retryAt',
        next_follow_up_at = iif(${isSnooze}, p.value ->> 'nextFollowUpAt', ${table}.next_follow_up_at),
        snoozed_until = iif(${isSnooze}, p.value ->> 'snoozedUntil', ${table}.snoozed_until)
      from ${rows} where ${isGiven}`,
);

/** An answered notification stays, and its plan is refused: the next plan knows of the answer. */
export const deletePending = (db: Database, rows: Planned[]) =>
  db
    .delete(notifications)
    .where(
      sql`${unsettled} and not (${sql.raw(isAnswered)}) and (user_id, survey_id, revision, occurrence) in (
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
