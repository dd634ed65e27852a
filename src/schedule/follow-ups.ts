import { clockOf, instantOf, offsetAt } from './clocks.ts';
import { dayMs } from './days.ts';
import { type ReminderState, timeOfDay, userZoneOf } from './occurrences.ts';
import { quietUntil } from './quiet-hours.ts';
import type { FollowUpRule } from './rule.ts';
import { type FollowUp, type Pending, type Reason, verdictOf } from './verdicts.ts';

/** Another nudge may follow these. */
const passing: readonly Reason[] = [
  ...(['date-moved', 'not-participating', 'not-in-group'] as const),
  ...(['study-frozen', 'paused', 'quiet-hours', 'no-device'] as const),
];

/** An occurrence that was sent. Instants are epoch ms. */
export interface Sent extends Pending {
  dueAt: number;
  /** Since when nudges are counted: the first push, or the last snooze. */
  countedFrom: number;
  /** Nudges since then that are over: sent, failed or left out. */
  nudges: number;
  /** And those that were over before. */
  earlierNudges: number;
  snoozedUntil: number | null;
  /** When the first phone got that snooze, while it is tried again for others. */
  snoozedAt: number | null;
  /** The planned time of the next nudge or snooze, if any. */
  nextAt: number | null;
  openedAt: number | null;
}

export interface FollowUpDecision {
  skipped: (FollowUp & { reason: Reason })[];
  send?: FollowUp;
  /** Epoch ms: when the next one is due, once this one is finished. */
  next: number | null;
  expiresAt: number;
}

const minuteMs = 60_000;

/**
 * The next push after a push: a snooze that the phone requested, until which nudges wait, or the next nudge. Nudges are
 * counted from the first push, or from the last snooze, so that they do not drift when one is late.
 */
export function nextFollowUp(sent: Sent, state: ReminderState): FollowUp | null {
  const { followUps, expiresAfter } = state;
  if (sent.snoozedUntil !== null) return { kind: 'snooze', dueAt: sent.snoozedUntil };
  if (!followUps || sent.earlierNudges + sent.nudges >= followUps.max) return null;
  const ms = (sent.nudges + 1) * followUps.every * minuteMs;
  const dueAt = isOfDays(followUps) ? daysLater(sent, state, ms) : sent.countedFrom + ms;
  return dueAt < sent.dueAt + expiresAfter * minuteMs ? { kind: 'nudge', dueAt } : null;
}

/** Whether nudges come at the person's time of day, whole days apart. */
export const isOfDays = ({ every }: FollowUpRule): boolean => (every * minuteMs) % dayMs === 0;

/**
 * The instant nearest to `ms`, whole days, after a push at which it is the time of day of the occurrence where the person is, or the end
 * of the quiet hours in which that falls: clocks that change, a journey, and a push that came late do not move nudges into the night.
 */
function daysLater(sent: Sent, state: ReminderState, ms: number): number {
  const clock = clockOf(state.timeZone);
  const time = timeOfDay(state, sent);
  const wall = sent.countedFrom + offsetAt(clock, sent.countedFrom) + ms;
  const at = instantOf(clock, Math.ceil((wall - dayMs / 2 - time) / dayMs) * dayMs + time);
  return quietUntil(at, state.quietHours ?? null, userZoneOf(state)) ?? at;
}

type CurrentState = ReminderState & { revision: number };

/**
 * Decides the follow-ups of a sent occurrence at the instant `now`, each as by `verdictOf`. At most one push goes out: the
 * last of several missed nudges supersedes the others.
 */
export function judgeFollowUps(sent: Sent, state: CurrentState, now: number): FollowUpDecision {
  const expiresAt = sent.dueAt + state.expiresAfter * minuteMs;
  const skipped: FollowUpDecision['skipped'] = [];
  const kind = sent.snoozedUntil === null ? 'nudge' : 'snooze';
  const planned = sent.nextAt === null ? null : ({ kind, dueAt: sent.nextAt } as const);
  // Reminders that replaced those of the occurrence have other times.
  const isStale = sent.revision !== state.revision;
  let head: FollowUp | null = (isStale ? null : nextFollowUp(sent, state)) ?? planned;
  for (let rest = sent; head !== null; ) {
    const outcome = verdictOf({ ...sent, followUp: head }, state, now);
    if (outcome.verdict === 'wait') return { skipped, next: outcome.until, expiresAt };
    rest = without(head, rest, now);
    const following = nextFollowUp(rest, state);
    const isLast = following === null || following.dueAt > now;
    if (outcome.verdict === 'send' && isLast)
      return { skipped, send: head, next: following?.dueAt ?? null, expiresAt };
    const reason = outcome.verdict === 'send' ? 'superseded' : outcome.reason;
    skipped.push({ ...head, reason });
    head = outcome.verdict === 'send' || passing.includes(reason) ? following : null;
  }
  return { skipped, next: null, expiresAt };
}

/** The remaining follow-ups once one is finished. After a snooze all nudges come that were left before it. */
function without({ kind }: FollowUp, sent: Sent, now: number): Sent {
  if (kind === 'nudge') return { ...sent, nudges: sent.nudges + 1 };
  return {
    ...sent,
    countedFrom: sent.snoozedAt ?? now,
    nudges: 0,
    earlierNudges: sent.earlierNudges + sent.nudges,
    snoozedUntil: null,
    snoozedAt: null,
  };
}
