import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { invitations, members, notifications, type Role, surveys, users } from '../db/schema.ts';
import { forbidden, invalid, notFound, Problem } from '../errors.ts';
import { appendActivity, headOf, inTurn, seal, selectHead } from './activities.ts';
import { insertReplan, replanJob } from './replans.ts';
import { selectRole } from './visibility.ts';

const selectMembers = (db: Database, investigation: string) =>
  db
    .select({
      id: users.id,
      name: users.name,
      role: members.role,
      createdAt: sql<number>`${members.createdAt}`.as('joined'),
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.investigationId, investigation))
    .$dynamic();

export interface MemberPage {
  after?: string | undefined;
  limit: number;
}

/** Members by identifier; invitations that wait, for owners only. @throws resource.not-found */
export async function listMembers(db: Database, actor: string, investigation: string, page: MemberPage) {
  const [[me], rows, invited] = await db.batch([
    selectRole(db, investigation, actor),
    selectMembers(db, investigation)
      .where(
        and(
          eq(members.investigationId, investigation),
          page.after ? sql`${members.userId} > ${page.after}` : undefined,
          isMember(investigation, actor),
        ),
      )
      .orderBy(members.userId)
      .limit(page.limit + 1),
    db
      .select({ email: invitations.email, role: invitations.role })
      .from(invitations)
      .where(
        and(
          eq(invitations.investigationId, investigation),
          page.after ? sql`0` : undefined,
          sql`${isMember(investigation, actor)} and (select role from member where investigation_id = ${investigation} and user_id = ${actor}) = 'owner'`,
        ),
      )
      .limit(1000),
  ]);
  if (!me) throw notFound('investigation');
  return { rows, invited };
}

const isMember = (investigation: string, user: string) =>
  sql`exists (select 1 from member me where me.investigation_id = ${investigation} and me.user_id = ${user})`;

export type NewMember = { user: string; role: Role } | { email: string; role: Role };

/**
 * Adds a member, by an owner. An unknown e-mail waits as an invitation. Doing it again changes nothing.
 * @throws resource.not-found, action.forbidden, request.invalid, member.exists
 */
export async function addMember(
  db: Database,
  actor: string,
  investigation: string,
  added: NewMember,
  now: number,
) {
  return inTurn(async () => {
    const [[me], [user], head] = await db.batch([
      selectRole(db, investigation, actor),
      selectCandidate(db, actor, investigation, added),
      selectHead(db, investigation),
    ]);
    if (!me) throw notFound('investigation');
    if (me.role !== 'owner') throw forbidden('Only owners add members.');
    if (!user) {
      if ('user' in added)
        throw invalid('/user', 'Expected the identifier of a user you share a study with, or an e-mail.');
      return invite(db, actor, investigation, added, now);
    }
    const member = { id: user.id, name: user.name, role: added.role };
    if (user.role === added.role) return { member, created: false, job: null };
    if (user.role) throw new Problem('member.exists', `This user is already a member, as ${user.role}.`);

    const job = replanJob({ user: user.id }, now);
    await db.batch([
      db
        .insert(members)
        .values({ investigationId: investigation, userId: user.id, role: added.role, createdAt: now }),
      appendActivity(
        db,
        await seal(
          headOf(head),
          { investigation, actor, action: 'member.added', details: { member: user.id, role: added.role } },
          now,
        ),
      ),
      bumpPlan(db, user.id),
      insertReplan(db, job, now),
    ]);
    return { member, created: true, job };
  });
}

/** Who is signed up with the address, or the user of that identifier: both prove that the owner knows them. */
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
        isMember(investigation, actor),
      ),
    )
    .orderBy(users.createdAt)
    .limit(1);

async function invite(
  db: Database,
  actor: string,
  investigation: string,
  { email, role }: { email: string; role: Role },
  now: number,
) {
  const [before] = await db
    .select({ role: invitations.role })
    .from(invitations)
    .where(and(eq(invitations.email, email), eq(invitations.investigationId, investigation)));
  const row = { email, investigationId: investigation, role, invitedBy: actor, createdAt: now };
  await db
    .insert(invitations)
    .values(row)
    .onConflictDoUpdate({ target: [invitations.email, invitations.investigationId], set: { role } });
  return { invitation: { email, role }, created: before === undefined, job: null };
}

/** Plans made before this moment are not stored any more. */
const bumpPlan = (db: Database, user: string) =>
  db
    .update(users)
    .set({ planStamp: sql`${users.planStamp} + 1` })
    .where(eq(users.id, user));

async function readPair(db: Database, actor: string, investigation: string, member: string) {
  const [[me], [target], head, [owners]] = await db.batch([
    selectRole(db, investigation, actor),
    selectMembers(db, investigation).where(
      and(
        eq(members.investigationId, investigation),
        eq(members.userId, member),
        isMember(investigation, actor),
      ),
    ),
    selectHead(db, investigation),
    db
      .select({ n: sql<number>`count(*)`.as('n') })
      .from(members)
      .where(and(eq(members.investigationId, investigation), eq(members.role, 'owner'))),
  ]);
  if (!me) throw notFound('investigation');
  if (!target) throw notFound('member');
  return { me, target, head, lastOwner: target.role === 'owner' && owners?.n === 1 };
}

const lastOwner = () =>
  new Problem('member.last-owner', 'Make somebody else an owner first: a study keeps at least one.');

/** @throws resource.not-found, action.forbidden, member.last-owner */
export async function changeRole(
  db: Database,
  actor: string,
  { investigation, member, role }: { investigation: string; member: string; role: Role },
  now: number,
) {
  return inTurn(async () => {
    const { me, target, head, ...pair } = await readPair(db, actor, investigation, member);
    if (me.role !== 'owner') throw forbidden('Only owners change roles.');
    if (target.role === role) return { ...target, role };
    if (pair.lastOwner) throw lastOwner();
    await db.batch([
      appendActivity(
        db,
        await seal(
          headOf(head),
          {
            investigation,
            actor,
            action: 'member.role-changed',
            details: { member, from: target.role, to: role },
          },
          now,
        ),
      ),
      db
        .update(members)
        .set({ role })
        .where(and(eq(members.investigationId, investigation), eq(members.userId, member))),
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
  return inTurn(async () => {
    const { me, head, ...pair } = await readPair(db, actor, investigation, member);
    if (me.role !== 'owner' && member !== actor) throw forbidden('Only owners remove other members.');
    if (pair.lastOwner) throw lastOwner();
    await db.batch([
      appendActivity(
        db,
        await seal(
          headOf(head),
          { investigation, actor, action: 'member.removed', details: { member } },
          now,
        ),
      ),
      db.delete(members).where(and(eq(members.investigationId, investigation), eq(members.userId, member))),
      bumpPlan(db, member),
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
