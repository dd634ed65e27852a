import { attempt, attemptWithin } from '../attempt.ts';
import { syncPhones } from '../phones/sync.ts';
import { walkWakes } from '../reminders/jobs.ts';
import { noteRefused, noteTaken } from '../reminders/records.ts';
import { wakeEveryone } from '../reminders/wake.ts';
import { tzRelease } from '../schedule/zones.ts';
import type { Services } from '../services.ts';
import { purgeStudySlice } from '../studies/purge.ts';
import { deliverWebhooks } from '../webhooks/delivery.ts';
import { noteZoneRelease } from './job-runs.ts';
import { readSweep } from './sweep-work.ts';

/** How late an alarm may be before the sweep steps in. */
const alarmGraceMs = 60_000;

/** The time of a step that waits for others: receivers, push services. Its work under way goes on beside the next. */
export const stepMs = 60_000;

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
  const found = await readSweep({ ...services, now: services.now() }, graceMs).catch((error) => {
    // An idle service writes nothing but this heartbeat.
    noteRefused(services, error);
    throw error;
  });
  noteTaken(services);
  const { overdue, hasNewZones, hasWakes, phones, purge, webhooks } = found;
  // Beside the rest: receivers may be slow.
  const called = attemptWithin(services, { event: 'sweep.webhooks-failed', withinMs }, () =>
    deliverWebhooks(services, webhooks),
  );
  const users = [...new Set(overdue.map(({ user }) => user))];
  const left = [...users];
  const deliverNext = async () => {
    // The longest overdue first: it is the first to expire.
    for (let user = left.shift(); user !== undefined; user = left.shift()) {
      const next = user;
      await attempt(services, 'sweep.delivery-failed', () => services.alarms.deliver(next));
    }
  };
  if (users.length > 0)
    await attemptWithin(services, { event: 'sweep.overdue-failed', withinMs }, async () => {
      await Promise.all(Array.from({ length: Math.min(concurrency, left.length) }, deliverNext));
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
