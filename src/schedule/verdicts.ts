import { answeredBy, isFollowUpAnswered } from './answers.ts';
import { localDate } from './civil.ts';
import { isOutside } from './course.ts';
import {
  comingOn,
  hasOwnDate,
  isSameVisit,
  nextOccurrence,
  type Occurrence,
  occurrenceOn,
  occurrences,
  type ReminderState,
  userZoneOf,
} from './occurrences.ts';
import { quietUntil } from './quiet-hours.ts';
import { retentionMs } from './retention.ts';
import { occurrenceKey, type Slot } from './slots.ts';

/** The reasons why a push is not sent, in the order of the checks. */
export const reasons = [
  'stale',
  'left-study',
  'survey-archived',
  'not-in-group',
  'series-ended',
  'trigger-gone',
  'date-moved',
  'not-participating',
  'superseded',
  'study-frozen',
  'answered',
  'opened',
  'paused',
  'expired',
  'quiet-hours',
  'no-device',
  'too-many',
] as const;
export type Reason = (typeof reasons)[number];

/**
 * Instants are epoch ms. `send`: before `expiresAt`, not at it. `wait`: not due before `until`, or within quiet hours
 * until then.
 */
export type Verdict = Settled | { verdict: 'wait'; until: number };
type Settled = { verdict: 'send'; expiresAt: number } | { verdict: 'skip'; reason: Reason };
type Outcome =
  | (Settled & Pick<Decision, 'answeredAt'>)
  | { verdict: 'wait'; until: number; expiresAt: number };

/** The row that came due. Its planned `counter` and `dueAt` are returned if the date is no longer listed. */
export interface Pending extends Slot {
  revision: number;
  counter?: number;
  dueAt?: number;
}

/** A push of an occurrence that was sent before, to all phones. Instants are epoch ms. */
export interface FollowUp {
  kind: 'nudge' | 'snooze';
  dueAt: number;
}

/** The occurrence of a follow-up, which expires with it. Its due time stays, wherever the user goes. */
interface Followed extends Pending {
  dueAt: number;
  openedAt: number | null;
  /** Null: the first push again, for phones that it has not reached. */
  followUp: FollowUp | null;
}

/** The decision about one occurrence. */
export interface Decision extends Slot {
  counter: number;
  dueAt: number;
  verdict: 'send' | 'skip';
  reason?: Reason;
  /** Epoch ms: the answer that it takes, which belongs to none. */
  answeredAt?: number;
  expiresAt?: number;
}

type CurrentState = ReminderState & { revision: number };

/** One user's reminders of one survey at the instant `now` (epoch ms). At most `max` occurrences are decided. */
interface DueReminders {
  pending: Pending;
  state: CurrentState;
  now: number;
  max?: number;
}

/** The settled occurrences, and the one to plan: `next`, or `wait` until then (epoch ms), or when it is due. */
interface Decided {
  decisions: Decision[];
  next: Occurrence | null;
  wait?: Occurrence;
  until?: number;
}

/**
 * Whether a push is sent at the instant `now`, from the state at that moment: the first push of an occurrence, a nudge,
 * or a snooze. The first verdict that holds: `stale` (another revision), `left-study`, `survey-archived`, `not-in-group` (the survey
 * is for others), `series-ended`
 * (the series does not list the date), `trigger-gone` (its response was deleted or fits no more), `date-moved` (the date that
 * days are counted from is another one, or none; a nudge or snooze: one for which it is not the same visit), `not-participating`
 * (its date is outside of the user's time in the study; a nudge or snooze: or it is due outside of it), `superseded` (a newer date
 * is settled), `wait` (not due, by the present zone and time), `study-frozen`, `answered` (by an answer that belongs to it, or with `unlessAnswered` by one of its local date that
 * belongs to none; a nudge or snooze: by its own, or by one since it was due that belongs to none),
 * `opened` (nudges that end with it), `paused` (due within the pause, even if that is over by now), `expired`,
 * `quiet-hours` (expires before the end of the quiet hours in which it fell due or is now; a nudge: due or decided in
 * them), `wait` (for quiet hours to end), `no-device`, `send`.
 */
export function verdictOf(push: Pending | Followed, state: CurrentState, now: number): Verdict {
  const found = findOccurrence(push, state);
  const later = 'followUp' in push ? (push.followUp ?? push).dueAt : undefined;
  if (typeof found === 'string')
    return later !== undefined && later > now && mayReturn(found)
      ? { verdict: 'wait', until: later }
      : skip(found);
  const dueAt = later ?? found.dueAt;
  if (dueAt > now) return { verdict: 'wait', until: dueAt };
  const outcome = judge(state, now)('followUp' in push ? { ...found, ...push } : found);
  if (outcome.verdict === 'wait') return { verdict: 'wait', until: outcome.until };
  return outcome.verdict === 'skip' ? skip(outcome.reason) : outcome;
}

/**
 * Decides all due occurrences at the instant `now`, oldest first, beginning with `pending`, the first unsettled date.
 * Every date is judged as by `verdictOf`, but only the newest may be sent: older ones that could be are `superseded`. `next`
 * is the occurrence to plan, due after `now`, or overdue if more than `max` are due; null if there is none. If `pending`
 * is not due (the user moved), nothing is settled and `wait` is the occurrence to keep in its place. In quiet hours the
 * newest is kept too, to be decided again when they end, at `until`. If `pending` is stale, it alone is settled; `next`
 * is then of the state's revision and may be overdue, to be decided in its turn.
 */
export function judgeDue({ pending, state, now, max = Infinity }: DueReminders): Decided {
  const found = findOccurrence(pending, state);
  if (found === 'stale')
    return { decisions: [skipPending(pending, found, now)], next: nextOccurrence(state) };
  if (typeof found === 'string') {
    const rest = split(state, pending, { now, max: max - 1 });
    const { decisions, ...decided } = decideDue(rest, state, now);
    return { decisions: [skipPending(pending, found, now), ...decisions], ...decided };
  }
  if (found.dueAt > now) return { decisions: [], next: null, wait: found };
  const { due, next } = split(state, pending, { now, max: max - 1 });
  return decideDue({ due: [found, ...due], next }, state, now);
}

/** The occurrence in the present zone, or the reason why it no longer exists. */
function findOccurrence(push: Pending | Followed, state: CurrentState): Occurrence | Reason {
  if (push.revision !== state.revision) return 'stale';
  if (!state.member && !state.isOutOfGroup) return 'left-study';
  if (state.archived) return 'survey-archived';
  const occurrence = 'followUp' in push ? followedOf(push, state) : comingOn(state, push);
  const isOut = isOutside(state.participation, push.on) ? 'not-participating' : null;
  const isListed = occurrence === null ? unlistedReason(state, push) : isOut;
  const reason = state.isOutOfGroup ? 'not-in-group' : isListed;
  const [key, newest] = [occurrenceKey(push), state.settledThrough ?? ''];
  const isFollowed = 'followUp' in push;
  // No follow-up of an older one comes, whatever becomes of the person's dates.
  if (reason !== null && !(isFollowed && key < newest && mayReturn(reason))) return reason;
  if (occurrence === null || key < newest || (key === newest && !isFollowed)) return 'superseded';
  return occurrence;
}

/** One that was pushed, also if its date was corrected since. */
function followedOf({ counter, ...push }: Followed, state: CurrentState): Occurrence | null {
  const isCorrected = counter !== undefined && isSameVisit(state, { ...push, counter });
  return occurrenceOn(state, push) ?? (isCorrected ? { ...push, counter } : null);
}

/** The person's dates, their time or their group may be set back before a follow-up is due. */
const mayReturn = (reason: Reason) =>
  reason === 'date-moved' || reason === 'not-participating' || reason === 'not-in-group';

/** Why an occurrence is not listed. */
export function unlistedReason({ rule }: Pick<ReminderState, 'rule'>, { trigger }: Slot) {
  if (trigger !== undefined) return 'trigger-gone';
  return hasOwnDate(rule) ? 'date-moved' : 'series-ended';
}

/** Judges valid pushes at the instant `now`. It is a closure so that all share the dates of the answers. */
export function judge(state: ReminderState, now: number): (push: Occurrence & Partial<Followed>) => Outcome {
  const { frozen, pausedUntil, expiresAfter, reachable } = state;
  const quietEnd = (at: number) => quietUntil(at, state.quietHours ?? null, userZoneOf(state)) ?? at;
  const answerFor = answeredBy(state);
  return (push) => {
    const { dueAt, openedAt, followUp } = push;
    const expiresAt = dueAt + expiresAfter * 60_000;
    const at = followUp?.dueAt ?? dueAt;
    const isNudge = followUp?.kind === 'nudge';
    if (frozen) return skip('study-frozen');
    if (followUp && isFollowUpAnswered(state, push)) return skip('answered');
    const answer = followUp ? undefined : answerFor(push);
    if (answer) return { ...skip('answered'), ...(answer.isFree && { answeredAt: answer.at }) };
    if (followUp && isOutside(state.participation, localDate(at, state.timeZone)))
      return skip('not-participating');
    if (isNudge && openedAt && state.followUps?.stop === 'opened') return skip('opened');
    if (pausedUntil !== null && at < pausedUntil) return skip('paused');
    if (now >= expiresAt) return skip(quietEnd(at) >= expiresAt ? 'quiet-hours' : 'expired');
    const from = Math.max(now, at);
    const until = quietEnd(from);
    if (until >= expiresAt || (isNudge && (until > from || quietEnd(at) > at))) return skip('quiet-hours');
    if (until > from) return { verdict: 'wait', until, expiresAt };
    return reachable ? { verdict: 'send', expiresAt } : skip('no-device');
  };
}

interface Split {
  due: Occurrence[];
  next: Occurrence | null;
}

/** The occurrences after `pending`: the due ones, at most `max`, and the next one. */
function split(state: ReminderState, pending: Pending, { now, max }: { now: number; max: number }): Split {
  const { settledThrough } = state;
  const key = occurrenceKey(pending);
  const rest = {
    ...state,
    ...(!(settledThrough !== null && settledThrough > key) && {
      settledThrough: key,
      settledCounter: pending.counter,
    }),
  };
  const due: Occurrence[] = [];
  for (const occurrence of occurrences(rest, now - retentionMs)) {
    if (occurrence.dueAt > now || due.length >= max) return { due, next: occurrence };
    due.push(occurrence);
  }
  return { due, next: null };
}

function decideDue({ due, next }: Split, state: ReminderState, now: number): Decided {
  const outcomeOf = judge(state, now);
  const newest = next !== null && next.dueAt <= now ? null : due.at(-1);
  const decisions: Decision[] = [];
  for (const occurrence of due) {
    const outcome = outcomeOf(occurrence);
    // Due instants never go back from one occurrence to the next, so the newest is also the last to expire.
    if (outcome.verdict !== 'skip' && occurrence !== newest)
      decisions.push({ ...occurrence, ...skip('superseded') });
    else if (outcome.verdict === 'wait')
      return { decisions, next: null, wait: occurrence, until: outcome.until };
    else decisions.push({ ...occurrence, ...outcome });
  }
  return { decisions, next };
}

function skipPending(pending: Pending, reason: Reason, now: number): Decision {
  const { on, slot, trigger, counter = 0, dueAt = now } = pending;
  const key = { on, ...(slot !== undefined && { slot }), ...(trigger !== undefined && { trigger }) };
  return { ...key, counter, dueAt, ...skip(reason) };
}

function skip(reason: Reason) {
  return { verdict: 'skip', reason } as const;
}
