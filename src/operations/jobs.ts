import { attempt, attemptWithin } from '../attempt.ts';
import { purgeItems, purgeSetAsides } from '../items/purge.ts';
import { forgetPauses } from '../people/pauses.ts';
import { purgeRelayMessages } from '../phones/relay-events.ts';
import { syncPhones } from '../phones/sync.ts';
import { noteWrites } from '../reminders/deliver.ts';
import { walkWakes } from '../reminders/jobs.ts';
import { countNotifications, forgetZones, purgeNotifications } from '../reminders/retention.ts';
import { verifyPlans } from '../reminders/verify.ts';
import { wakeEveryone } from '../reminders/wake.ts';
import { tzRelease } from '../schedule/zones.ts';
import type { Services } from '../services.ts';
import { purgeInvitations, purgeStudySlice } from '../studies/purge.ts';
import { deliverWebhooks } from '../webhooks/delivery.ts';
import { isReconcileDue, nextOf, noteZoneRelease } from './job-runs.ts';
import { readSweep } from './sweep-work.ts';

/*
 * All periodic work, and its periods. Alarms of participants are not periodic (`reminders/jobs.ts`).
 */

/** The time of a step that waits for others: receivers, push services. Its work under way goes on beside the next. */
export const stepMs = 60_000;

/**
 * The work of each minute: the sweep; and the hourly work in the first tick of an hour, so that a missed minute only
 * delays it. Neither keeps the next tick waiting for longer than two steps. @param graceMs as of {@link sweep}
 */
export async function tick(services: Services, graceMs?: number, withinMs = stepMs): Promise<void> {
  const bound = { withinMs: 2 * withinMs };
  await attemptWithin(services, { event: 'sweep.failed', ...bound }, () =>
    sweep(services, graceMs, withinMs),
  );
  await attemptWithin(services, { event: 'reconcile.failed', ...bound }, async () => {
    if (await isReconcileDue({ ...services, now: services.now() })) await reconcile(services);
  });
}

/** How late an alarm may be before the sweep steps in. */
const alarmGraceMs = 60_000;

/** Deliveries that a sweep has under way at once. */
const concurrency = 20;

/**
 * Each minute: delivers reminders that alarms missed, through the same one place per user; walks the studies and surveys
 * whose plans wait; makes the relay match phones that requests changed; wakes everyone after an upgrade of the
 * zone rules; and last removes a slice of a deleted study. Without grace all waiting work is due. A failure for one user
 * does not delay the others, and none waits for another's receiver or push service for longer than a step.
 */
export async function sweep(services: Services, graceMs = alarmGraceMs, withinMs = stepMs): Promise<void> {
  if (services.clockAgrees?.() === false) return;
  const work = await readSweep({ ...services, now: services.now() }, graceMs).catch((error) => {
    // An idle service writes nothing but this heartbeat.
    noteWrites(services, error);
    throw error;
  });
  noteWrites(services);
  const { overdue, hasNewZones, hasWakes, phones, purge, webhooks } = work;
  // Beside the rest: receivers may be slow.
  const called = attemptWithin(services, { event: 'sweep.webhooks-failed', withinMs }, () =>
    deliverWebhooks(services, webhooks),
  );
  const users = [...new Set(overdue.map(({ user }) => user))];
  const queue = [...users];
  const deliverNext = async () => {
    // The longest overdue first: it is the first to expire.
    for (let user = queue.shift(); user !== undefined; user = queue.shift()) {
      const next = user;
      await attempt(services, 'sweep.delivery-failed', () => services.alarms.deliver(next));
    }
  };
  if (users.length > 0)
    await attemptWithin(services, { event: 'sweep.overdue-failed', withinMs }, async () => {
      await Promise.all(Array.from({ length: Math.min(concurrency, queue.length) }, deliverNext));
    });
  if (hasNewZones)
    await attempt(services, 'zones.failed', async () => {
      const context = { ...services, now: services.now() };
      await context.db.batch([...wakeEveryone(context), noteZoneRelease(context.db, context.now)]);
      services.log({ event: 'zones', release: tzRelease });
    });
  if (hasWakes || hasNewZones)
    await attemptWithin(services, { event: 'sweep.wakes-failed', withinMs }, () => walkWakes(services));
  await attemptWithin(services, { event: 'sweep.phones-failed', withinMs }, () =>
    syncPhones(services, phones),
  );
  if (purge) await attempt(services, 'sweep.purge-failed', () => purgeStudySlice(services, purge));
  await called;
  if (users.length > 0) services.log({ event: 'sweep', overdue: users.length });
}

/** Studies whose notifications one hour counts. */
const studiesPerHour = 100;

/** Chunks of users that one hour checks, and users in each. */
const [maxChunks, chunkSize] = [10, 100];

/**
 * Each hour: purges rows past their retention, counts the notifications of a slice of the studies, and walks a slice of the
 * users, whose cursors may differ from their plan. A step that fails does not affect the others.
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
  await step('bytes', async () => {
    const studies = await nextOf(context, 'bytes', studiesPerHour);
    await forgetZones(context, studies);
    await countNotifications(context, studies);
  });
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
