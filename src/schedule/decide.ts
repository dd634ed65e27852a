import { localDate } from './civil.ts';
import { dayMs } from './days.ts';
import {
  nextOccurrence,
  type Occurrence,
  occurrenceOn,
  occurrences,
  type ReminderState,
} from './occurrences.ts';
import { occurrenceKey, type Slot } from './slots.ts';

/** Why an occurrence is not sent, in the order in which the reasons are looked for. */
export type Reason =
  | 'stale'
  | 'left-study'
  | 'survey-archived'
  | 'series-ended'
  | 'superseded'
  | 'study-frozen'
  | 'answered'
  | 'paused'
  | 'expired'
  | 'no-device'
  | 'too-many';

/** Instants are epoch ms. `send`: before `expiresAt`, not at it. `wait`: it is not due before `until`. */
export type Verdict = Outcome | { verdict: 'wait'; until: number };
type Outcome = { verdict: 'send'; expiresAt: number } | { verdict: 'skip'; reason: Reason };

/** The row that came due. `counter` and `dueAt`, as planned, are given back when the date is no longer listed. */
export interface Pending extends Slot {
  revision: number;
  counter?: number;
  dueAt?: number;
}

/** What happens to one occurrence. */
export interface Decision extends Slot {
  counter: number;
  dueAt: number;
  verdict: 'send' | 'skip';
  reason?: Reason;
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

/** Dates that came due longer ago than notifications are kept are passed over unsettled. */
const retentionMs = 400 * dayMs;

/**
 * Whether a pending occurrence is sent at the instant `now`, from the state at that moment. The first that holds:
 * `stale` (another revision), `left-study`, `survey-archived`, `series-ended` (the series does not list the date),
 * `superseded` (a newer date is settled), `wait` (not due in the zone and at the time of now), `study-frozen`, `answered` (on its
 * local date), `paused` (due within the pause, even if that is over by now), `expired`, `no-device`, `send`.
 */
export function decide(pending: Pending, state: CurrentState, now: number): Verdict {
  const found = findOccurrence(pending, state);
  if (typeof found === 'string') return skip(found);
  return found.dueAt > now ? { verdict: 'wait', until: found.dueAt } : judge(state, now)(found);
}

/**
 * Decides what is due at the instant `now`, oldest first, beginning with `pending`, the first unsettled date. Every date
 * is judged as by `decide`, but only the newest may be sent: an older one that could be is `superseded`. `next` is the
 * occurrence to plan, due after `now`, or overdue when more than `max` are due; null when there is none. When `pending` is not due (the user
 * moved), nothing is settled and `wait` is the occurrence to keep in its place. When it is stale, it alone is settled;
 * `next` is then of the state's revision and may be overdue, to be decided in its turn.
 */
export function decideAll({ pending, state, now, max = Infinity }: DueReminders): {
  decisions: Decision[];
  next: Occurrence | null;
  wait?: Occurrence;
} {
  const found = findOccurrence(pending, state);
  if (found === 'stale') return { decisions: [drop(pending, found, now)], next: nextOccurrence(state) };
  if (typeof found === 'string') {
    const rest = split(state, pending, { now, max: max - 1 });
    return { decisions: [drop(pending, found, now), ...decideDue(rest, state, now)], next: rest.next };
  }
  if (found.dueAt > now) return { decisions: [], next: null, wait: found };
  const { due, next } = split(state, pending, { now, max: max - 1 });
  return { decisions: decideDue({ due: [found, ...due], next }, state, now), next };
}

/** The pending occurrence as it is now, or the reason for which there is none any more. */
function findOccurrence(pending: Pending, state: CurrentState): Occurrence | Reason {
  if (pending.revision !== state.revision) return 'stale';
  if (!state.member) return 'left-study';
  if (state.archived) return 'survey-archived';
  const occurrence = occurrenceOn(state, pending);
  if (occurrence === null) return 'series-ended';
  if (state.settledThrough !== null && occurrenceKey(pending) <= state.settledThrough) return 'superseded';
  return occurrence;
}

/** Judges occurrences as at the instant `now`. It is a closure so that all share the dates of the answers. */
export function judge(state: ReminderState, now: number): (occurrence: Occurrence) => Outcome {
  const { unlessAnswered, answers, timeZone, frozen, pausedUntil, expiresAfter, reachable } = state;
  const answered = new Set(unlessAnswered ? answers.map((at) => localDate(at, timeZone)) : []);
  return ({ on, dueAt }) => {
    const expiresAt = dueAt + expiresAfter * 60_000;
    if (frozen) return skip('study-frozen');
    if (answered.has(on)) return skip('answered');
    if (pausedUntil !== null && dueAt < pausedUntil) return skip('paused');
    if (now >= expiresAt) return skip('expired');
    return reachable ? { verdict: 'send', expiresAt } : skip('no-device');
  };
}

interface Split {
  due: Occurrence[];
  next: Occurrence | null;
}

/** The occurrences after `pending`: those that are due, at most `max`, and the one behind them. */
function split(state: ReminderState, pending: Slot, { now, max }: { now: number; max: number }): Split {
  const { settledThrough } = state;
  const key = occurrenceKey(pending);
  const rest = {
    ...state,
    settledThrough: settledThrough !== null && settledThrough > key ? settledThrough : key,
  };
  const due: Occurrence[] = [];
  for (const occurrence of occurrences(rest, now - retentionMs)) {
    if (occurrence.dueAt > now || due.length >= max) return { due, next: occurrence };
    due.push(occurrence);
  }
  return { due, next: null };
}

function decideDue({ due, next }: Split, state: ReminderState, now: number): Decision[] {
  const outcomeOf = judge(state, now);
  const newest = next !== null && next.dueAt <= now ? null : due.at(-1);
  return due.map((occurrence) => {
    const outcome = outcomeOf(occurrence);
    // Due instants never go back from one occurrence to the next, so the newest is also the last to expire.
    const superseded = outcome.verdict === 'send' && occurrence !== newest;
    return { ...occurrence, ...(superseded ? skip('superseded') : outcome) };
  });
}

function drop({ on, slot, counter = 0, dueAt }: Pending, reason: Reason, now: number): Decision {
  return { on, ...(slot !== undefined && { slot }), counter, dueAt: dueAt ?? now, ...skip(reason) };
}

function skip(reason: Reason) {
  return { verdict: 'skip', reason } as const;
}
