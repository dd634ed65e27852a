import { and, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { forbidden, Problem } from '../errors.ts';
import { roleChange } from '../log/details.ts';
import { logged } from '../log/logged.ts';
import { users } from '../people/schema.ts';
import { requireKnown, selectDeclared } from '../permissions/declared-properties.ts';
import { isOpenStudy, requireOpen } from '../permissions/edit-guards.ts';
import type { GivenProperties, OwnProperties, PropertyRule } from '../permissions/groups.ts';
import { membershipCount, membershipsFull, selectSize, studyFull } from '../permissions/limits.ts';
import { codeOf } from '../permissions/member-codes.ts';
import { valuesOf } from '../permissions/own-properties.ts';
import type { Role } from '../permissions/roles.ts';
import { isAlive, requireOwner, selectRole, whenMember } from '../permissions/visibility.ts';
import { effectiveZone, knownZone } from '../reminders/effective-zone.ts';
import { wakeLeaver, wakeUser } from '../reminders/wake.ts';
import { localDate } from '../schedule/civil.ts';
import { countOfStudy } from './invitations.ts';
import { joinDetails, joinsWith, regroup } from './joining.ts';
import { codeTaken, selectTaken, setCode } from './member-codes.ts';
import {
  enrolmentOf,
  isMembership,
  lastOwner,
  type Membership,
  pairOf,
  requireAccount,
  selectPair,
} from './member-rows.ts';
import { formerProperties, noteScopeGiven } from './regrouping.ts';
import { allMembers, members } from './schema.ts';
import { isSame, requireScope } from './scopes.ts';
import { shownMember } from './shown-members.ts';

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
