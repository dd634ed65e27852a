import { attempt } from '../attempt.ts';
import { forgetPauses } from '../people/pauses.ts';
import { verifyPlans } from '../reminders/verify.ts';
import type { Services } from '../services.ts';
import { countNotifications, forgetZones, nextOf, purgeNotifications } from './maintenance.ts';
import { purgeInvitations, purgeItems, purgeRelayMessages, purgeSetAsides } from './purge.ts';

/** Chunks of users that one run checks, and users in each. */
const [maxChunks, chunkSize] = [10, 100];

/**
 * Each hour: walks a slice of the users, looks at cursors that differ from their plan, counts the
 * notifications of a slice of the studies, and purges rows past their retention. Each step stands alone: a failed step does not affect the others.
 */
export async function reconcile(services: Services): Promise<void> {
  if (services.clockAgrees?.() === false) return;
  const context = { ...services, now: services.now() };
  const step = (name: string, work: () => Promise<unknown>) =>
    attempt(services, `reconcile.${name}-failed`, work);
  await step('relay-messages', () => purgeRelayMessages(context));
  await step('invitations', () => purgeInvitations(context));
  await step('items', () => purgeItems(context));
  await step('set-asides', () => purgeSetAsides(context));
  await step('bytes', () => countNotifications(context));
  await step('users', async () => {
    let walked = 0;
    for (let chunk = 0; chunk < maxChunks; chunk++) {
      // Noted before the work: a run that breaks off in a chunk continues after it in an hour.
      const users = await nextOf(context, 'reconcile', chunkSize);
      walked += users.length;
      await step('pauses', () => forgetPauses(context, users));
      await step('plans', () => verifyPlans(services, users));
      await step('zones', () => forgetZones(context, users));
      await step('notifications', () => purgeNotifications(context, users));
      if (users.length < chunkSize) break;
    }
    services.log({ event: 'reconcile', users: walked });
  });
}
