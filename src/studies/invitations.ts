import { and, eq, gt, not, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { notFound, Problem } from '../errors.ts';
import { withOptimisticRetry } from '../log/activities.ts';
import { users } from '../people/schema.ts';
import { isOpenStudy, requireOpen } from '../permissions/edit-guards.ts';
import { invitationsFull, selectSize, studyFull } from '../permissions/limits.ts';
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

export interface Invitation {
  email: string;
  role: Role;
  /** The code that the new member will have. */
  code?: string | null | undefined;
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
 * @throws resource.not-found, action.forbidden, invitation.exists, member.code-taken, study.archived, limit.reached
 */
export function invite(context: Context, investigation: string, { email, role, code }: Invitation) {
  const { db, actor, now, limits } = context;
  return withOptimisticRetry(async () => {
    const [[me], [before], [fromMe], [ofStudy], [size], [held]] = await db.batch([
      selectRole(db, investigation, actor),
      db
        .select({ role: invitations.role, code: invitations.code })
        .from(invitations)
        .where(and(isInvitation(investigation, email), isUnexpired(now))),
      countFromInviter(db, { inviter: actor, email, now }),
      countOfStudy(db, investigation, now),
      selectSize(db, investigation),
      selectTaken(context, { investigation, code, email }),
    ]);
    requireOwner(me, 'invite');
    if (before && before.role !== role)
      throw new Problem('invitation.exists', `This address is already invited, as ${before.role}.`);
    if (before && code != null && before.code !== code)
      throw new Problem('invitation.exists', 'This address is already invited, with another code or none.');
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
      }),
    ]);
    return { invitation: { email, role, code: code ?? null }, created: true };
  });
}

/**
 * Gives an open invitation another code, or none; for owners.
 * @throws resource.not-found, action.forbidden, member.code-taken
 */
export function changeInvitation(
  context: Context,
  investigation: string,
  email: string,
  code: string | null,
) {
  const { db, actor, now } = context;
  return withOptimisticRetry(async () => {
    const [[me], [held]] = await db.batch([
      selectRole(db, investigation, actor),
      selectTaken(context, { investigation, code, email }),
    ]);
    requireOwner(me, 'change invitations');
    if (held?.taken) throw codeTaken();
    const isFree = code === null ? sql`1` : sql`not ${isTaken({ investigation, code, email }, now)}`;
    const [changed] = await db
      .update(invitations)
      // A null role fails the statement if the code was taken since.
      .set({ code, role: sql`case when ${isFree} then role end` })
      .where(
        and(isInvitation(investigation, email), isUnexpired(now), whenMember(investigation, actor, 'owner')),
      )
      .returning({ email: invitations.email, role: invitations.role, code: invitations.code });
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
