import { and, eq, not, or, type SQL, sql } from 'drizzle-orm';
import { devices } from '../db/schema/users.ts';
import { invalid, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import type { Push } from '../services.ts';
import type { Context } from './context.ts';
import { ensureEndpoint, removeEndpoints } from './device-endpoints.ts';
import {
  carriesToken,
  isPhone,
  registeredAs,
  silenceOthers,
  usersMovedBy,
  withToken,
} from './device-phones.ts';
import { type Device, explainUnstored, identifierTaken } from './devices.ts';
import { noteLeaving } from './leaving-endpoints.ts';
import { registerAgain } from './relay-changes.ts';
import { replanSelected } from './reminders/outbox.ts';

/** Per user. One more replaces the least recently seen. */
const maxDevices = 10;

export interface NewDevice {
  platform: string;
  token: string;
  timeZone: string;
  identifier?: string | undefined;
  /** A language tag; null forgets it. */
  language?: string | null | undefined;
}

/**
 * Registers a phone, or heals and updates it when its token is known. A token has one owner, and so has an endpoint: when
 * another user registers it, it moves to them, since it belongs to the phone and not to its user.
 * @throws request.invalid, identifier.taken, device.token-refused, relay.unavailable (and no device is stored)
 */
export async function registerDevice(context: Context, user: string, given: NewDevice) {
  const { db, push } = context;
  checkPlatform(push, given.platform);
  const known = await db
    .select()
    .from(devices)
    .where(or(carriesToken(given), given.identifier ? eq(devices.id, given.identifier) : undefined));
  const isSame = (device: Device) => device.platform === given.platform && device.token === given.token;
  if (known.some((device) => device.id === given.identifier && !isSame(device))) throw identifierTaken();
  const hasOthers = known.some((device) => device.userId !== user);
  const taken = hasOthers && (await silenceOthers(context, given, user)).length > 0;

  const endpoint = await ensureEndpoint(context, { ...given, endpoint: known.find(isSame)?.endpoint });
  const { before, device, gone } = await store(context, user, { ...given, endpoint, taken });
  if (taken) await registerAgain(context, device, device);
  await removeEndpoints(
    context,
    [...before, ...gone].filter((one) => one.endpoint !== endpoint),
  );
  return { device, created: !before.some((one) => one.userId === user && isSame(one)) };
}

/** Resolves with the device, the rows that the phone had before, and those that were removed. */
async function store(
  context: Context,
  user: string,
  given: NewDevice & { endpoint: string; taken: boolean },
) {
  const { db, now, outbox } = context;
  const { platform, token, endpoint, timeZone, language, taken } = given;
  const seen = { endpoint, timeZone, language, updatedAt: now, seenAt: now };
  const row = { ...seen, ...registeredAs(token, { taken, now }) };
  const id = given.identifier ?? newIdentifier(now);
  const phone = { platform, token, endpoint };
  const others = and(isPhone(phone), not(and(withToken(given), eq(devices.userId, user)) as SQL));
  const retired = sql`${devices.id} in (select id from device where user_id = ${user} and (${isPhone(phone)}) is not true
    order by seen_at desc, id desc limit -1 offset ${maxDevices - 1})`;
  const [before, , jobs, , gone, [device]] = await db
    .batch([
      db.select().from(devices).where(isPhone(phone)),
      ...replanSelected(context, usersMovedBy(phone, user, timeZone)),
      noteLeaving(context, sql`(${isPhone(phone)} and endpoint <> ${endpoint}) or ${retired}`),
      db.delete(devices).where(or(others, retired)).returning({ endpoint: devices.endpoint }),
      db
        .insert(devices)
        // Null fails the batch when the user was deleted since.
        .values({
          ...row,
          platform,
          token,
          id,
          userId: sql`(select id from user where id = ${user} and deleted_at is null)`,
          createdAt: now,
        })
        .onConflictDoUpdate({ target: [devices.platform, devices.token], set: row })
        .returning(),
    ])
    .catch((error) => explainUnstored(context, endpoint, error));
  if (!device) throw new Problem('internal.error', 'The device was not stored.');
  outbox.push(...jobs);
  return { before, device, gone };
}

function checkPlatform(push: Push, platform: string) {
  if (!push.platforms.includes(platform))
    throw invalid('/platform', `Expected one of the configured platforms: ${push.platforms.join(', ')}.`);
}
