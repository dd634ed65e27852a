import { rootMessage } from '../../errors.ts';
import { nextFollowUp } from '../../schedule/follow-ups.ts';
import { nextOccurrence, type Occurrence, occurrenceOn, occurrences } from '../../schedule/occurrences.ts';
import { quietUntil } from '../../schedule/quiet-hours.ts';
import { occurrenceKey, slotOf } from '../../schedule/slots.ts';
import type { Context } from '../context.ts';
import type { Notification } from './columns.ts';
import { resumedSnooze, toSent } from './follow-ups.ts';
import { type Changes, noChanges, writeChanges } from './record.ts';
import type { UserReminders } from './state.ts';
import type { Planned } from './statements.ts';
import { type NextAttempt, readUnplanned } from './unplanned.ts';

export type { NextAttempt };

/** The change, if any, that gives a user the pending notification they should have; what is due is left as it is. */
export function planChanges(state: UserReminders, now: number): Changes {
  const { pending, superseded } = state;
  const changes = noChanges();
  if (superseded)
    for (const passed of [superseded, ...passedOver(superseded, state)])
      changes.finish.push(finished(passed, { state: 'skipped', reason: 'superseded', at: now }));
  if (state.followed) changes.followedUp.push(...resumedSnooze(state.followed, state, now));
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
  if (current && current.key !== keyOf(next)) {
    // A date that reached a phone stays in the history, and what is planned comes after it.
    if (hasReachedPhone(current)) {
      changes.finish.push(followed(current, state, now));
      next = nextOccurrence({ ...state, settledThrough: current.key });
    } else takeBack(state, { current, next, now }, changes);
  }
  const kept =
    current?.key === keyOf(next) && current?.dueAt === next?.dueAt && current?.counter === next?.counter;
  if (next && (!kept || isHeldOtherwise(current, state, now)))
    changes.schedule.push(planned(state, next, current));
  // The row says what it was planned from, and in which zone.
  else if (next && current && current.plannedFrom !== state.plannedFrom)
    changes.confirm.push({ ...current, timeZone: state.timeZone, plannedFrom: state.plannedFrom });
  return changes;
}

/**
 * The occurrences between one that is superseded and the settled one behind it. A clock that was behind for a moment took
 * their records back; those that have one keep it.
 */
function passedOver({ key, revision }: Notification, state: UserReminders): Notification[] {
  const { settledThrough } = state;
  const passed: Notification[] = [];
  if (settledThrough === null || revision !== state.revision) return passed;
  for (const occurrence of occurrences({ ...state, settledThrough: key }, state.since)) {
    if (occurrenceKey(occurrence) >= settledThrough || passed.length === maxPassedOver) break;
    passed.push(planned(state, occurrence));
  }
  return passed;
}

/** What one batch writes of one survey: more than are listed in a week. */
const maxPassedOver = 1_000;

/** It waits for quiet hours to end. */
export const isHeld = ({ attempts, nextAttemptAt, dueAt }: Notification, now: number): boolean =>
  attempts === 0 && nextAttemptAt > Math.max(now, dueAt);

/** It waits for quiet hours to end that have changed since. */
const isHeldOtherwise = (
  current: Notification | null,
  { quietHours = null, timeZone }: UserReminders,
  now: number,
) =>
  current !== null && isHeld(current, now) && current.nextAttemptAt !== quietUntil(now, quietHours, timeZone);

const keyOf = (occurrence: Occurrence | null) =>
  occurrence === null ? undefined : occurrenceKey(occurrence);

/** A pending date that is not the next one: if it does not come later either, the history says so. */
function takeBack(
  state: UserReminders,
  { current, next, now }: { current: Notification; next: Occurrence | null; now: number },
  { invalidate, unschedule }: Changes,
) {
  const { plannedFrom } = state;
  const isListed = occurrenceOn(state, slotOf(current.key)) !== null;
  const comesLater = next !== null && occurrenceKey(next) < current.key && isListed;
  if (comesLater) unschedule.push({ ...current, plannedFrom });
  else {
    const reason = state.archived || isListed ? passedReason(state, current) : 'series-ended';
    invalidate.push({ ...finished(current, { state: 'invalidated', reason, at: now }), plannedFrom });
  }
}

/**
 * Why a listed date is passed over: it was due in the archive, or the user's new zone or time puts it before what counts
 * for them.
 */
const passedReason = ({ archived, since }: UserReminders, { dueAt }: Notification) =>
  archived || dueAt <= since ? 'survey-archived' : 'time-passed';

/** A notification that a phone has, settled as sent at the instant `at`, with when what follows it comes first. */
export function followed(notification: Notification, state: UserReminders, at: number): Notification {
  const sent = finished(notification, { state: 'sent', at });
  return { ...sent, nextFollowUpAt: nextFollowUp(toSent(sent), state)?.dueAt ?? null };
}

/** Whether a phone has it. */
export const hasReachedPhone = ({ deliveries }: Pick<Notification, 'deliveries'>): boolean =>
  (deliveries ?? []).some((delivery) => delivery.messageId);

/** The pending notification of an occurrence. `earlier`, when it is of the same one, has been attempted before. */
export function planned(
  state: UserReminders,
  occurrence: Occurrence,
  earlier: Notification | null = null,
): Planned {
  const { counter, dueAt } = occurrence;
  const key = occurrenceKey(occurrence);
  return {
    userId: state.user,
    surveyId: state.survey,
    revision: state.revision,
    key,
    counter,
    dueAt,
    nextAttemptAt: dueAt,
    timeZone: state.timeZone,
    attempts: 0,
    settledAt: null,
    state: null,
    reason: null,
    deliveries: earlier?.key === key ? earlier.deliveries : [],
    plannedFrom: state.plannedFrom,
    followUps: null,
    nextFollowUpAt: null,
    snoozedUntil: null,
    shownAt: null,
    openedAt: null,
    dismissedAt: null,
    answeredAt: null,
    pushes: null,
  };
}

interface Outcome {
  state: NonNullable<Notification['state']>;
  reason?: string | null;
  /** Epoch ms. */
  at: number;
}

/** A notification that is settled. */
export const finished = (
  notification: Notification,
  { state, reason = null, at }: Outcome,
): Notification => ({
  ...notification,
  settledAt: at,
  state,
  reason,
});

const maxAttempts = 5;

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
  for await (const { states, kept, last } of readUnplanned(context, users, verify)) {
    const plans = states.map((state) => ({ state, changes: tryPlan(context, state) }));
    const writing = plans.map(({ changes }) => changes);
    const { refused } = await writeChanges(context, writing, last ? job : undefined);
    // Also of notifications that stay as they are: their writer may have crashed before it armed the alarm.
    attempts.push(...kept, ...plans.flatMap(({ state, changes }) => attemptsOf(state, changes)));
    if (refused.length === 0) continue;
    if (attempt === maxAttempts) throw new Error('what plans depend on kept changing while they were made');
    const again = { verify, ...(job !== undefined && last && { job }) };
    attempts.push(...(await replanUsers(context, refused, again, attempt + 1)));
  }
  return attempts;
}

/** What cannot be planned is left as it is, so that one survey's trouble does not cost the others their plan. */
function tryPlan({ now, log }: Planning, state: UserReminders): Changes {
  try {
    return planChanges(state, now);
  } catch (error) {
    log({ event: 'plan.failed', level: 'error', survey: state.survey, error: rootMessage(error) });
    return noChanges();
  }
}

function attemptsOf(
  { user, pending }: UserReminders,
  { schedule, unschedule, invalidate, finish, followedUp }: Changes,
): NextAttempt[] {
  const kept = pending && schedule.length + unschedule.length + invalidate.length + finish.length === 0;
  const times = [...schedule, ...(kept ? [pending] : [])].map(({ nextAttemptAt }) => nextAttemptAt);
  return [...times, ...followedUp.flatMap(({ next }) => next ?? [])].map((at) => ({ user, at }));
}
