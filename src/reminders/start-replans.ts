import { rootMessage } from '../errors.ts';
import type { ReplanJob, Services } from '../services.ts';
import { replan, wholeBudget } from './replan.ts';

/**
 * Starts what outbox rows ask for: one user's plan is made when this resolves, a study's goes on after the answer.
 * Never rejects: the row of a job that fails, or has more members than the budget, stays, and the sweep resumes it.
 */
export async function startReplans(
  services: Services,
  jobs: readonly ReplanJob[],
  budget = wholeBudget(),
): Promise<void> {
  for (const job of jobs) {
    const work = () =>
      replan(services, job, budget).catch((error) =>
        services.log({ event: 'replan.failed', error: rootMessage(error) }),
      );
    if (job.user === null) services.defer(work);
    else await work();
  }
}
