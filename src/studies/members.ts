import { and, Column, eq, is, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { forbidden, notFound, Problem } from '../errors.ts';
import { participantIssuer } from '../identifiers.ts';
import { roleChange } from '../log/details.ts';
import { logged, type RowsOf } from '../log/logged.ts';
import { users } from '../people/schema.ts';
import {
  knownTo,
  requireKnown,
  requireKnownFilter,
  selectDeclared,
} from '../permissions/declared-properties.ts';
import { isOpenStudy, requireOpen } from '../permissions/edit-guards.ts';
import { fits, type GivenProperties, type OwnProperties, type PropertyRule } from '../permissions/groups.ts';
import { hiddenPlace } from '../permissions/hidden-places.ts';
import { membershipCount, membershipsFull, selectSize, studyFull } from '../permissions/limits.ts';
import { codeOf, userWithCode } from '../permissions/member-codes.ts';
import { noteChange } from '../permissions/noted-changes.ts';
import { isWithin, valuesOf } from '../permissions/own-properties.ts';
import { type Role, staff } from '../permissions/roles.ts';
import { peopleOfResponder } from '../permissions/shown-people.ts';
import {
  isAlive,
  listOf,
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
import { joinDetails, joinsWith, regroup } from './joining.ts';
import { codeTaken, selectTaken, setCode } from './member-codes.ts';
import { formerProperties, noteScopeChanged, noteScopeGiven } from './regrouping.ts';
import { allMembers, members } from './schema.ts';
import { isSame, requireScope, scopeIn } from './scopes.ts';
import { type ShownEnrolment, shownMember } from './shown-members.ts';

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

const listedColumns = (investigation: string) => ({
  ...memberColumns(investigation),
  issuer: users.issuer,
  lastOwner: isLastOwner.as('last_owner'),
});

const selectMembers = (db: Database, investigation: string) =>
  db
    .select(listedColumns(investigation))
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.investigationId, investigation))
    .$dynamic();

/** In SQL, where a `user` row is read: the code of this study by which they enrolled. No other code costs a row read. */
const enrolmentOf = (investigation: string) =>
  sql`(select json_object('identifier', e.id, 'label', e.label, 'properties', json(e.properties)) from enrolment e
    where e.id = ${users.enrolmentId} and e.investigation_id = ${investigation})`
    .mapWith((text: string): ShownEnrolment => JSON.parse(text))
    .as('enrolment') as SQL.Aliased<ShownEnrolment | null>;

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
  /** Only members with these properties, and no invitations; for owners, editors and monitors. */
  property?: PropertyRule | undefined;
  /** The last member and the last invitation of the previous page. */
  after?: readonly [string, string] | undefined;
  limit: number;
}

/** Members that a page of a filtered list looks at, at most. */
const maxLooked = 5_000;

/**
 * Members whom the actor sees, by identifier, and, for owners, pending invitations by address; one extra row of each if more
 * remain. One round trip. A filter, and a scope, look at some members at a time: a page may then be short, and `end` is the last member
 * who was looked at, which takes another round trip.
 * @throws resource.not-found, action.forbidden, request.invalid
 */
export async function listMembers(context: Context, investigation: string, page: MemberPage) {
  const { db, actor } = context;
  const [member, invitation] = page.after ?? ['', ''];
  /** Behind every identifier for those who may not read the list, so that SQLite reads none of it. */
  const behind = (isReader: SQL) => sql`case when ${isReader} then ${member} else 'g' end`;
  const isFiltered = page.property !== undefined;
  const [seesAll, seesPart] = [sql`me.scope is null`, sql`me.scope is not null`].map((scoped) =>
    whenStaff(investigation, actor, scoped),
  ) as [SQL, SQL];
  const isAsked = and(
    page.role && hasRole(page.role),
    page.code === undefined ? undefined : sql`${members.userId} = ${userWithCode(investigation, page.code)}`,
  );
  const selectPage = (isSeen: SQL) =>
    selectMembers(db, investigation)
      .where(and(eq(members.investigationId, investigation), isSeen, isAsked))
      .orderBy(members.userId)
      .limit(page.limit + 1);
  const [[me], all, some, known, invited, [study]] = await db.batch([
    selectRole(db, investigation, actor),
    selectPage(sql`${members.userId} > ${behind(isFiltered ? sql`0` : seesAll)}`),
    selectLooked(db, {
      investigation,
      start: behind(isFiltered ? whenMember(investigation, actor, ...staff) : seesPart),
    })
      .where(and(isAsked, isWanted(actor, scopeOf(investigation, actor), page.property)))
      .limit(page.limit + 1),
    // The `+` keeps SQLite to the few people, whom it would look for among all members.
    selectPage(sql`+${members.userId} > ${behind(whenMember(investigation, actor, 'responder'))}
      and ${members.userId} in ${peopleOfResponder(investigation, actor)}`),
    selectInvitations(context, investigation, {
      after: isFiltered ? behindAll : invitation,
      limit: page.limit + 1,
      code: page.code,
    }),
    selectDeclared(db, investigation),
  ]);
  if (!me) throw notFound('investigation');
  if (page.code !== undefined) requireStaff(me, 'see the codes of members');
  if (isFiltered) requireStaff(me, 'see the properties of members');
  const declared = study?.properties;
  requireKnownFilter(page.property, knownTo(me.role, declared));
  const rows = [...all, ...some, ...known].map((row) => shownMember(row, { me, actor, declared }));
  const isSearched = isFiltered || (me.role !== 'responder' && me.scope !== null);
  const isShort = isSearched && page.code === undefined && rows.length <= page.limit;
  return {
    rows,
    invited,
    end: isShort ? await endOf(context, investigation, { after: member, shown: rows.at(-1)?.id }) : undefined,
  };
}

/** In SQL: the actor is one of the staff, with such a scope, `me.scope`. */
const whenStaff = (investigation: string, actor: string, scoped: SQL) =>
  sql`exists (select 1 from current_member me where me.investigation_id = ${investigation} and me.user_id = ${actor}
    and me.role in ${listOf(staff)} and ${scoped})`;

/** Behind every address. */
const behindAll = '\u{10ffff}';

/** In SQL: the actor's scope; null for those who see all of the study, and for those who are no members. */
export const scopeOf = (investigation: string, actor: string) =>
  sql`(select mine.scope from current_member mine where mine.investigation_id = ${investigation} and mine.user_id = ${actor})`;

/** The next members, as many as a page looks at, in the order of their identifiers: reading stops where the page is full. */
const selectLooked = (db: Database, { investigation, start }: { investigation: string; start: SQL }) =>
  db
    .select(ofNoTable(listedColumns(investigation)))
    .from(
      sql`(select x.* from current_member x where x.investigation_id = ${investigation} and x.user_id > ${start}
        order by x.user_id limit ${maxLooked}) "current_member" cross join ${users} on ${users.id} = ${members.userId}`,
    )
    .$dynamic();

/** Columns as drizzle takes them where a text names their tables. */
const ofNoTable = <T extends Record<string, unknown>>(columns: T): T =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      is(column, Column) ? sql`${column}`.mapWith(column).as(`looked_${name}`) : column,
    ]),
  ) as T;

/** In SQL: the actor sees the member, who has the properties. A filter finds nobody by properties that are not shown. */
function isWanted(actor: string, scope: SQL, property: PropertyRule | undefined) {
  const isPart = sql`(${members.userId} = ${actor} or ${fits(scope, members.properties)})`;
  return property === undefined
    ? sql`(${members.role} <> 'responder' or ${isPart})`
    : sql`${isPart} and ${fits(sql`${JSON.stringify(property)}`, members.properties)}`;
}

/**
 * The place of the last member who was looked at for a page that is not full, if others may follow. Unless they are the last of the
 * page, `shown`, their identifier is not told, and the next page looks at them again; only if that would go on nowhere it is.
 */
async function endOf(
  { db }: Context,
  investigation: string,
  { after, shown = '' }: { after: string; shown: string | undefined },
) {
  const [last] = await db
    .select({ id: allMembers.userId })
    .from(allMembers)
    .where(and(eq(allMembers.investigationId, investigation), sql`${allMembers.userId} > ${after}`))
    .orderBy(allMembers.userId)
    .limit(1)
    .offset(maxLooked - 1);
  if (!last) return undefined;
  const hidden = hiddenPlace(last.id);
  const end = last.id === shown || hidden < shown ? shown : hidden;
  return end > after ? end : last.id;
}

/** In SQL: a condition by which SQLite uses the index of owners and editors. */
const hasRole = (role: Role) =>
  and(eq(members.role, role), role === 'responder' ? undefined : sql`${members.role} <> 'responder'`);

export interface NewMember {
  role: Role;
  code?: string | undefined;
  properties?: GivenProperties | undefined;
  scope?: PropertyRule | null | undefined;
}

/**
 * Adds a user; for owners, while the study has room. Identifiers cannot be guessed and are shown only to people who see
 * their user: knowing one is permission enough to add its user. Members who come back have their code and their properties again, unless
 * they get others. Repeating it changes nothing.
 * @throws request.invalid, resource.not-found, action.forbidden, member.exists, member.code-taken, study.archived, study.frozen,
 * limit.reached
 */
export async function addMember(context: Context, { investigation, user: id }: Membership, given: NewMember) {
  const { db, actor, now, limits } = context;
  const { role, code } = given;
  const read = () =>
    [
      selectRole(db, investigation, actor),
      selectCandidate(context, investigation, id),
      selectSize(db, investigation),
      countOfStudy(db, investigation, now),
      selectTaken(context, { investigation, code, user: id }),
      selectDeclared(db, investigation),
    ] as const;
  return logged(
    context,
    investigation,
    read,
    async ([[me], [user], [size], [invited], [held], [study]], write) => {
      requireOwner(me, 'add members');
      if (!user) throw unknownUser();
      const declared = study?.properties ?? [];
      requireKnown(given.properties ?? {}, declared, '/properties');
      requireScope(given.scope, role, declared);

      const { name, invitedAs, enrolment, dates, participation } = user;
      const reader = { me, actor, declared };
      const shown = { id, name, role, code: code ?? user.code, invitedAs, enrolment, dates, participation };
      if (isAsGiven(user, given))
        return {
          member: shownMember({ ...shown, properties: user.properties, scope: user.scope }, reader),
          created: false,
        };
      if (user.role)
        throw new Problem(
          'member.exists',
          user.role === role
            ? 'This user is already a member, with another code or none, other properties or another scope.'
            : `This user is already a member, as ${user.role}.`,
        );
      if (held?.taken) throw codeTaken();

      requireOpen(size);
      if ((size?.memberCount ?? 0) + (invited?.count ?? 0) >= limits.members)
        throw studyFull('members', limits.members);
      if (role !== 'responder') requireAccount(user);
      if (user.memberships >= limits.memberships) throw membershipsFull(limits.memberships, 'The user is');
      const joining = joinsWith(given, user.former, { declared, now });
      const { properties, scope } = joining;
      await write({ investigation, action: 'member.added', details: joinDetails(id, role, joining) }, [
        ...noteScopeGiven(db, id, scope ? [investigation] : []),
        db.insert(allMembers).values({
          investigationId: investigation,
          // Null fails the batch if the user was deleted since, or the study archived.
          userId: sql`(select id from user where id = ${id} and deleted_at is null and ${isOpenStudy(investigation)})`,
          role,
          joinedOn: localDate(now, knownZone(user.timeZone)),
          properties,
          scope,
          createdAt: now,
        }),
        ...(code === undefined ? [] : setCode(context, { investigation, user: id, code })),
        ...regroup(db, [{ investigation, user: id, role, before: user.former, after: properties }]),
        ...wakeUser(context, id),
      ]);
      return { member: shownMember({ ...shown, properties, scope }, reader), created: true };
    },
  );
}

/** Whether the member is there already, as a repeated request says. */
const isAsGiven = (
  member: Pick<
    NonNullable<Awaited<ReturnType<typeof selectCandidate>>[number]>,
    'role' | 'code' | 'properties' | 'scope'
  >,
  { role, code, properties, scope }: NewMember,
) =>
  member.role === role &&
  (code === undefined || member.code === code) &&
  (properties === undefined || isSame(valuesOf(member.properties), properties)) &&
  (scope === undefined || isSame(member.scope, scope));

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
      properties: members.properties,
      scope: members.scope,
      former: formerProperties(investigation, user)
        .mapWith((text: string): OwnProperties => JSON.parse(text))
        .as('former') as SQL.Aliased<OwnProperties | null>,
      timeZone: effectiveZone(
        sql`${users.id}`,
        sql`${users.timeZone}`,
        sql`(select i.time_zone from investigation i where i.id = ${investigation})`,
      ).as('zone'),
    })
    .from(users)
    .leftJoin(members, isMembership({ investigation, user }))
    .where(and(isAlive(user), isNull(users.madeBy), whenMember(investigation, actor, 'owner')));

/** The fields to change; a code of null is removed, and a scope of null is all of the study. */
export interface MemberChange extends CourseChange {
  role?: Role | undefined;
  code?: string | null | undefined;
  scope?: PropertyRule | null | undefined;
}

/**
 * Owners change roles and scopes, owners and editors codes, dates, times and properties, of members that they see. A responder takes part
 * from then on, and an owner or editor without phone and download no longer.
 * @throws request.invalid, resource.not-found, action.forbidden, member.last-owner, member.code-taken, study.frozen, limit.reached
 */
export async function changeMember(context: Context, membership: Membership, change: MemberChange) {
  const { db, actor, now } = context;
  const { investigation, user } = membership;
  const changesCourse = [change.dates, change.participation, change.properties].some(
    (one) => one !== undefined,
  );
  const isDeclaredRead = !changesCourse && (change.scope !== undefined || change.code !== undefined);
  // No surveys are counted for a change of people's roles and codes, and nothing of the study is read for one of roles.
  const read = () =>
    [
      ...selectPair(context, membership, change.code),
      selectCourse(context, changesCourse ? investigation : ''),
      selectDeclared(db, isDeclaredRead ? investigation : ''),
    ] as const;
  return logged(context, investigation, read, async ([mine, targets, taken, [study], [all]], write) => {
    const { me, target, isTaken } = pairOf([mine, targets, taken]);
    if (change.role !== undefined) requireOwner(me, 'change roles');
    if (change.scope !== undefined) requireOwner(me, 'change scopes');
    requireEditor(me, 'change codes and dates');
    if (!isWithin(me.scope, target.properties))
      throw forbidden('You see a part of the study only, and change the members of that part.');
    const declared = study?.course?.properties ?? all?.properties ?? [];
    const { role = target.role, code = target.code } = change;
    requireScope(change.scope, role, declared);
    const scope = scopeIn(role, change.scope === undefined ? target.scope : change.scope);
    const patch = patchOf(target, change, { course: study?.course ?? noCourse, me, now });
    const changed = shownMember(
      { ...target, role, code, scope, ...patched(target, patch) },
      { me, actor, declared },
    );
    const [changesRole, changesCode] = [role !== target.role, code !== target.code];
    const changesScope = !isSame(scope, target.scope);
    if (!changesRole && !changesCode && !changesScope && !patch) return changed;
    if (changesRole && target.lastOwner) throw lastOwner();
    if (changesRole) requireAccount(target);
    if (changesCode && isTaken) throw codeTaken();
    const details = {
      member: user,
      ...patch?.details,
      ...((changesRole || changesScope) && {
        before: {
          ...patch?.details.before,
          ...(changesRole && { role: target.role }),
          ...(changesScope && { scope: target.scope }),
        },
        after: { ...patch?.details.after, ...(changesRole && { role }), ...(changesScope && { scope }) },
      }),
      // Never the code itself: entries cannot be erased, and people type names.
      ...(changesCode && { code: code === null ? 'removed' : target.code === null ? 'given' : 'changed' }),
    };
    const action = actionOf({
      changesRole,
      changesScope,
      changesCode,
      changesProperties: !!patch?.properties,
    });
    const entry = { investigation, action, details } as const;
    const others = [
      ...(changesCode ? setCode(context, { investigation, user, code }) : []),
      ...(patch ? writePatches(context, investigation, [patch], { reminding: study?.reminding ?? 0 }) : []),
      ...(changesScope && !changesRole
        ? [
            db.update(allMembers).set({ scope }).where(isMembership(membership, allMembers)),
            noteChange(db, { investigation, kind: 'member', identifier: user }),
          ]
        : []),
      ...(changesScope ? [noteScopeChanged(db, investigation)] : []),
    ];
    if (!changesRole) {
      await write(entry, others);
      return changed;
    }
    const isTarget = isMembership(membership, allMembers);
    const [, moved] = await write(entry, [
      db.update(allMembers).set({ role, scope }).where(isTarget),
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
    return changed;
  });
}

/** The action of a change, by the weightiest thing that changes. */
function actionOf(
  changes: Record<'changesRole' | 'changesScope' | 'changesCode' | 'changesProperties', boolean>,
) {
  if (changes.changesRole) return 'member.role-changed';
  if (changes.changesScope) return 'member.scope-changed';
  if (changes.changesCode) return 'member.code-changed';
  return changes.changesProperties ? 'member.properties-changed' : 'member.dates-changed';
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

/**
 * In SQL: the member, if they begin to take part or no longer do, with the role that they have by now; and in a study with surveys that
 * owners alone see, which remind no other staff.
 */
const beginsOrEnds = ({ investigation, user }: Membership) =>
  sql`select m.user_id from member m where m.investigation_id = ${investigation} and m.user_id = ${user}
    and ((m.participant_since is null) = exists (
        select 1 from participant p where p.investigation_id = m.investigation_id and p.user_id = m.user_id)
      or exists (select 1 from survey b where b.investigation_id = m.investigation_id and b.blinded))`;

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

/** In SQL: the actor sees the member. Needs the row of the member. */
const isSeen = ({ investigation, user }: Membership, actor: string) =>
  or(
    sql`${whenMember(investigation, actor, ...staff)} and (${members.role} <> 'responder'
      or ${fits(scopeOf(investigation, actor), members.properties)})`,
    sql`${whenMember(investigation, actor)} and ${user} in ${peopleOfResponder(investigation, actor)}`,
  );

const lastOwner = () =>
  new Problem('member.last-owner', 'A study keeps at least one owner: make somebody else an owner first.');
