import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { isUniqueViolation } from '../db/errors.ts';
import { invalid, notFound } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { users } from '../people/schema.ts';
import { noteWoken, wakeSelected } from '../reminders/wake.ts';
import type { PushService } from '../services.ts';
import { identifierTaken } from './devices.ts';
import { canonicalToken, ensureEndpoint } from './relay.ts';
import { devices } from './schema.ts';
import {
  isOwn,
  isRival,
  mayReach,
  noDevice,
  noteEndpoint,
  registered,
  release,
  releaseEndpoints,
  takeFromOthers,
  usersMovedBy,
  zoneSince,
} from './statements.ts';
import { removeEndpoints, syncPhone } from './sync.ts';

/** Phones of one user. One more replaces the least recently seen. */
const maxDevices = 10;

export interface NewDevice {
  platform: string;
  token: string;
  /** Null: the phone knows none, and the zone of the user or the study holds. */
  timeZone: string | null;
  identifier?: string | undefined;
  /** That of the token of the request: a phone comes only with a token that still holds. */
  subject?: string | undefined;
  /** A language tag; null removes it. */
  language?: string | null | undefined;
}

/**
 * Registers a phone, or heals and updates it if its token is known. A token has one owner, and so has an endpoint: if
 * another user registers the token, the device moves to them, since it belongs to the phone and not to its user.
 * @throws request.invalid, identifier.taken, device.token-refused, relay.unavailable (and no device is stored)
 */
export async function registerDevice(context: Context, user: string, device: NewDevice) {
  const { db, push } = context;
  checkPlatform(push, device.platform);
  const canonical = { ...device, token: canonicalToken(push, device) };
  const [known, [named]] = await db.batch([
    db.select().from(devices).where(mayReach(canonical)),
    db
      .select({ id: devices.id })
      .from(devices)
      .where(eq(devices.id, canonical.identifier ?? '')),
  ]);
  const same = known.filter(({ token }) => token === canonical.token);
  if (named && !same.some(({ id }) => id === named.id)) throw identifierTaken();
  const own = same.find(({ userId }) => userId === user);
  const others = known.filter(({ userId }) => userId !== user);
  if (others.some(({ userId }) => userId !== null)) await takeFromOthers(context, canonical, user);

  const endpoint = await ensureEndpoint(context, { ...canonical, endpoint: own?.endpoint ?? null });
  // The next owner of the phone takes over this row too.
  const isAlone = own?.endpoint === endpoint && known.length === 1;
  const phone = { ...canonical, endpoint, isAlone };
  // Retries the other path: another request registered the phone meanwhile, or removed it.
  const [first, second] = own ? [renew, add] : [add, renew];
  const stored = (await first(context, user, phone)) ?? (await second(context, user, phone));
  if (!stored) {
    await noteEndpoint(context, phone);
    throw notFound('user');
  }
  const { created, released } = stored;
  // The phone may have been leaving the relay for another user when it got this endpoint.
  if (others.length > 0) await syncPhone(context, stored.device);
  await removeEndpoints(
    context,
    released.filter((phone) => phone.endpoint !== endpoint),
  );
  return { device: stored.device, created };
}

type NewPhone = NewDevice & {
  endpoint: string;
  /** No other row has the token or the endpoint. */
  isAlone: boolean;
};

/** Updates a phone that the user already has. Undefined if they have it not. */
async function renew(context: Context, user: string, phone: NewPhone) {
  const { db, now } = context;
  const { endpoint, timeZone, language, isAlone } = phone;
  const own = isOwn(phone, user);
  const rival = isAlone ? noDevice : isRival(phone, own);
  const [moved, , , replaced, lost, [device]] = await db.batch([
    ...wakeSelected(context, usersMovedBy(rival, { owner: user, own, zone: timeZone }, now)),
    releaseEndpoints(context, isAlone ? noDevice : sql`${own} and endpoint <> ${endpoint}`),
    release(context, rival),
    db
      .update(devices)
      .set({
        ...registered,
        endpoint,
        timeZone,
        zoneSince: zoneSince(timeZone, now),
        language,
        updatedAt: now,
        seenAt: now,
      })
      .where(own)
      .returning(),
  ]);
  noteWoken(context, moved);
  return device && { device, created: false, released: [...replaced, ...lost] };
}

/** Adds a phone that is new to the user. Undefined if it is not, or if the user was deleted. @throws identifier.taken */
async function add(context: Context, user: string, phone: NewPhone) {
  const { db, now } = context;
  const { platform, token, endpoint, timeZone, subject } = phone;
  const language = phone.language === undefined ? users.language : sql`${phone.language}`;
  const id = phone.identifier ?? newIdentifier(now);
  const own = isOwn(phone, user);
  const rival = isRival(phone, own);
  const isRetired = sql`rowid in (select rowid from device where user_id = ${user}
    order by seen_at desc, rowid desc limit -1 offset ${maxDevices - 1}) and not exists (select 1 from device where ${own})`;
  const [moved, , , lost, retired, [device]] = await db
    .batch([
      ...wakeSelected(context, usersMovedBy(rival, { owner: user, own, zone: timeZone }, now)),
      release(context, rival),
      release(context, isRetired),
      db
        .insert(devices)
        .select(sql`select ${id}, ${users.id}, ${platform}, ${token}, ${endpoint}, ${timeZone}, ${language}, 1,
          ${now}, ${now}, ${now}, ${now}, 'kept', null from ${users} where ${users.id} = ${user} and ${users.deletedAt} is null
          and coalesce(${users.subject} = ${subject ?? null}, 1)
          and not exists (select 1 from device where ${own})`)
        .returning(),
    ])
    .catch(async (error) => {
      if (!isUniqueViolation(error, 'device')) throw error;
      await noteEndpoint(context, phone);
      throw identifierTaken();
    });
  noteWoken(context, moved);
  return device && { device, created: true, released: [...lost, ...retired] };
}

function checkPlatform(push: PushService, platform: string) {
  if (!push.platforms.includes(platform))
    throw invalid('/platform', `Expected one of the configured platforms: ${push.platforms.join(', ')}.`);
}
