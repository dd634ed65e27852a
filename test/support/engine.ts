import { tick } from '../../src/operations/jobs.ts';
import { deliver as deliverDue, planAll } from '../../src/reminders/jobs.ts';
import { verifyPlans } from '../../src/reminders/verify.ts';
import { wakeUsers } from '../../src/reminders/wake.ts';
import type { Services } from '../../src/services.ts';

/* How tests that bring services of their own set the reminders to work. */

/** Delivers what is due for a user, as when their alarm rings: when to look at them next, or null. */
export const deliver = (services: Services, user: string) => deliverDue(services, user);

/** Makes the plans of users, as the work that follows a change for many does. */
export async function plan(services: Services, users: readonly string[], { verify = false } = {}) {
  if (verify) return verifyPlans(services, users);
  await services.db.batch([...wakeUsers({ db: services.db, now: services.now() }, users)]);
  await planAll(services, users);
}

/** Makes the plans of users whom the work that follows a change for many has found. */
export const planFound = (services: Services, users: readonly string[]) => planAll(services, users);

/** A service whose minutes a test carries out. */
export const minutesOf =
  () =>
  /** One minute, and all work that it starts, to the end. @throws what the work throws, as when its process dies */
  async (services: Services): Promise<void> => {
    const deferred: Promise<void>[] = [];
    await tick({ ...services, defer: (work: () => Promise<void>) => void deferred.push(work()) });
    while (deferred.length > 0) await deferred.shift();
  };
