import { and, eq, gt, isNull, not, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isUniqueViolation } from '../db/errors.ts';
import { each, oneOf } from '../db/json.ts';
import { allMembers, investigations, invitations, members, type Role, users } from '../db/schema.ts';
import { selectRow } from '../db/select-row.ts';
import { forbidden, notFound, Problem } from '../errors.ts';
import { ConflictError, insertActivities, withOptimisticRetry } from './activities.ts';
import { roleChange } from './activity-details.ts';
import type { Context } from './context.ts';
import { isOpenStudy, requireOpen } from './edit-guards.ts';
import {
  hasMemberships,
  hasRoom,
  invitationsFull,
  membershipsFull,
  selectSize,
  studyFull,
} from './limits.ts';
import { replanUser } from './reminders/outbox.ts';
import { isDeletedStudy, selectRole, whenMember } from './visibility.ts';

export interface Invitation {
  email: string;
  role: Role;
}

export const invitationLifetimeMs = 30 * 24 * 3600 * 1000;

export const expiryOf = ({ createdAt }: { createdAt: number }) => createdAt + invitationLifetimeMs;

/** In SQL: the invitation has not expired. */
export const isUnexpired = (now: number) => gt(invitations.createdAt, now - invitationLifetimeMs);

/** In SQL: the invitation has not expired, and its study is there. */
const isOffered = (now: number) => and(isUnexpired(now), not(isDeletedStudy(invitations.investigationId)));

const isInvitation = (investigation: string, email: string) =>
  and(eq(invitations.email, email), eq(invitations.investigationId, investigation));

/**
 * Invites an address, whether somebody signed up with it or not; for owners, while the study has room. It expires after
 * 30 days. Repeating it changes nothing.
 * @throws resource.not-found, action.forbidden, invitation.exists, study.archived, limit.reached
 */
export function invite(context: Context, investigation: string, { email, role }: Invitation) {
  const { db, actor, now, limits } = context;
  return withOptimisticRetry(context, async () => {
    const [[me], [before], [waiting], [size]] = await db.batch([
      selectRole(db, investigation, actor),
      db
        .select({ role: invitations.role })
        .from(invitations)
        .where(and(isInvitation(investigation, email), isUnexpired(now))),
      db.select({ count: waitingFor(email, now).as('count') }).from(sql`(select 1)`),
      selectSize(db, investigation),
    ]);
    if (!me) throw notFound('investigation');
    if (me.role !== 'owner') throw forbidden('Only owners invite.');
    if (before && before.role !== role)
      throw new Problem('invitation.exists', `This address is already invited, as ${before.role}.`);
    if (before) return { invitation: { email, role }, created: false };
    requireOpen(size);
    if (size && size.memberCount >= limits.members) throw studyFull('members', limits.members);
    if (waiting && waiting.count >= limits.invitations) throw invitationsFull(limits.invitations);

    const holds = sql`${whenMember(investigation, actor, 'owner')}
      and ${isOpenStudy(investigation)}
      and ${hasRoom(investigation, 'member_count', limits.members)}
      ${Number.isFinite(limits.invitations) ? sql`and ${waitingFor(email, now)} < ${limits.invitations}` : sql``}`;
    await db
      .batch([
        // One that has expired makes room for the new one.
        db.delete(invitations).where(isInvitation(investigation, email)),
        db.insert(invitations).values({
          email,
          investigationId: investigation,
          // Null fails the batch when what was read no longer holds.
          role: sql`case when ${holds} then ${role} end`,
          invitedBy: actor,
          createdAt: now,
        }),
      ])
      .catch((error) => {
        throw isUniqueViolation(error, 'invitation') ? new ConflictError() : error;
      });
    return { invitation: { email, role }, created: true };
  });
}

const waitingFor = (email: string, now: number) =>
  sql<number>`(select count(*) from invitation where email = ${email} and created_at > ${now - invitationLifetimeMs})`;

/** Withdraws a pending invitation; for owners. @throws resource.not-found, action.forbidden */
export async function withdrawInvitation({ db, actor }: Context, investigation: string, email: string) {
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

/** Invitations to a study that wait, by address. For owners only. */
export const selectInvitations = (
  { db, actor, now }: Context,
  investigation: string,
  after: string,
  limit: number,
) =>
  db
    .select({ email: invitations.email, role: invitations.role })
    .from(invitations)
    .where(
      and(
        eq(invitations.investigationId, investigation),
        sql`${invitations.email} > ${after}`,
        isUnexpired(now),
        whenMember(investigation, actor, 'owner'),
      ),
    )
    .orderBy(invitations.email)
    .limit(limit);

/** In SQL: the address that the user has proved to be theirs. */
const emailOf = (user: string) =>
  sql<string>`(select email from user where id = ${user} and deleted_at is null)`;

/** The caller's invitations, oldest first. @throws resource.not-found when the user is deleted */
export async function listInvitations({ db, actor, now }: Context) {
  const [[me], rows] = await db.batch([
    db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, actor), isNull(users.deletedAt))),
    db
      .select({
        investigation: invitations.investigationId,
        study: sql<string>`${investigations.name}`.as('study_name'),
        role: invitations.role,
        createdAt: sql<number>`${invitations.createdAt}`.as('invited_at'),
        invitedBy: users.id,
        inviter: users.name,
      })
      .from(invitations)
      .innerJoin(investigations, eq(investigations.id, invitations.investigationId))
      .innerJoin(users, eq(users.id, invitations.invitedBy))
      .where(and(eq(invitations.email, emailOf(actor)), isOffered(now)))
      .orderBy(invitations.createdAt, invitations.investigationId),
  ]);
  if (!me) throw notFound('user');
  return rows;
}

/** Which invitations: those of an address, or the one of them to a study. */
interface Scope {
  email: string | SQL<string>;
  investigation?: string;
}

const isWaiting = ({ email, investigation }: Scope, now: number) =>
  sql`invitation.email = ${email} and invitation.created_at > ${now - invitationLifetimeMs}
    ${investigation === undefined ? sql`` : sql`and invitation.investigation_id = ${investigation}`}
    and exists (select 1 from investigation where id = invitation.investigation_id and archived_at is null)`;

export type Waiting = Awaited<ReturnType<typeof selectWaiting>>;

/** What waits in studies that take members, and whether the user is a member already. */
export const selectWaiting = (db: Database, scope: Scope, user: string | SQL, now: number) =>
  db
    .select({
      investigation: invitations.investigationId,
      role: invitations.role,
      invitedBy: invitations.invitedBy,
      isMember: sql<number>`exists (select 1 from current_member m where m.user_id = ${user}
        and m.investigation_id = invitation.investigation_id)`.as('is_member'),
      logged: sql<number>`coalesce((select max(position) from activity
        where activity.investigation_id = invitation.investigation_id), 0)`.as('logged'),
    })
    .from(invitations)
    .where(isWaiting(scope, now))
    .orderBy(invitations.investigationId);

/** Those for which the user and the studies' logs have room: the rest goes on waiting. */
export function withinLimits(
  { limits }: Pick<Context, 'limits'>,
  waiting: Waiting,
  memberships: number,
): Waiting {
  let room = limits.memberships - memberships;
  return waiting.filter(({ isMember, logged }) => isMember || (logged < limits.activities && room-- > 0));
}

/** In SQL: what waits is what was read. */
export const isStillWaiting = (scope: Scope, waiting: Waiting, now: number) =>
  sql`(select coalesce(group_concat(entry), '') from (
    select investigation_id || ' ' || role as entry from invitation
    where ${isWaiting(scope, now)} order by investigation_id))
    = ${waiting.map(({ investigation, role }) => `${investigation} ${role}`).join()}`;

/**
 * Statements that turn invitations into memberships, each with the entry in its study's log. Who is a member already
 * keeps their role. `user` is their identifier in SQL, null when they may not be accepted any more.
 */
export async function acceptAll(
  context: Context,
  { id, guarded }: { id: string; guarded: SQL },
  email: string | SQL<string>,
  waiting: Waiting,
) {
  if (waiting.length === 0) return [];
  const { db, now } = context;
  const joined = waiting.filter(({ isMember }) => !isMember);
  const entries = joined.map(({ investigation, role, invitedBy }) => ({
    investigation,
    actor: id,
    action: 'member.added' as const,
    details: { ...roleChange(id, null, role), invitedBy },
  }));
  const row = selectRow(allMembers, {
    investigationId: sql`value ->> 'investigation'`,
    userId: guarded,
    role: sql`value ->> 'role'`,
    pausedUntil: null,
    createdAt: now,
  });
  const studies = waiting.map(({ investigation }) => investigation);
  return [
    ...(await insertActivities(context, entries)),
    ...(joined.length > 0 ? [db.insert(allMembers).select(sql`${row} from ${each(joined)}`)] : []),
    db
      .delete(invitations)
      .where(and(eq(invitations.email, email), oneOf(invitations.investigationId, studies))),
  ];
}

/**
 * Makes the caller a member, and plans their reminders. Repeating it changes nothing.
 * @throws resource.not-found, study.archived, limit.reached
 */
export function acceptInvitation(context: Context, investigation: string) {
  const { db, actor, now, limits } = context;
  const scope = { email: emailOf(actor), investigation };
  return withOptimisticRetry(context, async () => {
    const [waiting, [member], [invited], [size]] = await db.batch([
      selectWaiting(db, scope, actor, now),
      db
        .select({ id: users.id, name: users.name, role: members.role })
        .from(members)
        .innerJoin(users, eq(users.id, members.userId))
        .where(and(eq(members.investigationId, investigation), eq(members.userId, actor))),
      db
        .select({ name: users.name, memberships: users.membershipCount })
        .from(invitations)
        .innerJoin(users, eq(users.email, invitations.email))
        .where(
          and(
            eq(users.id, actor),
            isNull(users.deletedAt),
            eq(invitations.investigationId, investigation),
            isOffered(now),
          ),
        ),
      selectSize(db, investigation),
    ]);
    const [invitation] = waiting;
    if (member && !invitation) return member;
    if (!invited) throw notFound('invitation');
    requireOpen(size);
    if (!invitation) throw new ConflictError();
    if (!member && invited.memberships >= limits.memberships) throw membershipsFull(limits.memberships);
    const guarded = sql`(select id from user where id = ${actor} and deleted_at is null
      and ${hasMemberships(1, limits.memberships)} and ${isStillWaiting(scope, waiting, now)})`;
    const [first, ...rest] = await acceptAll(context, { id: actor, guarded }, scope.email, waiting);
    if (first) await db.batch([first, ...rest, ...(member ? [] : replanUser(context, actor))]);
    return member ?? { id: actor, name: invited.name, role: invitation.role };
  });
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
