import { answeredBy, answeredName } from '../schedule/answers.ts';
import { type Decision, decideAll, type FollowUp } from '../schedule/decide.ts';
import { nextOccurrence, type Occurrence } from '../schedule/occurrences.ts';
import { occurrenceKey, slotOf } from '../schedule/slots.ts';
import { isSettledBy } from '../schedule/triggers.ts';
import { type Changes, laterPushes, noChanges } from './changes.ts';
import type { Notification } from './columns.ts';
import { type DueFollowUp, dueFollowUp, withoutPush } from './follow-ups.ts';
import { finished, planChanges, planned } from './plan-changes.ts';
import type { UserReminders } from './state.ts';

/** The decision about a user's reminders of one survey. */
export interface Decided {
  state: UserReminders;
  /** The writes, without the result of the push. */
  changes: Changes;
  /** At most one push: of the due occurrence, or of an earlier one again. */
  push?: DuePush;
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
  return { ...decided, changes: { ...decided.changes, followUps: [withoutPush(again, now)] } };
}

/** The key of a due occurrence that is newer than the followed one, if any. */
function newerOf({ state: { followed, revision }, changes, push }: Decided, now: number): string | undefined {
  const due = [
    ...changes.finish,
    // Of one that is planned late the push comes next.
    ...changes.schedule.filter(({ nextAttemptAt }) => nextAttemptAt <= now),
    ...(push?.occurrence ? [{ revision, key: occurrenceKey(push.occurrence) }] : []),
  ];
  return due.find((one) => followed && isNewer(one, followed))?.key;
}

const isNewer = (a: Pick<Notification, 'revision' | 'key'>, b: Notification) =>
  a.revision > b.revision || (a.revision === b.revision && a.key > b.key);

function decideOccurrences(state: UserReminders, now: number, max: number): Decided {
  const { pending } = state;
  const isStale = pending?.revision !== state.revision;
  if (!pending || pending.nextAttemptAt > now || (state.member && isStale))
    return { state, changes: planChanges(state, now) };
  const only = (changes: Partial<Changes>): Decided => ({ state, changes: { ...noChanges(), ...changes } });
  if (!state.member)
    return only({ finish: [finished(pending, { state: 'skipped', reason: 'left-study', at: now })] });
  if (state.unreadable)
    return only({
      finish: [finished(pending, { state: 'failed', reason: 'reminders-unreadable', at: now })],
    });
  // In another zone an earlier date is still to come: it replaces this one. Or a push of earlier reminders was under way.
  const first = nextOccurrence(state);
  const isReplaced = first !== null && occurrenceKey(first) < pending.key;
  const isDone = pending.dueAt <= state.remindedUntil || isSettledBy(state, slotOf(pending.key));
  if (isReplaced || isDone) return { state, changes: planChanges(state, now) };

  const due = { ...pending, ...slotOf(pending.key) };
  const { decisions, next, wait, until } = decideAll({ pending: due, state, now, max });
  const answeredAt = answeredBy(state);
  const finish = decisions
    .filter(({ verdict }) => verdict === 'skip')
    .map((decision) => skipped(state, decision, { answeredAt, now }));
  const schedule = next ? [planned(state, next)] : wait ? [waiting(state, wait, until)] : [];
  const decided = only({ finish, schedule });
  const occurrence = decisions.find(({ verdict }) => verdict === 'send');
  if (!occurrence) return decided;
  const { expiresAt = now } = occurrence;
  return { ...decided, push: { notification: notificationOf(state, occurrence), expiresAt, occurrence } };
}

/** Attempts count only if the occurrence is due and waits for quiet hours to end; otherwise they belong to another time. */
const waiting = (state: UserReminders, occurrence: Occurrence, until: number | undefined) =>
  until === undefined
    ? planned(state, occurrence, state.pending)
    : {
        ...notificationOf(state, occurrence),
        plannedFrom: state.plannedFrom,
        nextAttemptAt: until,
      };

/** The notification of a decided occurrence: the pending one, or one that had no row yet. */
const notificationOf = (state: UserReminders, occurrence: Occurrence): Notification => {
  const { attempts, deliveries, nextAttemptAt } =
    state.pending?.key === occurrenceKey(occurrence)
      ? state.pending
      : { attempts: 0, deliveries: [], nextAttemptAt: occurrence.dueAt };
  return { ...planned(state, occurrence), attempts, deliveries, nextAttemptAt };
};

/** The notification of an occurrence that is not pushed. */
function skipped(
  state: UserReminders,
  decision: Decision,
  { answeredAt, now }: { answeredAt: ReturnType<typeof answeredBy>; now: number },
): Notification {
  const notification = notificationOf(state, decision);
  const { reason = null } = decision;
  const failed = notification.attempts > 0 && reason === 'expired';
  const isFree = reason === 'answered' && !state.answered?.has(answeredName(decision));
  // An answer that belongs to none is noted, since it counts once.
  const noted = isFree ? { ...notification, answeredAt: answeredAt(decision) ?? null } : notification;
  return finished(noted, { state: failed ? 'failed' : 'skipped', reason, at: now });
}

/** Leaves out a nudge or snooze that exceeds the limit of its day, and all that would follow. */
export function withoutFollowUp({ state, changes, push }: Decided, now: number): Decided {
  if (!push?.again?.send) return { state, changes };
  const { notification, expiresAt, again } = push;
  const left = [...(again.decision?.skipped ?? []), { ...push.again.send, reason: 'too-many' as const }];
  const decision = { skipped: left, next: null, expiresAt };
  // Phones that do not have the first push yet still get it.
  const { retryAt } = notification;
  const change = withoutPush({ notification, decision, send: undefined, retryAt }, now);
  return { state, changes: { ...changes, followUps: [change] } };
}

/** When what is decided was to be attempted (epoch ms). */
export const dueAtOf = ({ state: { pending, followed }, push }: Decided): number =>
  push?.again && followed
    ? Math.min(...laterPushes(followed))
    : (pending?.nextAttemptAt ?? Number.POSITIVE_INFINITY);

/** The nudge or snooze of a push, if it is one. */
export const followUpOf = ({ again }: DuePush): FollowUp | undefined => again?.send;
