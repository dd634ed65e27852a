import type { FollowUp } from '../schedule/verdicts.ts';
import type { Decided, DuePush } from './decide.ts';
import { type DueFollowUp, firstNudgeAt, isRecordOf, pushedAgain, withoutPush } from './follow-ups.ts';
import { hasReachedPhone, iso, type Notification } from './notification.ts';
import { finished, type Plan } from './plan.ts';
import type { Delivery, FollowUpRecord } from './schema.ts';
import type { UserReminders } from './state.ts';

/** The result of a push. Instants are epoch ms. */
export interface PushResult {
  /** The results on each phone, including earlier attempts. */
  deliveries: Delivery[];
  /**
   * `sent`: at least one phone has it, and none is to be retried. `retry`: one is. `failed`: no phone has it or will get
   * it.
   */
  outcome: 'sent' | 'retry' | 'failed';
  /** When the push ended. */
  at: number;
  /** When to retry. */
  again: number;
}

/** Earlier results of a push on phones, and the number of attempts. */
export function triedBefore({ notification, again }: DuePush): { deliveries: Delivery[]; attempts: number } {
  const send = again?.send;
  const { deliveries = [], attempts = 0 } = send ? (retriedRecord(notification, send) ?? {}) : notification;
  return { deliveries, attempts };
}

/** The plan of a decision, with the result of its push. */
export function withResult({ state, push, ...plan }: Decided & { push: DuePush }, result: PushResult): Plan {
  if (push.again) {
    const { send } = push.again;
    const again = send
      ? afterFollowUp({ state, due: push.again, send }, result)
      : afterRetry(push.again, result);
    return { ...plan, again };
  }
  const { outcome, deliveries, at, again } = result;
  const after = { ...push.notification, attempts: push.notification.attempts + 1, deliveries };
  if (outcome === 'failed')
    return { ...plan, finish: [...plan.finish, finished(after, { state: 'failed', reason: 'relay', at })] };
  // It stays the next one.
  if (!hasReachedPhone(after)) return { ...plan, next: { ...after, nextAttemptAt: again } };
  const sent = asSent(after, state, at);
  // Follow-ups do not wait for the other phones.
  const retryAt = outcome === 'retry' ? again : null;
  return { ...plan, finish: [...plan.finish, { ...sent, retryAt }] };
}

/** A notification that a phone has received, settled as sent, with the time of its first nudge. */
function asSent(notification: Notification, state: UserReminders, at: number): Notification {
  const sent = finished(notification, { state: 'sent', at });
  return { ...sent, nextFollowUpAt: firstNudgeAt(sent, state) };
}

/** The first push was retried for phones that it had not reached. */
const afterRetry = (due: DueFollowUp, { deliveries, outcome, at, again }: PushResult): Notification => ({
  ...withoutPush({ ...due, retryAt: outcome === 'retry' ? again : null }, at),
  deliveries,
});

function afterFollowUp(
  { state, due, send }: { state: UserReminders; due: DueFollowUp; send: FollowUp },
  { deliveries, outcome, at, again }: PushResult,
): Notification {
  const { notification } = due;
  const retrying = outcome === 'retry';
  const entry: FollowUpRecord = {
    kind: send.kind,
    dueAt: iso(send.dueAt),
    at: iso(at),
    state: retrying ? 'retrying' : outcome,
    attempts: (retriedRecord(notification, send)?.attempts ?? 0) + 1,
    deliveries,
    ...(outcome === 'failed' && { reason: 'relay' }),
  };
  const others = withoutPush(due, at).followUps.filter((one) => !isRecordOf(one, send));
  const followUps = [...others, entry];
  const isSnooze = send.kind === 'snooze';
  const next = isSnooze
    ? firstNudgeAt({ ...notification, followUps, snoozedUntil: null }, state)
    : (due.decision?.next ?? null);
  return pushedAgain(notification, {
    followUps,
    // Retries of a nudge do not delay the next one.
    nextFollowUpAt: retrying ? Math.min(again, next ?? again) : next,
    retryAt: null,
    snoozeIsOver: isSnooze && !retrying,
  });
}

const retriedRecord = ({ followUps }: Notification, send: FollowUp) =>
  followUps.find((one) => isRecordOf(one, send) && one.state === 'retrying');
