import { nextOccurrence, type Occurrence } from '../../schedule/occurrences.ts';
import type { Context } from '../context.ts';
import type { Notification } from './columns.ts';
import { type Changes, joinChanges, noChanges, type Planned, writeChanges } from './record.ts';
import { readReminders, type UserReminders } from './state.ts';

/** When a user's notifications must next be attempted, epoch ms. */
export interface NextAttempt {
  user: string;
  at: number;
}

/** The change, if any, that gives a user the pending notification they should have; what is due is left as it is. */
export function planChanges(state: UserReminders, now: number): Changes {
  const { pending } = state;
  const changes = noChanges();
  // What should be pending is unknown until the reminders are set again.
  if (state.unreadable) return changes;
  if (pending && pending.revision !== state.revision)
    changes.finish.push(
      hasReachedPhone(pending)
        ? finished(pending, { state: 'sent', at: now })
        : finished(pending, { state: 'invalidated', reason: 'stale', at: now }),
    );
  const current = pending?.revision === state.revision ? pending : null;
  let next = nextOccurrence(state);
  if (current && current.on !== next?.on) {
    // A date that reached a phone stays in the history, and what is planned comes after it.
    if (hasReachedPhone(current)) {
      changes.finish.push(finished(current, { state: 'sent', at: now }));
      next = nextOccurrence({ ...state, settledThrough: current.on });
    } else changes.unschedule.push(current);
  }
  const kept =
    current?.on === next?.on && current?.dueAt === next?.dueAt && current?.counter === next?.counter;
  if (next && !kept) changes.schedule.push(planned(state, next, current));
  // At the same time in another zone. The row says so, since an upgrade of the zone rules is looked for by its zone.
  else if (next && current && current.timeZone !== state.timeZone) {
    const { attempts, nextAttemptAt } = current;
    changes.schedule.push({ ...planned(state, next, current), attempts, nextAttemptAt });
  }
  return changes;
}

/** Whether a phone has it. */
export const hasReachedPhone = ({ deliveries }: Pick<Notification, 'deliveries'>): boolean =>
  (deliveries ?? []).some((delivery) => delivery.messageId);

/** The pending notification of an occurrence. `earlier`, when it is of the same date, has been attempted before. */
export const planned = (
  state: UserReminders,
  { on, counter, dueAt }: Pick<Occurrence, 'on' | 'counter' | 'dueAt'>,
  earlier: Notification | null = null,
): Planned => ({
  userId: state.user,
  surveyId: state.survey,
  revision: state.revision,
  on,
  counter,
  dueAt,
  nextAttemptAt: dueAt,
  timeZone: state.timeZone,
  attempts: 0,
  settledAt: null,
  state: null,
  reason: null,
  deliveries: earlier?.on === on ? earlier.deliveries : [],
  userStamp: state.userStamp,
  surveyStamp: state.surveyStamp,
});

interface Outcome {
  state: NonNullable<Notification['state']>;
  reason?: string | null;
  /** Epoch ms. */
  at: number;
}

/** A notification that is settled. */
export const finished = (
  { userId, surveyId, revision, on, counter, dueAt, timeZone, attempts, deliveries }: Notification,
  { state, reason = null, at }: Outcome,
): Notification => ({
  userId,
  surveyId,
  revision,
  on,
  counter,
  dueAt,
  nextAttemptAt: dueAt,
  timeZone,
  attempts,
  settledAt: at,
  state,
  reason,
  deliveries,
});

const maxAttempts = 5;

/**
 * Plans what at most 100 users get next, in one read and one write, and takes `job` from the outbox with it. Returns when
 * each of them must be attempted. Plans refused because of a change between the two are made again.
 */
export async function replanUsers(
  context: Pick<Context, 'db' | 'now' | 'log'>,
  users: readonly string[],
  job?: string,
): Promise<NextAttempt[]> {
  const attempts: NextAttempt[] = [];
  let left = users;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const states = await readReminders(context, left);
    const plans = states.map((state) => ({ state, changes: planChanges(state, context.now) }));
    const all = joinChanges(plans.map(({ changes }) => changes));
    const { refused } = await writeChanges(context, all, job);
    // Also of notifications that stay as they are: their writer may have crashed before it armed the alarm.
    attempts.push(...plans.flatMap(({ state, changes }) => attemptsOf(state, changes)));
    if (refused.length === 0) return attempts;
    left = refused;
  }
  throw new Error('what plans depend on kept changing while they were made');
}

function attemptsOf(
  { user, pending }: UserReminders,
  { schedule, unschedule, finish }: Changes,
): NextAttempt[] {
  const kept = pending && schedule.length + unschedule.length + finish.length === 0 ? [pending] : [];
  return [...schedule, ...kept].map(({ nextAttemptAt }) => ({ user, at: nextAttemptAt }));
}
