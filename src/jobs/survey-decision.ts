import type { Notification } from '../model/reminders/columns.ts';
import { finished, hasReachedPhone, planChanges, planned } from '../model/reminders/plan.ts';
import { type Changes, noChanges } from '../model/reminders/record.ts';
import type { UserReminders } from '../model/reminders/state.ts';
import { type Decision, decideAll } from '../schedule/decide.ts';
import { occurrenceKey, slotOf } from '../schedule/slots.ts';

/** What becomes of a user's reminders of one survey. */
export interface Decided {
  state: UserReminders;
  /** Without what the push adds. */
  changes: Changes;
  /** The occurrence to push. */
  sending?: Decision;
}

/** Decides what is due for one survey at the instant `now`: at most `max` occurrences, of which at most one is pushed. */
export function decideSurvey(state: UserReminders, now: number, max: number): Decided {
  const { pending } = state;
  const only = (changes: Partial<Changes>): Decided => ({ state, changes: { ...noChanges(), ...changes } });
  if (!pending || pending.nextAttemptAt > now || pending.revision !== state.revision)
    return { state, changes: planChanges(state, now) };
  if (state.unreadable)
    return only({
      finish: [finished(pending, { state: 'failed', reason: 'reminders-unreadable', at: now })],
    });

  const { decisions, next, wait } = decideAll({
    pending: { ...pending, ...slotOf(pending.key) },
    state,
    now,
    max,
  });
  if (wait) return only({ schedule: [planned(state, wait, pending)] });
  const finish = decisions
    .filter(({ verdict }) => verdict === 'skip')
    .map((decision) => skipped(state, decision, now));
  const sending = decisions.find(({ verdict }) => verdict === 'send');
  const decided = only({ finish, schedule: next ? [planned(state, next)] : [] });
  return sending ? { ...decided, sending } : decided;
}

/** The notification of an occurrence that is decided: the pending one, or one of which there was no row yet. */
export const notificationOf = (state: UserReminders, decision: Decision): Notification => {
  const { attempts, deliveries } =
    state.pending?.key === occurrenceKey(decision) ? state.pending : { attempts: 0, deliveries: [] };
  return { ...planned(state, decision), attempts, deliveries };
};

/** The notification of an occurrence that is not pushed any more. */
export function skipped(state: UserReminders, decision: Decision, now: number): Notification {
  const notification = notificationOf(state, decision);
  const { reason = null } = decision;
  // One phone has it, and it is over for another that was still to be tried.
  if (hasReachedPhone(notification)) return finished(notification, { state: 'sent', at: now });
  const failed = notification.attempts > 0 && reason === 'expired';
  return finished(notification, { state: failed ? 'failed' : 'skipped', reason, at: now });
}
