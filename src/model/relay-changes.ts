import { and, eq, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isUniqueViolation } from '../db/errors.ts';
import { devices } from '../db/schema.ts';
import type { Context } from './context.ts';
import { replanSelected } from './reminders/outbox.ts';

/*
 * A change at the relay and its row cannot be one transaction. So the row says what is to change before the relay is
 * asked, and no more once it is stored. What stays noted was interrupted, and the sweep asks the relay how it ended.
 */

export type InterruptedChange = typeof devices.$inferSelect;

/** What a row says that has no change under way. */
export const settled = { pendingToken: null, relayChangeAt: null };

/** A statement: the endpoint of the caller's device is about to be given another token. */
export const noteTokenChange = ({ db, actor, now }: Context, id: string, token: string) =>
  db
    .update(devices)
    .set({ pendingToken: token, relayChangeAt: now })
    .where(and(eq(devices.id, id), eq(devices.userId, actor)));

/** A statement: the endpoints of these devices are about to leave the relay. */
export const noteRemoval = ({ db, now }: Pick<Context, 'db' | 'now'>, which: SQL) =>
  db.update(devices).set({ relayChangeAt: now }).where(which);

const maxChanges = 20;

/** Changes that began before `before` and are not known to have ended, oldest first. */
export const selectInterrupted = (db: Database, before: number) =>
  db
    .select()
    .from(devices)
    .where(and(sql`${devices.relayChangeAt} is not null`, lt(devices.relayChangeAt, before)))
    .orderBy(devices.relayChangeAt)
    .limit(maxChanges);

/**
 * Makes the row say what the relay has. A new token that the relay took is the device's; a device without an endpoint
 * whose owner was deleting it goes, any other is disabled until it registers again.
 */
export async function mendDevice(
  context: Pick<Context, 'db' | 'push' | 'now' | 'outbox'>,
  device: InterruptedChange,
): Promise<void> {
  const { db, push, now, outbox } = context;
  const { id, endpoint, pendingToken, relayChangeAt } = device;
  // A request that touched the device since knows better.
  const asRead = sql`${devices.id} = ${id} and ${devices.relayChangeAt} = ${relayChangeAt}
    and ${devices.pendingToken} is ${pendingToken}`;
  const disable = () =>
    db
      .update(devices)
      .set({ enabled: false, updatedAt: now, ...settled })
      .where(asRead);
  let missing = true;
  for (const token of pendingToken === null ? [device.token] : [pendingToken, device.token]) {
    const { state } = await push.check({ endpoint, token });
    if (state === 'unavailable') {
      // To the end of the line.
      await db.update(devices).set({ relayChangeAt: now }).where(asRead);
      return;
    }
    if (state === 'reachable' || state === 'disabled') {
      const enabled = device.enabled && state === 'reachable';
      await db
        .update(devices)
        .set({ token, enabled, updatedAt: now, ...settled })
        .where(asRead)
        .catch((error) => {
          // Another device has the token by now, and so the phone.
          if (!isUniqueViolation(error, 'device')) throw error;
          return disable();
        });
      return;
    }
    missing &&= state === 'missing';
  }
  if (!missing || pendingToken !== null) {
    await db
      .update(devices)
      .set({ enabled: false, updatedAt: now, ...settled })
      .where(asRead);
    return;
  }
  const [, jobs] = await db.batch([
    ...replanSelected(context, sql`select user_id from device where ${asRead}`),
    db.delete(devices).where(asRead),
  ]);
  outbox.push(...jobs);
}
