import { and, desc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { activities, members, users } from '../db/schema.ts';
import { forbidden, notFound } from '../errors.ts';
import type { Action } from './activities.ts';
import { follow, genesis } from './activity-chain.ts';
import type { Context } from './context.ts';
import { selectRole } from './visibility.ts';

export interface ActivityFilter {
  limit: number;
  before?: number | undefined;
  action?: Action | undefined;
  item?: string | undefined;
}

export type ListedActivity = Awaited<ReturnType<typeof listActivities>>[number];

/** Newest first, for owners and editors. One round trip. @throws resource.not-found, action.forbidden */
export async function listActivities({ db, actor }: Context, investigation: string, filter: ActivityFilter) {
  const [membership, rows] = await db.batch([
    selectRole(db, investigation, actor),
    db
      .select({
        position: activities.position,
        id: sql<string>`${activities.id}`.as('activity_id'),
        at: activities.at,
        actorId: activities.actorId,
        actorName: users.name,
        action: sql<Action>`${activities.action}`.as('activity_action'),
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

const pageSize = 200;

/**
 * Walks the chain from its first entry. `brokenAt` is the first position that does not fit: an entry was edited,
 * removed, inserted or moved there. The chain does not show that its newest entries were cut off, or that somebody with
 * write access to the whole database rebuilt it: to detect that, keep `entries` and `head` elsewhere and compare.
 */
export async function verifyActivities({ db, actor }: Context, investigation: string) {
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
    if (rows.length < pageSize) return { valid: true as const, entries: head.position, head: head.hash };
  }
}

/** The first page has no lower bound, so that an entry before position 1 is found too. */
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
    .limit(pageSize);
