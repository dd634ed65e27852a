import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isUniqueViolation } from '../db/errors.ts';
import { devices, invitations, members, notifications, replans, users } from '../db/schema.ts';
import { notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import type { Services } from '../services.ts';
import { appendActivity, type Head, headOf, inTurn, seal, selectHead } from './activities.ts';
import { insertReplan, replanJob } from './replans.ts';

/** The (issuer, subject) of a token, and its verified e-mail. */
export interface TokenUser {
  issuer: string;
  subject: string;
  email: string | null;
}

export interface Profile {
  name: string;
  timeZone?: string | null | undefined;
  customRemindersTime?: string | null | undefined;
}

export type ProfileChange = { [K in keyof Profile]?: Profile[K] | undefined };

export type User = typeof users.$inferSelect & { deviceIds: string[] };

const byToken = (token: { issuer: string; subject: string }) =>
  and(eq(users.issuer, token.issuer), eq(users.subject, token.subject), isNull(users.deletedAt));

export async function findUserByToken(db: Database, token: TokenUser): Promise<string | undefined> {
  const [row] = await db.select({ id: users.id }).from(users).where(byToken(token));
  return row?.id;
}

const selectDevices = (db: Database, user: string) =>
  db
    .select({ id: devices.id })
    .from(devices)
    .where(eq(devices.userId, user))
    .orderBy(devices.createdAt, devices.id);

/** @throws resource.not-found */
export async function readUser(db: Database, id: string): Promise<User> {
  const [[user], own] = await db.batch([
    db
      .select()
      .from(users)
      .where(and(eq(users.id, id), isNull(users.deletedAt))),
    selectDevices(db, id),
  ]);
  if (!user) throw notFound('user');
  return { ...user, deviceIds: own.map((device) => device.id) };
}

/** What people who share a study with `id` may see. @throws resource.not-found */
export async function readFellow(db: Database, actor: string, id: string) {
  const [user] = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(
      and(
        eq(users.id, id),
        isNull(users.deletedAt),
        sql`(${users.id} = ${actor} or exists (
          select 1 from ${members} mine join ${members} theirs on theirs.investigation_id = mine.investigation_id
          where mine.user_id = ${actor} and theirs.user_id = ${id}))`,
      ),
    );
  if (!user) throw notFound('user');
  return user;
}

/**
 * Signs the caller up; invitations that wait for their verified address become memberships, each in its
 * study's log. Signing up again changes nothing.
 */
export async function signUp(db: Database, token: TokenUser, profile: Profile, now: number) {
  return inTurn(async () => {
    const [[existing], invited] = await db.batch([
      db.select({ id: users.id }).from(users).where(byToken(token)),
      db
        .select()
        .from(invitations)
        .where(token.email ? eq(invitations.email, token.email) : sql`0`),
    ]);
    if (existing) return { user: await readUser(db, existing.id), created: false, job: null };
    const id = newIdentifier(now);
    const job = replanJob({ user: id }, now);
    try {
      await db.batch([
        db.insert(users).values({
          id,
          issuer: token.issuer,
          subject: token.subject,
          email: token.email,
          name: profile.name,
          timeZone: profile.timeZone ?? null,
          customRemindersTime: profile.customRemindersTime ?? null,
          createdAt: now,
        }),
        insertReplan(db, job, now),
        ...(await acceptInvitations(db, id, invited, now)),
      ]);
    } catch (error) {
      // Two phones signed the same person up at once: the other one won.
      const other = isUniqueViolation(error, 'user') && (await findUserByToken(db, token));
      if (!other) throw error;
      return { user: await readUser(db, other), created: false, job: null };
    }
    return { user: await readUser(db, id), created: true, job };
  });
}

async function acceptInvitations(
  db: Database,
  user: string,
  invited: (typeof invitations.$inferSelect)[],
  now: number,
) {
  const heads = await readHeads(
    db,
    invited.map((invitation) => invitation.investigationId),
  );
  const statements = await Promise.all(
    invited.map(async ({ email, investigationId, role, invitedBy }) => [
      db.insert(members).values({ investigationId, userId: user, role, createdAt: now }),
      db
        .delete(invitations)
        .where(and(eq(invitations.email, email), eq(invitations.investigationId, investigationId))),
      appendActivity(
        db,
        await seal(
          headOf(heads.get(investigationId) ?? []),
          {
            investigation: investigationId,
            actor: user,
            action: 'member.added',
            details: { member: user, role, invitedBy },
          },
          now,
        ),
      ),
    ]),
  );
  return statements.flat();
}

async function readHeads(db: Database, investigations: string[]): Promise<Map<string, Head[]>> {
  const [first, ...rest] = investigations.map((investigation) => selectHead(db, investigation));
  const rows = first ? await db.batch([first, ...rest]) : [];
  return new Map(investigations.map((investigation, n) => [investigation, rows[n] ?? []]));
}

/** Changes the caller's own profile; null clears. A change of zone or time asks for a new plan. */
export async function updateUser(db: Database, id: string, change: ProfileChange, now: number) {
  const before = await readUser(db, id);
  const after = {
    name: change.name ?? before.name,
    timeZone: change.timeZone === undefined ? before.timeZone : change.timeZone,
    customRemindersTime:
      change.customRemindersTime === undefined ? before.customRemindersTime : change.customRemindersTime,
  };
  const replanned =
    after.timeZone !== before.timeZone || after.customRemindersTime !== before.customRemindersTime;
  const job = replanned ? replanJob({ user: id }, now) : null;
  const update = db
    .update(users)
    .set({ ...after, ...(job && { planStamp: sql`${users.planStamp} + 1` }) })
    .where(eq(users.id, id));
  await (job ? db.batch([update, insertReplan(db, job, now)]) : update);
  return { user: { ...before, ...after }, job };
}

/** All reminders of a user rest until `until` (epoch ms, or for good when infinite); null ends the pause. */
export async function pauseUser(db: Database, id: string, until: number | null) {
  await db.update(users).set({ pausedUntil: until }).where(eq(users.id, id));
  return readUser(db, id);
}

/**
 * Deletes a user: devices leave the relay, pending notifications and memberships go; answers stay with
 * their studies. @throws member.last-owner, relay.unavailable (and nothing is done)
 */
export async function deleteUser({ db, push }: Pick<Services, 'db' | 'push'>, id: string, now: number) {
  return inTurn(async () => {
    const [memberships, own] = await db.batch([
      db
        .select({
          investigation: members.investigationId,
          lastOwner: sql<number>`${members.role} = 'owner' and not exists (
            select 1 from ${members} other where other.investigation_id = ${sql.raw('"member"."investigation_id"')}
            and other.role = 'owner' and other.user_id <> ${id})`.as('last_owner'),
        })
        .from(members)
        .where(eq(members.userId, id)),
      db.select({ endpoint: devices.endpoint }).from(devices).where(eq(devices.userId, id)),
    ]);
    if (memberships.some((membership) => membership.lastOwner))
      throw new Problem(
        'member.last-owner',
        'You are the last owner of a study: make somebody else an owner first.',
      );
    const removals = await Promise.all(own.map((device) => push.remove(device.endpoint)));
    if (removals.some((removal) => removal.state === 'unavailable'))
      throw new Problem('relay.unavailable', 'The push relay is out of reach.', { retryAfterSeconds: 5 });
    const studies = memberships.map((membership) => membership.investigation);
    const heads = await readHeads(db, studies);
    const sealed = await Promise.all(
      studies.map((investigation) =>
        seal(
          headOf(heads.get(investigation) ?? []),
          { investigation, actor: id, action: 'member.removed', details: { member: id } },
          now,
        ),
      ),
    );
    await db.batch([
      db
        .update(users)
        .set({
          issuer: null,
          subject: null,
          email: null,
          name: 'Deleted user',
          deletedAt: now,
          planStamp: sql`${users.planStamp} + 1`,
        })
        .where(eq(users.id, id)),
      db.delete(devices).where(eq(devices.userId, id)),
      db.delete(members).where(eq(members.userId, id)),
      db.delete(notifications).where(and(eq(notifications.userId, id), isNull(notifications.settledAt))),
      db.delete(replans).where(eq(replans.userId, id)),
      ...sealed.map((entry) => appendActivity(db, entry)),
    ]);
  });
}
