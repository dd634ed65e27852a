import { and, eq, exists, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Database } from '../db/database.ts';
import { cases, members, type Role, responses } from '../db/schema.ts';

/** Joins the actor's membership of the study that `investigationId` names. */
export const asMember = (investigationId: AnySQLiteColumn, actor: string) =>
  and(sql`${members.investigationId} = ${investigationId}`, eq(members.userId, actor));

/**
 * Joins the actor's membership for a look-up of a few items by identifier. The `+` keeps SQLite from walking
 * the whole study by its index instead.
 */
export const asMemberOf = (investigation: string, investigationId: AnySQLiteColumn, actor: string) =>
  and(
    eq(members.investigationId, investigation),
    eq(members.userId, actor),
    sql`+${investigationId} = ${members.investigationId}`,
  );

/** The role of the actor, or nothing: what one may not see is not read. */
export const selectRole = (db: Database, investigation: string, actor: string) =>
  db
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.investigationId, investigation), eq(members.userId, actor)));

/** In SQL: the actor is a member of the study, in one of the roles if any are given. */
export const whenMember = (investigation: string, actor: string, ...roles: Role[]) =>
  sql`exists (select 1 from member me where me.investigation_id = ${investigation} and me.user_id = ${actor}
    ${roles.length > 0 ? sql`and me.role in ${roles}` : sql``})`;

/** Owners and editors see every response of their study, responders those they gave. Needs `asMember`. */
export const mayViewResponse = (actor: string) =>
  or(ne(members.role, 'responder'), eq(responses.responderId, actor));

/**
 * Owners and editors see every case, responders the ones they created or answered for, unless hidden.
 * Needs `asMember`.
 */
export const mayViewCase = (db: Database, actor: string) =>
  or(
    ne(members.role, 'responder'),
    and(
      eq(cases.hidden, false),
      or(
        eq(cases.creatorId, actor),
        exists(
          db
            .select({ one: sql`1` })
            .from(responses)
            .where(
              and(
                eq(responses.caseId, cases.id),
                eq(responses.responderId, actor),
                isNull(responses.deletedAt),
              ),
            ),
        ),
      ),
    ),
  );

/** The rules of visibility once more, as a list needs them: by role, so that each role reads only what it sees. */
export const isStaff = ne(members.role, 'responder');

export const isOwnResponse = (actor: string) =>
  and(eq(members.role, 'responder'), eq(responses.responderId, actor));

export const isOwnCase = (investigation: string, actor: string) =>
  and(
    eq(members.role, 'responder'),
    eq(cases.hidden, false),
    sql`${cases.id} in (
      select mine.id from study_case mine where mine.creator_id = ${actor} and mine.investigation_id = ${investigation}
      union select r.case_id from response r
      where r.responder_id = ${actor} and r.investigation_id = ${investigation} and r.deleted_at is null)`,
  );

/** Who may edit what they see: owners and editors all of it, responders what is theirs. */
export const mayEdit = (role: Role, owner: string, actor: string) => role !== 'responder' || owner === actor;

/** That the actor still has the role they were read with: a condition of the statement that writes. */
export const stillHasRole = (investigationId: AnySQLiteColumn, actor: string, role: Role) =>
  sql`exists (select 1 from member me
    where me.investigation_id = ${investigationId} and me.user_id = ${actor} and me.role = ${role})`;

/** What a list is narrowed to. `status` says nothing of locked items unless they are archived. */
export interface ListFilter {
  status: 'active' | 'archived' | 'all';
  locked?: boolean | undefined;
  /** Epoch seconds of the latest revision. */
  since?: number | undefined;
  limit: number;
  /** The creation time and identifier of the last row of the page before. */
  after?: readonly [number, string] | undefined;
}

/** The part of a list's condition that cases and responses share. */
export const inList = (
  table: typeof cases | typeof responses,
  revisedAt: typeof cases.editedAt | typeof responses.revisedAt,
  { status, locked, since, after }: ListFilter,
) =>
  and(
    isNull(table.deletedAt),
    status === 'active' ? isNull(table.archivedAt) : undefined,
    status === 'archived' ? or(isNotNull(table.archivedAt), isNotNull(table.lockedAt)) : undefined,
    locked === undefined ? undefined : locked ? isNotNull(table.lockedAt) : isNull(table.lockedAt),
    since === undefined ? undefined : sql`${revisedAt} >= ${since * 1000}`,
    after && sql`(${table.createdAt}, ${table.id}) > (${after[0]}, ${after[1]})`,
  );
