import {
  type FollowUpDecision,
  isOfDays,
  judgeFollowUps,
  nextFollowUp,
  type Sent,
} from '../schedule/follow-ups.ts';
import { userZoneOf } from '../schedule/occurrences.ts';
import { quietUntil } from '../schedule/quiet-hours.ts';
import { slotOf } from '../schedule/slots.ts';
import { type FollowUp, verdictOf } from '../schedule/verdicts.ts';
import { hasReachedPhone, iso, type Notification } from './notification.ts';
import type { FollowUpRecord } from './schema.ts';
import { followedOf, type UserReminders } from './state.ts';

/** A sent notification, as the input of decisions about its follow-ups. */
export const toSent = (notification: Notification): Sent => {
  const { revision, key, counter, dueAt, settledAt, snoozedUntil, openedAt, followUps } = notification;
  const lastSnooze = followUps.findLastIndex(({ kind }) => kind === 'snooze');
  const snooze = followUps[lastSnooze];
  const retried = retriedIn(followUps);
  // A snooze ends the tries of a nudge.
  const isOver = ({ kind, state }: FollowUpRecord) =>
    kind === 'nudge' && (state !== 'retrying' || snoozedUntil !== null);
  return {
    ...slotOf(key),
    revision,
    counter,
    dueAt,
    countedFrom: snooze ? (reachedAt(snooze) ?? Date.parse(snooze.at)) : (settledAt ?? dueAt),
    nudges: followUps.slice(lastSnooze + 1).filter(isOver).length,
    earlierNudges: followUps.slice(0, lastSnooze + 1).filter(isOver).length,
    nextAt: snoozedUntil ?? (retried ? Date.parse(retried.dueAt) : notification.nextFollowUpAt),
    snoozedUntil,
    snoozedAt: snooze && Date.parse(snooze.dueAt) === snoozedUntil ? reachedAt(snooze) : null,
    openedAt,
  };
};

/** When the first phone got the push (epoch ms); null: none has it. */
function reachedAt({ deliveries = [] }: FollowUpRecord): number | null {
  const times = deliveries.filter(({ messageId }) => messageId).map(({ at }) => Date.parse(at));
  return times.length > 0 ? Math.min(...times) : null;
}

/** The nudge or snooze that is to be retried. */
const retriedIn = (followUps: readonly FollowUpRecord[]) =>
  followUps.find(({ state }) => state === 'retrying');

/** The time of the first nudge after the push or a snooze (epoch ms). */
export const firstNudgeAt = (sent: Notification, state: UserReminders): number | null =>
  nextFollowUp(toSent(sent), state)?.dueAt ?? null;

/** The work of a delivery on an occurrence that was sent. */
export interface DueFollowUp {
  notification: Notification;
  /** The decision about nudges and snoozes. Null: none is planned. */
  decision: FollowUpDecision | null;
  /** The nudge or snooze to push. */
  send: FollowUp | undefined;
  /** When the first push is retried for phones without it (epoch ms), `now` if it is due; null: no more. */
  retryAt: number | null;
}

/** Decides about follow-ups if one is due, or if a newer occurrence is due, whose key is `newer`. */
export function dueFollowUp(
  state: UserReminders,
  now: number,
  newer: string | undefined,
): DueFollowUp | null {
  const notification = followedOf(state);
  if (!notification) return null;
  const isDue = (at: number | null) => at !== null && (at <= now || newer !== undefined);
  const { nextFollowUpAt, retryAt } = notification;
  if (!isDue(nextFollowUpAt) && !isDue(retryAt)) return null;
  const current = { ...state, settledThrough: newer ?? state.settledThrough };
  const sent = toSent(notification);
  // Also decides about a planned follow-up that some change ends for good.
  const decision = nextFollowUpAt === null ? null : judgeFollowUps(sent, current, now);
  if (!isDue(retryAt) || decision?.send)
    // A nudge goes to all phones, so it replaces the retry.
    return { notification, decision, send: decision?.send, retryAt: decision?.send ? null : retryAt };
  const retry = verdictOf({ ...sent, followUp: null }, current, now);
  const again = retry.verdict === 'send' ? now : retry.verdict === 'wait' ? retry.until : null;
  return { notification, decision, send: undefined, retryAt: again };
}

/** The notification without the result of a push. */
export function withoutPush({ notification, decision, retryAt }: DueFollowUp, now: number): Notification {
  if (!decision) return { ...notification, retryAt };
  const snoozeIsOver = decision.skipped.some(({ kind }) => kind === 'snooze');
  const followUps = entriesAfter(notification, decision, iso(now));
  return pushedAgain(notification, { followUps, nextFollowUpAt: decision.next, retryAt, snoozeIsOver });
}

/** The nudges and snoozes so far, and those left out. A pending retry ends when another follow-up is decided. */
function entriesAfter(
  { followUps }: Notification,
  { skipped, send }: FollowUpDecision,
  at: string,
): FollowUpRecord[] {
  const entries = skipped.map(
    ({ kind, dueAt, reason }): FollowUpRecord => ({ kind, dueAt: iso(dueAt), at, state: 'skipped', reason }),
  );
  if (entries.length === 0 && !send) return followUps;
  const retried = followUps.find((one) => one.state === 'retrying' && !(send && isRecordOf(one, send)));
  const reason = entries.find((one) => retried && isSameRecord(one, retried))?.reason ?? 'superseded';
  return [
    ...followUps.map((one) => (one === retried ? givenUp(one, reason, at) : one)),
    ...entries.filter((one) => !retried || !isSameRecord(one, retried)),
  ];
}

/** Some phones still needed a retry. The history keeps the phones that have the push. */
function givenUp(entry: FollowUpRecord, reason: string, at: string): FollowUpRecord {
  const failed = reason === 'expired' ? 'failed' : 'skipped';
  const state = hasReachedPhone(entry) ? 'sent' : failed;
  return { ...entry, at, state, reason };
}

const isSameRecord = (a: FollowUpRecord, b: FollowUpRecord) => a.kind === b.kind && a.dueAt === b.dueAt;

/** Whether a record belongs to this nudge or snooze. */
export const isRecordOf = (entry: FollowUpRecord, { kind, dueAt }: FollowUp) =>
  entry.kind === kind && entry.dueAt === iso(dueAt);

/** A notification after its later pushes. */
export const pushedAgain = (
  notification: Notification,
  {
    snoozeIsOver = false,
    ...after
  }: Pick<Notification, 'followUps' | 'nextFollowUpAt' | 'retryAt'> & { snoozeIsOver?: boolean },
): Notification => ({
  ...notification,
  ...after,
  snoozedUntil: snoozeIsOver || after.nextFollowUpAt === null ? null : notification.snoozedUntil,
});

type Coming = Pick<Notification, 'snoozedUntil' | 'nextFollowUpAt' | 'followUps'>;

/** The next nudge or snooze, and its time (epoch ms). */
export const comingOf = ({ snoozedUntil, nextFollowUpAt }: Coming): FollowUp | null =>
  nextFollowUpAt === null
    ? null
    : { kind: snoozedUntil === null ? 'nudge' : 'snooze', dueAt: nextFollowUpAt };

/** The snooze that a phone requested waits for quiet hours to end. */
export const isSnoozeHeld = ({ snoozedUntil, nextFollowUpAt, followUps }: Coming): boolean =>
  snoozedUntil !== null && (nextFollowUpAt ?? 0) > snoozedUntil && retriedIn(followUps)?.kind !== 'snooze';

/** The last notification, if its next nudge or snooze is planned for another time: it is decided again. */
export function movedFollowUp(state: UserReminders, now: number): Notification | undefined {
  const { last, followUps, revision } = state;
  if (last === null || last.nextFollowUpAt === null) return undefined;
  if (last.snoozedUntil !== null)
    return resumedSnooze({ ...last, snoozedUntil: last.snoozedUntil }, state, now);
  if (!followUps || !isOfDays(followUps) || last.revision !== revision || retriedIn(last.followUps))
    return undefined;
  const nudge = nextFollowUp(toSent(last), state);
  return nudge === null || nudge.dueAt === last.nextFollowUpAt
    ? undefined
    : { ...last, nextFollowUpAt: nudge.dueAt };
}

/** The notification, if its snooze waits for quiet hours that have changed since. */
function resumedSnooze(last: Notification & { snoozedUntil: number }, state: UserReminders, now: number) {
  if (!isSnoozeHeld(last)) return undefined;
  const end = quietUntil(now, state.quietHours ?? null, userZoneOf(state));
  if (last.snoozedUntil > now || last.nextFollowUpAt === end) return undefined;
  return { ...last, nextFollowUpAt: last.snoozedUntil };
}
