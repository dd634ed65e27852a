import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isGuardViolation, isUniqueViolation } from '../db/errors.ts';
import { devices, replans, users } from '../db/schema.ts';
import { invalid, notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import type { Push, Services } from '../services.ts';
import { selectAlive } from './users.ts';

/** The device not seen for longest makes room for one more. */
const mostDevices = 10;

const retryAfterSeconds = 5;

export type Device = typeof devices.$inferSelect;

export interface NewDevice {
  platform: string;
  token: string;
  timeZone: string;
  identifier?: string | undefined;
}

type World = Pick<Services, 'db' | 'push' | 'log'>;
type Token = Pick<Device, 'platform' | 'token'>;

/** In order of registration. @throws resource.not-found when the user is deleted */
export async function listDevices(db: Database, user: string): Promise<Device[]> {
  const [[me], rows] = await db.batch([
    selectAlive(db, user),
    db.select().from(devices).where(eq(devices.userId, user)).orderBy(devices.createdAt, devices.id),
  ]);
  if (!me) throw notFound('user');
  return rows;
}

/** @throws resource.not-found */
export async function readDevice(db: Database, actor: string, id: string): Promise<Device> {
  const [device] = await db
    .select()
    .from(devices)
    .where(and(eq(devices.id, id), eq(devices.userId, actor)));
  if (!device) throw notFound('device');
  return device;
}

const withToken = ({ platform, token }: Token) =>
  and(eq(devices.platform, platform), eq(devices.token, token)) as SQL;

/**
 * Registers a phone, or heals and updates it when its token is known. A token has one owner: registered by
 * somebody else it moves to them, since whoever has the token has the phone. `jobs` are to be started.
 * @throws request.invalid, identifier.taken, device.token-refused, relay.unavailable (and nothing is stored)
 */
export async function registerDevice(world: World, actor: string, given: NewDevice, now: number) {
  const { db, push } = world;
  checkPlatform(push, given.platform);
  const known = await db
    .select()
    .from(devices)
    .where(or(withToken(given), given.identifier ? eq(devices.id, given.identifier) : undefined));
  const isSame = (device: Device) => device.platform === given.platform && device.token === given.token;
  if (known.some((device) => device.id === given.identifier && !isSame(device))) throw identifierTaken();

  const endpoint = await provideEndpoint(world, { ...given, endpoint: known.find(isSame)?.endpoint });
  const { platform, token, timeZone } = given;
  const row = { platform, token, endpoint, timeZone, enabled: true, updatedAt: now, seenAt: now };
  const id = given.identifier ?? newIdentifier(now);
  const [before, , jobs, , [device], retired] = await db
    .batch([
      db.select().from(devices).where(withToken(given)),
      ...follow(db, movers(given, actor, timeZone), now),
      db.delete(devices).where(and(withToken(given), ne(devices.userId, actor))),
      db
        .insert(devices)
        // Null, which fails the batch, when they deleted themselves since.
        .values({
          ...row,
          id,
          userId: sql`(select id from user where id = ${actor} and deleted_at is null)`,
          createdAt: now,
        })
        .onConflictDoUpdate({
          target: [devices.platform, devices.token],
          set: { endpoint, timeZone, enabled: true, updatedAt: now, seenAt: now },
        })
        .returning(),
      db
        .delete(devices)
        .where(
          sql`${devices.id} in (select id from device where user_id = ${actor}
            order by (platform = ${platform} and token = ${token}) desc, seen_at desc, id desc
            limit -1 offset ${mostDevices})`,
        )
        .returning({ endpoint: devices.endpoint }),
    ])
    .catch(explainTaken);
  if (!device) throw new Problem('internal.error', 'The device was not stored.');
  await removeEndpoints(world, [...before, ...retired], endpoint);
  return { device, created: !before.some((one) => one.userId === actor), jobs };
}

/**
 * Users whose zone a registration changes: the owner, when their newest device was elsewhere, and whoever
 * loses the token to them. It must be read before the devices are written.
 */
const movers = (token: Token, owner: string, zone: string) => sql`
  select user_id from device where ${withToken(token)} and user_id <> ${owner}
  union select ${owner} where ${zone} is not
    (select time_zone from device where user_id = ${owner} order by seen_at desc limit 1)`;

/** The plans of these users are made anew. The jobs are in the outbox, so that a crash cannot lose them. */
const follow = (db: Database, affected: SQL, now: number) =>
  [
    db
      .update(users)
      .set({ planStamp: sql`${users.planStamp} + 1` })
      .where(sql`${users.id} in (${affected})`),
    db
      .insert(replans)
      .select(sql`select lower(hex(randomblob(16))), user_id, null, '', ${now} from (${affected})`)
      .returning({
        id: replans.id,
        user: replans.userId,
        investigation: replans.investigationId,
        after: replans.after,
      }),
  ] as const;

function checkPlatform(push: Push, platform: string) {
  if (!push.platforms.includes(platform))
    throw invalid('/platform', `Expected one of the configured platforms: ${push.platforms.join(', ')}.`);
}

const identifierTaken = () =>
  new Problem('identifier.taken', 'Another device has this identifier: choose a new one.');

function explainTaken(error: unknown): never {
  if (isGuardViolation(error)) throw notFound('user');
  throw isUniqueViolation(error, 'device') ? identifierTaken() : error;
}

/** The name of an enabled endpoint with this token. @throws device.token-refused, relay.unavailable */
async function provideEndpoint(
  { push, log }: World,
  { platform, token, endpoint = null }: Token & { endpoint?: string | null | undefined },
) {
  const registration = await push.register({ platform, token, endpoint });
  switch (registration.state) {
    case 'registered':
      return registration.endpoint;
    case 'refused':
      throw new Problem('device.token-refused', 'The push relay refuses this token.', {
        errors: [{ pointer: '/token', detail: 'Expected a token of this platform.' }],
      });
    case 'unavailable':
      log({ event: 'relay.unavailable', doing: 'register', error: registration.error });
      throw relayUnavailable();
  }
}

const relayUnavailable = () =>
  new Problem('relay.unavailable', 'The push relay is out of reach, and nothing was changed.', {
    retryAfterSeconds,
  });

/** Takes endpoints that no device has any more from the relay. One that stays is never pushed to. */
async function removeEndpoints({ push, log }: World, gone: { endpoint: string }[], kept: string) {
  const names = new Set(gone.map((device) => device.endpoint));
  names.delete(kept);
  for (const removal of await Promise.all([...names].map((name) => push.remove(name))))
    if (removal.state === 'unavailable')
      log({ event: 'relay.unavailable', doing: 'remove', error: removal.error });
}

export interface DeviceChange {
  timeZone?: string | undefined;
  token?: string | undefined;
  identifier?: string | undefined;
}

/**
 * Changes a device. A token that is sent is registered, be it new or not, which heals the device.
 * @throws resource.not-found, identifier.taken, device.token-refused, relay.unavailable (and nothing is stored)
 */
export async function updateDevice(
  world: World,
  actor: string,
  id: string,
  change: DeviceChange,
  now: number,
) {
  const { db } = world;
  const before = await readDevice(db, actor, id);
  const after = { id: change.identifier ?? id, timeZone: change.timeZone ?? before.timeZone };
  await refuseTaken(db, id, after.id);
  const { platform } = before;
  const token = change.token ?? before.token;
  const healed = change.token !== undefined && {
    token,
    endpoint: await provideEndpoint(world, { platform, token, endpoint: before.endpoint }),
    enabled: true,
  };
  const others = and(withToken({ platform, token }), ne(devices.id, id));
  const [, jobs, replaced, [device]] = await db
    .batch([
      ...follow(db, movers({ platform, token }, actor, after.timeZone), now),
      db.delete(devices).where(others).returning({ endpoint: devices.endpoint }),
      db
        .update(devices)
        .set({ ...after, ...healed, updatedAt: now, seenAt: now })
        .where(and(eq(devices.id, id), eq(devices.userId, actor)))
        .returning(),
    ])
    .catch(explainTaken);
  if (!device) throw notFound('device');
  if (healed) await removeEndpoints(world, [before, ...replaced], healed.endpoint);
  return { device, jobs };
}

async function refuseTaken(db: Database, id: string, wanted: string) {
  if (id === wanted) return;
  const [taken] = await db.select({ id: devices.id }).from(devices).where(eq(devices.id, wanted));
  if (taken) throw identifierTaken();
}

/** Deletes a device, also at the relay. @throws resource.not-found, relay.unavailable (and nothing is done) */
export async function deleteDevice({ db, push, log }: World, actor: string, id: string, now: number) {
  const device = await readDevice(db, actor, id);
  const removal = await push.remove(device.endpoint);
  if (removal.state === 'unavailable') {
    log({ event: 'relay.unavailable', doing: 'remove', error: removal.error });
    throw relayUnavailable();
  }
  const own = and(eq(devices.id, id), eq(devices.userId, actor)) as SQL;
  const [, jobs, gone] = await db.batch([
    ...follow(db, sql`select user_id from device where ${own}`, now),
    db.delete(devices).where(own).returning({ id: devices.id }),
  ]);
  if (gone.length === 0) throw notFound('device');
  return { jobs };
}

/** Notes that the relay no longer reaches a device, unless it was registered since it was read. */
export async function disableDevice(db: Database, { id, seenAt }: Device, now: number) {
  await db
    .update(devices)
    .set({ enabled: false, updatedAt: now })
    .where(and(eq(devices.id, id), eq(devices.seenAt, seenAt)));
}
