import { and, eq, ne, or, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isUniqueViolation } from '../db/errors.ts';
import { oneOf } from '../db/json.ts';
import { devices, users } from '../db/schema.ts';
import { invalid, notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import type { Push, ReplanJob, Services } from '../services.ts';
import { insertReplan, replanJob } from './replans.ts';

/** The device not seen for longest makes room for one more. */
const mostDevices = 10;

export type Device = typeof devices.$inferSelect;

export interface NewDevice {
  platform: string;
  token: string;
  timeZone: string;
  identifier?: string | undefined;
}

type World = Pick<Services, 'db' | 'push'>;

/** In order of registration. */
export const listDevices = (db: Database, user: string) =>
  db.select().from(devices).where(eq(devices.userId, user)).orderBy(devices.createdAt, devices.id);

/** @throws resource.not-found */
export async function readDevice(db: Database, actor: string, id: string): Promise<Device> {
  const [device] = await db
    .select()
    .from(devices)
    .where(and(eq(devices.id, id), eq(devices.userId, actor)));
  if (!device) throw notFound('device');
  return device;
}

/**
 * Registers a phone, or heals and updates it when its token is known. A token has one owner: registered by
 * somebody else it moves to them. `jobs` are to be started.
 * @throws request.invalid, identifier.taken, device.token-refused, relay.unavailable (and nothing is stored)
 */
export async function registerDevice({ db, push }: World, actor: string, given: NewDevice, now: number) {
  const platform = checkPlatform(push, given.platform);
  const known = await db
    .select()
    .from(devices)
    .where(
      or(
        and(eq(devices.platform, platform), eq(devices.token, given.token)),
        given.identifier ? eq(devices.id, given.identifier) : undefined,
      ),
    );
  const sameToken = known.find((device) => device.platform === platform && device.token === given.token);
  refuseTaken(known, given, actor);

  const own = sameToken?.userId === actor ? sameToken : undefined;
  const endpoint = await register(push, { platform, token: given.token, endpoint: sameToken?.endpoint });
  const id = own?.id ?? given.identifier ?? newIdentifier(now);
  const affected = [...new Set([actor, ...(sameToken ? [sameToken.userId] : [])])];
  const jobs = affected.map((user) => replanJob({ user }, now));
  const [, [device], retired] = await writeDevice(
    db,
    actor,
    { id, platform, token: given.token, endpoint, timeZone: given.timeZone },
    jobs,
    now,
  );
  if (!device) throw new Problem('internal.error', 'The device was not stored.');
  await Promise.all(retired.map((gone) => push.remove(gone.endpoint)));
  return { device, created: own === undefined, jobs };
}

function writeDevice(
  db: Database,
  actor: string,
  row: { id: string; platform: string; token: string; endpoint: string; timeZone: string },
  jobs: ReplanJob[],
  now: number,
) {
  const seen = { endpoint: row.endpoint, timeZone: row.timeZone, enabled: true, updatedAt: now, seenAt: now };
  return db
    .batch([
      db
        .delete(devices)
        .where(
          and(eq(devices.platform, row.platform), eq(devices.token, row.token), ne(devices.userId, actor)),
        ),
      db
        .insert(devices)
        .values({ ...row, ...seen, userId: actor, createdAt: now })
        .onConflictDoUpdate({ target: [devices.platform, devices.token], set: seen })
        .returning(),
      db
        .delete(devices)
        .where(
          sql`${devices.id} in (select id from device where user_id = ${actor} order by seen_at desc, id desc limit -1 offset ${mostDevices})`,
        )
        .returning({ endpoint: devices.endpoint }),
      ...follow(db, jobs, now),
    ])
    .catch((error) => {
      if (isUniqueViolation(error, 'device')) throw identifierTaken();
      throw error;
    });
}

/** What follows from a changed device: the plans of its users are made anew. */
const follow = (db: Database, jobs: ReplanJob[], now: number) => [
  db
    .update(users)
    .set({ planStamp: sql`${users.planStamp} + 1` })
    .where(
      oneOf(
        users.id,
        jobs.flatMap((job) => job.user ?? []),
      ),
    ),
  ...jobs.map((job) => insertReplan(db, job, now)),
];

function checkPlatform(push: Push, platform: string) {
  if (push.platforms.includes(platform)) return platform;
  throw invalid('/platform', `Expected one of the configured platforms: ${push.platforms.join(', ')}.`);
}

function refuseTaken(known: Device[], given: NewDevice, actor: string) {
  const other = given.identifier && known.find((device) => device.id === given.identifier);
  if (other && (other.platform !== given.platform || other.token !== given.token || other.userId !== actor))
    throw identifierTaken();
}

const identifierTaken = () =>
  new Problem('identifier.taken', 'Another device has this identifier: choose a new one.');

/** The endpoint's name at the relay. @throws device.token-refused, relay.unavailable */
async function register(
  push: Push,
  device: { platform: string; token: string; endpoint?: string | undefined },
) {
  const { platform, token, endpoint } = device;
  const registration = await push.register({ platform, token, endpoint: endpoint ?? null });
  if (registration.state === 'refused')
    throw new Problem('device.token-refused', 'The push relay refuses this token.', {
      errors: [{ pointer: '/token', detail: 'Expected a token of this platform.' }],
    });
  if (registration.state === 'unavailable') throw relayUnavailable();
  return registration.endpoint;
}

const relayUnavailable = () =>
  new Problem('relay.unavailable', 'The push relay is out of reach, and nothing was changed.', {
    retryAfterSeconds: 5,
  });

export interface DeviceChange {
  timeZone?: string | undefined;
  token?: string | undefined;
  identifier?: string | undefined;
}

/** @throws resource.not-found, identifier.taken, device.token-refused, relay.unavailable */
export async function updateDevice(
  { db, push }: World,
  actor: string,
  id: string,
  change: DeviceChange,
  now: number,
) {
  const before = await readDevice(db, actor, id);
  const token = change.token ?? before.token;
  const replaced = token !== before.token;
  const endpoint = replaced
    ? await register(push, { platform: before.platform, token, endpoint: before.endpoint })
    : before.endpoint;
  const others = replaced ? await selectOwnersOf(db, before.platform, token, id) : [];
  const jobs = [...new Set([actor, ...others])].map((user) => replanJob({ user }, now));
  const after = {
    id: change.identifier ?? id,
    token,
    endpoint,
    timeZone: change.timeZone ?? before.timeZone,
    enabled: replaced || before.enabled,
    updatedAt: now,
    seenAt: now,
  };
  try {
    const [, [device]] = await db.batch([
      db
        .delete(devices)
        .where(and(eq(devices.platform, before.platform), eq(devices.token, token), ne(devices.id, id))),
      db
        .update(devices)
        .set(after)
        .where(and(eq(devices.id, id), eq(devices.userId, actor)))
        .returning(),
      ...follow(db, jobs, now),
    ]);
    if (!device) throw notFound('device');
    return { device, jobs };
  } catch (error) {
    if (isUniqueViolation(error, 'device')) throw identifierTaken();
    throw error;
  }
}

async function selectOwnersOf(db: Database, platform: string, token: string, except: string) {
  const rows = await db
    .select({ user: devices.userId })
    .from(devices)
    .where(and(eq(devices.platform, platform), eq(devices.token, token), ne(devices.id, except)));
  return rows.map((row) => row.user);
}

/** Deletes a device, also at the relay. @throws resource.not-found, relay.unavailable */
export async function deleteDevice({ db, push }: World, actor: string, id: string, now: number) {
  const device = await readDevice(db, actor, id);
  const removal = await push.remove(device.endpoint);
  if (removal.state === 'unavailable') throw relayUnavailable();
  const job = replanJob({ user: actor }, now);
  const [gone] = await db.batch([
    db
      .delete(devices)
      .where(and(eq(devices.id, id), eq(devices.userId, actor)))
      .returning({ id: devices.id }),
    ...follow(db, [job], now),
  ]);
  if (gone.length === 0) throw notFound('device');
  return { jobs: [job] };
}
