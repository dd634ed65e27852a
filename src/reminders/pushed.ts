import type { FollowUp } from '../schedule/decide.ts';
import type { Changes, FollowUpChange, Planned } from './changes.ts';
import type { Notification } from './columns.ts';
import { deliveriesOf, hasReachedPhone, packDeliveries, readDeliveries } from './deliveries.ts';
import {
  type DueFollowUp,
  firstNudgeAt,
  followUpChange,
  iso,
  isRecordOf,
  withoutPush,
} from './follow-ups.ts';
import type { Decided, DuePush } from './lifecycle.ts';
import { finished } from './plan-changes.ts';
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
  if (!send) return { deliveries: deliveriesOf(notification), attempts: notification.attempts };
  const { deliveries = [], attempts = 0 } = retriedRecord(notification, send) ?? {};
  return { deliveries: readDeliveries(deliveries, send.dueAt), attempts };
}

/** The changes of a decision, including the result of its push. */
export function withResult({ state, changes, push }: Decided, result: PushResult): Changes {
  if (!push) return changes;
  if (push.again) {
    const { send } = push.again;
    const change = send
      ? afterFollowUp({ state, due: push.again, send }, result)
      : afterRetry(push.again, result);
    return { ...changes, followUps: [change] };
  }
  const { outcome, deliveries, at, again } = result;
  const after = { ...push.notification, attempts: push.notification.attempts + 1, deliveries };
  if (outcome === 'failed')
    return {
      ...changes,
      finish: [...changes.finish, finished(after, { state: 'failed', reason: 'relay', at })],
    };
  if (!hasReachedPhone(after)) {
    const retried: Planned = { ...after, plannedFrom: state.plannedFrom, nextAttemptAt: again };
    // The notification stays pending.
    return { ...changes, schedule: [], retried: [retried] };
  }
  const sent = asSent(after, state, at);
  // Follow-ups do not wait for the other phones.
  const retryAt = outcome === 'retry' ? again : null;
  return { ...changes, finish: [...changes.finish, { ...sent, retryAt }] };
}

/** A notification that a phone has received, settled as sent, with the time of its first nudge. */
function asSent(notification: Notification, state: UserReminders, at: number): Notification {
  const sent = finished(notification, { state: 'sent', at });
  return { ...sent, nextFollowUpAt: firstNudgeAt(sent, state) };
}

/** The first push was retried for phones that it had not reached. */
function afterRetry(due: DueFollowUp, { deliveries, outcome, at, again }: PushResult): FollowUpChange {
  const { notification } = due;
  return {
    ...withoutPush({ ...due, retryAt: outcome === 'retry' ? again : null }, at),
    deliveries: packDeliveries(deliveries, notification.dueAt),
  };
}

function afterFollowUp(
  { state, due, send }: { state: UserReminders; due: DueFollowUp; send: FollowUp },
  { deliveries, outcome, at, again }: PushResult,
): FollowUpChange {
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
  return followUpChange(notification, followUps, {
    // Retries of a nudge do not delay the next one.
    nextFollowUpAt: retrying ? Math.min(again, next ?? again) : next,
    retryAt: null,
    snoozeIsOver: isSnooze && !retrying,
  });
}

const retriedRecord = ({ followUps }: Notification, send: FollowUp) =>
  followUps?.find((one) => isRecordOf(one, send) && one.state === 'retrying');
