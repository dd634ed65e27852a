import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isGuardViolation, isUniqueViolation } from '../db/errors.ts';
import { insertEach } from '../db/insert-each.ts';
import { oneOf } from '../db/json.ts';
import { query } from '../db/query.ts';
import { Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { activitiesFull, bytesOf, rowBytes } from '../permissions/limits.ts';
import { retry } from '../retry.ts';
import type { Limits } from '../services.ts';
import { chainedHash, genesis, type Head } from './chain.ts';
import { bounded } from './details.ts';
import { activities, type Signature } from './schema.ts';

export const actions = [
  'items.locked',
  'items.unlocked',
  'items.archived',
  'items.restored',
  'items.deleted',
  'survey.changed',
  'survey.reminders-changed',
  'member.added',
  'member.removed',
  'member.role-changed',
  'member.code-changed',
  'member.dates-changed',
  'member.properties-changed',
  'member.scope-changed',
  'member.relinked',
  'study.changed',
  'study.frozen',
  'study.unfrozen',
  'study.deleted',
  'study.restored',
  'webhook.added',
  'webhook.changed',
  'webhook.replayed',
  'webhook.rotated',
  'webhook.removed',
  'enrolment.added',
  'enrolment.ended',
  'answer.placed',
  'answer.discarded',
  'data.exported',
  'log.reviewed',
] as const;
export type Action = (typeof actions)[number];

export interface NewActivity {
  investigation: string;
  actor: string;
  action: Action;
  cases?: string[];
  responses?: string[];
  reason?: string | undefined;
  details?: Record<string, unknown>;
  signature?: Signature | undefined;
}

/** The newest entry of a study's log. */
export const selectHead = (db: Database, investigation: string) =>
  query<Head>(
    db,
    'select position, hash from activity where investigation_id = :investigation order by position desc limit 1',
    { investigation },
  );

/** The same, where only SQL knows the study. */
export const selectHeadOf = (db: Database, study: SQL) =>
  db
    .select({ position: activities.position, hash: activities.hash })
    .from(activities)
    .where(eq(activities.investigationId, study))
    .orderBy(desc(activities.position))
    .limit(1);

export const headOf = (rows: Head[]): Head => rows[0] ?? genesis;

type Chaining = { now: number; limits: Pick<Limits, 'activities'> };

export type ChainedEntry = typeof activities.$inferInsert;

/** Bytes that an entry about a survey or a study counts for its study: only long details do. */
export function longDetailsBytes({ details }: ChainedEntry): number {
  const bytes = details ? bytesOf(details) : 0;
  return bytes > 1_000 ? rowBytes + bytes : 0;
}

/**
 * Appends an entry made by `chainEntry`. If another entry took its position first, the insert fails, and its batch with
 * it.
 */
export const appendActivity = (db: Database, entry: ChainedEntry) => db.insert(activities).values(entry);

/**
 * The actions that a full log still accepts. Their number is finite, since those that can be undone and repeated are
 * refused.
 */
const lastActions: readonly Action[] = [
  'items.unlocked',
  'study.unfrozen',
  'study.deleted',
  'member.removed',
  'enrolment.ended',
];

const isLast = ({ action, details }: NewActivity) =>
  lastActions.includes(action) ||
  (action === 'study.changed' && (details?.after as { status?: string } | undefined)?.status === 'archived');

/**
 * The row that follows `head`, with its hash. (Returns no statement: awaiting one would run it.)
 * @throws limit.reached
 */
export async function chainEntry(head: Head, entry: NewActivity, { now, limits }: Chaining) {
  if (head.position >= limits.activities && !isLast(entry)) throw activitiesFull(limits.activities);
  const row = {
    investigationId: entry.investigation,
    position: head.position + 1,
    id: newIdentifier(now),
    at: now,
    actorId: entry.actor,
    action: entry.action,
    cases: entry.cases ?? [],
    responses: entry.responses ?? [],
    reason: entry.reason ?? null,
    details: entry.details ? await bounded(entry.details) : null,
    signature: entry.signature ?? null,
  };
  return { ...row, hash: await chainedHash(head.hash, row) };
}

/**
 * Statements that append entries, at most one for each study, each chained to the head of its own log. One round trip,
 * and statements whose number does not grow with the number of studies. If another entry took a position first, the
 * insert fails, and its batch with it.
 * @throws limit.reached
 */
export async function insertActivities(context: Chaining & { db: Database }, entries: NewActivity[]) {
  const { db } = context;
  if (entries.length === 0) return [];
  const studies = entries.map((entry) => entry.investigation);
  const rows = await db
    .select({ study: activities.investigationId, position: activities.position, hash: activities.hash })
    .from(activities)
    .where(
      and(
        oneOf(activities.investigationId, studies),
        sql`${activities.position} = (select max(position) from activity newest
          where newest.investigation_id = ${activities.investigationId})`,
      ),
    );
  const heads = new Map(rows.map(({ study, ...head }) => [study, head]));
  const chained = entries.map((entry) =>
    chainEntry(heads.get(entry.investigation) ?? genesis, entry, context),
  );
  return insertEach(db, activities, await Promise.all(chained));
}

const maxAttempts = 40;

/** Thrown by an attempt whose statement changed no row, because the row changed after it was read. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/**
 * Repeats a read and its write when another writer was faster. The head of the log is the study's optimistic lock, so
 * logged state changes one writer at a time; other writes throw `ConflictError` when the condition in their SQL fails.
 * @throws database.overloaded after 40 lost attempts
 */
export async function withOptimisticRetry<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await retry(attempt, { maxAttempts, baseMs: 5, maxMs: 250, isRetryable: isConflict });
  } catch (error) {
    if (!isConflict(error)) throw error;
    throw new Problem('database.overloaded', 'Too many writers at once in this study.', {
      retryAfterSeconds: 1,
    });
  }
}

/** Two requests that create a thing under one identifier are a conflict too: the slower one finds what the other made. */
const isConflict = (error: unknown) =>
  error instanceof ConflictError ||
  ['activity', 'survey', 'enrolment', 'invitation', 'webhook', 'user'].some((table) =>
    isUniqueViolation(error, table),
  ) ||
  isGuardViolation(error);
