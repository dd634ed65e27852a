import { answeredName } from '../schedule/answers.ts';
import { nextOccurrence, type Occurrence, occurrenceOn, userZoneOf } from '../schedule/occurrences.ts';
import { quietUntil } from '../schedule/quiet-hours.ts';
import { occurrenceKey, responseOf, slotOf } from '../schedule/slots.ts';
import { isSettledBy } from '../schedule/triggers.ts';
import { type Changes, noChanges, type Planned } from './changes.ts';
import type { Notification } from './columns.ts';
import { resumedSnooze } from './follow-ups.ts';
import type { UserReminders } from './state.ts';

/** The change, if any, that gives a user the pending notification they should have; due notifications are left alone. */
export function planChanges(state: UserReminders, now: number): Changes {
  const { pending, superseded } = state;
  const changes = noChanges();
  const [behind, passed] = partition(superseded, isTriggered);
  for (const one of passed)
    changes.finish.push(finished(one, { state: 'skipped', reason: 'superseded', at: now }));
  if (state.followed) changes.followUps.push(...resumedSnooze(state.followed, state, now));
  const open = [...(pending ? [pending] : []), ...behind];
  if (!state.member) {
    for (const one of open)
      changes.invalidate.push(invalidated(one, state, { reason: 'left-study', at: now }));
    return changes;
  }
  // Nothing can be planned until the reminders are set again.
  if (state.unreadable) return changes;
  const [present, stale] = partition(open, ({ revision }) => revision === state.revision);
  for (const one of stale)
    changes.finish.push(finished(one, { state: 'invalidated', reason: 'stale', at: now }));
  const current = pending?.revision === state.revision ? pending : null;
  const next = nextAfter(state, present);
  for (const one of present)
    if (one.key !== keyOf(next)) takeBack(state, { current: one, next, now }, changes);
  const kept =
    current?.key === keyOf(next) && current?.dueAt === next?.dueAt && current?.counter === next?.counter;
  if (next && (!kept || isHeldOtherwise(current, state, now)))
    changes.schedule.push(planned(state, next, current));
  // The row records the stamps and the zone that it was planned from.
  else if (next && current && current.plannedFrom !== state.plannedFrom)
    changes.confirm.push({ ...current, timeZone: userZoneOf(state), plannedFrom: state.plannedFrom });
  return changes;
}

function partition<T>(list: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [list.filter(isFirst), list.filter((one) => !isFirst(one))];
}

/** A later one does not pass it: it is still owed to its response, under a key behind that one. */
const isTriggered = ({ key }: Notification) => slotOf(key).trigger !== undefined;

/** The occurrence to plan. A pending one that was answered while it waited is settled, and not left for an earlier one. */
function nextAfter(state: UserReminders, present: readonly Notification[]): Occurrence | null {
  const next = nextOccurrence(state);
  const answered = present.filter((one) => next && isAnswered(one) && isOther(next, one));
  if (answered.length === 0) return next;
  const keys = answered.map(({ key }) => key);
  const responses = new Set(keys.map((key) => responseOf(slotOf(key).trigger ?? '')));
  return nextOccurrence({
    ...state,
    settledThrough: [...keys, state.settledThrough ?? ''].sort().at(-1) ?? null,
    triggers: (state.triggers ?? []).map((one) => ({
      ...one,
      settled: one.settled || responses.has(one.response),
    })),
  });
}

/** Whether the notification was answered since it was due. An earlier answer finds it again whenever it comes. */
const isAnswered = ({ answeredAt, dueAt }: Notification) => answeredAt !== null && answeredAt >= dueAt;

/** Whether the next occurrence comes in the place of the pending one, which is due later. */
const isOther = (next: Occurrence, { key }: Notification) =>
  next.trigger === undefined ? occurrenceKey(next) < key : occurrenceKey(next) !== key;

/** Whether the notification waits for quiet hours to end. */
export const isHeld = ({ attempts, nextAttemptAt, dueAt }: Notification, now: number): boolean =>
  attempts === 0 && nextAttemptAt > Math.max(now, dueAt);

/** Whether the notification waits for quiet hours that have changed since. */
const isHeldOtherwise = (current: Notification | null, state: UserReminders, now: number) =>
  current !== null &&
  isHeld(current, now) &&
  current.nextAttemptAt !== quietUntil(now, state.quietHours ?? null, userZoneOf(state));

const keyOf = (occurrence: Occurrence | null) =>
  occurrence === null ? undefined : occurrenceKey(occurrence);

/** Takes back a pending date that is not the next one. The history says so, unless it comes later. */
function takeBack(
  state: UserReminders,
  { current, next, now }: { current: Notification; next: Occurrence | null; now: number },
  { invalidate, unschedule }: Changes,
) {
  const { plannedFrom } = state;
  const slot = slotOf(current.key);
  const listed = occurrenceOn(state, slot);
  const isListed = listed !== null;
  const comesLater =
    next !== null && isListed && isOther(next, current) && !isPast(listed, state) && !isAnswered(current);
  if (comesLater || isSettledBy(state, slot)) unschedule.push({ ...current, plannedFrom });
  else {
    const gone = isTriggered(current) ? 'trigger-gone' : 'series-ended';
    const reason = state.archived || isListed ? passedReason(state, current) : gone;
    invalidate.push(invalidated(current, state, { reason, at: now }));
  }
}

/** Responses have no order of dates, so that only the time tells. */
const isPast = ({ trigger, dueAt }: Occurrence, { since }: UserReminders) =>
  trigger !== undefined && dueAt <= since;

const invalidated = (
  notification: Notification,
  { plannedFrom }: UserReminders,
  why: { reason: string; at: number },
): Planned => ({ ...finished(notification, { state: 'invalidated', ...why }), plannedFrom });

/**
 * Why a listed date does not come: earlier reminders were pushed on it, it was due while the survey was archived, or the
 * user's new zone or time moved it before the user's first date.
 */
const passedReason = ({ archived, since, remindedUntil }: UserReminders, { dueAt }: Notification) => {
  if (dueAt <= remindedUntil) return 'reminded-before';
  return archived || dueAt <= since ? 'survey-archived' : 'time-passed';
};

/** The pending notification of an occurrence. `earlier` is its pending notification that has been attempted before. */
export function planned(
  state: UserReminders,
  occurrence: Occurrence,
  earlier: Notification | null = null,
): Planned {
  const { counter, dueAt } = occurrence;
  const key = occurrenceKey(occurrence);
  const answeredAt = state.answered?.get(answeredName(occurrence)) ?? null;
  return {
    userId: state.user,
    surveyId: state.survey,
    revision: state.revision,
    key,
    counter,
    dueAt,
    nextAttemptAt: dueAt,
    timeZone: userZoneOf(state),
    attempts: 0,
    settledAt: null,
    state: null,
    reason: null,
    deliveries: earlier?.key === key ? earlier.deliveries : [],
    plannedFrom: state.plannedFrom,
    followUps: null,
    nextFollowUpAt: null,
    retryAt: null,
    snoozedUntil: null,
    shownAt: null,
    openedAt: null,
    dismissedAt: null,
    // Later ones are looked up, with their limit.
    answeredAt: answeredAt !== null && answeredAt < dueAt ? answeredAt : null,
    answeredLate: null,
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
