import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { jobRuns, metrics } from './schema.ts';

/** Upper bounds of the lateness histogram, in seconds. */
export const latenessBounds = [1, 2, 5, 10, 30, 60, 300, 1800, 7200];

/** Upper bounds of the histogram of requests, in seconds. */
export const durationBounds = [0.01, 0.05, 0.1, 0.5, 1, 5];

/** Events whose last time readiness needs: a reminder that was pushed, and a refusal of a push service because of our settings. */
export type Mark = 'delivered' | `relay-refused ${string}`;

const refusals = 'relay-refused ';

/** The mark of a push service that refuses what comes from us. It goes when the push service takes a push. */
export const refusalBy = (service: string): Mark => `${refusals}${service}`;

/** Numbers of a process that are not in the database yet. Instants are epoch ms. */
export interface Counted {
  /** To add to counters, keyed by their name and labels in Prometheus' notation. */
  counts: ReadonlyMap<string, number>;
  marks?: ReadonlyMap<Mark, number>;
  /** When push services last accepted a push. */
  accepted?: ReadonlyMap<string, number>;
}

/** Adds to counters, and notes the last time of events. One round trip; a push service that refuses nothing costs no write. */
export async function addCounts(db: Database, { counts, marks = new Map(), accepted = new Map() }: Counted) {
  const add = db
    .insert(metrics)
    .select(sql`select value ->> 0, value ->> 1 from json_each(${JSON.stringify([...counts])}) where true`)
    .onConflictDoUpdate({ target: metrics.name, set: { value: sql`${metrics.value} + excluded.value` } });
  const note = db
    .insert(jobRuns)
    .select(sql`select value ->> 0, value ->> 1, '' from json_each(${JSON.stringify([...marks])}) where true`)
    .onConflictDoUpdate({ target: jobRuns.name, set: { ranAt: sql`excluded.ran_at` } });
  const acceptances = [...accepted].map(([service, at]) => [refusalBy(service), at]);
  const forget = db.delete(jobRuns).where(
    sql`exists (select 1 from json_each(${JSON.stringify(acceptances)}) t
      where t.value ->> 0 = ${jobRuns.name} and t.value ->> 1 >= ${jobRuns.ranAt})`,
  );
  await db.batch([add, ...(marks.size > 0 ? [note] : []), ...(acceptances.length > 0 ? [forget] : [])]);
}

/** Counting stops here, so that the query costs the same however long a backlog is. */
const maxBacklog = 10_000;

const backlogOf = (rows: ReturnType<typeof sql>) =>
  sql<number>`(select count(*) from (select 1 from ${rows} limit ${sql.raw(String(maxBacklog))}))`;

type Reading = Pick<Context, 'db' | 'now'>;

/** Disabled phones of each platform. */
const selectDisabled = (db: Database, platforms: readonly string[]) =>
  db
    .select({
      platform: sql<string>`p.value`.as('platform'),
      count: backlogOf(
        sql`device d where d.enabled = 0 and d.user_id is not null and d.platform = p.value`,
      ).as('count'),
    })
    .from(sql`json_each(${JSON.stringify(platforms)}) p`);

const selectRuns = (db: Database) => db.select({ name: jobRuns.name, ranAt: jobRuns.ranAt }).from(jobRuns);

/** A push that the relay does not accept waits no longer than this for its next attempt. */
const maxRetryMs = 5 * 60_000;

/** In SQL: the due times of the pushes of cursor `c`: the first push, also for the last phones, and the follow-up. */
const fellDue = sql`min(coalesce(iif(c.id is null, null, iif(n.pushes is null, c.attempt_at, c.due_at)), 9e15),
  coalesce(iif(c.retry_at is null, null, l.due_at), 9e15),
  coalesce((select unixepoch(f.value ->> 'dueAt', 'subsec') * 1000 from json_each(l.pushes) f
    where c.again_at is not null and f.value ->> 'state' = 'retrying'), c.again_at, 9e15))`;

/**
 * When overdue pushes fell due, or their quiet hours ended, whatever their next attempt: the oldest, and the newest that
 * was due before `lateBefore`. Reads the first ones by next attempt, so that it costs the same however much is
 * pending.
 */
const selectOverdue = (db: Database, now: number, lateBefore: number) =>
  db
    .select({
      oldest: sql<number | null>`min(due_at) filter (where due_at < ${now})`.as('oldest'),
      newestLate: sql<number | null>`max(due_at) filter (where due_at < ${lateBefore})`.as('newest'),
    })
    .from(
      sql`(select ${fellDue} as due_at from (select * from scheduled_notification
        where next_at < ${now + maxRetryMs} order by next_at limit 400) c
        left join notification n on n.id = c.id and n.state = 'sending' left join notification l on l.id = c.last)`,
    );

/** The input of readiness. Instants are epoch ms, or null. One round trip of a bounded cost. */
export async function readHealth({ db, now }: Reading, lateBefore: number) {
  const [runs, [overdue], [waiting]] = await db.batch([
    selectRuns(db),
    selectOverdue(db, now, lateBefore),
    db
      .select({ oldest: sql<number | null>`min(at)`.as('oldest') })
      .from(sql`(select at from wake limit 1000)`),
  ]);
  const lastOf = (name: string) => runs.find((run) => run.name === name)?.ranAt ?? null;
  return {
    sweptAt: lastOf('sweep'),
    deliveredAt: lastOf('delivered' satisfies Mark),
    refused: runs.filter(({ name }) => name.startsWith(refusals)),
    oldestOverdueAt: overdue?.oldest ?? null,
    newestLateAt: overdue?.newestLate ?? null,
    wokenAt: waiting?.oldest ?? null,
  };
}

export type Health = Awaited<ReturnType<typeof readHealth>>;

/** Ages in ms (null: it never ran, or nothing is overdue), and backlogs up to `maxBacklog`. One round trip. */
export async function readOperations({ db, now, push }: Reading & Pick<Context, 'push'>) {
  const [runs, [late], disabledPhones, [backlog]] = await db.batch([
    selectRuns(db),
    selectOverdue(db, now, now),
    selectDisabled(db, push.platforms),
    db
      .select({
        overdue: backlogOf(sql`scheduled_notification where next_at < ${now}`).as('overdue'),
        wakes: backlogOf(sql`wake`).as('wakes'),
      })
      .from(sql`(select 1)`),
  ]);
  const age = (name: string) => {
    const ranAt = runs.find((run) => run.name === name)?.ranAt;
    return ranAt === undefined ? null : now - ranAt;
  };
  return {
    sweepAge: age('sweep'),
    reconcileAge: age('reconcile'),
    oldestOverdueAge: late?.oldest ? now - late.oldest : null,
    overdue: backlog?.overdue ?? 0,
    wakes: backlog?.wakes ?? 0,
    disabledPhones,
  };
}

export type Operations = Awaited<ReturnType<typeof readOperations>>;

export const readCounters = ({ db }: Pick<Context, 'db'>) => db.select().from(metrics).orderBy(metrics.name);
