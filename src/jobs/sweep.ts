import { rootMessage } from '../errors.ts';
import { readSweep, settleOrphans } from '../model/reminders/maintenance.ts';
import type { Services } from '../services.ts';
import { startReplans } from './outbox.ts';

/** So long an alarm may be late before the sweep steps in. */
const alarmGraceMs = 60_000;

/** Deliveries that a sweep has under way at once. */
const atOnce = 20;

/**
 * Each minute: delivers what alarms missed, through the same one place per user, and resumes plans that a
 * crash left in the outbox (or, without grace, everything that waits). One user's trouble does not hold up the others.
 */
export async function sweep(services: Services, graceMs = alarmGraceMs): Promise<void> {
  const found = await readSweep(services.db, services.now(), graceMs);
  const left = [...found.users];
  const deliverNext = async () => {
    // The longest overdue first: it is the first to expire.
    for (let user = left.shift(); user !== undefined; user = left.shift()) {
      await attempt(services, 'sweep.delivery-failed', () => services.alarms.deliver(user as string));
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, left.length) }, deliverNext));
  if (found.users.length > 0)
    await attempt(services, 'sweep.orphans-failed', () =>
      settleOrphans(services.db, found.users, services.now()),
    );
  await startReplans(services, found.replans);
  if (found.users.length + found.replans.length > 0)
    services.log({ event: 'sweep', overdue: found.users.length, replans: found.replans.length });
}

async function attempt({ log }: Services, event: string, work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    log({ event, error: rootMessage(error) });
  }
}
