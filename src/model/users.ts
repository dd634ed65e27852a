import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { devices, members, users } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { insertReplan, replanJob } from './reminders/outbox.ts';

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

/** Who signed up with a token. A deleted user has none. */
export const selectByToken = (db: Database, token: TokenUser) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.issuer, token.issuer), eq(users.subject, token.subject)));

export async function findUserByToken(db: Database, token: TokenUser): Promise<string | undefined> {
  const [row] = await selectByToken(db, token);
  return row?.id;
}

const isAlive = (id: string) => and(eq(users.id, id), isNull(users.deletedAt));

/** Nothing when the user is deleted: for reads that would answer one with an empty list. */
export const selectAlive = (db: Database, id: string) =>
  db.select({ alive: users.id }).from(users).where(isAlive(id));

const selectUser = (db: Database, id: string) => db.select().from(users).where(isAlive(id));

const selectDevices = (db: Database, user: string) =>
  db
    .select({ id: devices.id })
    .from(devices)
    .where(eq(devices.userId, user))
    .orderBy(devices.createdAt, devices.id);

/** @throws resource.not-found */
export async function readUser(db: Database, id: string): Promise<User> {
  const [[user], own] = await db.batch([selectUser(db, id), selectDevices(db, id)]);
  return withDevices(user, own);
}

function withDevices(user: typeof users.$inferSelect | undefined, own: { id: string }[]): User {
  if (!user) throw notFound('user');
  return { ...user, deviceIds: own.map((device) => device.id) };
}

/** What people who share a study with `id` may see. @throws resource.not-found */
export async function readCoMember(db: Database, actor: string, id: string) {
  const [user] = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(
      and(
        isAlive(id),
        sql`(${users.id} = ${actor} or exists (
          select 1 from ${members} mine join ${members} theirs on theirs.investigation_id = mine.investigation_id
          where mine.user_id = ${actor} and theirs.user_id = ${id}))`,
      ),
    );
  if (!user) throw notFound('user');
  return user;
}

/**
 * Changes the caller's own profile; null clears. A change of zone or time asks for a new plan: `job` is to be
 * started. @throws resource.not-found
 */
export async function updateUser(db: Database, id: string, change: ProfileChange, now: number) {
  const before = await readUser(db, id);
  const changed: Partial<User> = Object.fromEntries(
    Object.entries(change).filter(
      ([field, value]) => value !== undefined && value !== before[field as keyof ProfileChange],
    ),
  );
  if (Object.keys(changed).length === 0) return { user: before, job: null };

  const replanned = 'timeZone' in changed || 'customRemindersTime' in changed;
  const job = replanned ? replanJob({ user: id }, now) : null;
  // Only what changed is written, so that two requests at once do not undo each other.
  const update = db
    .update(users)
    .set({ ...changed, ...('name' in changed && { namedAt: now }), ...(job && bumpPlan) })
    .where(isAlive(id));
  await (job ? db.batch([update, insertReplan(db, job, now)]) : update);
  return { user: { ...before, ...changed }, job };
}

/** Plans that were made before this moment are not stored any more. */
export const bumpPlan = { planStamp: sql`${users.planStamp} + 1` };

/**
 * All reminders of a user rest until `until` (epoch ms); null ends the pause.
 * @throws resource.not-found
 */
export async function pauseUser(db: Database, id: string, until: number | null) {
  const [, [user], own] = await db.batch([
    db.update(users).set({ pausedUntil: until }).where(isAlive(id)),
    selectUser(db, id),
    selectDevices(db, id),
  ]);
  return withDevices(user, own);
}
