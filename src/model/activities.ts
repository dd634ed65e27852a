import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isUniqueViolation } from '../db/errors.ts';
import { activities, members, users } from '../db/schema.ts';
import { forbidden, notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
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

/** The newest entry's place in the chain; `position` 0 before the first. */
export interface Head {
  position: number;
  hash: string;
}

export interface NewActivity {
  investigation: string;
  actor: string;
  action: Action;
  cases?: string[];
  responses?: string[];
  reason?: string | undefined;
  details?: Record<string, unknown>;
}

const genesis: Head = { position: 0, hash: '0'.repeat(64) };

export const selectHead = (db: Database, investigation: string) =>
  db
    .select({ position: activities.position, hash: activities.hash })
    .from(activities)
    .where(eq(activities.investigationId, investigation))
    .orderBy(desc(activities.position))
    .limit(1);

export const headOf = (rows: Head[]): Head => rows[0] ?? genesis;

/** Appends an entry made by `seal`. It fails, and its batch with it, when another entry was faster. */
export const appendActivity = (db: Database, sealed: typeof activities.$inferInsert) =>
  db.insert(activities).values(sealed);

/** The row of an entry behind `head`, with its hash. (Not a statement: awaiting one would run it.) */
export async function seal(head: Head, entry: NewActivity, now: number) {
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

/** SHA-256 over the previous hash and the entry's canonical JSON: an array of its fields in this order. */
async function chainedHash(previous: string, row: Omit<typeof activities.$inferSelect, 'hash'>) {
  const canonical = JSON.stringify([
    row.investigationId,
    row.position,
    row.id,
    row.at,
    row.actorId,
    row.action,
    row.cases,
    row.responses,
    row.reason,
    row.details,
  ]);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${previous}\n${canonical}`));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const tries = 40;

/**
 * Reads and writes again when another entry came between: the head of the log is the study's optimistic
 * lock, so state that is logged changes one writer at a time. @throws database.overloaded when it never wins
 */
export async function inTurn<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 0; n < tries; n++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isUniqueViolation(error, 'activity')) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(5 * 2 ** n, 250)));
    }
  }
  throw new Problem('database.overloaded', 'Too many writers at once in this study.', {
    retryAfterSeconds: 1,
  });
}

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

const verifyPage = 500;

/** Walks the chain from its first entry. `brokenAt` is the first position that does not fit. */
export async function verifyActivities(db: Database, actor: string, investigation: string) {
  const membership = await selectRole(db, investigation, actor);
  requireEditor(membership[0]?.role);
  let head = genesis;
  for (;;) {
    const rows = await db
      .select()
      .from(activities)
      .where(
        and(eq(activities.investigationId, investigation), sql`${activities.position} > ${head.position}`),
      )
      .orderBy(activities.position)
      .limit(verifyPage);
    for (const { hash, ...row } of rows) {
      const expected = head.position + 1;
      if (row.position !== expected || hash !== (await chainedHash(head.hash, row)))
        return { valid: false as const, entries: head.position, brokenAt: expected };
      head = { position: row.position, hash };
    }
    if (rows.length < verifyPage) return { valid: true as const, entries: head.position, head: head.hash };
  }
}
