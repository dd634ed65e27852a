import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { isGuardViolation, isUniqueViolation } from '../db/errors.ts';
import { devices } from '../db/schema/users.ts';
import { notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import type { Context } from './context.ts';
import { retryAfterSeconds } from './device-endpoints.ts';
import { noteUnused } from './leaving-endpoints.ts';
import { selectAlive } from './users.ts';

export type Device = typeof devices.$inferSelect;

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

export const identifierTaken = () =>
  new Problem('identifier.taken', 'Another device has this identifier: choose a new one.');

/** Why a device was not stored, whose endpoint the relay has. */
export async function explainUnstored(
  context: Context,
  endpoint: string | undefined,
  error: unknown,
): Promise<never> {
  const isRefused = isGuardViolation(error) || isUniqueViolation(error, 'device');
  if (endpoint && isRefused) await noteUnused(context, endpoint);
  if (isGuardViolation(error)) throw notFound('user');
  throw isRefused ? identifierTaken() : error;
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
  if (outcome.state === 'sent') {
    log({ event: 'relay.test' });
    return outcome.messageId;
  }
  if (outcome.state === 'misconfigured')
    log({ event: 'relay.misconfigured', level: 'error', doing: 'test', error: outcome.error });
  else log({ event: 'relay.test-failed', state: outcome.state, error: outcome.error });
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

/** In SQL: this device, which was not registered since it was read. */
export const isAsSeen = ({ id, seenAt }: Device) =>
  and(eq(devices.id, id), eq(devices.seenAt, seenAt)) as SQL;

/** A statement. Enables no device whose phone was shown to be somebody else's. */
export const setEnabled = ({ db, now }: Context, device: Device, enabled: boolean) =>
  db
    .update(devices)
    .set({ enabled, updatedAt: now })
    .where(and(isAsSeen(device), enabled ? isNull(devices.takenAt) : undefined));
