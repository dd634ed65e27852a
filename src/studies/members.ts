import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { forbidden, notFound, Problem } from '../errors.ts';
import { participantIssuer } from '../identifiers.ts';
import { roleChange } from '../log/details.ts';
import { logged, type RowsOf } from '../log/logged.ts';
import { users } from '../people/schema.ts';
import { isOpenStudy, requireOpen } from '../permissions/edit-guards.ts';
import { membershipCount, membershipsFull, selectSize, studyFull } from '../permissions/limits.ts';
import { codeOf, userWithCode } from '../permissions/member-codes.ts';
import { noteChange } from '../permissions/noted-changes.ts';
import { type Role, staff } from '../permissions/roles.ts';
import { peopleOfResponder, shownTo } from '../permissions/shown-people.ts';
import {
  isAlive,
  requireEditor,
  requireOwner,
  requireStaff,
  selectRole,
  whenMember,
} from '../permissions/visibility.ts';
import { effectiveZone, knownZone } from '../reminders/effective-zone.ts';
import { noteWoken, wakeLeaver, wakeSelected, wakeUser } from '../reminders/wake.ts';
import { localDate } from '../schedule/civil.ts';
import { type CourseChange, patched, patchOf, selectCourse, writePatches } from './course-patches.ts';
import { noCourse } from './dates.ts';
import { countOfStudy, selectInvitations } from './invitations.ts';
import { codeTaken, selectTaken, setCode } from './member-codes.ts';
import { allMembers, members } from './schema.ts';

export interface Membership {
  investigation: string;
  user: string;
}

/** A member as {@link shownTo} takes them. Needs the `user` row and the membership. */
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
});

const selectMembers = (db: Database, investigation: string) =>
  db
    .select({
      ...memberColumns(investigation),
      issuer: users.issuer,
      lastOwner: isLastOwner.as('last_owner'),
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.investigationId, investigation))
    .$dynamic();

/** In SQL, where a `user` row is read: the code of this study by which they enrolled. No other code costs a row read. */
const enrolmentOf = (investigation: string) =>
  sql`(select json_object('identifier', e.id, 'label', e.label) from enrolment e
    where e.id = ${users.enrolmentId} and e.investigation_id = ${investigation})`
    .mapWith((text: string): ShownEnrolment => JSON.parse(text))
    .as('enrolment') as SQL.Aliased<ShownEnrolment | null>;

export interface ShownEnrolment {
  identifier: string;
  label: string | null;
}

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
  /** Only the member or the invitation with this code; for owners, editors and monitors. */
  code?: string | undefined;
  /** The last member and the last invitation of the previous page. */
  after?: readonly [string, string] | undefined;
  limit: number;
}

/**
 * Members whom the actor sees, by identifier, and, for owners, pending invitations by address; one extra row of each if more
 * remain. One round trip.
 * @throws resource.not-found, action.forbidden
 */
export async function listMembers(context: Context, investigation: string, page: MemberPage) {
  const { db, actor } = context;
  const [member, invitation] = page.after ?? ['', ''];
  /** Behind every identifier for those who may not read the list, so that SQLite reads none of it. */
  const behind = (...roles: readonly Role[]) =>
    sql`case when ${whenMember(investigation, actor, ...roles)} then ${member} else 'g' end`;
  const selectPage = (isAsked: SQL) =>
    selectMembers(db, investigation)
      .where(
        and(
          eq(members.investigationId, investigation),
          isAsked,
          page.role && hasRole(page.role),
          page.code === undefined
            ? undefined
            : sql`${members.userId} = ${userWithCode(investigation, page.code)}`,
        ),
      )
      .orderBy(members.userId)
      .limit(page.limit + 1);
  const [[me], all, known, invited] = await db.batch([
    selectRole(db, investigation, actor),
    selectPage(sql`${members.userId} > ${behind(...staff)}`),
    // The `+` keeps SQLite to the few people, whom it would look for among all members.
    selectPage(sql`+${members.userId} > ${behind('responder')}
      and ${members.userId} in ${peopleOfResponder(investigation, actor)}`),
    selectInvitations(context, investigation, {
      after: invitation,
      limit: page.limit + 1,
      code: page.code,
    }),
  ]);
  if (!me) throw notFound('investigation');
  if (page.code !== undefined) requireStaff(me, 'see the codes of members');
  return { rows: [...all, ...known].map((row) => shownTo(me.role, row)), invited };
}

/** In SQL: a condition by which SQLite uses the index of owners and editors. */
const hasRole = (role: Role) =>
  and(eq(members.role, role), role === 'responder' ? undefined : sql`${members.role} <> 'responder'`);

/**
 * Adds a user; for owners, while the study has room. Identifiers cannot be guessed and are shown only to people who see
 * their user: knowing one is permission enough to add its user. Members who come back have their code again, unless they get another.
 * Repeating it changes nothing.
 * @throws resource.not-found, action.forbidden, member.exists, member.code-taken, study.archived, limit.reached
 */
export async function addMember(
  context: Context,
  { investigation, user: id }: Membership,
  { role, code }: { role: Role; code?: string | undefined },
) {
  const { db, actor, now, limits } = context;
  const read = () =>
    [
      selectRole(db, investigation, actor),
      selectCandidate(context, investigation, id),
      selectSize(db, investigation),
      countOfStudy(db, investigation, now),
      selectTaken(context, { investigation, code, user: id }),
    ] as const;
  return logged(context, investigation, read, async ([[me], [user], [size], [invited], [held]], write) => {
    requireOwner(me, 'add members');
    if (!user) throw unknownUser();

    const { name, invitedAs, enrolment, dates, participation } = user;
    const member = { id, name, role, code: code ?? user.code, invitedAs, enrolment, dates, participation };
    if (user.role === role && member.code === user.code) return { member, created: false };
    if (user.role)
      throw new Problem(
        'member.exists',
        user.role === role
          ? 'This user is already a member, with another code or none.'
          : `This user is already a member, as ${user.role}.`,
      );
    if (held?.taken) throw codeTaken();

    requireOpen(size);
    if ((size?.memberCount ?? 0) + (invited?.count ?? 0) >= limits.members)
      throw studyFull('members', limits.members);
    if (role !== 'responder') requireAccount(user);
    if (user.memberships >= limits.memberships) throw membershipsFull(limits.memberships, 'The user is');
    await write({ investigation, action: 'member.added', details: roleChange(id, null, role) }, [
      db.insert(allMembers).values({
        investigationId: investigation,
        // Null fails the batch if the user was deleted since, or the study archived.
        userId: sql`(select id from user where id = ${id} and deleted_at is null and ${isOpenStudy(investigation)})`,
        role,
        joinedOn: localDate(now, knownZone(user.timeZone)),
        createdAt: now,
      }),
      ...(code === undefined ? [] : setCode(context, { investigation, user: id, code })),
      ...wakeUser(context, id),
    ]);
    return { member, created: true };
  });
}

/**
 * A participant who enrolled by a code proves nothing by signing in: they stay a responder, and a program stays a monitor.
 * @throws action.forbidden
 */
function requireAccount({ issuer, isProgram }: { issuer: string | null; isProgram?: number }) {
  if (isProgram) throw forbidden('Programs can be monitors only.');
  if (issuer === participantIssuer)
    throw forbidden('Participants who enrolled by a code can be responders only.');
}

const unknownUser = () =>
  new Problem('resource.not-found', 'There is no such user who could be added.', {
    errors: [{ pointer: '/user', detail: 'Expected the identifier of a user, or an e-mail instead.' }],
  });

const selectCandidate = ({ db, actor }: Context, investigation: string, user: string) =>
  db
    .select({
      name: users.name,
      memberships: membershipCount.as('memberships'),
      issuer: users.issuer,
      enrolment: enrolmentOf(investigation),
      role: members.role,
      invitedAs: members.invitedAs,
      code: codeOf(investigation, users.id).as('member_code'),
      dates: members.dates,
      participation: members.participation,
      timeZone: effectiveZone(
        sql`${users.id}`,
        sql`${users.timeZone}`,
        sql`(select i.time_zone from investigation i where i.id = ${investigation})`,
      ).as('zone'),
    })
    .from(users)
    .leftJoin(members, isMembership({ investigation, user }))
    .where(and(isAlive(user), isNull(users.madeBy), whenMember(investigation, actor, 'owner')));

/** The fields to change; a code of null is removed. */
export interface MemberChange extends CourseChange {
  role?: Role | undefined;
  code?: string | null | undefined;
}

/**
 * Owners change roles, owners and editors codes, dates and times. A responder takes part from then on, and an owner or editor without phone
 * and download no longer.
 * @throws resource.not-found, action.forbidden, member.last-owner, member.code-taken, limit.reached
 */
export async function changeMember(context: Context, membership: Membership, change: MemberChange) {
  const { db, now } = context;
  const { investigation, user } = membership;
  // Nothing of the study is read for a change of its people's roles and codes.
  const asked = change.dates === undefined && change.participation === undefined ? '' : investigation;
  const read = () => [...selectPair(context, membership, change.code), selectCourse(context, asked)] as const;
  return logged(context, investigation, read, async ([mine, targets, taken, [study]], write) => {
    const { me, target, isTaken } = pairOf([mine, targets, taken]);
    if (change.role !== undefined) requireOwner(me, 'change roles');
    requireEditor(me, 'change codes and dates');
    const { role = target.role, code = target.code } = change;
    const patch = patchOf(user, target, change, { declared: (study?.course ?? noCourse).dates, now });
    const changed = { ...target, role, code, ...patched(target, patch) };
    const [changesRole, changesCode] = [role !== target.role, code !== target.code];
    if (!changesRole && !changesCode && !patch) return shownTo(me.role, changed);
    if (changesRole && target.lastOwner) throw lastOwner();
    if (changesRole) requireAccount(target);
    if (changesCode && isTaken) throw codeTaken();
    const details = {
      member: user,
      ...patch?.details,
      ...(changesRole && {
        before: { ...patch?.details.before, role: target.role },
        after: { ...patch?.details.after, role },
      }),
      // Never the code itself: entries cannot be erased, and people type names.
      ...(changesCode && { code: code === null ? 'removed' : target.code === null ? 'given' : 'changed' }),
    };
    const action = changesRole
      ? 'member.role-changed'
      : changesCode
        ? 'member.code-changed'
        : 'member.dates-changed';
    const entry = { investigation, action, details } as const;
    const others = [
      ...(changesCode ? setCode(context, { investigation, user, code }) : []),
      ...(patch ? writePatches(context, investigation, [patch], { reminding: study?.reminding ?? 0 }) : []),
    ];
    if (!changesRole) {
      await write(entry, others);
      return shownTo(me.role, changed);
    }
    const isTarget = isMembership(membership, allMembers);
    const [, moved] = await write(entry, [
      db.update(allMembers).set({ role }).where(isTarget),
      ...wakeSelected(context, beginsOrEnds(membership)),
      db
        .update(allMembers)
        .set({ participantSince: sinceWhen(context) })
        .where(isTarget),
      noteChange(db, { investigation, kind: 'member', identifier: user }),
      ...(target.role === 'owner' ? [endProgramsOf(db, membership)] : []),
      ...others,
    ]);
    noteWoken(context, moved);
    return shownTo(me.role, changed);
  });
}

/** Ends the tokens of the programs that an owner has made, for good. The trigger `member_removed` does so for owners who leave. */
const endProgramsOf = (db: Database, { investigation, user }: Membership) =>
  db
    .update(users)
    .set({ issuer: null, subject: null })
    .where(
      sql`${users.madeBy} = ${user} and ${users.id} in (select p.user_id from member p
        where p.investigation_id = ${investigation} and p.role = 'monitor' and p.role <> 'responder')`,
    );

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
  const read = () => selectPair(context, membership);
  await logged(context, investigation, read, async (rows, write) => {
    const { me, target } = pairOf(rows);
    if (me.role !== 'owner' && user !== actor) throw forbidden('Only owners remove other members.');
    if (target.lastOwner) throw lastOwner();
    await write({ investigation, action: 'member.removed', details: roleChange(user, target.role, null) }, [
      db.delete(allMembers).where(isMembership(membership, allMembers)),
      ...wakeLeaver(context, { user, investigation }),
    ]);
  });
}

/** The actor, the member, and whether the code is taken. */
const selectPair = (context: Context, membership: Membership, code?: string | null) =>
  [
    selectRole(context.db, membership.investigation, context.actor),
    selectMembers(context.db, membership.investigation).where(
      and(isMembership(membership), isSeen(membership, context.actor)),
    ),
    selectTaken(context, { ...membership, code }),
  ] as const;

/** @throws resource.not-found */
function pairOf([[me], [target], [held]]: RowsOf<ReturnType<typeof selectPair>>) {
  if (!me) throw notFound('investigation');
  if (!target) throw notFound('member');
  return { me, target, isTaken: held?.taken === 1 };
}

/** In SQL: the actor sees the member. */
const isSeen = ({ investigation, user }: Membership, actor: string) =>
  or(
    whenMember(investigation, actor, ...staff),
    sql`${whenMember(investigation, actor)} and ${user} in ${peopleOfResponder(investigation, actor)}`,
  );

const lastOwner = () =>
  new Problem('member.last-owner', 'A study keeps at least one owner: make somebody else an owner first.');
