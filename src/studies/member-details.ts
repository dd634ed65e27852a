import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { users } from '../people/schema.ts';
import { fits } from '../permissions/groups.ts';
import { staff } from '../permissions/roles.ts';
import { requireStaff, scopeOf, selectRole, whenMember } from '../permissions/visibility.ts';
import { devices } from '../phones/schema.ts';
import { effectiveZone } from '../reminders/effective-zone.ts';
import { investigations, joinedOn, members } from '../studies/schema.ts';
import { type Membership, memberColumns } from './member-rows.ts';
import { shownMember } from './shown-members.ts';

/**
 * A member with the settings behind their reminders: zone, times, pauses and phones; for owners, editors and monitors who see them as
 * a participant, or are the member. Only pauses that affect this study. One round trip. @throws resource.not-found, action.forbidden
 */
export async function readParticipant({ db, actor }: Context, { investigation, user }: Membership) {
  const isAsked = and(
    eq(members.investigationId, investigation),
    eq(members.userId, user),
    whenMember(investigation, actor, ...staff),
    sql`(${members.userId} = ${actor} or ${fits(scopeOf(investigation, actor), members.properties)})`,
  );
  const [[me], [member], phones] = await db.batch([
    selectRole(db, investigation, actor),
    db
      .select({
        ...memberColumns(investigation),
        joinedAt: sql<number>`${members.createdAt}`.as('joined_at'),
        joinedOn: joinedOn('current_member').as('joined_on'),
        course: investigations.course,
        timeZone: effectiveZone(sql`${users.id}`, sql`${users.timeZone}`, sql`${investigations.timeZone}`).as(
          'zone',
        ),
        customRemindersTime: users.customRemindersTime,
        quietFrom: users.quietFrom,
        quietTo: users.quietTo,
        pausedUntil: users.pausedUntil,
        studyPausedUntil: sql<number | null>`${members.pausedUntil}`.as('study_paused_until'),
      })
      .from(members)
      .innerJoin(users, eq(users.id, members.userId))
      .innerJoin(investigations, eq(investigations.id, members.investigationId))
      .where(isAsked),
    db
      .select({
        id: devices.id,
        platform: devices.platform,
        timeZone: devices.timeZone,
        enabled: devices.enabled,
        createdAt: sql<number>`${devices.createdAt}`.as('device_created_at'),
        seenAt: devices.seenAt,
      })
      .from(members)
      .innerJoin(devices, eq(devices.userId, members.userId))
      .where(isAsked)
      .orderBy(devices.createdAt, devices.id),
  ]);
  requireStaff(me, 'read the settings of others');
  if (!member) throw notFound('member');
  const declared = member.course?.properties;
  return { ...shownMember(member, { me, actor, declared }), devices: phones };
}

export type Participant = Awaited<ReturnType<typeof readParticipant>>;
