import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { each, eachListed, listed } from '../../db/json.ts';
import { type Delivery, devices, notifications, replans, type settledStates } from '../../db/schema.ts';
import { type Placeholders, statement } from '../../db/statements.ts';
import { noteUnderWay } from './under-way.ts';

/** An occurrence by its key. */
export interface Key {
  user: string;
  survey: string;
  revision: number;
  on: string;
}

/** A row to be pending. It is stored only while the agenda that it was made from still holds. */
export interface Planned extends Key {
  counter: number;
  dueAt: number;
  lookAt: number;
  timeZone: string;
  attempts: number;
  deliveries: Delivery[];
  userStamp: number;
  surveyStamp: number;
}

/** A row that is over. */
export interface Settled extends Key {
  counter: number;
  dueAt: number;
  timeZone: string;
  attempts: number;
  state: (typeof settledStates)[number];
  reason: string | null;
  deliveries: Delivery[];
}

/** What makes the pending rows of some users what they should be. */
export interface Changes {
  plan: Planned[];
  /** Rows that stay pending after a try. Unlike a plan, what was tried is stored whatever has changed since. */
  tried: Planned[];
  settle: Settled[];
  /** Pending rows whose date is no longer the next; they leave no trace, since they may come again. */
  drop: Key[];
  /** Phones that the relay does not reach any more. */
  disable: Unreachable[];
}

/** A phone, and when (epoch ms) it was read: one that was registered since then has been healed, and stays enabled. */
export interface Unreachable {
  device: string;
  readAt: number;
}

export const noChanges = (): Changes => ({ plan: [], tried: [], settle: [], drop: [], disable: [] });

export const joinChanges = (all: Changes[]): Changes => ({
  plan: all.flatMap((changes) => changes.plan),
  tried: all.flatMap((changes) => changes.tried),
  settle: all.flatMap((changes) => changes.settle),
  drop: all.flatMap((changes) => changes.drop),
  disable: all.flatMap((changes) => changes.disable),
});

/** One batch. `refused` are users with a plan that was not stored, because what it was made from has changed. */
export async function writeChanges(
  db: Database,
  { plan, tried, settle, drop, disable }: Changes,
  now: number,
  also: { job?: string | undefined; underWay?: readonly string[] } = {},
): Promise<{ refused: string[] }> {
  const planning = [...plan, ...tried];
  const statements = [
    ...(tried.length > 0 ? [triedRows(db, tried, now)] : []),
    ...(settle.length > 0 ? [settleRows(db, settle, now)] : []),
    ...(drop.length > 0 ? [dropRows(db, drop)] : []),
    ...(disable.length > 0 ? [disableDevices(db, disable, now)] : []),
    ...(also.job === undefined ? [] : [dropJob(db, also.job, planning)]),
    ...(also.underWay ? [noteUnderWay(db, also.underWay, now)] : []),
  ];
  if (planning.length > 0) {
    const [rows] = await db.batch([planRows(db, planning), ...statements]);
    const stored = new Set(rows.map(({ user, survey }) => `${user} ${survey}`));
    const refused = planning.filter(({ user, survey }) => !stored.has(`${user} ${survey}`));
    return { refused: [...new Set(refused.map(({ user }) => user))] };
  }
  const [first, ...rest] = statements;
  if (first) await db.batch([first, ...rest]);
  return { refused: [] };
}

/** The job stays in the outbox when one of its plans is refused: a crash must not lose what is made anew. */
const dropJob = (db: Database, job: string, planning: Planned[]) =>
  db
    .delete(replans)
    .where(
      planning.length === 0
        ? eq(replans.id, job)
        : and(
            eq(replans.id, job),
            sql`(select count(*) from json_each(${JSON.stringify(planning)}) p ${whileStampsHold}) = ${planning.length}`,
          ),
    );

const disableDevices = (db: Database, gone: Unreachable[], now: number) =>
  db
    .update(devices)
    .set({ enabled: false, updatedAt: now })
    .from(sql`${each(gone)} g`)
    .where(sql`${devices.id} = g.value ->> 'device' and ${devices.seenAt} <= g.value ->> 'readAt'`);

/** A row that is settled stays as it is: an occurrence is settled once. */
const unsettled = sql`${notifications.settledAt} is null`;
const excluded = (column: string) => sql.raw(`excluded.${column}`);

/** A pending row behind which another one stands: only the last of a survey is looked at. */
export const isStray = sql`exists (select 1 from scheduled_notification l where l.user_id = ${notifications.userId}
  and l.survey_id = ${notifications.surveyId}
  and (l.revision, l.occurs_on) > (${notifications.revision}, ${notifications.on}))`;

/** An earlier date that was planned while a later one was being sent (the user moved west) is passed over. */
export async function settleStrays(db: Database, user: string, now: number): Promise<void> {
  await db
    .update(notifications)
    .set({ settledAt: now, state: 'skipped', reason: 'superseded' })
    .where(and(eq(notifications.userId, user), unsettled, isStray));
}

const whileStampsHold = sql`join user u on u.id = p.value ->> 'user' and u.plan_stamp = p.value ->> 'userStamp'
  join survey s on s.id = p.value ->> 'survey' and s.plan_stamp = p.value ->> 'surveyStamp'`;

type Rows = Placeholders<{ rows: string }>;
type RowsNow = Placeholders<{ rows: string; now: number }>;

const planRows = (db: Database, rows: Planned[]) =>
  insertPlanned(db, { rows: listed(rows) }, rows.length === 1);

/** Columns in the order of the schema: drizzle inserts all of them. */
const insertPlanned = statement((db, { rows }: Rows, single: boolean) =>
  db
    .insert(notifications)
    .select(
      sql`select p.value ->> 'user', p.value ->> 'survey', p.value ->> 'revision', p.value ->> 'on',
        p.value ->> 'counter', p.value ->> 'dueAt', p.value ->> 'lookAt', p.value ->> 'timeZone',
        p.value ->> 'attempts', null, null, null, p.value -> 'deliveries'
      from ${eachListed(rows, single)} p ${whileStampsHold} where true`,
    )
    .onConflictDoUpdate({
      target: [notifications.userId, notifications.surveyId, notifications.revision, notifications.on],
      set: {
        counter: excluded('counter'),
        dueAt: excluded('due_at'),
        lookAt: excluded('look_at'),
        timeZone: excluded('time_zone'),
        attempts: excluded('attempts'),
        deliveries: excluded('deliveries'),
      },
      setWhere: unsettled,
    })
    .returning({ user: notifications.userId, survey: notifications.surveyId }),
);

const triedRows = (db: Database, rows: Planned[], now: number) =>
  insertTried(db, { rows: listed(rows), now }, rows.length === 1);

/** Also when its plan was refused: which phones have it is true all the same. A row that is gone comes back as sent. */
const insertTried = statement((db, { rows, now }: RowsNow, single: boolean) =>
  db
    .insert(notifications)
    .select(
      sql`select p.value ->> 'user', p.value ->> 'survey', p.value ->> 'revision', p.value ->> 'on',
        p.value ->> 'counter', p.value ->> 'dueAt', p.value ->> 'lookAt', p.value ->> 'timeZone',
        p.value ->> 'attempts', ${now}, 'sent', null, p.value -> 'deliveries'
      from ${eachListed(rows, single)} p
      where exists (select 1 from json_each(p.value, '$.deliveries') d where d.value ->> 'messageId' is not null)
        or exists (select 1 from scheduled_notification n where n.user_id = p.value ->> 'user'
          and n.survey_id = p.value ->> 'survey' and n.revision = p.value ->> 'revision' and n.occurs_on = p.value ->> 'on')`,
    )
    .onConflictDoUpdate({
      target: [notifications.userId, notifications.surveyId, notifications.revision, notifications.on],
      set: {
        lookAt: excluded('look_at'),
        attempts: excluded('attempts'),
        deliveries: excluded('deliveries'),
      },
      setWhere: unsettled,
    }),
);

const settleRows = (db: Database, rows: Settled[], now: number) =>
  insertSettled(db, { rows: listed(rows), now }, rows.length === 1);

const insertSettled = statement((db, { rows, now }: RowsNow, single: boolean) =>
  db
    .insert(notifications)
    .select(
      sql`select p.value ->> 'user', p.value ->> 'survey', p.value ->> 'revision', p.value ->> 'on',
        p.value ->> 'counter', p.value ->> 'dueAt', p.value ->> 'dueAt', p.value ->> 'timeZone',
        p.value ->> 'attempts', ${now}, p.value ->> 'state', p.value ->> 'reason', p.value -> 'deliveries'
      from ${eachListed(rows, single)} p where true`,
    )
    .onConflictDoUpdate({
      target: [notifications.userId, notifications.surveyId, notifications.revision, notifications.on],
      set: {
        counter: excluded('counter'),
        dueAt: excluded('due_at'),
        timeZone: excluded('time_zone'),
        attempts: excluded('attempts'),
        settledAt: excluded('settled_at'),
        state: excluded('state'),
        reason: excluded('reason'),
        deliveries: excluded('deliveries'),
      },
      setWhere: unsettled,
    }),
);

const dropRows = (db: Database, keys: Key[]) =>
  db.delete(notifications).where(
    sql`${unsettled} and (user_id, survey_id, revision, occurs_on) in (
      select value ->> 'user', value ->> 'survey', value ->> 'revision', value ->> 'on' from ${each(keys)})`,
  );
