import pLimit, { type LimitFunction } from 'p-limit';
import type { Webhooks } from '../../services.ts';

/** Webhooks that are called at once: of an owner, and of all. */
const ofOwner = 8;
const ofAll = 256;

/**
 * The calls of webhooks in this process. An owner has a few at once, so that receivers that do not answer take nobody
 * else's slots. A webhook waits once, however often it is asked for meanwhile.
 */
export function createWebhookSlots(bounds = { ofOwner, ofAll }): NonNullable<Webhooks['withSlot']> {
  const all = pLimit(bounds.ofAll);
  const owners = new Map<string, LimitFunction>();
  const waiting = new Set<string>();
  return async ({ id, owner }, work) => {
    if (waiting.has(id)) return;
    waiting.add(id);
    const ownLimit = owners.get(owner) ?? pLimit(bounds.ofOwner);
    owners.set(owner, ownLimit);
    const begin = () => {
      waiting.delete(id);
      return work();
    };
    await ownLimit(() => all(begin)).finally(() => {
      if (ownLimit.activeCount + ownLimit.pendingCount === 0) owners.delete(owner);
    });
  };
}
