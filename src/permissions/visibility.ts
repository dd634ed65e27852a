import { and, type Column, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Database } from '../db/database.ts';
import { query } from '../db/query.ts';
import { forbidden, notFound } from '../errors.ts';
import { cases, responses } from '../items/schema.ts';
import { users } from '../people/schema.ts';
import { members } from '../studies/schema.ts';
import { surveys } from '../studies/survey-schema.ts';
import { fits, type PropertyRule } from './groups.ts';
import { editors, type Role, staff } from './roles.ts';

/** A value, or the parameter of a query. */
type Value = string | SQL;

/** Joins the actor's membership of the study that `investigationId` names. */
export const asMember = (investigationId: AnySQLiteColumn, actor: Value) =>
  and(sql`${members.investigationId} = ${investigationId}`, eq(members.userId, actor));

/**
 * Joins the actor's membership for a look-up of a few items by identifier. The `+` keeps SQLite off the index by study,
 * which would read every item of the study.
 */
export const asMemberOf = (investigation: Value, investigationId: AnySQLiteColumn, actor: Value) =>
  and(
    eq(members.investigationId, investigation),
    eq(members.userId, actor),
    sql`+${investigationId} = ${members.investigationId}`,
  );

/** In SQL: the study of a survey. */
export const studyOf = (survey: string): SQL =>
  sql`(select s.investigation_id from survey s where s.id = ${survey})`;

/** In SQL: an owner has deleted the study. Reads through `members` need no such condition. */
export const isDeletedStudy = (investigation: SQL | Column): SQL =>
  sql`exists (select 1 from deleted_study gone where gone.investigation_id = ${investigation})`;

/** A member as permissions know them. */
export interface Me {
  role: Role;
  /** The part of the study that an editor or a monitor sees. Null: all of it. */
  scope: PropertyRule | null;
}

/** The actor's role and scope in the study; no row for those who are not members. */
export const selectRole = (db: Database, investigation: string, actor: string) =>
  query<Me>(
    db,
    'select role, scope from current_member where investigation_id = :investigation and user_id = :actor',
    { investigation, actor },
    { scope: JSON.parse },
  );

/** Refuses those who are not members, and members of other roles. @throws resource.not-found, action.forbidden */
type Require = <M extends { role: Role }>(
  me: M | undefined,
  /** The act, behind those who may: "Only owners invite." */
  does: string,
  noun?: string,
) => asserts me is M;

const requirerOf =
  (allowed: readonly Role[], names: string): Require =>
  (me, does, noun = 'investigation') => {
    if (!me) throw notFound(noun);
    if (!allowed.includes(me.role)) throw forbidden(`Only ${names} ${does}.`);
  };

export const requireOwner: Require = requirerOf(['owner'], 'owners');
export const requireEditor: Require = requirerOf(editors, 'owners and editors');
export const requireStaff: Require = requirerOf(staff, 'owners, editors and monitors');

/** Refuses acts that reach beyond somebody's part of a study. @throws resource.not-found, action.forbidden */
export function requireUnscoped(me: Me | undefined, does: string, noun?: string): asserts me is Me {
  requireEditor(me, does, noun);
  if (me.scope !== null)
    throw forbidden(`You see a part of the study only. Owners and editors who see all of it ${does}.`);
}

/** In SQL: the actor is a member of the study, in one of `roles` if any are given. */
export const whenMember = (investigation: Value, actor: Value, ...roles: readonly Role[]): SQL =>
  sql`exists (select 1 from current_member me where me.investigation_id = ${investigation} and me.user_id = ${actor}
    ${roles.length > 0 ? sql`and me.role in ${listOf(roles)}` : sql``})`;

/** Roles are part of the text, not parameters: see {@link compiledOnce}. */
export const listOf = (roles: readonly Role[]) => sql.raw(`(${roles.map((role) => `'${role}'`).join(', ')})`);

/** A response that the actor may see. Needs `asMember`. */
export const isVisibleResponse = (actor: Value, id: Value) =>
  and(eq(responses.id, id), isNull(responses.deletedAt), mayViewResponse(actor));

export const isStaff = sql`${members.role} <> 'responder'`;

/** In SQL: something with these stored properties is in the member's part of the study. Needs `asMember`. */
export const isInScope = (properties: SQL | Column): SQL => fits(members.scope, properties);

/** In SQL: a response has the properties of its case. */
export const propertiesOfResponse = sql`(select c.properties from study_case c where c.id = ${responses.caseId})`;

/** In SQL: the survey is for no blinded property, or the member is an owner. Needs `asMember`. */
export const isUnblinded = (survey: SQL | Column): SQL =>
  sql`(${members.role} = 'owner' or not exists (
    select 1 from survey b indexed by survey_blinded where b.id = ${survey} and b.blinded))`;

/** In SQL: the role of the actor, for statements without their membership. */
export const roleOf = (investigation: Value, actor: Value): SQL =>
  sql`(select me.role from current_member me where me.investigation_id = ${investigation} and me.user_id = ${actor})`;

/** In SQL: the scope of the actor, for statements without their membership. */
export const scopeOf = (investigation: Value, actor: Value): SQL =>
  sql`(select me.scope from current_member me where me.investigation_id = ${investigation} and me.user_id = ${actor})`;

/** In SQL: the actor, or a member of this role, does not see the survey, for statements without their membership. */
export const isHiddenSurvey = (survey: SQL, actor: Value, role?: SQL): SQL =>
  sql`exists (select 1 from survey b indexed by survey_blinded where b.id = ${survey} and b.blinded
    and ${role ?? roleOf(sql`b.investigation_id`, actor)} <> 'owner')`;

/**
 * Responders see the surveys that are for them, staff those that are for no blinded property, and owners all. Needs `asMember`,
 * and the row of the survey.
 */
export const maySeeSurvey = sql`(case ${members.role} when 'owner' then 1
  when 'responder' then ${fits(surveys.for, members.properties)} else not ${surveys.blinded} end)`;

/** Staff see the responses of their part of the study, of surveys that they see; responders their own. Needs `asMember`. */
export const mayViewResponse = (actor: Value) =>
  sql`iif(${isStaff}, ${isInScope(propertiesOfResponse)} and ${isUnblinded(responses.surveyId)}, ${responses.responderId} = ${actor})`;

/**
 * Staff see the cases of their part of the study, responders those that they created or answered for, unless hidden.
 * Needs `asMember`.
 */
export const mayViewCase = (actor: Value) =>
  sql`iif(${isStaff}, ${isInScope(cases.properties)}, ${cases.hidden} = 0 and (${cases.creatorId} = ${actor} or exists (
    select 1 from response r where r.case_id = ${cases.id} and r.responder_id = ${actor} and r.deleted_at is null)))`;

/** Joins the actor's membership if it has one of the roles; before the list, so that nobody else's list is read. */
export const asReader = (investigation: Value, actor: Value, roles: readonly Role[]) =>
  and(
    eq(members.investigationId, investigation),
    eq(members.userId, actor),
    sql`${members.role} in ${listOf(roles)}`,
  );

/** The cases that a responder sees, for lists: only those are read. */
export const isOwnCase = (investigation: Value, actor: Value) =>
  sql`(${cases.hidden} = 0 and ${cases.id} in (
      select mine.id from study_case mine where mine.creator_id = ${actor} and mine.investigation_id = ${investigation}
      union all select r.case_id from response r
      where r.responder_id = ${actor} and r.investigation_id = ${investigation} and r.deleted_at is null))`;

/** Owners and editors edit everything that they see, responders only their own, and monitors nothing. */
export const mayEdit = (role: Role, owner: string, actor: string) =>
  editors.includes(role) || (role === 'responder' && owner === actor);

/** Refuses monitors, who lock and unlock, and change nothing else. @throws action.forbidden */
export function requireNoMonitor({ role }: { role: Role }): void {
  if (role === 'monitor') throw forbidden('Monitors lock and unlock, and change nothing else.');
}

/** In SQL: the actor still has the role from the read. A condition of the statement that writes. */
export const stillHasRole = (investigationId: AnySQLiteColumn, actor: string, role: Role) =>
  sql`exists (select 1 from current_member me
    where me.investigation_id = ${investigationId} and me.user_id = ${actor} and me.role = ${role})`;

export const isAlive = (id: string) => and(eq(users.id, id), isNull(users.deletedAt));

/** No row for a deleted user: tells an empty list of an existing user from a missing one. */
export const selectAlive = (db: Database, id: string) =>
  db.select({ alive: users.id }).from(users).where(isAlive(id));
