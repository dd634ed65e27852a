import { rootMessage } from '../errors.ts';
import type { ReplanJob, Services } from '../services.ts';
import { replan, wholeBudget } from './replan.ts';

/**
 * Starts the jobs of outbox rows: one user's plan is made when this resolves, a study's after the answer. Never rejects:
 * the row of a job that fails, or has more members than the budget, stays, and the sweep resumes it.
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
