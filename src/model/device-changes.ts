import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { devices } from '../db/schema/users.ts';
import { notFound } from '../errors.ts';
import type { Context } from './context.ts';
import { ensureEndpoint, removeEndpoints } from './device-endpoints.ts';
import { isPhone, registeredAs, silenceOthers, usersMovedBy } from './device-phones.ts';
import { type Device, explainUnstored, identifierTaken, readDevice } from './devices.ts';
import { noteLeaving, noteUnused } from './leaving-endpoints.ts';
import { noteTokenChange, registerAgain } from './relay-changes.ts';
import { replanSelected } from './reminders/outbox.ts';

export interface DeviceChange {
  timeZone?: string | undefined;
  token?: string | undefined;
  identifier?: string | undefined;
  language?: string | null | undefined;
}

/**
 * Changes a device. A token, new or known, is registered again, which heals the device.
 * @throws resource.not-found, identifier.taken, device.token-refused, relay.unavailable (and nothing is stored)
 */
export async function updateDevice(context: Context, id: string, change: DeviceChange): Promise<Device> {
  const { db, actor, now, outbox } = context;
  const before = await readDevice(context, id);
  const after = {
    id: change.identifier ?? id,
    timeZone: change.timeZone ?? before.timeZone,
    language: change.language,
  };
  await refuseTaken(db, id, after.id);
  const { platform } = before;
  const token = change.token ?? before.token;
  const [others] =
    change.token === undefined
      ? [[]]
      : await db.batch([
          silenceOthers(context, { platform, token }, actor),
          ...(token === before.token ? [] : [noteTokenChange(context, id, token)]),
        ]);
  const taken = others.length > 0;
  const healed =
    change.token === undefined
      ? undefined
      : {
          token,
          endpoint: await ensureEndpoint(context, { platform, token, endpoint: before.endpoint }),
          ...registeredAs(token, { taken, now }),
        };
  const phone = { platform, token, ...(healed && { endpoint: healed.endpoint }) };
  const own = and(eq(devices.id, id), eq(devices.userId, actor)) as SQL;
  // A user who lost this device meanwhile takes nothing from its new owner.
  const isOwner = sql`exists (select 1 from device d where d.id = ${id} and d.user_id = ${actor})`;
  const rivals = and(healed ? isPhone(phone) : sql`0`, ne(devices.id, id), isOwner) as SQL;
  const [, jobs, , replaced, [device]] = await db
    .batch([
      ...replanSelected(context, usersMovedBy(phone, actor, after.timeZone)),
      noteLeaving(
        context,
        healed ? (and(or(own, rivals), ne(devices.endpoint, healed.endpoint)) as SQL) : sql`0`,
      ),
      db.delete(devices).where(rivals).returning({ endpoint: devices.endpoint }),
      db
        .update(devices)
        .set({ ...after, ...healed, updatedAt: now, seenAt: now })
        .where(own)
        .returning(),
    ])
    .catch((error) => explainUnstored(context, healed?.endpoint, error));
  outbox.push(...jobs);
  if (!device) {
    if (healed) await noteUnused(context, healed.endpoint);
    throw notFound('device');
  }
  if (taken) await registerAgain(context, device, device);
  if (healed)
    await removeEndpoints(
      context,
      [before, ...replaced].filter((one) => one.endpoint !== healed.endpoint),
    );
  return device;
}

async function refuseTaken(db: Database, id: string, wanted: string) {
  if (id === wanted) return;
  const [taken] = await db.select({ id: devices.id }).from(devices).where(eq(devices.id, wanted));
  if (taken) throw identifierTaken();
}
