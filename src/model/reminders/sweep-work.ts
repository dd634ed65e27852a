import { and, asc, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { each } from '../../db/json.ts';
import { notifications, replans } from '../../db/schema/notifications.ts';
import { jobRuns } from '../../db/schema/operations.ts';
import { tzRelease } from '../../schedule/zones.ts';
import type { ReplanJob } from '../../services.ts';
import type { Context } from '../context.ts';
import { type InterruptedChange, selectInterrupted } from '../relay-changes.ts';
import { type DuePurge, selectDuePurge } from '../study-purge.ts';
import type { Notification } from './columns.ts';
import { noteRun } from './maintenance.ts';
import { selectZoneRelease } from './outbox.ts';
import { hasNewer, isRow, isSuperseded, reachedPhone } from './statements.ts';

type Maintaining = Pick<Context, 'db' | 'now'>;

/** What one sweep takes on; the rest waits for the next minute. */
const maxNotifications = 1000;
const maxJobs = 100;

/** A notification that should have been attempted. */
type Overdue = Pick<Notification, 'userId' | 'surveyId' | 'revision' | 'key'>;

/** What one sweep takes on. */
export interface SweepWork {
  overdue: Overdue[];
  /** Sent, and to be followed up. */
  followUps: Overdue[];
  replans: ReplanJob[];
  /** These zone rules are newer than those that everyone was planned by. */
  hasNewZones: boolean;
  /** Changes of a device at the relay that did not end. */
  devices: InterruptedChange[];
  /** A deleted study that is past its retention. */
  purge: DuePurge | undefined;
}

/**
 * What alarms and crashed requests left behind for more than `graceMs`: overdue notifications and follow-ups, outbox rows,
 * devices. One round trip, which also notes that the sweep ran. When there is more of one kind than a sweep takes on, the
 * next one continues behind it, so that what fails again and again does not stand in the way of the rest.
 */
export async function readSweep({ db, now }: Maintaining, graceMs: number): Promise<SweepWork> {
  const before = now - graceMs;
  const [overdue, followUps, jobs, devices, [zones], [purge]] = await db.batch([
    selectOverdue(db, before),
    selectFollowUps(db, before),
    selectJobs(db),
    selectInterrupted(db, before),
    selectZoneRelease(db),
    selectDuePurge(db, now),
    db
      .insert(jobRuns)
      .values({ name: 'sweep', ranAt: now })
      .onConflictDoUpdate({ target: jobRuns.name, set: { ranAt: now } }),
  ]);
  const found = { overdue, followUps, jobs };
  const isCrowded = kinds.some((kind) => found[kind].length === maxOf[kind]);
  const taken = isCrowded ? await takeNext({ db, now }, before, found) : found;
  return {
    overdue: taken.overdue,
    followUps: taken.followUps,
    replans: taken.jobs
      .filter((job) => job.touchedAt < before)
      .map(({ id, userId, investigationId, after }) => ({
        id,
        user: userId,
        investigation: investigationId,
        after,
      })),
    // Releases are named by year and letter. An older version that runs on beside this one finds nothing to do.
    hasNewZones: !zones || zones.release < tzRelease,
    devices,
    purge,
  };
}

const selectWaiting = (
  db: Database,
  {
    at,
    waits,
  }: { at: typeof notifications.nextAttemptAt | typeof notifications.nextFollowUpAt; waits?: SQL },
  before: number,
  behind?: SQL,
) => {
  const { userId, surveyId, revision, key } = notifications;
  return db
    .select({ at: sql<number>`${at}`.as('at'), userId, surveyId, revision, key })
    .from(notifications)
    .where(and(lt(at, before), waits, behind))
    .orderBy(asc(at), asc(userId), asc(surveyId))
    .limit(maxNotifications);
};

const { nextAttemptAt, nextFollowUpAt, settledAt } = notifications;

const selectOverdue = (db: Database, before: number, behind?: SQL) =>
  selectWaiting(db, { at: nextAttemptAt, waits: isNull(settledAt) }, before, behind);

const selectFollowUps = (db: Database, before: number, behind?: SQL) =>
  selectWaiting(db, { at: nextFollowUpAt }, before, behind);

// Identifiers sort by time, so the oldest come first, and nothing else is read.
const selectJobs = (db: Database, behind?: SQL) =>
  db.select().from(replans).where(behind).orderBy(asc(replans.id)).limit(maxJobs);

interface Waiting {
  overdue: Awaited<ReturnType<typeof selectOverdue>>;
  followUps: Awaited<ReturnType<typeof selectFollowUps>>;
  jobs: Awaited<ReturnType<typeof selectJobs>>;
}

const kinds = ['overdue', 'followUps', 'jobs'] as const;
const maxOf = { overdue: maxNotifications, followUps: maxNotifications, jobs: maxJobs };

/** Of a kind with more than one sweep takes on: what follows behind the last sweep; behind all of it, the first again. */
async function takeNext({ db, now }: Maintaining, before: number, first: Waiting): Promise<Waiting> {
  const [overdue, followUps, jobs] = await db.batch([
    selectOverdue(db, before, behind(nextAttemptAt, 0)),
    selectFollowUps(db, before, behind(nextFollowUpAt, 4)),
    selectJobs(db, behindLastJob),
  ]);
  const next = <T>(rows: T[], later: T[], max: number) =>
    rows.length < max || later.length === 0 ? rows : later;
  const taken = {
    overdue: next(first.overdue, overdue, maxNotifications),
    followUps: next(first.followUps, followUps, maxNotifications),
    jobs: next(first.jobs, jobs, maxJobs),
  };
  const placeOf = (rows: Waiting['overdue']) => {
    const last = rows.length === maxNotifications ? rows.at(-1) : undefined;
    return [last?.at, last?.userId, last?.surveyId];
  };
  const lastJob = taken.jobs.length === maxJobs ? taken.jobs.at(-1) : undefined;
  const after = JSON.stringify([...placeOf(taken.overdue), lastJob?.id, ...placeOf(taken.followUps)]);
  await noteRun(db, { name: 'sweep', ranAt: now, after });
  return taken;
}

/**
 * In SQL: behind where the last sweep stopped. What it noted is a list: time, user and survey of an overdue notification,
 * an outbox row, and time, user and survey of a follow-up; null is the beginning.
 */
const behind = (at: typeof nextAttemptAt | typeof nextFollowUpAt, place: 0 | 4) => {
  const noted = (n: number) => sql.raw(`after ->> ${place + n}`);
  return sql`(${at}, ${notifications.userId}, ${notifications.surveyId}) > (
    select coalesce(${noted(0)}, -9e15), coalesce(${noted(1)}, ''), coalesce(${noted(2)}, '')
    from (select nullif(max(${jobRuns.after}), '') as after from ${jobRuns} where ${jobRuns.name} = 'sweep'))`;
};

const behindLastJob = sql`${replans.id} > coalesce(
  (select ${jobRuns.after} ->> 3 from ${jobRuns} where ${jobRuns.name} = 'sweep' and ${jobRuns.after} <> ''), '')`;

/** In SQL: the user of a notification is a member of its study. */
const isMember = sql`exists (select 1 from survey s join member m on m.investigation_id = s.investigation_id
  where s.id = ${notifications.surveyId} and m.user_id = ${notifications.userId})`;

/**
 * Settles those of the overdue notifications that no delivery reads: of users who are no longer members (or no longer
 * exist), and those that are not the last of their survey.
 */
export async function settleOrphans({ db, now }: Maintaining, overdue: readonly Overdue[]): Promise<void> {
  await db
    .update(notifications)
    .set({
      settledAt: now,
      state: 'skipped',
      reason: sql`iif(${isSuperseded}, 'superseded', 'left-study')`,
    })
    .from(sql`${each(overdue)} p`)
    .where(
      and(
        isRow,
        isNull(notifications.settledAt),
        lt(notifications.nextAttemptAt, now),
        sql`((${isSuperseded} and not ${isLastButOne}) or not ${isMember})`,
      ),
    );
}

/** In SQL: the next delivery reads it, since only one stands behind it. It settles what was passed over, too. */
const isLastButOne = sql`((select count(*) from (select 1 from scheduled_notification l
    where l.user_id = ${notifications.userId} and l.survey_id = ${notifications.surveyId} and l.state is not 'invalidated'
      and (l.revision, l.occurs_on) > (${notifications.revision}, ${notifications.key}) limit 2)) = 1
  and exists (select 1 from survey s where s.id = ${notifications.surveyId} and s.reminders is not null
    and s.reminders_revision = ${notifications.revision}))`;

/** Ends overdue follow-ups that no delivery reads: of users or surveys that are gone, and of what is not the newest. */
export async function endFollowUps({ db, now }: Maintaining, overdue: readonly Overdue[]): Promise<void> {
  const { surveyId, snoozedUntil } = notifications;
  const at = new Date(now).toISOString();
  const isStale = sql`(select s.reminders is null from survey s where s.id = ${surveyId})`;
  const reason = sql`iif(not ${isMember}, 'left-study', iif(${isStale}, 'stale', 'superseded'))`;
  const kind = sql`iif(${snoozedUntil} is null, 'nudge', 'snooze')`;
  const isFirst = sql`e.value ->> 'kind' = 'first'`;
  const iso = (ms: SQL) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`;
  // While the first push is tried again, it says when the nudge was to come that takes its place.
  const dueAt = sql`coalesce(${iso(sql`${snoozedUntil}`)}, iif(exists (select 1 from json_each(follow_ups) e where ${isFirst}),
    (select e.value ->> 'nextAt' from json_each(follow_ups) e where ${isFirst}), ${iso(sql`${nextFollowUpAt}`)}))`;
  const entry = sql`json_object('kind', ${kind}, 'dueAt', ${dueAt}, 'at', ${at}, 'state', 'skipped', 'reason', ${reason})`;
  const isRetried = sql`e.value ->> 'state' = 'retrying' and not ${isFirst}`;
  // What was to be tried again for some phones is over, and others have it.
  const tries = sql`(select json_group_array(json(iif(${isRetried}, json_set(e.value, '$.at', ${at}, '$.reason', ${reason},
    '$.state', iif(${reachedPhone(sql`(e.value -> 'deliveries')`)}, 'sent', 'skipped')), e.value))) from json_each(follow_ups) e where not ${isFirst})`;
  await db
    .update(notifications)
    .set({
      followUps: sql`iif(${dueAt} is null
        or exists (select 1 from json_each(follow_ups) e where ${isRetried} and e.value ->> 'kind' = ${kind}),
        ${tries}, json_insert(${tries}, '$[#]', ${entry}))`,
      nextFollowUpAt: null,
      snoozedUntil: null,
    })
    .from(sql`${each(overdue)} p`)
    .where(and(isRow, lt(nextFollowUpAt, now), sql`(not ${isMember} or ${isStale} or ${hasNewer})`));
}
