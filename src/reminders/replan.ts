import type { ReplanChunk, ReplanJob, Services } from '../services.ts';
import { settleFormer } from './left.ts';
import { deleteReplan, saveProgress, selectUsersAfter } from './outbox.ts';
import { replanUsers } from './plan.ts';
import type { NextAttempt } from './unplanned.ts';

/** Users in a chunk, which fits one queue message and one batch. */
export const chunkSize = 100;

/** The rest of the budget that all jobs of one invocation share. */
export interface Budget {
  /** Users. Each takes two statements, of the thousand that D1 grants an invocation. */
  pages: number;
}

export const wholeBudget = (): Budget => ({ pages: 100 });

/**
 * Carries out an outbox row: plans one user at once, and hands the members of a study, or everyone, to the queue in
 * chunks. Users beyond the budget are left to the next sweep.
 */
export const replan = (services: Services, job: ReplanJob, budget = wholeBudget()): Promise<void> =>
  job.user === null ? replanMany(services, job, budget) : replanUser(services, job, job.user);

async function replanUser(services: Services, job: ReplanJob, user: string) {
  const { investigation } = job;
  if (investigation !== null)
    await settleFormer({ ...services, now: services.now() }, { user, investigation });
  await armAll(services, await replanUsers({ ...services, now: services.now() }, [user], { job: job.id }));
}

/** Users that are read at a time. */
const pageSize = 10 * chunkSize;

/** The row goes last: after a crash the next run begins after the last page that was handed over. */
async function replanMany(services: Services, job: ReplanJob, budget: Budget) {
  let { after } = job;
  while (budget.pages-- > 0) {
    const context = { ...services, now: services.now() };
    const users = await selectUsersAfter(context, { ...job, after }, pageSize);
    for (let start = 0; start < users.length; start += chunkSize)
      await services.queue.send({ users: users.slice(start, start + chunkSize) });
    after = users.at(-1) ?? after;
    if (users.length < pageSize) return deleteReplan(context, job.id);
    await saveProgress(context, { ...job, after });
  }
}

/**
 * Plans the users of a chunk, and arms their alarms: in one read and one write for users with few surveys. `verify`:
 * checks up-to-date plans too.
 */
export async function replanChunk(
  services: Services,
  { users }: ReplanChunk,
  options: { verify?: boolean } = {},
): Promise<void> {
  await armAll(services, await replanUsers({ ...services, now: services.now() }, users, options));
}

async function armAll({ alarms }: Services, attempts: NextAttempt[]) {
  const earliest = new Map<string, number>();
  for (const { user, at } of attempts) earliest.set(user, Math.min(at, earliest.get(user) ?? at));
  await Promise.all([...earliest].map(([user, at]) => alarms.arm(user, at)));
}
