import { and, asc, lt, type SQL, sql } from 'drizzle-orm';
import { type DueWebhook, selectDueWebhooks } from '../changes/webhook-delivery.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Phone } from '../phones/statements.ts';
import { selectUnsynced } from '../phones/sync.ts';
import type { NotificationKey } from '../reminders/columns.ts';
import { jobColumns } from '../reminders/outbox.ts';
import { notifications, replans } from '../reminders/schema.ts';
import { tzRelease } from '../schedule/zones.ts';
import type { ReplanJob } from '../services.ts';
import { type DuePurge, selectDuePurge } from '../studies/purge.ts';
import { noteRun, noteZoneRelease, selectZoneRelease } from './job-runs.ts';
import { jobRuns } from './schema.ts';

type Maintaining = Pick<Context, 'db' | 'now'>;

/** The bounds of one sweep; the rest waits for the next minute. */
const maxNotifications = 1000;
const maxJobs = 100;

/** The work of one sweep. */
export interface SweepWork {
  /** Notifications that a delivery should have handled. */
  overdue: NotificationKey[];
  replans: ReplanJob[];
  /** These zone rules are newer than the ones that everyone was planned by. */
  hasNewZones: boolean;
  /** Phones that may differ from the relay. */
  phones: Phone[];
  /** A deleted study that is past its retention. */
  purge: DuePurge | undefined;
  webhooks: DueWebhook[];
}

/** The position of the previous sweep, for kinds with more work than it takes on. An absent kind was finished. */
interface Stopped {
  /** Its last overdue notification. */
  at?: number;
  user?: string;
  survey?: string;
  /** Its last outbox row. */
  job?: string;
}

/**
 * Work that alarms and crashed requests left behind for more than `graceMs`: overdue notifications, outbox rows, devices.
 * One round trip, which also notes that the sweep ran. If there is more of one kind than a sweep takes on, the next sweep
 * continues after it, so that repeated failures do not block the rest.
 */
export async function readSweep({ db, now }: Maintaining, graceMs: number): Promise<SweepWork> {
  const before = now - graceMs;
  const [[run], overdue, jobs, phones, [zones], [purge], webhooks] = await db.batch([
    db.select({ after: jobRuns.after }).from(jobRuns).where(isSweep),
    selectOverdue(db, before),
    selectJobs(db),
    selectUnsynced(db, before),
    selectZoneRelease(db),
    selectDuePurge(db, now),
    selectDueWebhooks(db, now),
    db
      .insert(jobRuns)
      .values({ name: 'sweep', ranAt: now })
      .onConflictDoUpdate({ target: jobRuns.name, set: { ranAt: now } }),
  ]);
  const after = stoppedAt(overdue, jobs);
  if (after !== (run?.after ?? '')) await noteRun(db, { name: 'sweep', ranAt: now, after });
  // The first of all: nothing was planned by other rules.
  if (!run && !zones) await noteZoneRelease(db, now);
  return {
    overdue,
    replans: jobs.filter((job) => job.touchedAt < before),
    // Releases are named by year and letter. An older version that runs on beside this one finds nothing to do.
    hasNewZones: zones ? zones.release < tzRelease : run !== undefined,
    phones,
    purge,
    webhooks,
  };
}

const isSweep = sql`${jobRuns.name} = 'sweep'`;

/** In SQL: the position at which the previous sweep stopped, or the very beginning. */
const noted = (beginnings: Partial<Record<keyof Stopped, SQL>>) => {
  const values = Object.entries(beginnings).map(
    ([field, beginning]) => sql`coalesce(stopped ->> ${field}, ${beginning})`,
  );
  return sql`(select ${sql.join(values, sql`, `)} from (
    select nullif(max(${jobRuns.after}), '') as stopped from ${jobRuns} where ${isSweep}))`;
};

const { nextAt, userId, surveyId, revision, key } = notifications;

const selectOverdue = (db: Database, before: number) =>
  db
    .select({ at: sql<number>`${nextAt}`.as('at'), userId, surveyId, revision, key })
    .from(notifications)
    .where(
      and(
        lt(nextAt, before),
        sql`(${nextAt}, ${userId}, ${surveyId})
          > ${noted({ at: sql`-9e15`, user: sql`''`, survey: sql`''` })}`,
      ),
    )
    .orderBy(asc(nextAt), asc(userId), asc(surveyId))
    .limit(maxNotifications);

// Identifiers sort by time, so the oldest come first, and no others are read.
const selectJobs = (db: Database) =>
  db
    .select({ ...jobColumns, touchedAt: replans.touchedAt })
    .from(replans)
    .where(sql`${replans.id} > ${noted({ job: sql`''` })}`)
    .orderBy(asc(replans.id))
    .limit(maxJobs);

function stoppedAt(overdue: (NotificationKey & { at: number })[], jobs: { id: string }[]): string {
  const last = overdue.length === maxNotifications ? overdue.at(-1) : undefined;
  const job = jobs.length === maxJobs ? jobs.at(-1)?.id : undefined;
  const stopped: Stopped = {
    ...(last && { at: last.at, user: last.userId, survey: last.surveyId }),
    ...(job !== undefined && { job }),
  };
  return last || job !== undefined ? JSON.stringify(stopped) : '';
}
