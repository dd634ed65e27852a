import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isGuardViolation, isUniqueViolation } from '../db/errors.ts';
import { insertEach } from '../db/insert-each.ts';
import { oneOf } from '../db/json.ts';
import { query } from '../db/query.ts';
import { Problem } from '../errors.ts';
import { newIdentifier, newSecret } from '../identifiers.ts';
import { activitiesFull, bytesOf, rowBytes } from '../permissions/limits.ts';
import { retry } from '../retry.ts';
import type { Limits } from '../services.ts';
import { investigations } from '../studies/schema.ts';
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
  details?: Record<string, unknown> | undefined;
  signature?: Signature | undefined;
  /** The study has properties, so that readers may be shown less of the entry. */
  salted?: boolean | undefined;
}

/** One row if a study has properties. */
export const selectSalted = (db: Database, investigation: string | SQL) =>
  db
    .select({ salted: sql<number>`1`.as('is_salted') })
    .from(investigations)
    .where(
      sql`${investigations.id} = ${investigation} and ${investigations.course} -> '$.properties' is not null`,
    );

/**
 * With 128 random bits nobody finds out by an entry's hash what is not shown to them, however few the possibilities: an arm, a
 * count, a date.
 */
const withSalt = ({ details, salted }: NewActivity): NewActivity['details'] =>
  salted || JSON.stringify(details)?.includes('"properties"')
    ? { ...details, salt: newSecret().slice(0, 32) }
    : details;

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
  const details = withSalt(entry);
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
    details: details ? await bounded(details) : null,
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
    .select({
      study: activities.investigationId,
      position: activities.position,
      hash: activities.hash,
      salted: sql<number>`exists (select 1 from investigation i
        where i.id = ${activities.investigationId} and i.course -> '$.properties' is not null)`.as(
        'is_salted',
      ),
    })
    .from(activities)
    .where(
      and(
        oneOf(activities.investigationId, studies),
        sql`${activities.position} = (select max(position) from activity newest
          where newest.investigation_id = ${activities.investigationId})`,
      ),
    );
  const heads = new Map(rows.map(({ study, ...head }) => [study, head]));
  const chained = entries.map((entry) => {
    const head = heads.get(entry.investigation);
    return chainEntry(head ?? genesis, { ...entry, salted: head?.salted === 1 }, context);
  });
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
