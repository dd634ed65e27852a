import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { wakeSelected } from '../reminders/wake.ts';
import { relayUnavailable } from './relay.ts';
import { devices, hasStatus } from './schema.ts';
import { changedIfEnabled, isOwned, release } from './statements.ts';
import { releaseForGood, removeEndpoints } from './sync.ts';

/** Deletes a device, also at the relay. @throws resource.not-found, relay.unavailable (and nothing changes) */
export async function deleteDevice(context: Context, id: string): Promise<void> {
  const { db, actor, now } = context;
  const own = and(eq(devices.id, id), eq(devices.userId, actor)) as SQL;
  const [leaving] = await db
    .update(devices)
    .set({ status: 'leaving', changedAt: now })
    .where(own)
    .returning({ endpoint: devices.endpoint });
  if (!leaving) throw notFound('device');
  if (!(await removeEndpoints(context, [leaving], actor))) {
    await db
      .update(devices)
      .set({ status: 'kept', changedAt: changedIfEnabled(now) })
      .where(and(own, hasStatus('leaving')));
    throw relayUnavailable();
  }
  const [released] = await releaseForGood(context, own);
  if (!released) throw notFound('device');
  // The phone may have been registered again meanwhile, with another endpoint.
  if (released.endpoint !== leaving.endpoint) await removeEndpoints(context, [released]);
}

/**
 * Statements after which nobody owns these phones: no further push goes there. The caller notes the users that the first one
 * returns as woken, and removes the endpoints of the phones that the last one returns.
 */
export const releasePhones = (context: Pick<Context, 'db' | 'now'>, which: SQL) =>
  [
    ...wakeSelected(context, sql`select distinct user_id from device where ${which} and ${isOwned}`),
    release(context, which),
  ] as const;

/**
 * Removes the endpoints of all of a user's phones from the relay, before the user is deleted and the phones are released.
 * If the deletion fails, the sweep registers the endpoints again. @throws relay.unavailable (and nothing changes)
 */
export async function leaveRelay(context: Context, user: string): Promise<void> {
  const { db, now } = context;
  const phones = await db
    .update(devices)
    .set({ changedAt: changedIfEnabled(now) })
    .where(eq(devices.userId, user))
    .returning({ endpoint: devices.endpoint });
  if (!(await removeEndpoints(context, phones, user))) throw relayUnavailable();
}
