import { and, eq } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { devices, relayMessages } from '../db/schema.ts';
import { Problem } from '../errors.ts';
import type { RelayEvent, Services } from '../services.ts';

type World = Pick<Services, 'db' | 'push'>;
type Device = typeof devices.$inferSelect;

/** `repeated`: it was acted on before. `unknown`: no device of ours. `kept`: it does not concern the device as it is. */
export type Applied = 'enabled' | 'disabled' | 'kept' | 'repeated' | 'unknown';

/**
 * Brings devices in line with what became of their endpoint. Events come late and out of order, and a device that was
 * registered since is none of their business: it stays as it is.
 * @throws relay.unavailable (and nothing is stored)
 */
export async function applyRelayEvent({ db, push }: World, event: RelayEvent, now: number): Promise<Applied> {
  const [[seen], [device]] = await db.batch([
    db.select().from(relayMessages).where(eq(relayMessages.messageId, event.id)),
    db.select().from(devices).where(eq(devices.endpoint, event.endpoint)),
  ]);
  if (seen) return 'repeated';
  if (!device) return 'unknown';
  const enabled = await judge(push, event, device);
  await db.batch([
    db.insert(relayMessages).values({ messageId: event.id, at: now }).onConflictDoNothing(),
    ...(enabled === null || enabled === device.enabled ? [] : [setEnabled(db, device, enabled, now)]),
  ]);
  if (enabled === null) return 'kept';
  return enabled ? 'enabled' : 'disabled';
}

/** Unless it was registered since it was read. */
const setEnabled = (db: Database, { id, seenAt }: Device, enabled: boolean, now: number) =>
  db
    .update(devices)
    .set({ enabled, updatedAt: now })
    .where(and(eq(devices.id, id), eq(devices.seenAt, seenAt)));

/** Whether the device is to be enabled; null when the event says nothing of it. */
async function judge(push: Services['push'], event: RelayEvent, device: Device): Promise<boolean | null> {
  if (event.kind === 'undeliverable') return device.seenAt <= event.at ? false : null;
  const found = await push.check({ endpoint: device.endpoint, token: device.token });
  switch (found.state) {
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
