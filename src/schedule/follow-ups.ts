import { type QuietHours, quietUntil } from './quiet-hours.ts';

/** Pushes of an occurrence after its first, while it is not answered. */
export interface FollowUpRule {
  /** Minutes from the first push to the first nudge, and from nudge to nudge. */
  every: number;
  max: number;
  stop: 'answered' | 'opened';
}

/** Why a nudge is left out, in the order in which the reasons are looked for. */
export type NoFollowUp =
  | 'stale'
  | 'survey-archived'
  | 'superseded'
  | 'study-frozen'
  | 'answered'
  | 'opened'
  | 'paused'
  | 'expired'
  | 'quiet-hours'
  | 'no-device';

/** After these no other follows. */
const final: readonly NoFollowUp[] = ['survey-archived', 'superseded', 'answered', 'opened', 'expired'];

export interface FollowUp {
  kind: 'nudge' | 'snooze';
  /** Epoch ms. */
  dueAt: number;
}

/** An occurrence that was sent. Instants are epoch ms. */
export interface Sent {
  revision: number;
  dueAt: number;
  sentAt: number;
  /** Nudges that are over: sent, failed or left out. */
  nudges: number;
  snoozedUntil: number | null;
  /** When the next follow-up was to be. */
  nextAt: number;
  openedAt: number | null;
}

/** What follow-ups of a survey depend on, as it is now. */
export interface FollowUpState {
  revision: number;
  rule: object | null;
  archived: boolean;
  frozen?: boolean;
  followUps?: FollowUpRule | null;
  expiresAfter: number;
  /** Epoch ms. */
  answers: readonly number[];
  pausedUntil: number | null;
  quietHours?: QuietHours | null;
  timeZone: string;
  reachable: boolean;
}

export interface FollowUpDecision {
  skipped: (FollowUp & { reason: NoFollowUp })[];
  send?: FollowUp;
  /** Epoch ms: when the next one is due, if this one is over. */
  next: number | null;
  expiresAt: number;
}

const minuteMs = 60_000;

/**
 * What follows a push: a snooze that the phone asked for, until which nudges wait, or the next nudge. Nudges are counted
 * from the first push, so that they do not drift when one is late.
 */
export function nextFollowUp(sent: Sent, { followUps, expiresAfter }: FollowUpState): FollowUp | null {
  if (sent.snoozedUntil !== null) return { kind: 'snooze', dueAt: sent.snoozedUntil };
  if (!followUps || sent.nudges >= followUps.max) return null;
  const dueAt = sent.sentAt + (sent.nudges + 1) * followUps.every * minuteMs;
  return dueAt < sent.dueAt + expiresAfter * minuteMs ? { kind: 'nudge', dueAt } : null;
}

/**
 * Decides what follows an occurrence that was sent, at the instant `now`. `superseded`: a newer occurrence is due. At most
 * one push goes out; nudges that were missed meanwhile, or passed by during a snooze, are left out.
 */
export function decideFollowUp(
  sent: Sent,
  state: FollowUpState,
  { now, superseded }: { now: number; superseded: boolean },
): FollowUpDecision {
  const expiresAt = sent.dueAt + state.expiresAfter * minuteMs;
  const skipped: FollowUpDecision['skipped'] = [];
  if (isStale(sent, state)) {
    const kind = sent.snoozedUntil === null ? 'nudge' : 'snooze';
    return { skipped: [{ kind, dueAt: sent.nextAt, reason: 'stale' }], next: null, expiresAt };
  }
  let rest = sent;
  for (;;) {
    const head = nextFollowUp(rest, state);
    if (head === null) return { skipped, next: null, expiresAt };
    if (head.dueAt > now && !superseded) return { skipped, next: head.dueAt, expiresAt };
    const after: Sent =
      head.kind === 'snooze'
        ? { ...rest, snoozedUntil: null, nudges: nudgesBy(sent, state, now) }
        : { ...rest, nudges: rest.nudges + 1 };
    const following = nextFollowUp(after, state);
    const late = head.kind === 'nudge' && following !== null && following.dueAt <= now;
    const against = reasonAgainst(head, sent, state, { now, superseded });
    const reason = against ?? (late ? 'superseded' : null);
    if (reason === null) return { skipped, send: head, next: following?.dueAt ?? null, expiresAt };
    skipped.push({ ...head, reason });
    if (against !== null && final.includes(against)) return { skipped, next: null, expiresAt };
    rest = after;
  }
}

/** Nudges that are over at `now`, those included that a snooze let pass by. */
function nudgesBy({ sentAt, nudges }: Sent, { followUps }: FollowUpState, now: number): number {
  if (!followUps) return nudges;
  const passed = Math.floor((now - sentAt) / (followUps.every * minuteMs));
  return Math.max(nudges, Math.min(passed, followUps.max));
}

const isStale = (sent: Sent, state: FollowUpState) => sent.revision !== state.revision || state.rule === null;

function reasonAgainst(
  { kind, dueAt }: FollowUp,
  sent: Sent,
  state: FollowUpState,
  { now, superseded }: { now: number; superseded: boolean },
): NoFollowUp | null {
  if (state.archived) return 'survey-archived';
  if (superseded) return 'superseded';
  if (state.frozen) return 'study-frozen';
  if (state.answers.some((at) => at >= sent.dueAt)) return 'answered';
  if (kind === 'nudge' && state.followUps?.stop === 'opened' && sent.openedAt !== null) return 'opened';
  if (state.pausedUntil !== null && dueAt < state.pausedUntil) return 'paused';
  if (now >= sent.dueAt + state.expiresAfter * minuteMs) return 'expired';
  if (quietUntil(now, state.quietHours ?? null, state.timeZone) !== null) return 'quiet-hours';
  return state.reachable ? null : 'no-device';
}
