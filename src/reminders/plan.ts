import { breathe } from '../breathe.ts';
import type { Context } from '../context.ts';
import { rootMessage } from '../errors.ts';
import { type Changes, nextTimes, noChanges } from './changes.ts';
import { planChanges } from './plan-changes.ts';
import { writeChanges } from './record.ts';
import type { UserReminders } from './state.ts';
import { type NextAttempt, readUnplanned } from './unplanned.ts';

const maxAttempts = 5;

/** Surveys of one person, who waits for them, that are written at once, and planned before other work has a turn. */
const [written, plannedAtOnce] = [100, 25];

export interface ReplanOptions {
  /** The outbox row that asks for it: it goes with the last write. */
  job?: string;
  /** Looks also at what was planned from the state as it is. */
  verify?: boolean;
}

type Planning = Pick<Context, 'db' | 'now' | 'log'>;

/**
 * Plans what users get next: in one read and one write where they have few surveys, page by page where they have
 * many. Returns when each of them must be attempted. Plans refused because of a change between the two are made again.
 */
export async function replanUsers(
  context: Planning,
  users: readonly string[],
  { job, verify = false }: ReplanOptions = {},
  attempt = 1,
): Promise<NextAttempt[]> {
  const attempts: NextAttempt[] = [];
  const size = users.length === 1 ? written : Infinity;
  for await (const { states, kept, last: isLastPage } of readUnplanned(context, users, verify)) {
    attempts.push(...kept);
    for (let start = 0; start === 0 || start < states.length; start += size) {
      if (start > 0) await breathe();
      const last = isLastPage && start + size >= states.length;
      const plans: { state: UserReminders; changes: Changes }[] = [];
      for (const state of states.slice(start, start + size)) {
        if (users.length === 1 && plans.length % plannedAtOnce === plannedAtOnce - 1) await breathe();
        plans.push({ state, changes: tryPlan(context, state) });
      }
      const writing = plans.map(({ changes }) => changes);
      const { refused } = await writeChanges(context, writing, last ? job : undefined);
      // Also of notifications that stay as they are: their writer may have crashed before it armed the alarm.
      attempts.push(...plans.flatMap(({ state, changes }) => attemptsOf(state, changes)));
      if (refused.length === 0) continue;
      if (attempt === maxAttempts) throw new Error('what plans depend on kept changing while they were made');
      const again = { verify, ...(job !== undefined && last && { job }) };
      attempts.push(...(await replanUsers(context, refused, again, attempt + 1)));
    }
  }
  return attempts;
}

/** A survey that cannot be planned stays as it is, so that its fault does not cost the others their plans. */
function tryPlan({ now, log }: Planning, state: UserReminders): Changes {
  try {
    return planChanges(state, now);
  } catch (error) {
    log({ event: 'plan.failed', level: 'error', survey: state.survey, error: rootMessage(error) });
    return noChanges();
  }
}

function attemptsOf({ user, pending }: UserReminders, changes: Changes): NextAttempt[] {
  const { schedule, unschedule, invalidate, finish } = changes;
  const kept = pending && schedule.length + unschedule.length + invalidate.length + finish.length === 0;
  return [...nextTimes(changes), ...(kept ? [pending.nextAttemptAt] : [])].map((at) => ({ user, at }));
}
