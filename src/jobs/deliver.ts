import { occurrenceIdentifier } from '../identifiers.ts';
import type { Notification } from '../model/reminders/columns.ts';
import { type Phone, readDelivery } from '../model/reminders/due.ts';
import { finished, hasReachedPhone, planChanges, planned, replanUsers } from '../model/reminders/plan.ts';
import { type Changes, noChanges, writeChanges } from '../model/reminders/record.ts';
import type { UserReminders } from '../model/reminders/state.ts';
import { backoffMs, retry } from '../retry.ts';
import { type Decision, decideAll } from '../schedule/decide.ts';
import type { Services } from '../services.ts';
import { pushToPhones } from './push-to-phones.ts';

/** How long a push that the relay did not take waits for its next attempt. */
const pushBackoff = { baseMs: 5_000, maxMs: 5 * 60_000 };

/** A push cannot be undone, so writing it down is tried this hard. */
const recordRetry = { baseMs: 1_000, maxMs: 8_000, maxAttempts: 5 };

/**
 * Sends what is due for the user, records it, and plans what comes next: one read and one write. Call it from one place
 * at a time for each user. Returns when to call it again (epoch ms), or null.
 */
export async function deliver(services: Services, user: string): Promise<number | null> {
  const now = services.now();
  const { reminders, phones } = await readDelivery({ ...services, now }, user);
  const results = await Promise.all(
    reminders.map((state) => deliverSurvey(services, { state, phones, now })),
  );
  const changes = results.map((result) => result.changes);
  const write = () => writeChanges({ ...services, now: services.now() }, changes);
  const pushed = results.some((result) => result.pushed);
  const { refused } = await (pushed ? retry(write, recordRetry) : write());

  // A plan was refused because something changed between the read and the write: plan from what holds now.
  const context = { ...services, now: services.now() };
  const replanned = refused.length === 0 ? [] : await replanUsers(context, [user]);
  const kept = reminders.flatMap(({ pending }) =>
    pending && pending.nextAttemptAt > now ? [pending.nextAttemptAt] : [],
  );
  const stored = changes
    .flatMap(({ schedule, retried }) => [...schedule, ...retried])
    .map((row) => row.nextAttemptAt);
  const times = [...kept, ...stored, ...replanned.map(({ at }) => at)];
  return times.length > 0 ? Math.min(...times) : null;
}

interface Delivery {
  state: UserReminders;
  phones: Phone[];
  now: number;
}

/** `pushed`: the relay was asked, which cannot be undone. */
interface Result {
  changes: Changes;
  pushed: boolean;
}

async function deliverSurvey(services: Services, delivery: Delivery): Promise<Result> {
  const { state, now } = delivery;
  const { pending } = state;
  const only = (changes: Partial<Changes>): Result => ({
    changes: { ...noChanges(), ...changes },
    pushed: false,
  });
  if (!pending || pending.nextAttemptAt > now || pending.revision !== state.revision)
    return only(planChanges(state, now));
  if (state.unreadable) {
    services.log({ event: 'delivery.reminders-unreadable', level: 'error', survey: state.survey });
    return only({
      finish: [finished(pending, { state: 'failed', reason: 'reminders-unreadable', at: now })],
    });
  }

  const { decisions, next, wait } = decideAll(pending, state, now);
  if (wait) return only({ schedule: [planned(state, wait, pending)] });
  const skipped = decisions
    .filter(({ verdict }) => verdict === 'skip')
    .map((decision) => skip(notificationOf(state, decision), decision, now));
  const sending = decisions.find(({ verdict }) => verdict === 'send');
  const schedule = next ? [planned(state, next)] : [];
  if (!sending) return only({ finish: skipped, schedule });

  const sent = await send(services, delivery, sending);
  const disable = sent.gone.map((device) => ({ device, readAt: now }));
  const changes = sent.settled
    ? { finish: [...skipped, sent.notification], schedule, disable }
    : { finish: skipped, retried: [{ ...sent.notification, plannedFrom: state.plannedFrom }], disable };
  return { changes: { ...noChanges(), ...changes }, pushed: true };
}

/** The notification of a date that is decided: the pending one, or one of which there was no row yet. */
const notificationOf = (state: UserReminders, decision: Decision): Notification => {
  const { attempts, deliveries } =
    state.pending?.on === decision.on ? state.pending : { attempts: 0, deliveries: [] };
  return { ...planned(state, decision), attempts, deliveries };
};

function skip(notification: Notification, { reason }: Decision, now: number): Notification {
  // One phone has it, and it is over for another that was still to be tried.
  if (hasReachedPhone(notification)) return finished(notification, { state: 'sent', at: now });
  const failed = notification.attempts > 0 && reason === 'expired';
  return finished(notification, { state: failed ? 'failed' : 'skipped', reason: reason ?? null, at: now });
}

/** Publishes one occurrence to the phones that do not have it yet. `settled`: it needs no further attempt. */
async function send(
  services: Services,
  { state, phones, now }: Delivery,
  decision: Decision,
): Promise<{ notification: Notification; settled: boolean; gone: string[] }> {
  const before = notificationOf(state, decision);
  const { dueAt, on, expiresAt = now } = decision;
  const identifier = occurrenceIdentifier(state.user, state.survey, state.revision, on);
  const { deliveries, outcome, gone } = await pushToPhones(services, phones, before.deliveries ?? [], {
    title: state.notification.subject,
    body: state.notification.body,
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
    lateMs: now - dueAt,
  });
  const after = { ...before, attempts, deliveries };
  if (outcome === 'retry') {
    const nextAttemptAt = Math.min(now + backoffMs(attempts, pushBackoff), expiresAt);
    return { notification: { ...after, nextAttemptAt }, settled: false, gone };
  }
  const reason = outcome === 'failed' ? 'relay' : null;
  return {
    notification: finished(after, { state: outcome, reason, at: services.now() }),
    settled: true,
    gone,
  };
}
