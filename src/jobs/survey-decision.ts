import type { Notification } from '../model/reminders/columns.ts';
import { finished, followed, hasReachedPhone, planChanges, planned } from '../model/reminders/plan.ts';
import { type Changes, noChanges } from '../model/reminders/record.ts';
import type { UserReminders } from '../model/reminders/state.ts';
import { type Decision, decideAll, type FollowUp } from '../schedule/decide.ts';
import { nextOccurrence, type Occurrence } from '../schedule/occurrences.ts';
import { occurrenceKey, slotOf } from '../schedule/slots.ts';
import { type DecidedFollowUp, followUp, leftOut } from './follow-up.ts';

/** What becomes of a user's reminders of one survey. */
export interface Decided {
  state: UserReminders;
  /** Without what the push adds. */
  changes: Changes;
  /** The occurrence to push. */
  sending?: Decision;
  /** An earlier occurrence to push again. */
  following?: DecidedFollowUp & { decision: { send: FollowUp } };
}

/** Decides what is due for one survey at the instant `now`: at most `max` occurrences, of which at most one is pushed. */
export function decideSurvey(state: UserReminders, now: number, max: number): Decided {
  const decided = decideOccurrences(state, now, max);
  const found = followUp(state, now, newerOf(decided));
  if (!found) return decided;
  const { send } = found.decision;
  if (send) return { ...decided, following: { ...found, decision: { ...found.decision, send } } };
  return { ...decided, changes: { ...decided.changes, followedUp: [leftOut(found, now)] } };
}

/** The key of a newer occurrence than the one that is followed up, if one is due. */
function newerOf({ state, changes, sending }: Decided): string | undefined {
  const { followed, revision } = state;
  const due = [...changes.finish, ...(sending ? [{ revision, key: occurrenceKey(sending) }] : [])];
  return due.find((one) => followed && isNewer(one, followed))?.key;
}

const isNewer = (a: Pick<Notification, 'revision' | 'key'>, b: Notification) =>
  a.revision > b.revision || (a.revision === b.revision && a.key > b.key);

function decideOccurrences(state: UserReminders, now: number, max: number): Decided {
  const { pending } = state;
  const only = (changes: Partial<Changes>): Decided => ({ state, changes: { ...noChanges(), ...changes } });
  if (!pending || pending.nextAttemptAt > now || pending.revision !== state.revision)
    return { state, changes: planChanges(state, now) };
  if (state.unreadable)
    return only({
      finish: [finished(pending, { state: 'failed', reason: 'reminders-unreadable', at: now })],
    });
  // In another zone an earlier date is still to come: it takes the place of this one.
  const first = nextOccurrence(state);
  if (first && occurrenceKey(first) < pending.key) return { state, changes: planChanges(state, now) };

  const { decisions, next, wait, until } = decideAll({
    pending: { ...pending, ...slotOf(pending.key) },
    state,
    now,
    max,
  });
  const finish = decisions
    .filter(({ verdict }) => verdict === 'skip')
    .map((decision) => skipped(state, decision, now));
  const sending = decisions.find(({ verdict }) => verdict === 'send');
  const schedule = next ? [planned(state, next)] : wait ? [waiting(state, wait, until)] : [];
  const decided = only({ finish, schedule });
  return sending ? { ...decided, sending } : decided;
}

/** Its attempts are those of now only if it waits for quiet hours to end; when it is not due, they were of another time. */
const waiting = (state: UserReminders, occurrence: Occurrence, until: number | undefined) =>
  until === undefined
    ? planned(state, occurrence, state.pending)
    : {
        ...notificationOf(state, occurrence),
        plannedFrom: state.plannedFrom,
        nextAttemptAt: until,
      };

/** The notification of an occurrence that is decided: the pending one, or one that had no row yet. */
export const notificationOf = (state: UserReminders, occurrence: Occurrence): Notification => {
  const { attempts, deliveries, nextAttemptAt } =
    state.pending?.key === occurrenceKey(occurrence)
      ? state.pending
      : { attempts: 0, deliveries: [], nextAttemptAt: occurrence.dueAt };
  return { ...planned(state, occurrence), attempts, deliveries, nextAttemptAt };
};

/** The notification of an occurrence that is not pushed any more. */
export function skipped(state: UserReminders, decision: Decision, now: number): Notification {
  const notification = notificationOf(state, decision);
  const { reason = null } = decision;
  // An older version tried it again for a phone while another had it.
  if (hasReachedPhone(notification))
    return reason === 'superseded'
      ? finished(notification, { state: 'sent', at: now })
      : followed(notification, state, now);
  const failed = notification.attempts > 0 && reason === 'expired';
  return finished(notification, { state: failed ? 'failed' : 'skipped', reason, at: now });
}
