import { and, asc, lt, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Phone } from '../phones/statements.ts';
import { selectUnsynced } from '../phones/sync.ts';
import type { Notification } from '../reminders/columns.ts';
import { noteRun } from '../reminders/job-runs.ts';
import { selectZoneRelease } from '../reminders/outbox.ts';
import { notifications, replans } from '../reminders/schema.ts';
import { tzRelease } from '../schedule/zones.ts';
import type { ReplanJob } from '../services.ts';
import { type DuePurge, selectDuePurge } from '../studies/purge.ts';
import { jobRuns } from './schema.ts';

type Maintaining = Pick<Context, 'db' | 'now'>;

/** What one sweep takes on; the rest waits for the next minute. */
const maxNotifications = 1000;
const maxJobs = 100;

/** A notification with which a delivery should have done something. */
type Overdue = Pick<Notification, 'userId' | 'surveyId' | 'revision' | 'key'>;

/** What one sweep takes on. */
export interface SweepWork {
  overdue: Overdue[];
  replans: ReplanJob[];
  /** These zone rules are newer than those that everyone was planned by. */
  hasNewZones: boolean;
  /** Phones that the relay is not known to follow. */
  phones: Phone[];
  /** A deleted study that is past its retention. */
  purge: DuePurge | undefined;
}

/** Where the sweep before stopped: there was more than it takes on. Of a kind that is absent, it saw all. */
interface Stopped {
  /** Its last overdue notification. */
  at?: number;
  user?: string;
  survey?: string;
  /** Its last outbox row. */
  job?: string;
}

/**
 * What alarms and crashed requests left behind for more than `graceMs`: overdue notifications, outbox rows, devices. One
 * round trip, which also notes that the sweep ran. When there is more of one kind than a sweep takes on, the next one
 * continues behind it, so that what fails again and again does not stand in the way of the rest.
 */
export async function readSweep({ db, now }: Maintaining, graceMs: number): Promise<SweepWork> {
  const before = now - graceMs;
  const [[run], overdue, jobs, phones, [zones], [purge]] = await db.batch([
    db.select({ after: jobRuns.after }).from(jobRuns).where(isSweep),
    selectOverdue(db, before),
    selectJobs(db),
    selectUnsynced(db, before),
    selectZoneRelease(db),
    selectDuePurge(db, now),
    db
      .insert(jobRuns)
      .values({ name: 'sweep', ranAt: now })
      .onConflictDoUpdate({ target: jobRuns.name, set: { ranAt: now } }),
  ]);
  const after = stoppedAt(overdue, jobs);
  if (after !== (run?.after ?? '')) await noteRun(db, { name: 'sweep', ranAt: now, after });
  return {
    overdue,
    replans: jobs
      .filter((job) => job.touchedAt < before)
      .map(({ id, userId, investigationId, after }) => ({
        id,
        user: userId,
        investigation: investigationId,
        after,
      })),
    // Releases are named by year and letter. An older version that runs on beside this one finds nothing to do.
    hasNewZones: !zones || zones.release < tzRelease,
    phones,
    purge,
  };
}

const isSweep = sql`${jobRuns.name} = 'sweep'`;

/** In SQL: these of what the sweep before noted of where it stopped, or what is before all. */
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

// Identifiers sort by time, so the oldest come first, and nothing else is read.
const selectJobs = (db: Database) =>
  db
    .select()
    .from(replans)
    .where(sql`${replans.id} > ${noted({ job: sql`''` })}`)
    .orderBy(asc(replans.id))
    .limit(maxJobs);

function stoppedAt(overdue: (Overdue & { at: number })[], jobs: { id: string }[]): string {
  const last = overdue.length === maxNotifications ? overdue.at(-1) : undefined;
  const job = jobs.length === maxJobs ? jobs.at(-1)?.id : undefined;
  const stopped: Stopped = {
    ...(last && { at: last.at, user: last.userId, survey: last.surveyId }),
    ...(job !== undefined && { job }),
  };
  return last || job !== undefined ? JSON.stringify(stopped) : '';
}
