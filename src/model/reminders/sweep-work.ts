import { and, asc, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../db/database.ts';
import { each } from '../../db/json.ts';
import { jobRuns, notifications, replans } from '../../db/schema.ts';
import type { ReplanJob } from '../../services.ts';
import type { Context } from '../context.ts';
import { type InterruptedChange, selectInterrupted } from '../relay-changes.ts';
import { type DuePurge, selectDuePurge } from '../study-purge.ts';
import type { Notification } from './columns.ts';
import { noteRun } from './maintenance.ts';
import { selectSettledAhead } from './settled-ahead.ts';
import { hasNewer, isRow, isSuperseded, reachedPhone } from './statements.ts';
import { hasUpgradeWork, selectUpgradeState } from './zone-upgrade.ts';

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
  /** The zone rules were upgraded. */
  zonesChanged: boolean;
  /** Changes of a device at the relay that did not end. */
  devices: InterruptedChange[];
  /** A clock that was ahead has settled what is not due. */
  settledAhead: boolean;
  /** A deleted study that is past its retention. */
  purge: DuePurge | undefined;
}

/**
 * What alarms and crashed requests left behind for more than `graceMs`: overdue notifications, outbox rows, devices. One
 * round trip, which also notes that the sweep ran. When there is more of one kind than a sweep takes on, the next one continues
 * behind it, so that what fails again and again does not stand in the way of the rest.
 */
export async function readSweep({ db, now }: Maintaining, graceMs: number): Promise<SweepWork> {
  const before = now - graceMs;
  const [overdue, followUps, jobs, [upgrade], devices, [ahead], [purge]] = await db.batch([
    selectOverdue(db, before),
    selectFollowUps(db, before),
    selectJobs(db),
    selectUpgradeState(db),
    selectInterrupted(db, before),
    selectSettledAhead(db, now),
    selectDuePurge(db, now),
    db
      .insert(jobRuns)
      .values({ name: 'sweep', ranAt: now })
      .onConflictDoUpdate({ target: jobRuns.name, set: { ranAt: now } }),
  ]);
  const crowded = overdue.length === maxNotifications || jobs.length === maxJobs;
  const taken = crowded ? await takeNext({ db, now }, before, { overdue, jobs }) : { overdue, jobs };
  return {
    overdue: taken.overdue,
    followUps,
    replans: taken.jobs
      .filter((job) => job.touchedAt < before)
      .map(({ id, userId, investigationId, after }) => ({
        id,
        user: userId,
        investigation: investigationId,
        after,
      })),
    zonesChanged: hasUpgradeWork(upgrade, now),
    devices,
    settledAhead: ahead !== undefined,
    purge,
  };
}

const selectOverdue = (db: Database, before: number, behind?: SQL) => {
  const { userId, surveyId, revision, key, nextAttemptAt, settledAt } = notifications;
  return db
    .select({ nextAttemptAt, userId, surveyId, revision, key })
    .from(notifications)
    .where(and(lt(nextAttemptAt, before), isNull(settledAt), behind))
    .orderBy(asc(nextAttemptAt), asc(userId), asc(surveyId))
    .limit(maxNotifications);
};

const selectFollowUps = (db: Database, before: number) => {
  const { userId, surveyId, revision, key, nextFollowUpAt } = notifications;
  return db
    .select({ userId, surveyId, revision, key })
    .from(notifications)
    .where(lt(nextFollowUpAt, before))
    .orderBy(asc(nextFollowUpAt))
    .limit(maxNotifications);
};

// Identifiers sort by time, so the oldest come first, and nothing else is read.
const selectJobs = (db: Database, behind?: SQL) =>
  db.select().from(replans).where(behind).orderBy(asc(replans.id)).limit(maxJobs);

interface Waiting {
  overdue: Awaited<ReturnType<typeof selectOverdue>>;
  jobs: Awaited<ReturnType<typeof selectJobs>>;
}

/** Of a kind with more than one sweep takes on: what follows behind the last sweep; behind all of it, the first again. */
async function takeNext({ db, now }: Maintaining, before: number, first: Waiting): Promise<Waiting> {
  const [overdue, jobs] = await db.batch([
    selectOverdue(db, before, behindLastSweep),
    selectJobs(db, behindLastJob),
  ]);
  const next = <T>(rows: T[], behind: T[], max: number) =>
    rows.length < max || behind.length === 0 ? rows : behind;
  const taken = {
    overdue: next(first.overdue, overdue, maxNotifications),
    jobs: next(first.jobs, jobs, maxJobs),
  };
  const last = taken.overdue.length === maxNotifications ? taken.overdue.at(-1) : undefined;
  const lastJob = taken.jobs.length === maxJobs ? taken.jobs.at(-1) : undefined;
  const after = JSON.stringify([last?.nextAttemptAt, last?.userId, last?.surveyId, lastJob?.id]);
  await noteRun(db, { name: 'sweep', ranAt: now, after });
  return taken;
}

// Where the last sweep stopped: time, user and survey of a notification, and an outbox row; null is the beginning.
const behindLastSweep = sql`(${notifications.nextAttemptAt}, ${notifications.userId}, ${notifications.surveyId}) > (
  select coalesce(after ->> 0, -9e15), coalesce(after ->> 1, ''), coalesce(after ->> 2, '')
  from (select nullif(max(${jobRuns.after}), '') as after from ${jobRuns} where ${jobRuns.name} = 'sweep'))`;

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
      reason: sql`iif(${isSuperseded(now)}, 'superseded', 'left-study')`,
    })
    .from(sql`${each(overdue)} p`)
    .where(
      and(
        isRow,
        isNull(notifications.settledAt),
        lt(notifications.nextAttemptAt, now),
        sql`(${isSuperseded(now)} or not ${isMember})`,
      ),
    );
}

/** Ends overdue follow-ups that no delivery reads: of users or surveys that are gone, and of what is not the newest. */
export async function endFollowUps({ db, now }: Maintaining, overdue: readonly Overdue[]): Promise<void> {
  const { surveyId, nextFollowUpAt, snoozedUntil } = notifications;
  const at = new Date(now).toISOString();
  const isStale = sql`(select s.reminders is null from survey s where s.id = ${surveyId})`;
  const reason = sql`iif(not ${isMember}, 'left-study', iif(${isStale}, 'stale', 'superseded'))`;
  const kind = sql`iif(${snoozedUntil} is null, 'nudge', 'snooze')`;
  const entry = sql`json_object('kind', ${kind},
    'dueAt', strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(${snoozedUntil}, ${nextFollowUpAt}) / 1000.0, 'unixepoch'),
    'at', ${at}, 'state', 'skipped', 'reason', ${reason})`;
  const isRetried = sql`e.value ->> 'state' = 'retrying'`;
  // What was to be tried again for some phones is over, and others have it.
  const tries = sql`(select json_group_array(json(iif(${isRetried}, json_set(e.value, '$.at', ${at}, '$.reason', ${reason},
    '$.state', iif(${reachedPhone(sql`(e.value -> 'deliveries')`)}, 'sent', 'skipped')), e.value))) from json_each(follow_ups) e)`;
  await db
    .update(notifications)
    .set({
      followUps: sql`iif(exists (select 1 from json_each(follow_ups) e where ${isRetried} and e.value ->> 'kind' = ${kind}),
        ${tries}, json_insert(${tries}, '$[#]', ${entry}))`,
      nextFollowUpAt: null,
      snoozedUntil: null,
    })
    .from(sql`${each(overdue)} p`)
    .where(and(isRow, lt(nextFollowUpAt, now), sql`(not ${isMember} or ${isStale} or ${hasNewer})`));
}
