import { and, eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { selectAlive } from '../permissions/visibility.ts';
import { noteReach } from './reach.ts';
import { retryAfterSeconds } from './relay.ts';
import { devices } from './schema.ts';
import type { Phone } from './statements.ts';

/** The devices of a user, in order of registration. @throws resource.not-found when the user is deleted */
export async function listDevices({ db }: Context, user: string): Promise<Phone[]> {
  const [[me], rows] = await db.batch([
    selectAlive(db, user),
    db.select().from(devices).where(eq(devices.userId, user)).orderBy(devices.createdAt, devices.id),
  ]);
  if (!me) throw notFound('user');
  return rows;
}

/** A device of the caller. @throws resource.not-found */
export async function readDevice({ db, actor }: Context, id: string): Promise<Phone> {
  const [device] = await db
    .select()
    .from(devices)
    .where(and(eq(devices.id, id), eq(devices.userId, actor)));
  if (!device) throw notFound('device');
  return device;
}

export const identifierTaken = () =>
  new Problem('identifier.taken', 'Another device has this identifier: choose a new one.');

const testTtlSeconds = 300;

/**
 * Sends a test push and returns its message id. A device that the relay no longer reaches is disabled.
 * @throws resource.not-found, device.disabled, device.push-refused, relay.unavailable
 */
export async function testDevice(context: Context, id: string): Promise<string> {
  const { push, log, now } = context;
  const device = await readDevice(context, id);
  if (!device.enabled) throw deviceDisabled();
  const outcome = await push.send({
    endpoint: device.endpoint,
    title: 'Test',
    body: 'Reminders reach this phone.',
    data: { test: 'true' },
    collapseId: newIdentifier(now),
    ttlSeconds: testTtlSeconds,
  });
  const service = push.serviceOf?.(device.endpoint) ?? device.platform;
  if (outcome.state === 'sent') {
    log({ event: 'relay.test', service });
    return outcome.messageId;
  }
  if (outcome.state === 'misconfigured')
    log({ event: 'relay.misconfigured', level: 'error', doing: 'test', service, error: outcome.error });
  else log({ event: 'relay.test-failed', state: outcome.state, error: outcome.error });
  if (outcome.state === 'gone') {
    await noteReach(context, device, false);
    throw deviceDisabled();
  }
  if (outcome.state === 'failed')
    throw new Problem('device.push-refused', `The push service refused the test: ${outcome.error}.`);
  throw new Problem('relay.unavailable', `The push relay did not take the test: ${outcome.error}.`, {
    retryAfterSeconds,
  });
}

const deviceDisabled = () =>
  new Problem('device.disabled', 'The push relay no longer reaches this device: register it again.');
