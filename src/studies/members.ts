import { and, eq, isNull, sql } from 'drizzle-orm';
import { isOpenStudy, requireOpen } from '../access/edit-guards.ts';
import { hasMemberships, hasRoom, membershipsFull, selectSize, studyFull } from '../access/limits.ts';
import { selectRole, whenMember } from '../access/visibility.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { forbidden, notFound, Problem } from '../errors.ts';
import {
  appendActivity,
  chainEntry,
  headOf,
  type NewActivity,
  selectHead,
  withOptimisticRetry,
} from '../log/activities.ts';
import { roleChange } from '../log/details.ts';
import { users } from '../people/schema.ts';
import { replanLeaver, replanSelected, replanUser } from '../reminders/outbox.ts';
import { selectInvitations } from './invitations.ts';
import { allMembers, members, type Role } from './schema.ts';

export interface Membership {
  investigation: string;
  user: string;
}

const selectMembers = (db: Database, investigation: string) =>
  db
    .select({ id: users.id, name: users.name, role: members.role, lastOwner: isLastOwner.as('last_owner') })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.investigationId, investigation))
    .$dynamic();

/** In SQL: the `current_member` row is that of the study's only owner. The index of owners and editors asks for the `<>`. */
export const isLastOwner = sql<number>`("current_member"."role" = 'owner' and not exists (
  select 1 from current_member o where o.investigation_id = "current_member"."investigation_id"
  and o.role = 'owner' and o.role <> 'responder' and o.user_id <> "current_member"."user_id"))`;

const isMembership = (
  { investigation, user }: Membership,
  table: typeof members | typeof allMembers = members,
) => and(eq(table.investigationId, investigation), eq(table.userId, user));

export interface MemberPage {
  /** Only members of this role, but invitations of all roles. */
  role?: Role | undefined;
  /** The last member and the last invitation of the previous page. */
  after?: readonly [string, string] | undefined;
  limit: number;
}

/**
 * Members by identifier and, for owners, pending invitations by address; one extra row of each if more remain. One round
 * trip.
 * @throws resource.not-found
 */
export async function listMembers(context: Context, investigation: string, page: MemberPage) {
  const { db, actor } = context;
  const [member, invitation] = page.after ?? ['', ''];
  const [[me], rows, invited] = await db.batch([
    selectRole(db, investigation, actor),
    selectMembers(db, investigation)
      .where(
        and(
          eq(members.investigationId, investigation),
          sql`${members.userId} > ${member}`,
          page.role && hasRole(page.role),
          whenMember(investigation, actor),
        ),
      )
      .orderBy(members.userId)
      .limit(page.limit + 1),
    selectInvitations(context, investigation, invitation, page.limit + 1),
  ]);
  if (!me) throw notFound('investigation');
  return { rows, invited };
}

/** In SQL: a condition by which SQLite uses the index of owners and editors. */
const hasRole = (role: Role) =>
  and(eq(members.role, role), role === 'responder' ? undefined : sql`${members.role} <> 'responder'`);

/**
 * Adds a user; for owners, while the study has room. Identifiers cannot be guessed and are shown to co-members only:
 * knowing one is permission enough to add its user. Repeating it changes nothing.
 * @throws resource.not-found, action.forbidden, member.exists, study.archived, limit.reached
 */
export async function addMember(context: Context, { investigation, user: id }: Membership, role: Role) {
  const { db, actor, now, limits } = context;
  return withOptimisticRetry(context, async () => {
    const [[me], [user], head, [size]] = await db.batch([
      selectRole(db, investigation, actor),
      selectCandidate(context, investigation, id),
      selectHead(db, investigation),
      selectSize(db, investigation),
    ]);
    if (!me) throw notFound('investigation');
    if (me.role !== 'owner') throw forbidden('Only owners add members.');
    if (!user) throw unknownUser();

    const member = { id, name: user.name, role };
    if (user.role === role) return { member, created: false };
    if (user.role) throw new Problem('member.exists', `This user is already a member, as ${user.role}.`);

    requireOpen(size);
    if (size && size.memberCount >= limits.members) throw studyFull('members', limits.members);
    if (user.memberships >= limits.memberships) throw membershipsFull(limits.memberships, 'The user is');
    const details = roleChange(id, null, role);
    const entry: NewActivity = { investigation, actor, action: 'member.added', details };
    await db.batch([
      appendActivity(db, await chainEntry(headOf(head), entry, context)),
      db.insert(allMembers).values({
        investigationId: investigation,
        // Null fails the batch if the user was deleted since, the study archived, or the last place taken.
        userId: sql`(select id from user where id = ${id} and deleted_at is null
          and ${hasMemberships(1, limits.memberships)} and ${isOpenStudy(investigation)} and ${hasRoom(investigation, 'member_count', limits.members)})`,
        role,
        createdAt: now,
      }),
      ...replanUser(context, id),
    ]);
    return { member, created: true };
  });
}

const unknownUser = () =>
  new Problem('resource.not-found', 'There is no such user who could be added.', {
    errors: [{ pointer: '/user', detail: 'Expected the identifier of a user, or an e-mail instead.' }],
  });

const selectCandidate = ({ db, actor }: Context, investigation: string, user: string) =>
  db
    .select({
      name: users.name,
      memberships: users.membershipCount,
      role: sql<Role | null>`(select m.role from current_member m where m.investigation_id = ${investigation} and m.user_id = "user".id)`.as(
        'role',
      ),
    })
    .from(users)
    .where(and(eq(users.id, user), isNull(users.deletedAt), whenMember(investigation, actor, 'owner')));

/**
 * A responder takes part from then on, and an owner or editor without phone and download no longer.
 * @throws resource.not-found, action.forbidden, member.last-owner, limit.reached
 */
export async function changeRole(context: Context, membership: Membership, role: Role) {
  const { db, actor } = context;
  const { investigation, user } = membership;
  return withOptimisticRetry(context, async () => {
    const { me, target, head } = await readPair(context, membership);
    if (me.role !== 'owner') throw forbidden('Only owners change roles.');
    if (target.role === role) return { ...target, role };
    if (target.lastOwner) throw lastOwner();
    const details = roleChange(user, target.role, role);
    const entry: NewActivity = { investigation, actor, action: 'member.role-changed', details };
    const isTarget = isMembership(membership, allMembers);
    const [, , , jobs] = await db.batch([
      appendActivity(db, await chainEntry(headOf(head), entry, context)),
      db.update(allMembers).set({ role }).where(isTarget),
      ...replanSelected(context, beginsOrEnds(membership)),
      db
        .update(allMembers)
        .set({ participantSince: sinceWhen(context) })
        .where(isTarget),
    ]);
    context.outbox.push(...jobs);
    return { ...target, role };
  });
}

/** In SQL: the member, if they begin to take part or no longer do, with the role that they have by now. */
const beginsOrEnds = ({ investigation, user }: Membership) =>
  sql`select m.user_id from member m where m.investigation_id = ${investigation} and m.user_id = ${user}
    and (m.participant_since is null) = exists (
      select 1 from participant p where p.investigation_id = m.investigation_id and p.user_id = m.user_id)`;

/** In SQL: since when they take part. */
const sinceWhen = ({ now }: Context) =>
  sql`(select coalesce(member.participant_since, ${now}) from participant p
    where p.investigation_id = member.investigation_id and p.user_id = member.user_id)`;

/** Owners remove anyone; others remove themselves. @throws resource.not-found, action.forbidden, member.last-owner */
export async function removeMember(context: Context, membership: Membership): Promise<void> {
  const { db, actor } = context;
  const { investigation, user } = membership;
  await withOptimisticRetry(context, async () => {
    const { me, target, head } = await readPair(context, membership);
    if (me.role !== 'owner' && user !== actor) throw forbidden('Only owners remove other members.');
    if (target.lastOwner) throw lastOwner();
    const details = roleChange(user, target.role, null);
    const entry: NewActivity = { investigation, actor, action: 'member.removed', details };
    await db.batch([
      appendActivity(db, await chainEntry(headOf(head), entry, context)),
      db.delete(allMembers).where(isMembership(membership, allMembers)),
      ...replanLeaver(context, { user, investigation }),
    ]);
  });
}

/** The actor, the member in question and the head of the log, which is the lock of what is logged. */
async function readPair({ db, actor }: Context, membership: Membership) {
  const { investigation } = membership;
  const [[me], [target], head] = await db.batch([
    selectRole(db, investigation, actor),
    selectMembers(db, investigation).where(and(isMembership(membership), whenMember(investigation, actor))),
    selectHead(db, investigation),
  ]);
  if (!me) throw notFound('investigation');
  if (!target) throw notFound('member');
  return { me, target, head };
}

const lastOwner = () =>
  new Problem('member.last-owner', 'A study keeps at least one owner: make somebody else an owner first.');
