import { eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { oneOf } from '../db/json.ts';
import { type Delivery, devices, notifications, replans, type settledStates } from '../db/schema.ts';
import { memoPlanner, nextOccurrence, type Occurrence } from '../schedule/agenda.ts';
import { type PendingRow, readAgendas, type UserAgenda } from './agendas.ts';

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
  settle: Settled[];
  /** Pending rows whose date is no longer the next; they leave no trace, since they may come again. */
  drop: Key[];
}

/** When the user must next be looked at, epoch ms. */
export interface Wake {
  user: string;
  at: number;
}

/** The change, if any, that gives an agenda the pending row it should have; what is due is left as it is. */
export function planChanges(agenda: UserAgenda, plan = nextOccurrence): Changes {
  const { pending } = agenda;
  const changes: Changes = { plan: [], settle: [], drop: [] };
  const next = plan(agenda);
  if (pending && pending.revision !== agenda.revision) changes.settle.push(invalidated(agenda, pending));
  const current = pending?.revision === agenda.revision ? pending : null;
  if (current && current.on !== next?.on) changes.drop.push(key(agenda, current));
  const kept = current?.on === next?.on && current?.dueAt === next?.dueAt;
  if (next && !kept) changes.plan.push(planned(agenda, next, current?.on === next.on ? current : null));
  return changes;
}

const key = ({ user, survey }: UserAgenda, { revision, on }: { revision: number; on: string }): Key => ({
  user,
  survey,
  revision,
  on,
});

export const planned = (
  agenda: UserAgenda,
  next: Occurrence,
  earlier: PendingRow | null = null,
): Planned => ({
  ...key(agenda, { revision: agenda.revision, on: next.on }),
  counter: next.counter,
  dueAt: next.dueAt,
  lookAt: next.dueAt,
  timeZone: agenda.timeZone,
  attempts: 0,
  deliveries: earlier?.deliveries ?? [],
  userStamp: agenda.userStamp,
  surveyStamp: agenda.surveyStamp,
});

export const invalidated = (agenda: UserAgenda, pending: PendingRow): Settled => ({
  ...key(agenda, pending),
  counter: pending.counter,
  dueAt: pending.dueAt,
  timeZone: pending.timeZone,
  attempts: pending.attempts,
  state: 'invalidated',
  reason: 'stale',
  deliveries: pending.deliveries,
});

export const joinChanges = (all: Changes[]): Changes => ({
  plan: all.flatMap((changes) => changes.plan),
  settle: all.flatMap((changes) => changes.settle),
  drop: all.flatMap((changes) => changes.drop),
});

/**
 * Plans what at most 100 users get next, in one read and one write, and takes `job` from the outbox with
 * it. Returns when those for whom something changed must be looked at.
 */
export async function replanUsers(
  db: Database,
  users: readonly string[],
  now: number,
  job?: string,
): Promise<Wake[]> {
  const agendas = await readAgendas(db, users);
  const plan = memoPlanner();
  const changes = joinChanges(agendas.map((agenda) => planChanges(agenda, plan)));
  await writeChanges(db, changes, now, { ...(job !== undefined && { job }) });
  return changes.plan.map(({ user, lookAt }) => ({ user, at: lookAt }));
}

/** One batch. Returns whether all plans were stored; one is not when what it was made from has changed. */
export async function writeChanges(
  db: Database,
  { plan, settle, drop }: Changes,
  now: number,
  also: { job?: string; disable?: string[] } = {},
): Promise<{ complete: boolean }> {
  const statements = [
    ...(settle.length > 0 ? [settleRows(db, settle, now)] : []),
    ...(drop.length > 0 ? [dropRows(db, drop)] : []),
    ...(also.disable?.length
      ? [db.update(devices).set({ enabled: false }).where(oneOf(devices.id, also.disable))]
      : []),
    ...(also.job ? [db.delete(replans).where(eq(replans.id, also.job))] : []),
  ];
  const insert = plan.length > 0 ? planRows(db, plan) : null;
  if (insert) {
    const [stored] = await db.batch([insert, ...statements]);
    return { complete: stored.length === plan.length };
  }
  const [first, ...rest] = statements;
  if (first) await db.batch([first, ...rest]);
  return { complete: true };
}

/** A row that is settled stays as it is: an occurrence is settled once. */
const unsettled = sql`${notifications.settledAt} is null`;
const excluded = (column: string) => sql.raw(`excluded.${column}`);

/** Columns in the order of the schema: drizzle inserts all of them. */
const planRows = (db: Database, rows: Planned[]) =>
  db
    .insert(notifications)
    .select(
      sql`select p.value ->> 'user', p.value ->> 'survey', p.value ->> 'revision', p.value ->> 'on',
        p.value ->> 'counter', p.value ->> 'dueAt', p.value ->> 'lookAt', p.value ->> 'timeZone',
        p.value ->> 'attempts', null, null, null, p.value -> 'deliveries'
      from json_each(${JSON.stringify(rows)}) p
        join user u on u.id = p.value ->> 'user' and u.plan_stamp = p.value ->> 'userStamp'
        join survey s on s.id = p.value ->> 'survey' and s.plan_stamp = p.value ->> 'surveyStamp'
      where true`,
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
    .returning({ user: notifications.userId });

const settleRows = (db: Database, rows: Settled[], now: number) =>
  db
    .insert(notifications)
    .select(
      sql`select p.value ->> 'user', p.value ->> 'survey', p.value ->> 'revision', p.value ->> 'on',
        p.value ->> 'counter', p.value ->> 'dueAt', p.value ->> 'dueAt', p.value ->> 'timeZone',
        p.value ->> 'attempts', ${now}, p.value ->> 'state', p.value ->> 'reason', p.value -> 'deliveries'
      from json_each(${JSON.stringify(rows)}) p where true`,
    )
    .onConflictDoUpdate({
      target: [notifications.userId, notifications.surveyId, notifications.revision, notifications.on],
      set: {
        attempts: excluded('attempts'),
        settledAt: excluded('settled_at'),
        state: excluded('state'),
        reason: excluded('reason'),
        deliveries: excluded('deliveries'),
      },
      setWhere: unsettled,
    });

const dropRows = (db: Database, keys: Key[]) =>
  db.delete(notifications).where(
    sql`${unsettled} and (user_id, survey_id, revision, occurs_on) in (
      select value ->> 'user', value ->> 'survey', value ->> 'revision', value ->> 'on' from json_each(${JSON.stringify(keys)}))`,
  );
