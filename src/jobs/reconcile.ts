import { mendLeaving } from '../model/device-removals.ts';
import { readLeaving } from '../model/leaving-endpoints.ts';
import { forgetPauses } from '../model/pauses.ts';
import { purgeInvitations, purgeItems, purgeRelayMessages } from '../model/purge.ts';
import { nextSlice, purgeNotifications } from '../model/reminders/maintenance.ts';
import type { Services } from '../services.ts';
import { attempt } from './attempt.ts';
import { chunkSize, replanChunk } from './replan.ts';

/** Users whose plans one run checks, and surveys of them all. */
const slice = { users: 1000, surveys: 50_000 };

/**
 * Each hour: walks a slice of the users, repairs each pending notification that is not what the plan says, purges what is
 * past its retention, and removes endpoints that devices gave up from the relay. Each step stands alone: one that fails
 * costs the others nothing.
 */
export async function reconcile(services: Services): Promise<void> {
  const context = { ...services, now: services.now() };
  const step = (name: string, work: () => Promise<unknown>) =>
    attempt(services, `reconcile.${name}-failed`, work);
  await step('relay-messages', () => purgeRelayMessages(context));
  await step('invitations', () => purgeInvitations(context));
  await step('items', () => purgeItems(context));
  await step('endpoints', async () => {
    for (const leaving of await readLeaving(context))
      await step('endpoints', () => mendLeaving({ ...context, outbox: [] }, leaving));
  });
  await step('users', async () => {
    const users = await nextSlice(context, slice);
    await step('pauses', () => forgetPauses(context, users));
    for (let start = 0; start < users.length; start += chunkSize) {
      const chunk = users.slice(start, start + chunkSize);
      await step('plans', () => replanChunk(services, { users: chunk }, { verify: true }));
      await step('notifications', () => purgeNotifications(context, chunk));
    }
    services.log({ event: 'reconcile', users: users.length });
  });
}
