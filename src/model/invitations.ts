import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { invitations, type Role } from '../db/schema.ts';
import { forbidden, notFound } from '../errors.ts';
import { hasRoom } from './limits.ts';
import { selectRole, whenMember } from './visibility.ts';

export interface Invitation {
  email: string;
  role: Role;
}

/** Those of a study that wait for their addressees to sign up, by address. For owners only. */
export const selectInvitations = (
  db: Database,
  actor: string,
  investigation: string,
  { after, limit }: { after: string; limit: number },
) =>
  db
    .select({ email: invitations.email, role: invitations.role })
    .from(invitations)
    .where(
      and(
        eq(invitations.investigationId, investigation),
        sql`${invitations.email} > ${after}`,
        whenMember(investigation, actor, 'owner'),
      ),
    )
    .orderBy(invitations.email)
    .limit(limit);

const isInvitation = (investigation: string, email: string) =>
  and(eq(invitations.email, email), eq(invitations.investigationId, investigation));

/**
 * Invites an address that nobody signed up with; a later role replaces the earlier. Call it `withOptimisticRetry`: it fails
 * when somebody did since, when the actor is no longer an owner, or when the study has no room.
 */
export async function invite(
  db: Database,
  { actor, investigation, most }: { actor: string; investigation: string; most: number },
  { email, role }: Invitation,
  now: number,
) {
  const holds = sql`not exists (select 1 from user where email = ${email} and deleted_at is null)
    and ${whenMember(investigation, actor, 'owner')}
    and (${hasRoom(investigation, 'member_count', most)}
      or exists (select 1 from invitation where email = ${email} and investigation_id = ${investigation}))`;
  const [[before]] = await db.batch([
    db.select({ role: invitations.role }).from(invitations).where(isInvitation(investigation, email)),
    db
      .insert(invitations)
      .values({
        email,
        investigationId: investigation,
        role: sql`case when ${holds} then ${role} end`,
        invitedBy: actor,
        createdAt: now,
      })
      .onConflictDoUpdate({ target: [invitations.email, invitations.investigationId], set: { role } }),
  ]);
  return { invitation: { email, role }, created: before === undefined, job: null };
}

/** Withdraws an invitation that waits, by an owner. @throws resource.not-found, action.forbidden */
export async function withdrawInvitation(db: Database, actor: string, investigation: string, email: string) {
  const [[me], gone] = await db.batch([
    selectRole(db, investigation, actor),
    db
      .delete(invitations)
      .where(and(isInvitation(investigation, email), whenMember(investigation, actor, 'owner')))
      .returning({ email: invitations.email }),
  ]);
  if (!me) throw notFound('investigation');
  if (me.role !== 'owner') throw forbidden('Only owners withdraw invitations.');
  if (gone.length === 0) throw notFound('member');
}
