import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { forbidden, notFound, Problem } from '../errors.ts';
import { participantIssuer } from '../identifiers.ts';
import type { RowsOf } from '../log/logged.ts';
import { users } from '../people/schema.ts';
import { fits } from '../permissions/groups.ts';
import { codeOf } from '../permissions/member-codes.ts';
import { staff } from '../permissions/roles.ts';
import { peopleOfResponder } from '../permissions/shown-people.ts';
import { scopeOf, selectRole, whenMember } from '../permissions/visibility.ts';
import { selectTaken } from './member-codes.ts';
import { type allMembers, members } from './schema.ts';
import type { ShownEnrolment } from './shown-members.ts';

export interface Membership {
  investigation: string;
  user: string;
}

/** A member as {@link shownMember} takes them. Needs the `user` row and the membership. */
export const memberColumns = (investigation: string) => ({
  id: users.id,
  name: users.name,
  role: members.role,
  code: codeOf(investigation, users.id).as('member_code'),
  invitedAs: members.invitedAs,
  enrolment: enrolmentOf(investigation),
  agreedTo: members.agreedTo,
  isProgram: sql<number>`${users.madeBy} is not null`.as('is_program'),
  dates: members.dates,
  participation: members.participation,
  properties: members.properties,
  scope: members.scope,
});

export const listedColumns = (investigation: string) => ({
  ...memberColumns(investigation),
  issuer: users.issuer,
  lastOwner: isLastOwner.as('last_owner'),
});

export const selectMembers = (db: Database, investigation: string) =>
  db
    .select(listedColumns(investigation))
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.investigationId, investigation))
    .$dynamic();

/** In SQL, where a `user` row is read: the code of this study by which they enrolled. No other code costs a row read. */
export const enrolmentOf = (investigation: string) =>
  sql`(select json_object('identifier', e.id, 'label', e.label, 'properties', json(e.properties)) from enrolment e
    where e.id = ${users.enrolmentId} and e.investigation_id = ${investigation})`
    .mapWith((text: string): ShownEnrolment => JSON.parse(text))
    .as('enrolment') as SQL.Aliased<ShownEnrolment | null>;

/** In SQL: the `current_member` row is that of the study's only owner. The index of owners and editors asks for the `<>`. */
export const isLastOwner = sql<number>`("current_member"."role" = 'owner' and not exists (
  select 1 from current_member o where o.investigation_id = "current_member"."investigation_id"
  and o.role = 'owner' and o.role <> 'responder' and o.user_id <> "current_member"."user_id"))`;

export const isMembership = (
  { investigation, user }: Membership,
  table: typeof members | typeof allMembers = members,
) => and(eq(table.investigationId, investigation), eq(table.userId, user));

/**
 * A participant who enrolled by a code proves nothing by signing in: they stay a responder, and a program stays a monitor.
 * @throws action.forbidden
 */
export function requireAccount({ issuer, isProgram }: { issuer: string | null; isProgram?: number }) {
  if (isProgram) throw forbidden('Programs can be monitors only.');
  if (issuer === participantIssuer)
    throw forbidden('Participants who enrolled by a code can be responders only.');
}

/** The actor, the member, and whether the code is taken. */
export const selectPair = (context: Context, membership: Membership, code?: string | null) =>
  [
    selectRole(context.db, membership.investigation, context.actor),
    selectMembers(context.db, membership.investigation).where(
      and(isMembership(membership), isSeen(membership, context.actor)),
    ),
    selectTaken(context, { ...membership, code }),
  ] as const;

/** @throws resource.not-found */
export function pairOf([[me], [target], [held]]: RowsOf<ReturnType<typeof selectPair>>) {
  if (!me) throw notFound('investigation');
  if (!target) throw notFound('member');
  return { me, target, isTaken: held?.taken === 1 };
}

/** In SQL: the actor sees the member. Needs the row of the member. */
const isSeen = ({ investigation, user }: Membership, actor: string) =>
  or(
    sql`${whenMember(investigation, actor, ...staff)} and (${members.role} <> 'responder'
      or ${fits(scopeOf(investigation, actor), members.properties)})`,
    sql`${whenMember(investigation, actor)} and ${user} in ${peopleOfResponder(investigation, actor)}`,
  );

export const lastOwner = () =>
  new Problem('member.last-owner', 'A study keeps at least one owner: make somebody else an owner first.');
