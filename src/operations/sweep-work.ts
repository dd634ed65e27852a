import { and, asc, lt, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import type { Phone } from '../phones/statements.ts';
import { selectUnsynced } from '../phones/sync.ts';
import { cursors } from '../reminders/schema.ts';
import { selectWakes } from '../reminders/walk.ts';
import { tzRelease } from '../schedule/zones.ts';
import { type DuePurge, selectDuePurge } from '../studies/purge.ts';
import { type DueWebhook, selectDueWebhooks } from '../webhooks/delivery.ts';
import { noteRun, noteZoneRelease, selectZoneRelease } from './job-runs.ts';
import { jobRuns } from './schema.ts';

type Maintaining = Pick<Context, 'db' | 'now'>;

/** The bound of one sweep; the rest waits for the next minute. */
const maxOverdue = 1000;

/** A cursor whose time has passed, since `at` (epoch ms). */
interface Overdue {
  at: number;
  user: string;
  survey: string;
}

/** The work of one sweep. */
export interface SweepWork {
  overdue: Overdue[];
  /** Changes for many people wait for their plans. */
  hasWakes: boolean;
  /** These zone rules are newer than the ones that everyone was planned by. */
  hasNewZones: boolean;
  /** Phones that may differ from the relay. */
  phones: Phone[];
  /** A deleted study that is past its retention. */
  purge: DuePurge | undefined;
  webhooks: DueWebhook[];
}

/**
 * Work that alarms and crashed requests left behind for more than `graceMs`: cursors and devices. One round trip, which also
 * notes that the sweep ran. If there is more than a sweep takes on, the next sweep continues after it, so that repeated
 * failures do not block the rest.
 */
export async function readSweep({ db, now }: Maintaining, graceMs: number): Promise<SweepWork> {
  const before = now - graceMs;
  const [[run], overdue, wakes, phones, [zones], [purge], webhooks] = await db.batch([
    db.select({ after: jobRuns.after }).from(jobRuns).where(isSweep),
    selectOverdue(db, before),
    selectWakes(db, now),
    selectUnsynced(db, before),
    selectZoneRelease(db),
    selectDuePurge(db, now),
    selectDueWebhooks(db, now),
    db
      .insert(jobRuns)
      .values({ name: 'sweep', ranAt: now })
      .onConflictDoUpdate({ target: jobRuns.name, set: { ranAt: now } }),
  ]);
  const last = overdue.length === maxOverdue ? overdue.at(-1) : undefined;
  const after = last ? JSON.stringify(last) : '';
  if (after !== (run?.after ?? '')) await noteRun(db, { name: 'sweep', ranAt: now, after });
  // The first of all: nothing was planned by other rules.
  if (!run && !zones) await noteZoneRelease(db, now);
  return {
    overdue,
    hasWakes: wakes.length > 0,
    // Releases are named by year and letter. An older version that runs on beside this one finds nothing to do.
    hasNewZones: zones ? zones.release < tzRelease : run !== undefined,
    phones,
    purge,
    webhooks,
  };
}

const isSweep = sql`${jobRuns.name} = 'sweep'`;

/** In SQL: the last cursor of the previous sweep, if it stopped there, or the very beginning. */
const stopped = sql`(select coalesce(stopped ->> 'at', -9e15), coalesce(stopped ->> 'user', ''), coalesce(stopped ->> 'survey', '')
  from (select nullif(max(${jobRuns.after}), '') as stopped from ${jobRuns} where ${isSweep}))`;

const { nextAt, userId, surveyId } = cursors;

const selectOverdue = (db: Database, before: number) =>
  db
    .select({ at: sql<number>`${nextAt}`.as('at'), user: userId, survey: surveyId })
    .from(cursors)
    .where(and(lt(nextAt, before), sql`(${nextAt}, ${userId}, ${surveyId}) > ${stopped}`))
    .orderBy(asc(nextAt), asc(userId), asc(surveyId))
    .limit(maxOverdue);
