import { and, eq, exists, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Database } from '../db/database.ts';
import { cases, members, type Role, responses } from '../db/schema.ts';
import { type Placeholders, statement, type Value } from '../db/statements.ts';

/** Joins the actor's membership of the study that `investigationId` names. */
export const asMember = (investigationId: AnySQLiteColumn, actor: Value<string>) =>
  and(sql`${members.investigationId} = ${investigationId}`, eq(members.userId, actor));

/**
 * Joins the actor's membership for a look-up of a few items by identifier. The `+` keeps SQLite from walking
 * the whole study by its index instead.
 */
export const asMemberOf = (
  investigation: Value<string>,
  investigationId: AnySQLiteColumn,
  actor: Value<string>,
) =>
  and(
    eq(members.investigationId, investigation),
    eq(members.userId, actor),
    sql`+${investigationId} = ${members.investigationId}`,
  );

/** The role of the actor, or nothing: what one may not see is not read. */
export const selectRole = (db: Database, investigation: string, actor: string) =>
  role(db, { investigation, actor });

const role = statement(
  (db, { investigation, actor }: Placeholders<{ investigation: string; actor: string }>) =>
    db
      .select({ role: members.role })
      .from(members)
      .where(and(eq(members.investigationId, investigation), eq(members.userId, actor))),
);

/** In SQL: the actor is a member of the study, in one of the roles if any are given. */
export const whenMember = (investigation: string, actor: string, ...roles: Role[]) =>
  sql`exists (select 1 from member me where me.investigation_id = ${investigation} and me.user_id = ${actor}
    ${roles.length > 0 ? sql`and me.role in ${roles}` : sql``})`;

/** Owners and editors see every response of their study, responders those they gave. Needs `asMember`. */
export const mayViewResponse = (actor: Value<string>) =>
  or(ne(members.role, 'responder'), eq(responses.responderId, actor));

/**
 * Owners and editors see every case, responders the ones they created or answered for, unless hidden.
 * Needs `asMember`.
 */
export const mayViewCase = (db: Database, actor: Value<string>) =>
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

export const isOwnResponse = (actor: Value<string>) =>
  and(eq(members.role, 'responder'), eq(responses.responderId, actor));

export const isOwnCase = (investigation: Value<string>, actor: Value<string>) =>
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

/** The values of a list's statement that cases and responses share. */
export const listValues = ({ since, limit, after }: ListFilter) => ({
  since: since && since * 1000,
  createdAt: after?.[0],
  id: after?.[1],
  // One more tells whether more remain.
  limit: limit + 1,
});

/** What else the text of such a statement depends on. */
export const listShape = ({ status, locked }: ListFilter) => ({ status, locked });

/** The part of a list's condition that cases and responses share. */
export const inList = (
  table: typeof cases | typeof responses,
  revisedAt: typeof cases.editedAt | typeof responses.revisedAt,
  { since, createdAt, id }: Placeholders<ReturnType<typeof listValues>>,
  { status, locked }: ReturnType<typeof listShape>,
) =>
  and(
    isNull(table.deletedAt),
    status === 'active' ? isNull(table.archivedAt) : undefined,
    status === 'archived' ? or(isNotNull(table.archivedAt), isNotNull(table.lockedAt)) : undefined,
    locked === undefined ? undefined : locked ? isNotNull(table.lockedAt) : isNull(table.lockedAt),
    since && sql`${revisedAt} >= ${since}`,
    createdAt && id && sql`(${table.createdAt}, ${table.id}) > (${createdAt}, ${id})`,
  );
