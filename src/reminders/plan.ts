import { occurrenceIdentifier } from '../identifiers.ts';
import { answeredName } from '../schedule/answers.ts';
import { isOutside } from '../schedule/course.ts';
import {
  comingOn,
  hasOwnDate,
  nextOccurrence,
  type Occurrence,
  userZoneOf,
} from '../schedule/occurrences.ts';
import { quietUntil } from '../schedule/quiet-hours.ts';
import { occurrenceKey, responseOf, slotOf } from '../schedule/slots.ts';
import { isSettledBy } from '../schedule/triggers.ts';
import { unlistedReason } from '../schedule/verdicts.ts';
import { movedFollowUp } from './follow-ups.ts';
import type { Notification, Settled } from './notification.ts';
import type { UserReminders } from './state.ts';

/** A plan: the notification that comes next, the settled ones that are news, and the last one, if its times change. */
export interface Plan {
  next: Notification | null;
  finish: Notification[];
  again?: Notification | undefined;
}

/** The plan that a user should have. A due notification is left alone. */
export function planNext(state: UserReminders, now: number): Plan {
  const { pending } = state;
  const finish: Notification[] = [];
  const again = movedFollowUp(state, now);
  const settle = (reason: string) => {
    if (pending) finish.push(finished(pending, { state: 'invalidated', reason, at: now }));
  };
  if (!state.member) settle(state.isOutOfGroup ? 'not-in-group' : 'left-study');
  // Nothing can be planned until the reminders are set again.
  if (!state.member || state.unreadable) return { next: state.member ? pending : null, finish, again };
  const current = pending?.revision === state.revision ? pending : null;
  if (!current) settle('stale');
  const next = nextAfter(state, pending);
  if (current && current.key !== keyOf(next)) {
    const reason = reasonToTakeBack(state, current, next);
    if (reason !== null) settle(reason);
  }
  const isKept =
    current?.key === keyOf(next) && current?.dueAt === next?.dueAt && current?.counter === next?.counter;
  if (current && isKept && !isHeldOtherwise(current, state, now))
    return { next: { ...current, timeZone: userZoneOf(state) }, finish, again };
  return { next: next && planned(state, next), finish, again };
}

/** The occurrence to plan. A pending one that was answered while it waited is settled, and not left for an earlier one. */
function nextAfter(state: UserReminders, pending: Notification | null): Occurrence | null {
  const next = nextOccurrence(state);
  if (!next || !pending || !isAnswered(pending)) return next;
  const isCurrent = pending.revision === state.revision;
  if (isCurrent && !isOther(next, pending)) return next;
  const { trigger } = slotOf(pending.key);
  const response = trigger && responseOf(trigger);
  return nextOccurrence({
    ...state,
    ...(isCurrent &&
      pending.key > (state.settledThrough ?? '') && {
        settledThrough: pending.key,
        settledCounter: pending.counter,
      }),
    triggers: (state.triggers ?? []).map((one) => ({
      ...one,
      settled: one.settled || one.response === response,
    })),
  });
}

/** Whether the notification was answered since it was due. An earlier answer finds it again whenever it comes. */
const isAnswered = ({ answeredAt, dueAt }: Notification) => answeredAt !== null && answeredAt >= dueAt;

/** Whether the next occurrence comes in the place of the pending one, which is due later. */
const isOther = (next: Occurrence, { key }: Notification) =>
  next.trigger === undefined ? occurrenceKey(next) < key : occurrenceKey(next) !== key;

/** Whether the notification waits for quiet hours to end. */
export const isHeld = (
  { attempts, nextAttemptAt, dueAt }: Pick<Notification, 'attempts' | 'nextAttemptAt' | 'dueAt'>,
  now: number,
): boolean => attempts === 0 && nextAttemptAt > Math.max(now, dueAt);

/** Whether the notification waits for quiet hours that have changed since. */
const isHeldOtherwise = (current: Notification, state: UserReminders, now: number) =>
  isHeld(current, now) &&
  current.nextAttemptAt !== quietUntil(now, state.quietHours ?? null, userZoneOf(state));

const keyOf = (occurrence: Occurrence | null) =>
  occurrence === null ? undefined : occurrenceKey(occurrence);

/** Why a pending date that is not the next one is taken back. Null: it comes later, or came under another key. */
function reasonToTakeBack(
  state: UserReminders,
  current: Notification,
  next: Occurrence | null,
): string | null {
  const slot = slotOf(current.key);
  const isOut = isOutside(state.participation, slot.on);
  const listed = isOut ? null : comingOn(state, slot);
  const comesLater =
    next !== null &&
    listed !== null &&
    isOther(next, current) &&
    !isPast(listed, state) &&
    !isAnswered(current);
  if (comesLater || isSettledBy(state, slot)) return null;
  if (state.archived || listed !== null) return passedReason(state, current);
  return isOut ? 'not-participating' : unlistedReason(state, slot);
}

/** Whether an occurrence does not come because of the person's own dates, which may move again. */
export const isMoved = (state: UserReminders, { key }: Notification): boolean =>
  isOutside(state.participation, slotOf(key).on) ||
  (hasOwnDate(state.rule) && comingOn(state, slotOf(key)) === null);

/** Responses have no order of dates, so that only the time tells. */
const isPast = ({ trigger, dueAt }: Occurrence, { since }: UserReminders) =>
  trigger !== undefined && dueAt <= since;

/**
 * Why a listed date does not come: earlier reminders were pushed on it, it was due while the survey was archived, or the
 * user's new zone or time moved it before the user's first date.
 */
const passedReason = ({ archived, since, remindedUntil }: UserReminders, { dueAt }: Notification) => {
  if (dueAt <= remindedUntil) return 'reminded-before';
  return archived || dueAt <= since ? 'survey-archived' : 'time-passed';
};

/** The notification of an occurrence that comes. */
export function planned(state: UserReminders, occurrence: Occurrence): Notification {
  const { user, survey, revision } = state;
  const { counter, dueAt } = occurrence;
  const key = occurrenceKey(occurrence);
  const answeredAt = state.answered?.get(answeredName(occurrence)) ?? null;
  return {
    id: occurrenceIdentifier(user, survey, revision, key),
    userId: user,
    surveyId: survey,
    revision,
    key,
    counter,
    dueAt,
    nextAttemptAt: dueAt,
    timeZone: userZoneOf(state),
    attempts: 0,
    deliveries: [],
    followUps: [],
    settledAt: null,
    state: null,
    reason: null,
    nextFollowUpAt: null,
    retryAt: null,
    snoozedUntil: null,
    openedAt: null,
    // Later ones are looked up, with their limit.
    answeredAt: answeredAt !== null && answeredAt < dueAt ? answeredAt : null,
    answeredLate: null,
  };
}

interface Outcome {
  state: Settled;
  reason?: string | null;
  /** Epoch ms. */
  at: number;
}

/** A notification that is settled. One that was answered while it waited is not taken back: its answer counts. */
export const finished = (notification: Notification, { state, reason = null, at }: Outcome): Notification =>
  state === 'invalidated' && isAnswered(notification)
    ? { ...notification, settledAt: at, state: 'skipped', reason: 'answered' }
    : { ...notification, settledAt: at, state, reason };
