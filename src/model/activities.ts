import { and, desc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isGuardViolation, isUniqueViolation } from '../db/errors.ts';
import { activities, members, users } from '../db/schema.ts';
import { type Placeholders, statement } from '../db/statements.ts';
import { forbidden, notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { chainedHash, follow, genesis, type Head } from './activity-chain.ts';
import type { Context } from './context.ts';
import { selectRole } from './visibility.ts';

export const actions = [
  'items.locked',
  'items.unlocked',
  'items.archived',
  'items.restored',
  'items.deleted',
  'survey.reminders-changed',
  'member.added',
  'member.removed',
  'member.role-changed',
  'study.changed',
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
}

export const selectHead = (db: Database, investigation: string) => newest(db, { investigation });

const newest = statement((db, { investigation }: Placeholders<{ investigation: string }>) =>
  db
    .select({ position: activities.position, hash: activities.hash })
    .from(activities)
    .where(eq(activities.investigationId, investigation))
    .orderBy(desc(activities.position))
    .limit(1),
);

export const headOf = (rows: Head[]): Head => rows[0] ?? genesis;

/** Appends an entry made by `chainEntry`. It fails, and its batch with it, when another entry was faster. */
export const appendActivity = (db: Database, entry: ChainedEntry) => append(db, entry);

type ChainedEntry = typeof activities.$inferInsert;

const append = statement((db, entry: Placeholders<ChainedEntry>) => db.insert(activities).values(entry));

/** The row of an entry behind `head`, with its hash. (Not a statement: awaiting one would run it.) */
export async function chainEntry(head: Head, entry: NewActivity, now: number) {
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
    details: entry.details ?? null,
  };
  return { ...row, hash: await chainedHash(head.hash, row) };
}

/** Entries of several studies, each behind the head of its own log. One round trip. */
export async function chainEntries(db: Database, entries: NewActivity[], now: number) {
  const [first, ...rest] = entries.map((entry) => selectHead(db, entry.investigation));
  const heads = first ? await db.batch([first, ...rest]) : [];
  return Promise.all(entries.map((entry, n) => chainEntry(headOf(heads[n] ?? []), entry, now)));
}

const tries = 40;

/** Thrown by an attempt whose statement found nothing to write: the row is not what it was when it was read. */
export class ConflictError extends Error {
  override readonly name = 'ConflictError';
}

/**
 * Reads and writes again when somebody else was faster. The head of the log is the study's optimistic lock, so
 * state that is logged changes one writer at a time; other writes throw `ConflictError` when the condition in their
 * SQL failed. @throws database.overloaded when it never wins
 */
export async function withOptimisticRetry<T>(
  { outbox }: Pick<Context, 'outbox'>,
  attempt: () => Promise<T>,
): Promise<T> {
  const before = outbox.length;
  for (let n = 0; n < tries; n++) {
    try {
      return await attempt();
    } catch (error) {
      // The batch of the attempt was rolled back, and its outbox rows with it.
      outbox.length = before;
      if (!isConflict(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(5 * 2 ** n, 250)));
    }
  }
  throw new Problem('database.overloaded', 'Too many writers at once in this study.', {
    retryAfterSeconds: 1,
  });
}

const isConflict = (error: unknown) =>
  error instanceof ConflictError || isUniqueViolation(error, 'activity') || isGuardViolation(error);

export interface ActivityFilter {
  limit: number;
  before?: number | undefined;
  action?: Action | undefined;
  item?: string | undefined;
}

/** Newest first, for owners and editors. One round trip. @throws resource.not-found, action.forbidden */
export async function listActivities(
  db: Database,
  actor: string,
  investigation: string,
  filter: ActivityFilter,
) {
  const [membership, rows] = await db.batch([
    selectRole(db, investigation, actor),
    db
      .select({
        position: activities.position,
        id: sql<string>`${activities.id}`.as('activity_id'),
        at: activities.at,
        actorId: activities.actorId,
        actorName: users.name,
        action: activities.action,
        cases: activities.cases,
        responses: activities.responses,
        reason: activities.reason,
        details: activities.details,
        hash: activities.hash,
      })
      .from(activities)
      .innerJoin(
        members,
        sql`${members.investigationId} = ${investigation} and ${members.userId} = ${actor} and ${members.role} <> 'responder'`,
      )
      .leftJoin(users, eq(users.id, activities.actorId))
      .where(
        and(
          eq(activities.investigationId, investigation),
          filter.before === undefined ? undefined : lt(activities.position, filter.before),
          filter.action === undefined ? undefined : eq(activities.action, filter.action),
          filter.item === undefined
            ? undefined
            : sql`(${filter.item} in (select value from json_each(${activities.cases})) or ${filter.item} in (select value from json_each(${activities.responses})))`,
        ),
      )
      .orderBy(desc(activities.position))
      .limit(filter.limit + 1),
  ]);
  requireEditor(membership[0]?.role);
  return rows;
}

function requireEditor(role: string | undefined) {
  if (!role) throw notFound('investigation');
  if (role === 'responder') throw forbidden('Only owners and editors read the activity log.');
}

const verifyPage = 200;

/**
 * Walks the chain from its first entry. `brokenAt` is the first position that does not fit: an entry was
 * edited, removed, inserted or moved there. The chain cannot show that its newest entries were cut off, nor
 * that somebody with the whole database computed it anew: `entries` and `head` are there to be noted elsewhere
 * and compared.
 */
export async function verifyActivities(db: Database, actor: string, investigation: string) {
  const membership = await selectRole(db, investigation, actor);
  requireEditor(membership[0]?.role);
  let head = genesis;
  for (let first = true; ; first = false) {
    const rows = await selectStored(db, investigation, first ? undefined : head.position);
    for (const row of rows) {
      const next = await follow(head, row);
      if (!next) return { valid: false as const, entries: head.position, brokenAt: head.position + 1 };
      head = next;
    }
    if (rows.length < verifyPage) return { valid: true as const, entries: head.position, head: head.hash };
  }
}

/** The first page has no lower bound: an entry before the first position is one too many. */
const selectStored = (db: Database, investigation: string, after: number | undefined) =>
  db
    .select({
      investigationId: activities.investigationId,
      position: activities.position,
      id: activities.id,
      at: activities.at,
      actorId: activities.actorId,
      action: activities.action,
      cases: sql<string>`${activities.cases}`,
      responses: sql<string>`${activities.responses}`,
      reason: activities.reason,
      details: sql<string | null>`${activities.details}`,
      hash: activities.hash,
    })
    .from(activities)
    .where(
      and(
        eq(activities.investigationId, investigation),
        after === undefined ? undefined : gt(activities.position, after),
      ),
    )
    .orderBy(activities.position)
    .limit(verifyPage);
