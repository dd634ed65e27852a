import type { FollowUpEntry, Notification } from '../model/reminders/columns.ts';
import type { Phone } from '../model/reminders/due.ts';
import { finished, followed, hasReachedPhone } from '../model/reminders/plan.ts';
import type { Changes } from '../model/reminders/record.ts';
import type { UserReminders } from '../model/reminders/state.ts';
import type { Decision } from '../schedule/decide.ts';
import type { Services } from '../services.ts';
import { earlier, iso, withNext } from './follow-up.ts';
import { messageOf, pushDelayMs, pushToPhones } from './push-to-phones.ts';
import { notificationOf } from './survey-decision.ts';

interface Sending {
  state: UserReminders;
  phones: Phone[];
  now: number;
}

/**
 * Publishes one occurrence to the phones that do not have it yet. It is finished as soon as one has it, and what follows it
 * does not wait for the others; if none has it, it is to be retried.
 */
export async function sendOccurrence(
  services: Services,
  { state, phones, now }: Sending,
  decision: Decision,
): Promise<Pick<Changes, 'disable'> & Partial<Pick<Changes, 'finish' | 'retried'>>> {
  const before = notificationOf(state, decision);
  const { dueAt, expiresAt = now } = decision;
  const message = messageOf(state, before, { now, expiresAt });
  const reached = before.deliveries ?? [];
  const { deliveries, outcome, gone } = await pushToPhones(services, phones, reached, message);
  const attempts = before.attempts + 1;
  services.log({
    event: 'delivery',
    notification: message.collapseId,
    survey: state.survey,
    outcome,
    attempts,
    phones: deliveries.length,
    // What waited for quiet hours to end is not late.
    lateMs: now - (before.attempts > 0 ? dueAt : before.nextAttemptAt),
  });
  const after = { ...before, attempts, deliveries };
  const disable = gone.map((device) => ({ device, readAt: now }));
  const again = Math.min(now + pushDelayMs(attempts), expiresAt);
  if (outcome === 'failed')
    return { finish: [finished(after, { state: 'failed', reason: 'relay', at: services.now() })], disable };
  if (!hasReachedPhone(after))
    return { retried: [{ ...after, plannedFrom: state.plannedFrom, nextAttemptAt: again }], disable };
  const sent = followed(after, state, services.now());
  return { finish: [outcome === 'retry' ? retriedFirst(sent, again) : sent], disable };
}

/** One that is sent, with the first push to be tried `again` (epoch ms) for some phones, until a nudge takes its place. */
function retriedFirst(sent: Notification, again: number): Notification {
  const { dueAt, settledAt, attempts, nextFollowUpAt } = sent;
  const first: FollowUpEntry = {
    kind: 'first',
    dueAt: iso(dueAt),
    at: iso(settledAt ?? dueAt),
    state: 'retrying',
    attempts,
  };
  return {
    ...sent,
    followUps: [withNext(first, nextFollowUpAt)],
    nextFollowUpAt: earlier(again, nextFollowUpAt),
  };
}
