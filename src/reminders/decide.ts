import { nextOccurrence, type Occurrence } from '../schedule/occurrences.ts';
import { occurrenceKey, slotOf } from '../schedule/slots.ts';
import { isSettledBy } from '../schedule/triggers.ts';
import { type Decision, type FollowUp, judgeDue, verdictOf } from '../schedule/verdicts.ts';
import { type DueFollowUp, dueFollowUp, withoutPush } from './follow-ups.ts';
import { laterPushes, type Notification } from './notification.ts';
import { finished, isMoved, type Plan, planNext, planned } from './plan.ts';
import { followedOf, type UserReminders } from './state.ts';

/** The decision about a user's reminders of one survey, without the result of its push. */
export interface Decided extends Plan {
  state: UserReminders;
  /** At most one push: of the due occurrence, or of an earlier one again. */
  push?: DuePush | undefined;
}

/** A due push, to all phones that do not have it. */
export interface DuePush {
  /** The notification before the push. */
  notification: Notification;
  /** Epoch ms. */
  expiresAt: number;
  /** For a due occurrence: the decision of the schedule. */
  occurrence?: Decision;
  /** For a sent occurrence: a nudge or a snooze, or else the first push for phones that it has not reached. */
  again?: DueFollowUp;
}

/**
 * Decides at the instant `now` (epoch ms) the due pushes of one survey, at most `max` occurrences: first pushes, retries,
 * nudges and snoozes, also those of former members.
 */
export function decide(state: UserReminders, now: number, max = Infinity): Decided {
  const decided = decideOccurrences(state, now, max);
  const again = dueFollowUp(state, now, newerOf(decided, now));
  if (!again) return decided;
  const { notification, send, retryAt } = again;
  const expiresAt = notification.dueAt + state.expiresAfter * 60_000;
  if (send || retryAt === now) return { ...decided, push: { notification, expiresAt, again } };
  return { ...decided, again: withoutPush(again, now) };
}

/** The key of a due occurrence that is newer than the followed one, if any. */
function newerOf({ state, finish, next, push }: Decided, now: number): string | undefined {
  const { revision } = state;
  const due = [
    ...finish.filter((one) => one.state !== 'invalidated'),
    // Of one that is planned late the push comes next.
    ...(next && next !== state.pending && next.nextAttemptAt <= now ? [next] : []),
    ...(push?.occurrence ? [{ revision, key: occurrenceKey(push.occurrence) }] : []),
  ];
  return due.find((one) => state.last && isNewer(one, state.last))?.key;
}

/** Whether a notification comes after another one of its survey. */
export const isNewer = (
  a: Pick<Notification, 'revision' | 'key'>,
  b: Pick<Notification, 'revision' | 'key'>,
): boolean => a.revision > b.revision || (a.revision === b.revision && a.key > b.key);

function decideOccurrences(state: UserReminders, now: number, max: number): Decided {
  const { pending } = state;
  const isStale = pending?.revision !== state.revision;
  if (!pending || pending.nextAttemptAt > now) return { state, ...planNext(state, now) };
  if (state.member && isStale) return lostPush(state, pending, now) ?? { state, ...planNext(state, now) };
  const settle = (how: Parameters<typeof finished>[1]): Decided => ({
    state,
    finish: [finished(pending, how)],
    next: null,
  });
  // It comes again if the person comes back before it expires.
  if (state.isOutOfGroup) return { state, ...planNext(state, now) };
  if (!state.member) return settle({ state: 'skipped', reason: 'left-study', at: now });
  if (state.unreadable) return settle({ state: 'failed', reason: 'reminders-unreadable', at: now });
  // In another zone an earlier date is still to come: it replaces this one. Or a push of earlier reminders was under way.
  const first = nextOccurrence(state);
  const isReplaced = first !== null && occurrenceKey(first) < pending.key;
  const isDone = pending.dueAt <= state.remindedUntil || isSettledBy(state, slotOf(pending.key));
  if (isReplaced || isDone || isMoved(state, pending)) return { state, ...planNext(state, now) };

  const due = { ...pending, ...slotOf(pending.key) };
  const { decisions, next, wait, until } = judgeDue({ pending: due, state, now, max });
  const finish = decisions
    .filter(({ verdict }) => verdict === 'skip')
    .map((decision) => skipped(state, decision, now));
  const occurrence = decisions.find(({ verdict }) => verdict === 'send');
  const decided = { state, finish, next: wait ? waiting(state, wait, until) : next && planned(state, next) };
  if (!occurrence) return decided;
  const { expiresAt = now } = occurrence;
  return { ...decided, push: { notification: notificationOf(state, occurrence), expiresAt, occurrence } };
}

/**
 * The push of earlier reminders whose record was lost: it is made again under its name, so that the present ones do not come
 * beside it. Nothing is planned before it is recorded.
 */
function lostPush(state: UserReminders, pending: Notification, now: number): Decided | null {
  if (!state.mayBePushed) return null;
  const { revision, key, counter, dueAt } = pending;
  const slot = slotOf(key);
  const lost = { ...slot, revision, dueAt, openedAt: null, followUp: null };
  const outcome = verdictOf(lost, { ...state, revision }, now);
  if (outcome.verdict !== 'send') return null;
  const { expiresAt } = outcome;
  const lease = state.lease && { ...state.lease, version: -1 };
  const occurrence: Decision = { ...slot, counter, dueAt, verdict: 'send', expiresAt };
  return {
    state: { ...state, lease },
    finish: [],
    next: null,
    push: { notification: pending, expiresAt, occurrence },
  };
}

/** Attempts count only if the occurrence is due and waits for quiet hours to end; otherwise they belong to another time. */
const waiting = (state: UserReminders, occurrence: Occurrence, until: number | undefined) =>
  until === undefined
    ? planned(state, occurrence)
    : { ...notificationOf(state, occurrence), nextAttemptAt: until };

/** The notification of a decided occurrence: the pending one, or one that the cursor has not reached. */
const notificationOf = (state: UserReminders, occurrence: Occurrence): Notification => {
  const notification = planned(state, occurrence);
  if (state.pending?.key !== notification.key) return notification;
  const { attempts, deliveries, nextAttemptAt } = state.pending;
  return { ...notification, attempts, deliveries, nextAttemptAt };
};

/** The notification of an occurrence that is not pushed. An answer that it takes is noted, since that counts once. */
function skipped(state: UserReminders, decision: Decision, now: number): Notification {
  const notification = notificationOf(state, decision);
  const { reason = null, answeredAt = notification.answeredAt } = decision;
  const failed = notification.attempts > 0 && reason === 'expired';
  return finished({ ...notification, answeredAt }, { state: failed ? 'failed' : 'skipped', reason, at: now });
}

/** Leaves out a nudge or snooze that exceeds the limit of its day, and all that would follow. */
export function withoutFollowUp({ push, ...decided }: Decided, now: number): Decided {
  if (!push?.again?.send) return decided;
  const { notification, expiresAt, again } = push;
  const left = [...(again.decision?.skipped ?? []), { ...push.again.send, reason: 'too-many' as const }];
  const decision = { skipped: left, next: null, expiresAt };
  // Phones that do not have the first push yet still get it.
  const { retryAt } = notification;
  return { ...decided, again: withoutPush({ notification, decision, send: undefined, retryAt }, now) };
}

/** When what is decided was to be attempted (epoch ms). */
export function dueAtOf({ state, push }: Decided): number {
  const followed = followedOf(state);
  return push?.again && followed
    ? Math.min(...laterPushes(followed))
    : (state.pending?.nextAttemptAt ?? Number.POSITIVE_INFINITY);
}

/** The nudge or snooze of a push, if it is one. */
export const followUpOf = ({ again }: DuePush): FollowUp | undefined => again?.send;
