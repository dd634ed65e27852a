import { and, eq, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isUniqueViolation } from '../db/errors.ts';
import { devices, isEnabled } from '../db/schema/users.ts';
import type { Context } from './context.ts';
import { noteLeaving } from './leaving-endpoints.ts';
import { replanSelected } from './reminders/outbox.ts';

/*
 * A change at the relay and its row cannot be one transaction. So the row says what is to change before the relay is
 * asked, and no more once it is stored. What stays noted was interrupted, and the sweep asks the relay how it ended.
 *
 * A note has the token that the endpoint is being given: another one (the phone has a new token), the device's own (it is
 * registered again), or none (it is being removed).
 */

export type InterruptedChange = typeof devices.$inferSelect;

export type Mending = Pick<Context, 'db' | 'push' | 'now' | 'log' | 'outbox'>;

/** What a row says that has no change under way. */
export const settled = { pendingToken: null, relayChangeAt: null };

/** A statement: the endpoint of the caller's device is about to be given another token. */
export const noteTokenChange = ({ db, actor, now }: Context, id: string, token: string) =>
  db
    .update(devices)
    .set({ pendingToken: token, relayChangeAt: now })
    .where(and(eq(devices.id, id), eq(devices.userId, actor)));

/** In SQL: the token that is noted, unless it is the device's own. */
const otherPendingToken = sql`nullif(${devices.pendingToken}, ${devices.token})`;

/** A statement: the endpoints of these devices are about to leave the relay. */
export const noteRemoval = ({ db, now }: Pick<Context, 'db' | 'now'>, which: SQL) =>
  db
    .update(devices)
    .set({ pendingToken: otherPendingToken, relayChangeAt: now })
    .where(which)
    .returning({ endpoint: devices.endpoint });

/** A statement: these devices, as far as they are enabled, are not pushed to until they are registered again. */
export const noteRegistration = ({ db, now }: Pick<Context, 'db' | 'now'>, which: SQL) =>
  db
    .update(devices)
    .set({ enabled: false, pendingToken: sql`${devices.token}`, relayChangeAt: now, updatedAt: now })
    .where(and(which, isEnabled))
    .returning();

/** In a SET: pushes end until the owner registers the phone, and the service no longer does so for them. */
export const silenced = (now: number) => ({
  enabled: false,
  takenAt: now,
  updatedAt: now,
  pendingToken: otherPendingToken,
  relayChangeAt: sql`iif(${devices.pendingToken} = ${devices.token}, null, ${devices.relayChangeAt})`,
});

const maxChanges = 20;

/** Changes that began before `before` and are not known to have ended, oldest first; none unless it `asks`. */
export const selectInterrupted = (db: Database, before: number) =>
  db
    .select()
    .from(devices)
    .where(and(sql`${devices.relayChangeAt} is not null`, lt(devices.relayChangeAt, before)))
    .orderBy(devices.relayChangeAt)
    .limit(maxChanges);

/** In SQL: no request has touched the device since, which would know better. */
const isAsRead = ({ id, pendingToken, relayChangeAt }: InterruptedChange) =>
  sql`${devices.id} = ${id} and ${devices.relayChangeAt} = ${relayChangeAt}
    and ${devices.pendingToken} is ${pendingToken}`;

/** Leaves the change to a later sweep. */
const postpone = ({ db, now }: Mending, device: InterruptedChange) =>
  db.update(devices).set({ relayChangeAt: now }).where(isAsRead(device));

const disable = ({ db, now }: Mending, device: InterruptedChange) =>
  db
    .update(devices)
    .set({ enabled: false, updatedAt: now, ...settled })
    .where(isAsRead(device));

/**
 * Registers a device as its owner would, since its endpoint may have been removed or given another token. Where the relay
 * is out of reach, the note stays for the sweep; otherwise the row has the given one then.
 */
export async function registerAgain(
  context: Mending,
  device: InterruptedChange,
  { pendingToken, relayChangeAt }: Pick<InterruptedChange, 'pendingToken' | 'relayChangeAt'> = settled,
): Promise<void> {
  const { db, push, now, log } = context;
  const registration = await push.register(device);
  if (registration.state === 'unavailable') {
    log({ event: 'relay.unavailable', doing: 'register', error: registration.error });
    await postpone(context, device);
    return;
  }
  if (registration.state === 'refused') {
    await disable(context, device);
    return;
  }
  const { endpoint } = registration;
  const asRead = isAsRead(device);
  await db.batch([
    noteLeaving(context, and(asRead, ne(devices.endpoint, endpoint)) as SQL),
    // An endpoint has one owner, whatever was done to it from outside.
    db
      .update(devices)
      .set(silenced(now))
      .where(
        and(
          eq(devices.endpoint, endpoint),
          ne(devices.id, device.id),
          sql`exists (select 1 from device where ${asRead})`,
        ),
      ),
    db
      .update(devices)
      .set({ endpoint, enabled: true, updatedAt: now, pendingToken, relayChangeAt })
      .where(asRead),
  ]);
}

/**
 * Makes the row say what the relay has. A new token that the relay took is the device's; a device without an endpoint
 * whose owner was deleting it goes, one that was to be registered again is, any other is disabled until it registers.
 */
export async function mendDevice(context: Mending, device: InterruptedChange): Promise<void> {
  const { db, push, now, outbox } = context;
  const { endpoint, pendingToken } = device;
  if (pendingToken === device.token) return registerAgain(context, device);
  const asRead = isAsRead(device);
  let missing = true;
  for (const token of pendingToken === null ? [device.token] : [pendingToken, device.token]) {
    const { state } = await push.check({ endpoint, token });
    if (state === 'unavailable') {
      await postpone(context, device);
      return;
    }
    if (state === 'reachable' || state === 'disabled') {
      await db
        .update(devices)
        .set({ token, ...(state === 'disabled' && { enabled: false }), updatedAt: now, ...settled })
        .where(asRead)
        .catch((error) => {
          // Another device has the token by now, and so the phone.
          if (!isUniqueViolation(error, 'device')) throw error;
          return disable(context, device);
        });
      return;
    }
    missing &&= state === 'missing';
  }
  if (!missing || pendingToken !== null) {
    await disable(context, device);
    return;
  }
  const [, jobs] = await db.batch([
    ...replanSelected(context, sql`select user_id from device where ${asRead}`),
    db.delete(devices).where(asRead),
  ]);
  outbox.push(...jobs);
}
