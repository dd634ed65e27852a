import { and, eq, isNull, lt, type SQL } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { relayMessageRetentionMs } from '../schedule/retention.ts';
import type { RelayEvent } from '../services.ts';
import { noteReach } from './reach.ts';
import { messageUnhandled } from './relay.ts';
import { devices, relayMessages } from './schema.ts';
import { isAsRead, isOwned, type Phone, suspend } from './statements.ts';
import { syncPhone } from './sync.ts';

/**
 * `repeated`: handled before. `unknown`: no device has the endpoint. `kept`: the device stays as it is. `taken-back`: the
 * endpoint was given another token, so that pushes would have gone to another phone, and gets the device's token again.
 */
export type Applied = Verdict | 'repeated' | 'unknown';

type Verdict = 'enabled' | 'disabled' | 'kept' | 'taken-back';

/**
 * Enables or disables a device according to its endpoint's event. Events arrive late and out of order, so a device that
 * was registered since stays as it is. @throws relay.unavailable (and nothing is stored)
 */
export async function applyRelayEvent(context: Context, event: RelayEvent): Promise<Applied> {
  const { db, now } = context;
  const [[seen], [device]] = await db.batch([
    db.select().from(relayMessages).where(eq(relayMessages.messageId, event.id)),
    db
      .select()
      .from(devices)
      .where(and(eq(devices.endpoint, event.endpoint), isOwned)),
  ]);
  if (seen) return 'repeated';
  if (!device) return 'unknown';
  const verdict = await judge(context, event, device);
  const noteSeen = db.insert(relayMessages).values({ messageId: event.id, at: now }).onConflictDoNothing();
  if (verdict === 'taken-back') {
    // A device with a change under way may be about to get that token; otherwise the sweep repairs it.
    const isStray = and(isAsRead(device), isNull(devices.changedAt)) as SQL;
    const [, strayed] = await db.batch([noteSeen, suspend(context, isStray)]);
    for (const phone of strayed) await syncPhone(context, phone);
    return strayed.length > 0 ? 'taken-back' : 'kept';
  }
  const enabled = verdict === 'kept' ? device.enabled : verdict === 'enabled';
  if (enabled !== device.enabled) await noteReach(context, device, enabled);
  await noteSeen;
  return verdict;
}

async function judge({ push }: Context, event: RelayEvent, device: Phone): Promise<Verdict> {
  if (event.kind === 'undeliverable') return device.seenAt <= event.at ? 'disabled' : 'kept';
  const endpoint = await push.check({ endpoint: event.endpoint, token: device.token });
  switch (endpoint.state) {
    case 'reachable':
      return 'enabled';
    case 'disabled':
    case 'missing':
      return 'disabled';
    case 'other':
      return 'taken-back';
    case 'unavailable':
      throw messageUnhandled();
  }
}

/** Forgets messages that the relay repeats no more. */
export async function purgeRelayMessages({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await db.delete(relayMessages).where(lt(relayMessages.at, now - relayMessageRetentionMs));
}
