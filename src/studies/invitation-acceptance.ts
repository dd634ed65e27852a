import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { each, oneOf } from '../db/json.ts';
import { selectRow } from '../db/select-row.ts';
import { notFound } from '../errors.ts';
import { ConflictError, insertActivities, withOptimisticRetry } from '../log/activities.ts';
import { users } from '../people/schema.ts';
import { requireOpen } from '../permissions/edit-guards.ts';
import type { OwnProperties, Property } from '../permissions/groups.ts';
import { membershipCount, membershipsFull, selectSize } from '../permissions/limits.ts';
import { noteShownName } from '../permissions/noted-changes.ts';
import { isAlive } from '../permissions/visibility.ts';
import { effectiveZone, knownZone } from '../reminders/effective-zone.ts';
import { wakeUser } from '../reminders/wake.ts';
import { localDate } from '../schedule/civil.ts';
import { emailOf, isOffered } from './invitations.ts';
import { joinDetails, joinsWith, regroup } from './joining.ts';
import { formerProperties, noteScopeGiven } from './regrouping.ts';
import { allMembers, invitationLifetimeMs, invitations, memberCodes, members } from './schema.ts';

/** The invitations to accept: all of an address, or only those to some studies. */
interface Scope {
  email: string | SQL<string>;
  studies?: readonly string[];
}

const isWaiting = ({ email, studies }: Scope, now: number) =>
  sql`invitation.email = ${email} and invitation.created_at > ${now - invitationLifetimeMs}
    and ${studies === undefined ? sql`1` : oneOf(invitations.investigationId, studies)}
    and exists (select 1 from investigation where id = invitation.investigation_id and archived_at is null)`;

/** In SQL: the properties and the scope of an invitation. */
const group = sql.raw(`coalesce(invitation.properties, '') || ' ' || coalesce(invitation.scope, '')`);

export type Waiting = Awaited<ReturnType<typeof selectWaiting>>;

/** Most invitations that one request accepts. */
const maxAccepted = 1000;

/**
 * Invitations to studies that take members, oldest first, whether the user is a member already, and the zone of the user: `timeZone`
 * is that of somebody who signs up.
 */
export const selectWaiting = (
  db: Database,
  scope: Scope,
  { user, timeZone = null }: { user: string | SQL; timeZone?: string | null | undefined },
  now: number,
) =>
  db
    .select({
      investigation: invitations.investigationId,
      role: invitations.role,
      invitedBy: invitations.invitedBy,
      group: sql<string>`${group}`.as('given_group'),
      properties: invitations.properties,
      scope: invitations.scope,
      former: formerProperties(sql`${invitations.investigationId}`, sql`${user}`).as('former_properties'),
      declared: sql<string | null>`(select i.course -> '$.properties' from investigation i
        where i.id = invitation.investigation_id)`.as('declared'),
      isMember: sql<number>`exists (select 1 from current_member m where m.user_id = ${user}
        and m.investigation_id = invitation.investigation_id)`.as('is_member'),
      timeZone: effectiveZone(
        sql`${user}`,
        sql`coalesce((select u.time_zone from user u where u.id = ${user}), ${timeZone})`,
        sql`(select i.time_zone from investigation i where i.id = invitation.investigation_id)`,
      ).as('zone'),
      logged: sql<number>`coalesce((select max(position) from activity
        where activity.investigation_id = invitation.investigation_id), 0)`.as('logged'),
    })
    .from(invitations)
    .where(isWaiting(scope, now))
    .orderBy(invitations.createdAt, invitations.investigationId)
    .limit(maxAccepted);

/** The invitations for which the user and the studies' logs have room; the others stay open. */
export function withinLimits(
  { limits }: Pick<Context, 'limits'>,
  waiting: Waiting,
  memberships: number,
): Waiting {
  let room = limits.memberships - memberships;
  return waiting.filter(({ isMember, logged }) => isMember || (logged < limits.activities && room-- > 0));
}

/** In SQL: the open invitations are those that were read. */
export const isStillWaiting = (scope: Scope, waiting: Waiting, now: number) =>
  sql`(select coalesce(group_concat(entry), '') from (
    select investigation_id || ' ' || role || ' ' || ${group} as entry from invitation
    where ${isWaiting(scope, now)} order by created_at, investigation_id limit ${maxAccepted}))
    = ${waiting.map(({ investigation, role, group }) => `${investigation} ${role} ${group}`).join()}`;

/**
 * Statements that turn invitations into memberships, each with the entry in its study's log. Existing members keep their
 * role. `user` is the user's identifier in SQL, null if they may no longer accept.
 */
export async function acceptAll(
  context: Context,
  { id, guarded }: { id: string; guarded: SQL },
  email: string | SQL<string>,
  waiting: Waiting,
) {
  if (waiting.length === 0) return [];
  const { db, now } = context;
  const joined = waiting
    .filter(({ isMember }) => !isMember)
    .map((one) => {
      const declared = parsed<Property[]>(one.declared) ?? [];
      const former = parsed<OwnProperties>(one.former);
      const joining = joinsWith(one, former, { declared, now });
      const joinedOn = localDate(now, knownZone(one.timeZone));
      return { ...one, former, joining, joinedOn };
    });
  const entries = joined.map(({ investigation, role, invitedBy, joining }) => ({
    investigation,
    actor: id,
    action: 'member.added' as const,
    details: { ...joinDetails(id, role, joining), invitedBy },
  }));
  const rows = joined.map(({ investigation, role, joinedOn, joining: { properties, scope } }) => ({
    investigation,
    role,
    joinedOn,
    ...(properties && { properties }),
    ...(scope && { scope }),
  }));
  const row = selectRow(allMembers, {
    investigationId: sql`value ->> 'investigation'`,
    userId: guarded,
    role: sql`value ->> 'role'`,
    pausedUntil: null,
    participantSince: null,
    agreedTo: null,
    joinedOn: sql`value ->> 'joinedOn'`,
    dates: null,
    participation: null,
    properties: sql`value -> 'properties'`,
    scope: sql`value -> 'scope'`,
    number: null,
    invitedAs: email,
    written: 0,
    createdAt: now,
  });
  const studies = waiting.map(({ investigation }) => investigation);
  const codes = selectRow(memberCodes, {
    userId: id,
    investigationId: invitations.investigationId,
    code: invitations.code,
  });
  return [
    ...(await insertActivities(context, entries)),
    ...(joined.length > 0
      ? [
          ...noteScopeGiven(
            db,
            id,
            joined.flatMap(({ investigation, joining: { scope } }) => (scope ? [investigation] : [])),
          ),
          db.insert(allMembers).select(sql`${row} from ${each(rows)}`),
          db
            .insert(memberCodes)
            .select(
              sql`${codes} from ${invitations} where ${eq(invitations.email, email)} and ${invitations.code} is not null
                and not exists (select 1 from member_code c where c.investigation_id = ${invitations.investigationId}
                  and c.code = ${invitations.code} and c.user_id <> ${id})
                and ${oneOf(
                  invitations.investigationId,
                  joined.map(({ investigation }) => investigation),
                )}`,
            )
            .onConflictDoUpdate({
              target: [memberCodes.userId, memberCodes.investigationId],
              set: { code: sql`excluded.code` },
            }),
          noteShownName(
            { db, now },
            id,
            joined.map(({ investigation }) => investigation),
          ),
          ...regroup(
            db,
            joined.map(({ investigation, role, former, joining }) => ({
              investigation,
              user: id,
              role,
              before: former,
              after: joining.properties,
            })),
          ),
        ]
      : []),
    db
      .delete(invitations)
      .where(and(eq(invitations.email, email), oneOf(invitations.investigationId, studies))),
  ];
}

const parsed = <T>(text: string | null): T | null => (text === null ? null : JSON.parse(text));

/**
 * Makes the caller a member, and plans their reminders. Repeating it changes nothing.
 * @throws resource.not-found, study.archived, study.frozen, limit.reached
 */
export function acceptInvitation(context: Context, investigation: string) {
  const { db, actor, now, limits } = context;
  const scope = { email: emailOf(actor), studies: [investigation] };
  return withOptimisticRetry(async () => {
    const [waiting, [member], [invited], [size]] = await db.batch([
      selectWaiting(db, scope, { user: actor }, now),
      db
        .select({ id: users.id, name: users.name, role: members.role })
        .from(members)
        .innerJoin(users, eq(users.id, members.userId))
        .where(and(eq(members.investigationId, investigation), eq(members.userId, actor))),
      db
        .select({ name: users.name, memberships: membershipCount.as('memberships') })
        .from(invitations)
        .innerJoin(users, eq(users.email, invitations.email))
        .where(and(isAlive(actor), eq(invitations.investigationId, investigation), isOffered(now))),
      selectSize(db, investigation),
    ]);
    const [invitation] = waiting;
    if (member && !invitation) return member;
    if (!invited) throw notFound('invitation');
    requireOpen(size);
    if (!invitation) throw new ConflictError();
    if (!member && invited.memberships >= limits.memberships) throw membershipsFull(limits.memberships);
    const guarded = sql`(select id from user where id = ${actor} and deleted_at is null
      and ${isStillWaiting(scope, waiting, now)})`;
    const [first, ...rest] = await acceptAll(context, { id: actor, guarded }, scope.email, waiting);
    if (first) await db.batch([first, ...rest, ...(member ? [] : wakeUser(context, actor))]);
    return member ?? { id: actor, name: invited.name, role: invitation.role };
  });
}
