import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { devices, members, notifications, replans, users } from '../db/schema.ts';
import { notFound, Problem } from '../errors.ts';
import type { Services } from '../services.ts';
import { appendActivity, chainEntries, withOptimisticRetry } from './activities.ts';
import { isLastOwner } from './members.ts';
import { bumpPlan } from './users.ts';

/**
 * Deletes a user: devices leave the relay, pending notifications and memberships go; answers stay with
 * their studies. @throws member.last-owner, relay.unavailable (and nothing is done)
 */
export async function deleteUser({ db, push }: Pick<Services, 'db' | 'push'>, id: string, now: number) {
  await withOptimisticRetry(async () => {
    const belongings = await readBelongings(db, id);
    const { memberships, endpoints } = belongings;
    if (memberships.some((membership) => membership.lastOwner))
      throw new Problem(
        'member.last-owner',
        'You are the last owner of a study: make somebody else an owner first.',
      );
    await leaveRelay(push, endpoints);
    const entries = memberships.map(({ investigation }) => ({
      investigation,
      actor: id,
      action: 'member.removed' as const,
      details: { member: id },
    }));
    const chained = await chainEntries(db, entries, now);
    await db.batch([
      db
        .update(users)
        .set({
          // Null, which fails the batch, when what was read no longer holds: then it is read again.
          name: sql`case when ${unchanged(id, belongings)} then 'Deleted user' end`,
          namedAt: now,
          ...bumpPlan,
          issuer: null,
          subject: null,
          email: null,
          timeZone: null,
          customRemindersTime: null,
          pausedUntil: null,
          deletedAt: now,
        })
        .where(eq(users.id, id)),
      db.delete(devices).where(eq(devices.userId, id)),
      db.delete(members).where(eq(members.userId, id)),
      db.delete(notifications).where(and(eq(notifications.userId, id), isNull(notifications.settledAt))),
      db.delete(replans).where(eq(replans.userId, id)),
      ...chained.map((entry) => appendActivity(db, entry)),
    ]);
  });
}

async function readBelongings(db: Database, id: string) {
  const [[user], memberships, own] = await db.batch([
    db
      .select({ planStamp: users.planStamp })
      .from(users)
      .where(and(eq(users.id, id), isNull(users.deletedAt))),
    db
      .select({ investigation: members.investigationId, lastOwner: isLastOwner.as('last_owner') })
      .from(members)
      .where(eq(members.userId, id)),
    db.select({ endpoint: devices.endpoint }).from(devices).where(eq(devices.userId, id)),
  ]);
  if (!user) throw notFound('user');
  return { ...user, memberships, endpoints: own.map((device) => device.endpoint) };
}

/** In SQL: no membership (it would bump the plan) and no device came since, and no other owner left. */
const unchanged = (id: string, { planStamp, endpoints }: Awaited<ReturnType<typeof readBelongings>>) =>
  sql`${users.planStamp} = ${planStamp}
    and not exists (select 1 from device d where d.user_id = ${id}
      and d.endpoint not in (select value from json_each(${JSON.stringify(endpoints)})))
    and not exists (select 1 from member where member.user_id = ${id} and ${isLastOwner})`;

/** Removing an endpoint again is fine, so a second try finishes what a first one began. */
async function leaveRelay(push: Services['push'], endpoints: string[]) {
  const removals = await Promise.all(endpoints.map((endpoint) => push.remove(endpoint)));
  if (removals.some((removal) => removal.state === 'unavailable'))
    throw new Problem('relay.unavailable', 'The push relay is out of reach.', { retryAfterSeconds: 5 });
}
