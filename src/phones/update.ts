import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { isUniqueViolation } from '../db/errors.ts';
import { notFound } from '../errors.ts';
import { noteWoken, wakeSelected } from '../reminders/wake.ts';
import { identifierTaken } from './devices.ts';
import { canonicalToken, ensureEndpoint } from './relay.ts';
import { devices } from './schema.ts';
import {
  changedIfEnabled,
  isRival,
  mayReach,
  noDevice,
  noteEndpoint,
  type Phone,
  registered,
  release,
  releaseEndpoints,
  takeFromOthers,
  usersMovedBy,
  zoneSince,
} from './statements.ts';
import { removeEndpoints, syncPhone } from './sync.ts';

export interface DeviceChange {
  /** Null removes it. */
  timeZone?: string | null | undefined;
  token?: string | undefined;
  identifier?: string | undefined;
  language?: string | null | undefined;
}

/**
 * Changes a device. A token, new or known, is registered again, which heals the device.
 * @throws resource.not-found, identifier.taken, device.token-refused, relay.unavailable (and nothing is stored)
 */
export async function updateDevice(
  context: Context,
  id: string,
  { token, identifier = id, timeZone, language }: DeviceChange,
): Promise<Phone> {
  const { db, actor, now } = context;
  const own = and(eq(devices.id, id), eq(devices.userId, actor)) as SQL;
  const [[before], [taken]] = await db.batch([
    db.select().from(devices).where(own),
    db.select({ id: devices.id }).from(devices).where(eq(devices.id, identifier)),
  ]);
  if (!before) throw notFound('device');
  if (taken && identifier !== id) throw identifierTaken();

  const healed = token === undefined ? undefined : await giveToken(context, before, token);
  const isLost = healed
    ? sql`${isRival(healed, eq(devices.id, id))} and exists (select 1 from device where ${own})`
    : noDevice;
  const zone = timeZone === undefined ? before.timeZone : timeZone;
  const after = { owner: actor, own, zone, enabled: healed !== undefined || before.enabled };
  const [moved, , , replaced, lost, [device]] = await db
    .batch([
      ...wakeSelected(context, usersMovedBy(isLost, after, now)),
      releaseEndpoints(context, healed ? sql`${own} and endpoint <> ${healed.endpoint}` : noDevice),
      release(context, isLost),
      db
        .update(devices)
        .set({
          ...(healed && { ...registered, token: healed.token, endpoint: healed.endpoint }),
          id: identifier,
          timeZone: zone,
          zoneSince: zoneSince(zone, now),
          language,
          updatedAt: now,
          seenAt: now,
        })
        .where(own)
        .returning(),
    ])
    .catch((error) => {
      throw isUniqueViolation(error, 'device') ? identifierTaken() : error;
    });
  noteWoken(context, moved);
  if (!device) {
    // Another user has the phone by now, or it was deleted.
    if (healed) await noteEndpoint(context, { ...healed, timeZone: zone });
    throw notFound('device');
  }
  if (!healed) return device;
  if (healed.isContested) await syncPhone(context, device);
  await removeEndpoints(
    context,
    [...replaced, ...lost].filter((phone) => phone.endpoint !== healed.endpoint),
  );
  return device;
}

/** Gives the device's endpoint this token, the device's own or another one. */
async function giveToken(
  context: Context,
  { platform, endpoint, timeZone, ...before }: Phone,
  newToken: string,
) {
  const { db, actor, now } = context;
  const token = canonicalToken(context.push, { platform, token: newToken });
  const phone = { platform, token };
  const [known] = await db.batch([
    db.select({ userId: devices.userId }).from(devices).where(mayReach(phone)),
    takeFromOthers(context, phone, actor),
    // The endpoint may have the token before the row has it, and for longer when this request dies.
    ...(token === before.token
      ? []
      : [
          noteEndpoint(context, { ...phone, endpoint, timeZone }),
          db
            .update(devices)
            .set({ changedAt: changedIfEnabled(now) })
            .where(and(eq(devices.id, before.id), eq(devices.userId, actor))),
        ]),
  ]);
  return {
    ...phone,
    endpoint: await ensureEndpoint(context, { ...phone, endpoint }),
    isContested: known.some(({ userId }) => userId !== actor),
  };
}
