import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { oneOf } from '../db/json.ts';
import { newIdentifier } from '../identifiers.ts';
import { users } from '../people/schema.ts';
import type { ReplanJob } from '../services.ts';
import { allMembers } from '../studies/schema.ts';
import { surveys } from '../studies/survey-schema.ts';
import { replans } from './schema.ts';

type Replanning = Pick<Context, 'db' | 'now' | 'outbox'>;

/*
 * A write that changes the input of plans adds one of these to its batch. Each is a pair of statements: the stamp, so
 * that no plan made from the old state is stored, and the outbox row, so that a crash cannot lose the new plan.
 */

/** One user's plan: their zone, time, memberships or downloads change. */
export const replanUser = (context: Replanning, user: string) =>
  [bumpUsers(context.db, eq(users.id, user)), insertJob(context, { user })] as const;

/** The plan of a user who leaves a study with notifications that may be pending. */
export const replanLeaver = (context: Replanning, left: { user: string; investigation: string }) =>
  [bumpUsers(context.db, eq(users.id, left.user)), insertJob(context, left)] as const;

/** The plans of everyone in a study: its calendar or archival changes. */
export const replanStudy = (context: Replanning, investigation: string) =>
  [
    bumpSurveys(context.db, eq(surveys.investigationId, investigation)),
    insertJob(context, { investigation }),
  ] as const;

/** The plans of everyone in a study for one of its surveys. */
export const replanSurvey = (
  context: Replanning,
  { survey, investigation }: { survey: string; investigation: string },
) => [bumpSurveys(context.db, eq(surveys.id, survey)), insertJob(context, { investigation })] as const;

/**
 * The plans of the users that a query selects, before the batch changes the tables that it reads. Only the answer names
 * these users: the caller adds the jobs that the second statement returns to `context.outbox`.
 */
export const replanSelected = ({ db, now }: Pick<Context, 'db' | 'now'>, affected: SQL) =>
  [
    bumpUsers(db, sql`${users.id} in (${affected})`),
    db
      .insert(replans)
      .select(sql`select lower(hex(randomblob(16))), user_id, null, '', ${now} from (${affected})`)
      .returning(jobColumns),
  ] as const;

/** The plans of some members of a study: their responses that trigger reminders go, or come back. */
export const replanMembers = (
  context: Replanning,
  { members, investigation }: { members: readonly string[]; investigation: string },
) =>
  [
    bumpUsers(context.db, oneOf(users.id, members)),
    insertJob(context, members.length > 1 ? { investigation } : { user: members[0] ?? null }),
  ] as const;

const bumpUsers = (db: Database, affected: SQL) =>
  db
    .update(users)
    .set({ planStamp: sql`${users.planStamp} + 1` })
    .where(affected);

const bumpSurveys = (db: Database, affected: SQL) =>
  db
    .update(surveys)
    .set({ planStamp: sql`${surveys.planStamp} + 1` })
    .where(affected);

/** The columns of a {@link ReplanJob}. */
export const jobColumns = {
  id: replans.id,
  user: replans.userId,
  investigation: replans.investigationId,
  after: replans.after,
};

function insertJob({ db, now, outbox }: Replanning, of: Partial<Pick<ReplanJob, 'user' | 'investigation'>>) {
  const job: ReplanJob = { id: newIdentifier(now), user: null, investigation: null, after: '', ...of };
  outbox.push(job);
  const { id, user: userId, investigation: investigationId, after } = job;
  return db.insert(replans).values({ id, userId, investigationId, after, touchedAt: now });
}

/** A deployment is over within this long: from then on no process of the previous version plans. */
const deploymentMs = 15 * 60_000;

/**
 * Everyone's plans, since the zone rules are newer: now, and once more after the previous version has ended, which plans by
 * its own rules until then. Up-to-date plans are only read.
 */
export const replanEveryone = (context: Replanning) =>
  [
    insertJob(context, {}),
    insertJob({ ...context, now: context.now + deploymentMs, outbox: [] }, {}),
  ] as const;

/** The next users of a job, by identifier: members of its study, or all users. */
export async function selectUsersAfter(
  { db }: { db: Database },
  { investigation, after }: ReplanJob,
  limit: number,
): Promise<string[]> {
  const { investigationId, userId } = allMembers;
  const rows =
    investigation === null
      ? await db
          .select({ user: users.id })
          .from(users)
          .where(and(isNull(users.deletedAt), gt(users.id, after)))
          .orderBy(users.id)
          .limit(limit)
      : await db
          .select({ user: userId })
          .from(allMembers)
          .where(and(eq(investigationId, investigation), gt(userId, after)))
          .orderBy(userId)
          .limit(limit);
  return rows.map((row) => row.user);
}

/** Also tells the sweep that the job is running, so that it is not resumed a second time. */
export async function saveProgress(
  { db, now }: Pick<Context, 'db' | 'now'>,
  { id, after }: ReplanJob,
): Promise<void> {
  await db.update(replans).set({ after, touchedAt: now }).where(eq(replans.id, id));
}

export async function deleteReplan({ db }: { db: Database }, job: string): Promise<void> {
  await db.delete(replans).where(eq(replans.id, job));
}
