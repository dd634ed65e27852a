import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { enrolments } from '../enrolment/schema.ts';
import { notFound, Problem } from '../errors.ts';
import { sha256 } from '../identifiers.ts';
import { insertActivities, withOptimisticRetry } from '../log/activities.ts';
import { roleChange } from '../log/details.ts';
import { accessDays } from '../log/schema.ts';
import { checkRevision } from '../permissions/edit-guards.ts';
import { noteShownName } from '../permissions/noted-changes.ts';
import { knows } from '../permissions/shown-people.ts';
import { isAlive, isDeletedStudy } from '../permissions/visibility.ts';
import { leaveRelay } from '../phones/removal.ts';
import { devices } from '../phones/schema.ts';
import { release } from '../phones/statements.ts';
import { cursors, notifications, wakes, zoneChanges } from '../reminders/schema.ts';
import { wakeUser } from '../reminders/wake.ts';
import type { QuietHours } from '../schedule/quiet-hours.ts';
import { isLastOwner } from '../studies/member-rows.ts';
import { allMembers, memberCodes } from '../studies/schema.ts';
import { selectStudyPauses } from './pauses.ts';
import { users } from './schema.ts';

export interface Profile {
  name: string;
  timeZone?: string | null | undefined;
  customRemindersTime?: string | null | undefined;
  quietHours?: QuietHours | null | undefined;
  /** Of phones that are registered without one. */
  language?: string | null | undefined;
}

export type ProfileChange = { [K in keyof Profile]?: Profile[K] | undefined };

/** Quiet hours in their stored form: always both, so that concurrent changes do not mix. */
export const toQuietColumns = (quietHours: QuietHours | null) => ({
  quietFrom: quietHours?.from ?? null,
  quietTo: quietHours?.to ?? null,
});

export type User = typeof users.$inferSelect & {
  deviceIds: string[];
  /** The studies that the user pauses, `until` in epoch ms. */
  studyPauses: { investigation: string; until: number }[];
};

/** A user as they see themselves. @throws resource.not-found */
export async function readUser({ db, now }: Pick<Context, 'db' | 'now'>, id: string): Promise<User> {
  const [[user], ofUser, studyPauses] = await db.batch([
    db.select().from(users).where(isAlive(id)),
    db
      .select({ id: devices.id })
      .from(devices)
      .where(eq(devices.userId, id))
      .orderBy(devices.createdAt, devices.id),
    selectStudyPauses(db, id, now),
  ]);
  if (!user) throw notFound('user');
  return { ...user, deviceIds: ofUser.map((device) => device.id), studyPauses };
}

/** The studies that a user pauses at this moment, as one value. */
const pausesOf = ({ studyPauses }: User) =>
  JSON.stringify(studyPauses.map(({ investigation, until }) => [investigation, until]));

/**
 * The revision of a user as they see themselves: a hash, since devices and pauses change without changing the user's row.
 */
export async function revisionOfUser(user: User, now: number): Promise<string> {
  const { id, name, timeZone, customRemindersTime, deviceIds, pausedUntil } = user;
  const pause = pausedUntil !== null && pausedUntil > now ? pausedUntil : null;
  const quietHours = user.quietFrom === null ? [] : [user.quietFrom, user.quietTo];
  const shown = [id, name, timeZone, customRemindersTime, deviceIds, pause, pausesOf(user), ...quietHours];
  if (user.language !== null) shown.push(`language ${user.language}`);
  return (await sha256(JSON.stringify(shown))).slice(0, 32);
}

/** In SQL: the user is unchanged since the read at `now`. */
const isAsRead = (user: User, now: number) =>
  sql`(${users.name} = ${user.name} and ${users.timeZone} is ${user.timeZone}
    and ${users.customRemindersTime} is ${user.customRemindersTime} and ${users.pausedUntil} is ${user.pausedUntil}
    and ${users.quietFrom} is ${user.quietFrom} and ${users.quietTo} is ${user.quietTo}
    and ${users.language} is ${user.language}
    and (select json_group_array(id) from (
      select id from device where user_id = ${user.id} order by created_at, id)) = ${JSON.stringify(user.deviceIds)}
    and (select json_group_array(json_array(investigation_id, paused_until)) from (
      select investigation_id, paused_until from member indexed by member_paused
      where user_id = ${user.id} and paused_until > ${now}
        and not ${isDeletedStudy(sql`member.investigation_id`)} order by investigation_id)) = ${pausesOf(user)})`;

/** The name of a user; null if there is none, or the user is deleted. */
export async function findName({ db }: Context, id: string): Promise<string | null> {
  const [user] = await db.select({ name: users.name }).from(users).where(isAlive(id));
  return user?.name ?? null;
}

/** A user as the caller may see them: themselves, or somebody whom they see in a study. @throws resource.not-found */
export async function readCoMember({ db, actor }: Context, id: string) {
  const [user] = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(isAlive(id), sql`(${users.id} = ${actor} or ${knows(actor, id)})`));
  if (!user) throw notFound('user');
  return user;
}

/**
 * Changes a profile; null clears. A new zone or time, or other quiet hours, plan the user's reminders again. `ifMatch`
 * has the acceptable revisions, by `revisionOfUser`; any, if omitted. @throws resource.not-found, revision.stale
 */
export async function updateUser(
  context: Context,
  id: string,
  { ifMatch, quietHours, ...change }: ProfileChange & { ifMatch?: readonly string[] | undefined },
): Promise<User> {
  const { db, now } = context;
  return withOptimisticRetry(async () => {
    const before = await readUser(context, id);
    if (ifMatch) checkRevision('user', await revisionOfUser(before, now), ifMatch);
    const changed: Partial<User> = Object.fromEntries(
      Object.entries(change).filter(
        ([field, value]) => value !== undefined && value !== before[field as keyof typeof change],
      ),
    );
    const quiet = quietHours === undefined ? {} : toQuietColumns(quietHours);
    const after = { ...before, ...quiet };
    const movesQuiet = after.quietFrom !== before.quietFrom || after.quietTo !== before.quietTo;
    if (movesQuiet) Object.assign(changed, quiet);
    if (Object.keys(changed).length === 0) return before;

    const asRead = ifMatch ? isAsRead(before, now) : sql`1`;
    const name = changed.name ?? sql`${users.name}`;
    const update = db
      .update(users)
      .set({
        // Only changed fields are written, so that concurrent requests do not undo each other.
        ...changed,
        // Null fails the batch if the user was deleted since, or no longer matches `ifMatch`.
        name: sql`case when ${users.deletedAt} is null and ${asRead} then ${name} end`,
        ...('name' in changed && { namedAt: now }),
      })
      .where(eq(users.id, id));
    const movesReminders = 'timeZone' in changed || 'customRemindersTime' in changed || movesQuiet;
    await db.batch([
      update,
      ...('name' in changed ? [noteShownName(context, id)] : []),
      ...(movesReminders ? wakeUser(context, id) : []),
    ]);
    return { ...before, ...changed };
  });
}

/**
 * Deletes a user with their devices, memberships and pending notifications; responses stay with their studies.
 * @throws member.last-owner, relay.unavailable (and nothing changes)
 */
export async function deleteUser(context: Context, id: string): Promise<void> {
  const { db, now } = context;
  await withOptimisticRetry(async () => {
    const memberships = await readMemberships(db, id);
    if (memberships.some((membership) => membership.lastOwner))
      throw new Problem(
        'member.last-owner',
        'You are the last owner of a study: make somebody else an owner first.',
      );
    await leaveRelay(context, id);
    const entries = memberships.map(({ investigation, role }) => ({
      investigation,
      actor: id,
      action: 'member.removed' as const,
      details: roleChange(id, role, null),
    }));
    const logged = await insertActivities(context, entries);
    await db.batch([
      db
        .update(users)
        .set({
          // Null fails the batch if the read no longer holds, and the next attempt reads again.
          name: sql`case when ${isUnchanged(id, memberships.length)} then 'Deleted user' end`,
          namedAt: now,
          issuer: null,
          subject: null,
          email: null,
          timeZone: null,
          language: null,
          customRemindersTime: null,
          ...toQuietColumns(null),
          pausedUntil: null,
          seenAt: null,
          deletedAt: now,
        })
        .where(eq(users.id, id)),
      noteShownName(context, id),
      release(context, eq(devices.userId, id)),
      db.delete(allMembers).where(eq(allMembers.userId, id)),
      db.delete(memberCodes).where(eq(memberCodes.userId, id)),
      db.delete(enrolments).where(eq(enrolments.userId, id)),
      db.delete(cursors).where(eq(cursors.userId, id)),
      db.delete(notifications).where(and(eq(notifications.userId, id), eq(notifications.state, 'sending'))),
      db.delete(accessDays).where(eq(accessDays.userId, id)),
      db.delete(wakes).where(eq(wakes.id, id)),
      db.delete(zoneChanges).where(eq(zoneChanges.ofId, id)),
      ...logged,
    ]);
  });
}

/** The memberships of a user, and whether the user is the last owner. @throws resource.not-found */
async function readMemberships(db: Database, id: string) {
  const [[user], memberships] = await db.batch([
    db.select({ id: users.id }).from(users).where(isAlive(id)),
    db
      .select({
        investigation: allMembers.investigationId,
        role: allMembers.role,
        // Deleted studies need no owner.
        lastOwner: sql<number>`exists (select 1 from current_member
          where current_member.investigation_id = ${allMembers.investigationId}
          and current_member.user_id = ${id} and ${isLastOwner})`.as('last_owner'),
      })
      .from(allMembers)
      .where(eq(allMembers.userId, id)),
  ]);
  if (!user) throw notFound('user');
  return memberships;
}

/** In SQL: no membership was added since the read, and another owner remains. */
const isUnchanged = (id: string, memberships: number) =>
  sql`(select count(*) from member where user_id = ${id}) = ${memberships}
    and not exists (select 1 from current_member where current_member.user_id = ${id} and ${isLastOwner})`;
