import { and, eq, gt, not, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { notFound, Problem } from '../errors.ts';
import { withOptimisticRetry } from '../log/activities.ts';
import { users } from '../people/schema.ts';
import { requireKnown, selectDeclared } from '../permissions/declared-properties.ts';
import { isOpenStudy, requireOpen } from '../permissions/edit-guards.ts';
import type { GivenProperties, PropertyRule } from '../permissions/groups.ts';
import { invitationsFull, selectSize, studyFull } from '../permissions/limits.ts';
import { nullIfEmpty } from '../permissions/own-properties.ts';
import { editors, type Role } from '../permissions/roles.ts';
import { nobody } from '../permissions/shown-people.ts';
import {
  isDeletedStudy,
  requireOwner,
  selectAlive,
  selectRole,
  whenMember,
} from '../permissions/visibility.ts';
import { codeTaken, isTaken, selectTaken } from './member-codes.ts';
import { investigations, invitationLifetimeMs, invitations } from './schema.ts';
import { isSame, requireScope } from './scopes.ts';

export interface Invitation {
  email: string;
  role: Role;
  /** The code that the new member will have. */
  code?: string | null | undefined;
  /** Those that the new member will have; none: those that they had as a member before. */
  properties?: GivenProperties | null | undefined;
  scope?: PropertyRule | null | undefined;
}

export const expiryOf = ({ createdAt }: { createdAt: number }) => createdAt + invitationLifetimeMs;

/** In SQL: the invitation has not expired. */
const isUnexpired = (now: number) => gt(invitations.createdAt, now - invitationLifetimeMs);

/** In SQL: the invitation has not expired, and its study exists. */
export const isOffered = (now: number) =>
  and(isUnexpired(now), not(isDeletedStudy(invitations.investigationId)));

const isInvitation = (investigation: string, email: string) =>
  and(eq(invitations.email, email), eq(invitations.investigationId, investigation));

/**
 * Invites an address, whether or not somebody signed up with it; for owners, while the study has room. The invitation
 * expires after 30 days. Repeating it changes nothing.
 * @throws request.invalid, resource.not-found, action.forbidden, invitation.exists, member.code-taken, study.archived, limit.reached
 */
export function invite(context: Context, investigation: string, given: Invitation) {
  const { email, role, code } = given;
  const [properties, scope] = [nullIfEmpty(given.properties ?? {}), given.scope ?? null];
  const { db, actor, now, limits } = context;
  return withOptimisticRetry(async () => {
    const [[me], [before], [fromMe], [ofStudy], [size], [held], [study]] = await db.batch([
      selectRole(db, investigation, actor),
      db
        .select({
          role: invitations.role,
          code: invitations.code,
          properties: invitations.properties,
          scope: invitations.scope,
        })
        .from(invitations)
        .where(and(isInvitation(investigation, email), isUnexpired(now))),
      countFromInviter(db, { inviter: actor, email, now }),
      countOfStudy(db, investigation, now),
      selectSize(db, investigation),
      selectTaken(context, { investigation, code, email }),
      selectDeclared(db, investigation),
    ]);
    requireOwner(me, 'invite');
    requireKnown(properties ?? {}, study?.properties ?? [], '/properties');
    requireScope(scope, role, study?.properties ?? []);
    if (before && before.role !== role)
      throw new Problem('invitation.exists', `This address is already invited, as ${before.role}.`);
    if (before && code != null && before.code !== code)
      throw new Problem('invitation.exists', 'This address is already invited, with another code or none.');
    const isOther =
      (given.properties !== undefined && !isSame(before?.properties, properties)) ||
      (given.scope !== undefined && !isSame(before?.scope, scope));
    if (before && isOther)
      throw new Problem(
        'invitation.exists',
        'This address is already invited, with other properties or another scope.',
      );
    if (before) return { invitation: { email, ...before }, created: false };
    if (held?.taken) throw codeTaken();
    requireOpen(size);
    const invited = ofStudy?.count ?? 0;
    if ((size?.memberCount ?? 0) + invited >= limits.members) throw studyFull('members', limits.members);
    if (fromMe && fromMe.count >= limits.invitationsFromOne)
      throw invitationsFull('MAX_INVITATIONS_FROM_ONE', limits.invitationsFromOne);
    if (invited >= limits.invitations) throw invitationsFull('MAX_INVITATIONS', limits.invitations);

    const holds = sql`${whenMember(investigation, actor, 'owner')}
      and ${isOpenStudy(investigation)}
      and ${code == null ? sql`1` : sql`not ${isTaken({ investigation, code, email }, now)}`}`;
    await db.batch([
      // An expired invitation makes room for the new one.
      db.delete(invitations).where(isInvitation(investigation, email)),
      db.insert(invitations).values({
        email,
        investigationId: investigation,
        // Null fails the batch if the read no longer holds.
        role: sql`case when ${holds} then ${role} end`,
        invitedBy: actor,
        createdAt: now,
        code: code ?? null,
        properties,
        scope,
      }),
    ]);
    return { invitation: { email, role, code: code ?? null, properties, scope }, created: true };
  });
}

/** The fields to change: a code or a scope of null is taken away, and so is a property of null. */
export interface InvitationChange {
  code?: string | null | undefined;
  properties?: Readonly<Record<string, string | null>> | undefined;
  scope?: PropertyRule | null | undefined;
}

/**
 * Gives an open invitation another code, other properties or another scope, or none; for owners.
 * @throws request.invalid, resource.not-found, action.forbidden, member.code-taken
 */
export function changeInvitation(
  context: Context,
  investigation: string,
  email: string,
  { code, properties, scope }: InvitationChange,
) {
  const { db, actor, now } = context;
  return withOptimisticRetry(async () => {
    const [[me], [held], [before], [study]] = await db.batch([
      selectRole(db, investigation, actor),
      selectTaken(context, { investigation, code, email }),
      db
        .select({ role: invitations.role })
        .from(invitations)
        .where(and(isInvitation(investigation, email), isUnexpired(now))),
      selectDeclared(db, investigation),
    ]);
    requireOwner(me, 'change invitations');
    if (!before) throw notFound('member');
    if (held?.taken) throw codeTaken();
    const declared = study?.properties ?? [];
    requireKnown(properties ?? {}, declared, '/properties');
    requireScope(scope, before.role, declared);
    const isFree = code == null ? sql`1` : sql`not ${isTaken({ investigation, code, email }, now)}`;
    const [changed] = await db
      .update(invitations)
      .set({
        ...(code !== undefined && { code }),
        ...(properties && {
          properties: sql`nullif(json_patch(coalesce(${invitations.properties}, '{}'), ${JSON.stringify(properties)}), '{}')`,
        }),
        ...(scope !== undefined && { scope }),
        // A null role fails the statement if the code was taken since, or the address was invited in another role.
        role: sql`case when ${isFree} and role = ${before.role} then role end`,
      })
      .where(
        and(isInvitation(investigation, email), isUnexpired(now), whenMember(investigation, actor, 'owner')),
      )
      .returning({
        email: invitations.email,
        role: invitations.role,
        code: invitations.code,
        properties: invitations.properties,
        scope: invitations.scope,
      });
    if (!changed) throw notFound('member');
    return changed;
  });
}

const countWhere = (db: Database, where: SQL | undefined, now: number) =>
  db
    .select({ count: sql<number>`count(*)`.as('invitation_count') })
    .from(invitations)
    .where(and(where, isUnexpired(now)));

/** An inviter's open invitations to the address. Those of others are neither counted nor read. */
const countFromInviter = (
  db: Database,
  { inviter, email, now }: { inviter: string; email: string; now: number },
) => countWhere(db, and(eq(invitations.invitedBy, inviter), eq(invitations.email, email)), now);

/** The open invitations to a study: they count among its members. */
export const countOfStudy = (db: Database, investigation: string | SQL, now: number) =>
  countWhere(db, eq(invitations.investigationId, investigation), now);

/** Withdraws a pending invitation; for owners. @throws resource.not-found, action.forbidden */
export async function withdrawInvitation({ db, actor }: Context, investigation: string, email: string) {
  const [[me], gone] = await db.batch([
    selectRole(db, investigation, actor),
    db
      .delete(invitations)
      .where(and(isInvitation(investigation, email), whenMember(investigation, actor, 'owner')))
      .returning({ email: invitations.email }),
  ]);
  requireOwner(me, 'withdraw invitations');
  if (gone.length === 0) throw notFound('member');
}

/** Open invitations to a study, by address; with a `code`, only the one that reserves it. For owners only. */
export const selectInvitations = (
  { db, actor, now }: Context,
  investigation: string,
  { after, limit, code }: { after: string; limit: number; code?: string | undefined },
) =>
  db
    .select({
      email: invitations.email,
      role: invitations.role,
      createdAt: invitations.createdAt,
      code: invitations.code,
      properties: invitations.properties,
      scope: invitations.scope,
    })
    .from(invitations)
    .where(
      and(
        eq(invitations.investigationId, investigation),
        sql`${invitations.email} > ${after}`,
        isUnexpired(now),
        code === undefined ? undefined : eq(invitations.code, code),
        whenMember(investigation, actor, 'owner'),
      ),
    )
    .orderBy(invitations.email)
    .limit(limit);

/** In SQL: the address that the user has proved to be theirs. */
export const emailOf = (user: string) =>
  sql<string>`(select email from user where id = ${user} and deleted_at is null)`;

export type ReceivedInvitation = Awaited<ReturnType<typeof selectReceived>>[number];

export interface ReceivedPage {
  /** The time and the study of the last invitation on the previous page. */
  after?: readonly [number, string] | undefined;
  limit: number;
}

/** The invitations of a user, oldest first; one extra row if more remain. */
export const selectReceived = (db: Database, user: string, now: number, { after, limit }: ReceivedPage) =>
  db
    .select({
      investigation: invitations.investigationId,
      study: sql<string>`${investigations.name}`.as('study_name'),
      role: invitations.role,
      createdAt: sql<number>`${invitations.createdAt}`.as('invited_at'),
      invitedBy: sql<string>`coalesce(${users.id}, ${sql.raw(`'${nobody}'`)})`.as('inviter'),
      inviter: users.name,
    })
    .from(invitations)
    .innerJoin(investigations, eq(investigations.id, invitations.investigationId))
    // An inviter who is an owner or editor no more is nobody whom the invited person would see in the study.
    .leftJoin(
      users,
      and(
        eq(users.id, invitations.invitedBy),
        whenMember(sql`${invitations.investigationId}`, sql`${invitations.invitedBy}`, ...editors),
      ),
    )
    .where(
      and(
        eq(invitations.email, emailOf(user)),
        isOffered(now),
        after && sql`(${invitations.createdAt}, ${invitations.investigationId}) > (${after[0]}, ${after[1]})`,
      ),
    )
    .orderBy(invitations.createdAt, invitations.investigationId)
    .limit(limit + 1);

/** The caller's invitations. @throws resource.not-found when the user is deleted */
export async function listInvitations({ db, actor, now }: Context, page: ReceivedPage) {
  const [[me], rows] = await db.batch([selectAlive(db, actor), selectReceived(db, actor, now, page)]);
  if (!me) throw notFound('user');
  return rows;
}

/** Declines an invitation to the caller. @throws resource.not-found */
export async function declineInvitation({ db, actor, now }: Context, investigation: string): Promise<void> {
  const gone = await db
    .delete(invitations)
    .where(
      and(
        eq(invitations.email, emailOf(actor)),
        eq(invitations.investigationId, investigation),
        isOffered(now),
      ),
    )
    .returning({ email: invitations.email });
  if (gone.length === 0) throw notFound('invitation');
}
