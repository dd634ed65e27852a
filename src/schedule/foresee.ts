import { dayMs } from './days.ts';
import { type Occurrence, occurrences, type ReminderState } from './occurrences.ts';
import { indefinitely } from './pauses.ts';
import { judge } from './verdicts.ts';

/** An occurrence that a phone may schedule ahead, since it would be sent as things stand. Instants are epoch ms. */
export interface Foreseen<S extends ReminderState> extends Occurrence {
  state: S;
  expiresAt: number;
}

export interface Foresight<S extends ReminderState> {
  found: Foreseen<S>[];
  /** More may follow: the walk ended at its bound. */
  more: boolean;
}

/** The horizon: nobody schedules further ahead. */
const horizonMs = 400 * dayMs;

/** Occurrences that one walk looks at over all surveys, sent or skipped: a few hundredths of a second. */
const maxLooked = 3_000;

/**
 * The next `count` occurrences of all surveys after `now`, in order of time. Occurrences that the present state would
 * skip are left out: paused, frozen, answered. Occurrences in quiet hours come when those end, also one that already
 * waits for that. The walk looks at occurrences in order of time, over all surveys together, and at no more than its
 * bound.
 */
export function foresee<S extends ReminderState>(
  states: readonly S[],
  now: number,
  count: number,
): Foresight<S> {
  const heads = states.flatMap((state) => {
    const rest = walk(state, now);
    const first = rest.next().value;
    return first ? [{ first, rest }] : [];
  });
  let found: Foreseen<S>[] = [];
  for (let looked = 0; heads.length > 0; looked++) {
    const earliest = heads.reduce((a, b) => (b.first.at < a.first.at ? b : a));
    const { at, entry } = earliest.first;
    const last = found[count - 1];
    if (last && last.dueAt <= at) break;
    if (looked === maxLooked) return { found: found.filter(({ dueAt }) => dueAt <= at), more: true };
    if (entry) found = [...found, entry].toSorted((a, b) => a.dueAt - b.dueAt).slice(0, count);
    const next = earliest.rest.next().value;
    if (next) earliest.first = next;
    else heads.splice(heads.indexOf(earliest), 1);
  }
  return { found, more: false };
}

/** Quiet hours are shorter than a day, and clocks that change make them longer by less than another. */
const longestWaitMs = 2 * dayMs;

/** A step of the walk over one survey: no later find of it comes before `at` (epoch ms). */
interface Step<S extends ReminderState> {
  at: number;
  entry: Foreseen<S> | null;
}

function* walk<S extends ReminderState>(state: S, now: number): Generator<Step<S>, void> {
  const { frozen, pausedUntil } = state;
  // An occurrence that came due in quiet hours which have not ended is still to come, unless it is settled.
  const waitingSince = state.quietHours ? now - Math.min(state.expiresAfter * 60_000, longestWaitMs) : now;
  // No walk over skipped occurrences of a pause: it may have no end.
  const from = Math.max(waitingSince, pausedUntil === null ? waitingSince : pausedUntil - 1);
  if (frozen || pausedUntil === indefinitely || from > now + horizonMs) return;
  // A phone shows its own copy, whether the relay reaches it or not.
  const outcomeOf = judge({ ...state, reachable: true }, now);
  let waiting: Foreseen<S> | null = null;
  for (const occurrence of occurrences(state, from)) {
    const { dueAt: at } = occurrence;
    if (at > now + horizonMs) break;
    const outcome = outcomeOf(occurrence);
    const isLate = outcome.verdict === 'send' && at <= now;
    if (outcome.verdict === 'skip' || isLate) {
      yield { at, entry: null };
      continue;
    }
    const dueAt = outcome.verdict === 'wait' ? outcome.until : at;
    // Of several that wait for the same end only the newest is pushed.
    if (waiting && waiting.dueAt !== dueAt) yield { at: Math.min(waiting.dueAt, at), entry: waiting };
    const entry: Foreseen<S> = { ...occurrence, dueAt, state, expiresAt: outcome.expiresAt };
    waiting = outcome.verdict === 'wait' ? entry : null;
    yield { at, entry: waiting ? null : entry };
  }
  if (waiting) yield { at: waiting.dueAt, entry: waiting };
}
