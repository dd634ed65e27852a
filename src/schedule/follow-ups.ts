import type { ReminderState } from './occurrences.ts';
import { type FollowUp, type Pending, type Reason, verdictOf } from './verdicts.ts';

/** Another nudge may follow these. */
const passing: readonly Reason[] = ['study-frozen', 'paused', 'quiet-hours', 'no-device'];

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

type Rules = Pick<ReminderState, 'followUps' | 'expiresAfter'>;

const minuteMs = 60_000;

/**
 * The next push after a push: a snooze that the phone requested, until which nudges wait, or the next nudge. Nudges are
 * counted from the first push, or from the last snooze, so that they do not drift when one is late.
 */
export function nextFollowUp(sent: Sent, { followUps, expiresAfter }: Rules): FollowUp | null {
  if (sent.snoozedUntil !== null) return { kind: 'snooze', dueAt: sent.snoozedUntil };
  if (!followUps || sent.earlierNudges + sent.nudges >= followUps.max) return null;
  const dueAt = sent.countedFrom + (sent.nudges + 1) * followUps.every * minuteMs;
  return dueAt < sent.dueAt + expiresAfter * minuteMs ? { kind: 'nudge', dueAt } : null;
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
