import { eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isUniqueViolation } from '../db/errors.ts';
import { invitations, members, users } from '../db/schema.ts';
import { newIdentifier } from '../identifiers.ts';
import type { ReplanJob } from '../services.ts';
import { appendActivity, chainEntries, withOptimisticRetry } from './activities.ts';
import { insertReplan, replanJob } from './reminders/outbox.ts';
import {
  findUserByToken,
  type Profile,
  readUser,
  selectByToken,
  type TokenUser,
  type User,
} from './users.ts';

type Invitation = typeof invitations.$inferSelect;

/**
 * Signs the caller up; invitations that wait for their verified address become memberships, each in its
 * study's log, and `job` plans their reminders. Signing up again changes nothing.
 */
export function signUp(
  db: Database,
  token: TokenUser,
  profile: Profile,
  now: number,
): Promise<{ user: User; created: boolean; job: ReplanJob | null }> {
  return withOptimisticRetry(async () => {
    const [[existing], invited] = await db.batch([selectByToken(db, token), selectInvited(db, token.email)]);
    if (existing) return { user: await readUser(db, existing.id), created: false, job: null };

    const id = newIdentifier(now);
    const job = replanJob({ user: id }, now);
    try {
      await db.batch([
        insertUser(db, { ...profile, id, createdAt: now }, token, invited),
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

const selectInvited = (db: Database, email: string | null) =>
  db
    .select()
    .from(invitations)
    .where(email ? eq(invitations.email, email) : sql`0`)
    .orderBy(invitations.investigationId);

/** Fails, and its batch with it, when the invitations are no longer those that the batch accepts. */
function insertUser(
  db: Database,
  { name, timeZone, customRemindersTime, ...row }: Profile & { id: string; createdAt: number },
  token: TokenUser,
  invited: Invitation[],
) {
  const expected = invited.map(({ investigationId, role }) => `${investigationId} ${role}`).join();
  const waiting = sql`(select coalesce(group_concat(entry), '') from (
    select investigation_id || ' ' || role as entry from invitation where email = ${token.email} order by investigation_id))`;
  return db.insert(users).values({
    ...row,
    ...token,
    name: sql`case when ${waiting} = ${expected} then ${name} end`,
    timeZone: timeZone ?? null,
    customRemindersTime: customRemindersTime ?? null,
  });
}

async function acceptInvitations(db: Database, user: string, invited: Invitation[], now: number) {
  const entries = invited.map(({ investigationId, role, invitedBy }) => ({
    investigation: investigationId,
    actor: user,
    action: 'member.added' as const,
    details: { member: user, role, invitedBy },
  }));
  const chained = await chainEntries(db, entries, now);
  return [
    ...invited.map(({ investigationId, role }) =>
      db.insert(members).values({ investigationId, userId: user, role, createdAt: now }),
    ),
    ...chained.map((entry) => appendActivity(db, entry)),
    ...invited.slice(0, 1).map(({ email }) => db.delete(invitations).where(eq(invitations.email, email))),
  ];
}
