import { dayMs } from './days.ts';
import { judge } from './decide.ts';
import { type Occurrence, occurrences, type ReminderState } from './occurrences.ts';
import { indefinitely } from './pauses.ts';

/** What a phone may schedule ahead: an occurrence that would be sent as things stand. Instants are epoch ms. */
export interface Foreseen<S extends ReminderState> extends Occurrence {
  state: S;
  expiresAt: number;
}

/** Nobody schedules what is further ahead. */
const horizonMs = 400 * dayMs;

/**
 * The next `count` occurrences of all surveys that come after `now`, in order of time. What the state of now would skip
 * is left out: paused, frozen, answered. What falls in quiet hours comes when they end, also what waits for that already. It
 * looks at one occurrence of each survey, and at one more for each that it finds.
 */
export function foresee<S extends ReminderState>(
  states: readonly S[],
  now: number,
  count: number,
): Foreseen<S>[] {
  const heads = states.flatMap((state) => {
    const rest = foreseenOf(state, now);
    const first = rest.next().value;
    return first ? [{ first, rest }] : [];
  });
  const found: Foreseen<S>[] = [];
  while (found.length < count && heads.length > 0) {
    const earliest = heads.reduce((a, b) => (b.first.dueAt < a.first.dueAt ? b : a));
    found.push(earliest.first);
    const next = earliest.rest.next().value;
    if (next) earliest.first = next;
    else heads.splice(heads.indexOf(earliest), 1);
  }
  return found;
}

function* foreseenOf<S extends ReminderState>(state: S, now: number): Generator<Foreseen<S>, void> {
  const { frozen, pausedUntil } = state;
  // What came due in quiet hours that are not over yet is still to come, unless it is settled.
  const waitingSince = state.quietHours ? now - state.expiresAfter * 60_000 : now;
  // No walk over what a pause skips: it may have no end.
  const from = Math.max(waitingSince, pausedUntil === null ? waitingSince : pausedUntil - 1);
  if (frozen || pausedUntil === indefinitely || from > now + horizonMs) return;
  // A phone shows its own copy, reachable or not.
  const outcomeOf = judge({ ...state, reachable: true }, now);
  let waiting: Foreseen<S> | null = null;
  for (const occurrence of occurrences(state, from)) {
    if (occurrence.dueAt > now + horizonMs) break;
    const outcome = outcomeOf(occurrence);
    const isLate = outcome.verdict === 'send' && occurrence.dueAt <= now;
    if (outcome.verdict === 'skip' || isLate) continue;
    const dueAt = outcome.verdict === 'wait' ? outcome.until : occurrence.dueAt;
    // Of those that wait for the same end only the newest is pushed.
    if (waiting && waiting.dueAt !== dueAt) yield waiting;
    const entry: Foreseen<S> = { ...occurrence, dueAt, state, expiresAt: outcome.expiresAt };
    waiting = outcome.verdict === 'wait' ? entry : null;
    if (!waiting) yield entry;
  }
  if (waiting) yield waiting;
}
