import { eq } from 'drizzle-orm';
import { devices, relayMessages } from '../db/schema.ts';
import { Problem } from '../errors.ts';
import type { RelayEvent } from '../services.ts';
import type { Context } from './context.ts';
import { type Device, setEnabled } from './devices.ts';

/** `repeated`: handled before. `unknown`: no device has the endpoint. `kept`: the device stays as it is. */
export type Applied = 'enabled' | 'disabled' | 'kept' | 'repeated' | 'unknown';

/**
 * Enables or disables a device as its endpoint's event says. Events arrive late and out of order, so a device that was
 * registered since stays as it is. @throws relay.unavailable (and nothing is stored)
 */
export async function applyRelayEvent(context: Context, event: RelayEvent): Promise<Applied> {
  const { db, now } = context;
  const [[seen], [device]] = await db.batch([
    db.select().from(relayMessages).where(eq(relayMessages.messageId, event.id)),
    db.select().from(devices).where(eq(devices.endpoint, event.endpoint)),
  ]);
  if (seen) return 'repeated';
  if (!device) return 'unknown';
  const enabled = await shouldEnable(context, event, device);
  await db.batch([
    db.insert(relayMessages).values({ messageId: event.id, at: now }).onConflictDoNothing(),
    ...(enabled === null || enabled === device.enabled ? [] : [setEnabled(context, device, enabled)]),
  ]);
  if (enabled === null) return 'kept';
  return enabled ? 'enabled' : 'disabled';
}

/** Null when the event does not concern the device. */
async function shouldEnable({ push }: Context, event: RelayEvent, device: Device): Promise<boolean | null> {
  if (event.kind === 'undeliverable') return device.seenAt <= event.at ? false : null;
  const endpoint = await push.check({ endpoint: device.endpoint, token: device.token });
  switch (endpoint.state) {
    case 'reachable':
      return true;
    case 'disabled':
    case 'missing':
      return false;
    case 'other':
      return null;
    case 'unavailable':
      throw new Problem('relay.unavailable', 'Nothing was done: send the message again.', {
        retryAfterSeconds: 20,
      });
  }
}
