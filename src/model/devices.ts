import { and, eq, ne, not, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isGuardViolation, isUniqueViolation } from '../db/errors.ts';
import { devices } from '../db/schema.ts';
import { invalid, notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import type { Push } from '../services.ts';
import type { Context } from './context.ts';
import { noteRemoval, noteTokenChange, settled } from './relay-changes.ts';
import { replanSelected } from './reminders/outbox.ts';
import { selectAlive } from './users.ts';

/** Per user. One more replaces the least recently seen. */
const maxDevices = 10;

const retryAfterSeconds = 5;

export type Device = typeof devices.$inferSelect;

export interface NewDevice {
  platform: string;
  token: string;
  timeZone: string;
  identifier?: string | undefined;
  /** A language tag; null forgets it. */
  language?: string | null | undefined;
}

type Token = Pick<Device, 'platform' | 'token'>;

/** In order of registration. @throws resource.not-found when the user is deleted */
export async function listDevices({ db }: Context, user: string): Promise<Device[]> {
  const [[me], rows] = await db.batch([
    selectAlive(db, user),
    db.select().from(devices).where(eq(devices.userId, user)).orderBy(devices.createdAt, devices.id),
  ]);
  if (!me) throw notFound('user');
  return rows;
}

/** One of the caller's own. @throws resource.not-found */
export async function readDevice({ db, actor }: Context, id: string): Promise<Device> {
  const [device] = await db
    .select()
    .from(devices)
    .where(and(eq(devices.id, id), eq(devices.userId, actor)));
  if (!device) throw notFound('device');
  return device;
}

const withToken = ({ platform, token }: Token) =>
  and(eq(devices.platform, platform), eq(devices.token, token)) as SQL;

/** In SQL: the device has the token, or its endpoint is being given it. */
const carriesToken = ({ platform, token }: Token) =>
  or(
    withToken({ platform, token }),
    and(eq(devices.pendingToken, token), eq(devices.platform, platform)),
  ) as SQL;

/** In SQL: a push to the device reaches the phone that has this token and this endpoint. */
const isPhone = ({ endpoint, ...phone }: Token & { endpoint?: string | undefined }) =>
  or(carriesToken(phone), endpoint === undefined ? undefined : eq(devices.endpoint, endpoint)) as SQL;

/**
 * Ends pushes to others on a phone that somebody else has shown to be theirs. THIS COMES BEFORE THE RELAY IS ASKED, so
 * that nothing that fails from there on leaves them reachable on it.
 */
const silenceOthers = ({ db, now }: Context, token: Token, owner: string) =>
  db
    .update(devices)
    .set({ enabled: false, updatedAt: now })
    .where(and(carriesToken(token), ne(devices.userId, owner), eq(devices.enabled, true)));

/**
 * Registers a phone, or heals and updates it when its token is known. A token has one owner, and so has an endpoint: when
 * another user registers it, it moves to them, since it belongs to the phone and not to its user.
 * @throws request.invalid, identifier.taken, device.token-refused, relay.unavailable (and no device is stored)
 */
export async function registerDevice(context: Context, user: string, given: NewDevice) {
  const { db, push, now, outbox } = context;
  checkPlatform(push, given.platform);
  const known = await db
    .select()
    .from(devices)
    .where(or(carriesToken(given), given.identifier ? eq(devices.id, given.identifier) : undefined));
  const isSame = (device: Device) => device.platform === given.platform && device.token === given.token;
  if (known.some((device) => device.id === given.identifier && !isSame(device))) throw identifierTaken();
  if (known.some((device) => device.userId !== user)) await silenceOthers(context, given, user);

  const endpoint = await ensureEndpoint(context, { ...given, endpoint: known.find(isSame)?.endpoint });
  const { platform, token, timeZone, language } = given;
  const row = { platform, token, endpoint, timeZone, language, enabled: true, updatedAt: now, seenAt: now };
  const id = given.identifier ?? newIdentifier(now);
  const phone = { platform, token, endpoint };
  const [before, , jobs, , [device], retired] = await db
    .batch([
      db.select().from(devices).where(isPhone(phone)),
      ...replanSelected(context, usersMovedBy(phone, user, timeZone)),
      db
        .delete(devices)
        .where(and(isPhone(phone), not(and(withToken(given), eq(devices.userId, user)) as SQL))),
      db
        .insert(devices)
        // Null fails the batch when the user was deleted since.
        .values({
          ...row,
          id,
          userId: sql`(select id from user where id = ${user} and deleted_at is null)`,
          createdAt: now,
        })
        .onConflictDoUpdate({
          target: [devices.platform, devices.token],
          set: { endpoint, timeZone, language, enabled: true, updatedAt: now, seenAt: now, ...settled },
        })
        .returning(),
      db
        .delete(devices)
        .where(
          sql`${devices.id} in (select id from device where user_id = ${user}
            order by (platform = ${platform} and token = ${token}) desc, seen_at desc, id desc
            limit -1 offset ${maxDevices})`,
        )
        .returning({ endpoint: devices.endpoint }),
    ])
    .catch(explainTaken);
  if (!device) throw new Problem('internal.error', 'The device was not stored.');
  outbox.push(...jobs);
  await removeEndpoints(context, [...before, ...retired], endpoint);
  return { device, created: !before.some((one) => one.userId === user && isSame(one)) };
}

/**
 * Users whose zone a registration changes: the owner, when their most recent device had another zone, and users who
 * lose the token to them. THIS MUST BE READ BEFORE THE DEVICES ARE WRITTEN.
 */
const usersMovedBy = (phone: Token & { endpoint?: string }, owner: string, zone: string) => sql`
  select distinct user_id from device where ${isPhone(phone)} and user_id <> ${owner}
  union select ${owner} where ${zone} is not
    (select time_zone from device where user_id = ${owner} order by seen_at desc limit 1)`;

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

/** The ARN of an enabled endpoint with this token. @throws device.token-refused, relay.unavailable */
async function ensureEndpoint(
  { push, log }: Context,
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
  new Problem('relay.unavailable', 'The push relay did not confirm the change: send the request again.', {
    retryAfterSeconds,
  });

/** Removes endpoints that no device has any more. One that cannot be removed is never pushed to. */
async function removeEndpoints({ push, log }: Context, gone: { endpoint: string }[], kept: string) {
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
  if (change.token !== undefined) {
    await db.batch([
      silenceOthers(context, { platform, token }, actor),
      ...(token === before.token ? [] : [noteTokenChange(context, id, token)]),
    ]);
  }
  const healed = change.token !== undefined && {
    token,
    endpoint: await ensureEndpoint(context, { platform, token, endpoint: before.endpoint }),
    enabled: true,
    ...settled,
  };
  const phone = { platform, token, ...(healed && { endpoint: healed.endpoint }) };
  const own = and(eq(devices.id, id), eq(devices.userId, actor)) as SQL;
  const [, jobs, replaced, [device]] = await db
    .batch([
      ...replanSelected(context, usersMovedBy(phone, actor, after.timeZone)),
      db
        .delete(devices)
        // Whoever lost this device to another user meanwhile takes nothing from them.
        .where(
          and(
            healed ? isPhone(phone) : sql`0`,
            ne(devices.id, id),
            sql`exists (select 1 from device where id = ${id} and user_id = ${actor})`,
          ),
        )
        .returning({ endpoint: devices.endpoint }),
      db
        .update(devices)
        .set({ ...after, ...healed, updatedAt: now, seenAt: now })
        .where(own)
        .returning(),
    ])
    .catch(explainTaken);
  outbox.push(...jobs);
  if (!device) throw notFound('device');
  if (healed) await removeEndpoints(context, [before, ...replaced], healed.endpoint);
  return device;
}

async function refuseTaken(db: Database, id: string, wanted: string) {
  if (id === wanted) return;
  const [taken] = await db.select({ id: devices.id }).from(devices).where(eq(devices.id, wanted));
  if (taken) throw identifierTaken();
}

/** Deletes a device, also at the relay. @throws resource.not-found, relay.unavailable (and nothing changes) */
export async function deleteDevice(context: Context, id: string): Promise<void> {
  const { db, actor, push, log, outbox } = context;
  const device = await readDevice(context, id);
  const own = and(eq(devices.id, id), eq(devices.userId, actor)) as SQL;
  await noteRemoval(context, own);
  const removal = await push.remove(device.endpoint);
  if (removal.state === 'unavailable') {
    log({ event: 'relay.unavailable', doing: 'remove', error: removal.error });
    throw relayUnavailable();
  }
  const [, jobs, gone] = await db.batch([
    ...replanSelected(context, sql`select user_id from device where ${own}`),
    db.delete(devices).where(own).returning({ id: devices.id }),
  ]);
  outbox.push(...jobs);
  if (gone.length === 0) throw notFound('device');
}

const testTtlSeconds = 300;

/**
 * Sends a test push and returns its message id. A device that the relay no longer reaches is disabled.
 * @throws resource.not-found, device.disabled, relay.unavailable, internal.error when the relay refuses the push
 */
export async function testDevice(context: Context, id: string): Promise<string> {
  const { push, log, now } = context;
  const device = await readDevice(context, id);
  if (!device.enabled) throw deviceDisabled();
  const outcome = await push.send({
    endpoint: device.endpoint,
    title: 'Test',
    body: 'This phone is reached.',
    data: { test: 'true' },
    collapseId: newIdentifier(now),
    ttlSeconds: testTtlSeconds,
  });
  if (outcome.state === 'sent') return outcome.messageId;
  log({ event: 'relay.test-failed', state: outcome.state, error: outcome.error });
  if (outcome.state === 'gone') {
    await setEnabled(context, device, false);
    throw deviceDisabled();
  }
  if (outcome.state === 'failed')
    throw new Problem('internal.error', `The push relay refused the test: ${outcome.error}.`);
  throw new Problem('relay.unavailable', `The push relay did not take the test: ${outcome.error}.`, {
    retryAfterSeconds,
  });
}

const deviceDisabled = () =>
  new Problem('device.disabled', 'The push relay no longer reaches this device: register it again.');

/** A statement. It leaves a device alone that was registered since it was read. */
export const setEnabled = ({ db, now }: Context, { id, seenAt }: Device, enabled: boolean) =>
  db
    .update(devices)
    .set({ enabled, updatedAt: now })
    .where(and(eq(devices.id, id), eq(devices.seenAt, seenAt)));
