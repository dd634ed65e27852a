import { purgeInvitations, purgeItems, purgeRelayMessages } from '../model/purge.ts';
import { nextSlice, purgeNotifications } from '../model/reminders/maintenance.ts';
import type { Services } from '../services.ts';
import { attempt } from './attempt.ts';
import { rehashLogs } from './rehash.ts';
import { chunkSize, replanChunk } from './replan.ts';

/** Users whose plans one run checks. */
const sliceSize = 1000;

/**
 * Each hour: walks a slice of the users, repairs each pending notification that is not what the plan says, and purges
 * what is past its retention.
 */
export async function reconcile(services: Services): Promise<void> {
  const context = { ...services, now: services.now() };
  const users = await nextSlice(context, sliceSize);
  for (let start = 0; start < users.length; start += chunkSize)
    await replanChunk(services, { users: users.slice(start, start + chunkSize) });
  await purgeNotifications(context, users);
  await purgeRelayMessages(context);
  await purgeInvitations(context);
  await purgeItems(context);
  await attempt(services, 'log.rehash-failed', () => rehashLogs(services));
  services.log({ event: 'reconcile', users: users.length });
}
