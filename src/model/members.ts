import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isGuardViolation } from '../db/errors.ts';
import { members, notifications, type Role, surveys, users } from '../db/schema.ts';
import { forbidden, notFound, Problem } from '../errors.ts';
import {
  appendActivity,
  chainEntry,
  headOf,
  type NewActivity,
  selectHead,
  withOptimisticRetry,
} from './activities.ts';
import { invite, selectInvitations } from './invitations.ts';
import { hasRoom, selectSize, studyFull } from './limits.ts';
import { insertReplan, replanJob } from './reminders/outbox.ts';
import { bumpPlan } from './users.ts';
import { selectRole, whenMember } from './visibility.ts';

const selectMembers = (db: Database, investigation: string) =>
  db
    .select({ id: users.id, name: users.name, role: members.role, lastOwner: isLastOwner.as('last_owner') })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.investigationId, investigation))
    .$dynamic();

/** In SQL: the membership at hand is that of the study's only owner. */
export const isLastOwner = sql<number>`("member"."role" = 'owner' and not exists (
  select 1 from member o where o.investigation_id = "member"."investigation_id"
  and o.role = 'owner' and o.user_id <> "member"."user_id"))`;

export interface MemberPage {
  /** The last member and the last invitation of the page before. */
  after?: readonly [string, string] | undefined;
  limit: number;
}

/**
 * Members by identifier and, for owners, invitations that wait, by address; one row more of each when more
 * remain. One round trip. @throws resource.not-found
 */
export async function listMembers(db: Database, actor: string, investigation: string, page: MemberPage) {
  const [member, invitation] = page.after ?? ['', ''];
  const [[me], rows, invited] = await db.batch([
    selectRole(db, investigation, actor),
    selectMembers(db, investigation)
      .where(
        and(
          eq(members.investigationId, investigation),
          sql`${members.userId} > ${member}`,
          whenMember(investigation, actor),
        ),
      )
      .orderBy(members.userId)
      .limit(page.limit + 1),
    selectInvitations(db, actor, investigation, { after: invitation, limit: page.limit + 1 }),
  ]);
  if (!me) throw notFound('investigation');
  return { rows, invited };
}

export type NewMember = { user: string; role: Role } | { email: string; role: Role };

/**
 * Adds a member, by an owner, as long as there are fewer than `most`. An unknown e-mail waits as an invitation. Doing
 * it again changes nothing. @throws resource.not-found, action.forbidden, member.exists, study.full
 */
export async function addMember(
  db: Database,
  { actor, investigation, most }: { actor: string; investigation: string; most: number },
  added: NewMember,
  now: number,
) {
  return withOptimisticRetry(async () => {
    const [[me], [user], head, [size]] = await db.batch([
      selectRole(db, investigation, actor),
      selectCandidate(db, actor, investigation, added),
      selectHead(db, investigation),
      selectSize(db, investigation),
    ]);
    if (!me) throw notFound('investigation');
    if (me.role !== 'owner') throw forbidden('Only owners add members.');
    const full = size !== undefined && size.memberCount >= most;
    if (!user) {
      if ('user' in added) throw unknownUser();
      return invite(db, { actor, investigation, most }, added, now).catch((error) => {
        throw full && isGuardViolation(error) ? studyFull('members', most) : error;
      });
    }

    const member = { id: user.id, name: user.name, role: added.role };
    if (user.role === added.role) return { member, created: false, job: null };
    if (user.role) throw new Problem('member.exists', `This user is already a member, as ${user.role}.`);

    if (full) throw studyFull('members', most);
    const job = replanJob({ user: user.id }, now);
    const details = { member: user.id, role: added.role };
    const entry: NewActivity = { investigation, actor, action: 'member.added', details };
    await db.batch([
      appendActivity(db, await chainEntry(headOf(head), entry, now)),
      db.insert(members).values({
        investigationId: investigation,
        // Null, which fails the batch, when they deleted themselves since, or the last place was taken.
        userId: sql`(select id from user where id = ${user.id} and deleted_at is null
          and ${hasRoom(investigation, 'member_count', most)})`,
        role: added.role,
        createdAt: now,
      }),
      db.update(users).set(bumpPlan).where(eq(users.id, user.id)),
      insertReplan(db, job, now),
    ]);
    return { member, created: true, job };
  });
}

const unknownUser = () =>
  new Problem('resource.not-found', 'There is no such user.', {
    errors: [{ pointer: '/user', detail: 'Expected the identifier of a user, or an e-mail instead.' }],
  });

/**
 * Who is signed up with the address, or the user of that identifier. Identifiers are unguessable and shown to
 * fellows only: whoever has one got it in a study or from the user, which is leave enough to add them.
 */
const selectCandidate = (db: Database, actor: string, investigation: string, added: NewMember) =>
  db
    .select({
      id: users.id,
      name: users.name,
      role: sql<Role | null>`(select m.role from member m where m.investigation_id = ${investigation} and m.user_id = "user".id)`.as(
        'role',
      ),
    })
    .from(users)
    .where(
      and(
        isNull(users.deletedAt),
        'user' in added ? eq(users.id, added.user) : eq(users.email, added.email),
        whenMember(investigation, actor, 'owner'),
      ),
    )
    .orderBy(users.createdAt)
    .limit(1);

/** @throws resource.not-found, action.forbidden, member.last-owner */
export async function changeRole(
  db: Database,
  actor: string,
  { investigation, member, role }: { investigation: string; member: string; role: Role },
  now: number,
) {
  return withOptimisticRetry(async () => {
    const { me, target, head } = await readPair(db, actor, investigation, member);
    if (me.role !== 'owner') throw forbidden('Only owners change roles.');
    if (target.role === role) return { ...target, role };
    if (target.lastOwner) throw lastOwner();
    const details = { member, from: target.role, to: role };
    const entry: NewActivity = { investigation, actor, action: 'member.role-changed', details };
    await db.batch([
      appendActivity(db, await chainEntry(headOf(head), entry, now)),
      db.update(members).set({ role }).where(isMembership(investigation, member)),
    ]);
    return { ...target, role };
  });
}

/** Owners remove anyone, anyone themselves. @throws resource.not-found, action.forbidden, member.last-owner */
export async function removeMember(
  db: Database,
  actor: string,
  investigation: string,
  member: string,
  now: number,
) {
  await withOptimisticRetry(async () => {
    const { me, target, head } = await readPair(db, actor, investigation, member);
    if (me.role !== 'owner' && member !== actor) throw forbidden('Only owners remove other members.');
    if (target.lastOwner) throw lastOwner();
    const entry: NewActivity = { investigation, actor, action: 'member.removed', details: { member } };
    await db.batch([
      appendActivity(db, await chainEntry(headOf(head), entry, now)),
      db.delete(members).where(isMembership(investigation, member)),
      db.update(users).set(bumpPlan).where(eq(users.id, member)),
      db
        .delete(notifications)
        .where(
          and(
            eq(notifications.userId, member),
            isNull(notifications.settledAt),
            sql`${notifications.surveyId} in (select ${surveys.id} from ${surveys} where ${surveys.investigationId} = ${investigation})`,
          ),
        ),
    ]);
  });
}

const isMembership = (investigation: string, user: string) =>
  and(eq(members.investigationId, investigation), eq(members.userId, user));

/** The actor, the member in question and the log: what is logged changes one writer at a time. */
async function readPair(db: Database, actor: string, investigation: string, member: string) {
  const [[me], [target], head] = await db.batch([
    selectRole(db, investigation, actor),
    selectMembers(db, investigation).where(
      and(isMembership(investigation, member), whenMember(investigation, actor)),
    ),
    selectHead(db, investigation),
  ]);
  if (!me) throw notFound('investigation');
  if (!target) throw notFound('member');
  return { me, target, head };
}

const lastOwner = () =>
  new Problem('member.last-owner', 'Make somebody else an owner first: a study keeps at least one.');
