import { occurrenceIdentifier } from '../identifiers.ts';
import type { Phone } from '../model/reminders/due.ts';
import { toSent } from '../model/reminders/follow-ups.ts';
import { finished } from '../model/reminders/plan.ts';
import type { Changes } from '../model/reminders/record.ts';
import type { UserReminders } from '../model/reminders/state.ts';
import type { Decision } from '../schedule/decide.ts';
import { nextFollowUp } from '../schedule/follow-ups.ts';
import type { Services } from '../services.ts';
import { pushDelayMs, pushToPhones } from './push-to-phones.ts';
import { notificationOf } from './survey-decision.ts';

interface Sending {
  state: UserReminders;
  phones: Phone[];
  now: number;
}

/** Publishes one occurrence to the phones that do not have it yet. It is finished then, or to be retried. */
export async function sendOccurrence(
  services: Services,
  { state, phones, now }: Sending,
  decision: Decision,
): Promise<Pick<Changes, 'disable'> & Partial<Pick<Changes, 'finish' | 'retried'>>> {
  const before = notificationOf(state, decision);
  const { dueAt, expiresAt = now } = decision;
  const identifier = occurrenceIdentifier(state.user, state.survey, state.revision, before.key);
  const { deliveries, outcome, gone } = await pushToPhones(services, phones, before.deliveries ?? [], {
    texts: state.texts,
    data: { survey: state.survey, investigation: state.investigation, notification: identifier },
    collapseId: identifier,
    ttlSeconds: Math.max(1, Math.floor((expiresAt - now) / 1000)),
  });
  const attempts = before.attempts + 1;
  services.log({
    event: 'delivery',
    notification: identifier,
    survey: state.survey,
    outcome,
    attempts,
    phones: deliveries.length,
    // What waited for quiet hours to end is not late.
    lateMs: now - (before.attempts > 0 ? dueAt : before.nextAttemptAt),
  });
  const after = { ...before, attempts, deliveries };
  const disable = gone.map((device) => ({ device, readAt: now }));
  if (outcome === 'retry') {
    const nextAttemptAt = Math.min(now + pushDelayMs(attempts), expiresAt);
    return { retried: [{ ...after, plannedFrom: state.plannedFrom, nextAttemptAt }], disable };
  }
  const reason = outcome === 'failed' ? 'relay' : null;
  const done = finished(after, { state: outcome, reason, at: services.now() });
  const next = outcome === 'sent' ? nextFollowUp(toSent(done), state) : null;
  return { finish: [{ ...done, nextFollowUpAt: next?.dueAt ?? null }], disable };
}
