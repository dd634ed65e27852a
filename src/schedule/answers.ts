import { localDate } from './civil.ts';
import { type Occurrence, occurrenceOn, occurrences, type ReminderState } from './occurrences.ts';
import { occurrenceKey, responseOf, type Slot } from './slots.ts';
import { dueAfter } from './triggers.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** An occurrence may be named by an answer that comes up to a day before it: clocks of phones are wrong by hours. */
export const earliestAnswerMs = dayMs;

/** Occurrences that an answer may belong to, none of which had an answer when it was given. */
export interface Open<T> {
  /** The newest that was due by then. */
  due?: T | undefined;
  /** With `unlessAnswered`: the next one of the answer's local date. */
  coming?: T | undefined;
}

/**
 * The one occurrence that an answer, given at `at` without a name, belongs to: the newest that was
 * due, if it had not expired; else the next one of the date, where that would be skipped; else the newest that was due.
 */
export const belongsTo = <T extends { dueAt: number }>(
  at: number,
  { due, coming }: Open<T>,
  expiresAfter: number,
): T | undefined => (due && isBeforeExpiry(at, due, expiresAfter) ? due : (coming ?? due));

export const isBeforeExpiry = (at: number, { dueAt }: { dueAt: number }, expiresAfter: number): boolean =>
  at < dueAt + expiresAfter * minuteMs;

/** Occurrences that are not settled and were due longer ago than this are left to their rows. */
export const openMs = 3 * dayMs;

/** Those of {@link Open} that are not settled. */
export function openAt(state: ReminderState, at: number): Open<Occurrence> {
  const date = localDate(at, state.timeZone);
  let due: Occurrence | undefined;
  for (const occurrence of occurrences(state, at - openMs)) {
    const isOpen = (state.answered?.get(answeredName(occurrence)) ?? Infinity) > at;
    if (occurrence.dueAt <= at) due = isOpen ? occurrence : due;
    else if (!state.unlessAnswered || occurrence.on > date) break;
    else if (isOpen && occurrence.on === date) return { due, coming: occurrence };
  }
  return { due };
}

const responseDigits = 9;

/** The name of an occurrence in {@link ReminderState.answered}. A triggered one has the end of its response's. */
export const answeredName = (slot: Slot): string =>
  slot.trigger === undefined ? occurrenceKey(slot) : responseOf(slot.trigger).slice(-responseDigits);

/** An answer for which an occurrence is not pushed. */
interface AnswerOf {
  /** Epoch ms: when it was given. */
  at: number;
  /** It belongs to none, so that the occurrence takes it. */
  isFree: boolean;
}

/**
 * The answer of an occurrence: one that belongs to it; or, with `unlessAnswered`, one of its date that belongs to none.
 * Without `unlessAnswered` it is reminded of, unless its own answer came before it was due.
 */
export function answeredBy(state: ReminderState): (occurrence: Occurrence) => AnswerOf | undefined {
  const { unlessAnswered, answers, answered, timeZone } = state;
  const free = Map.groupBy(unlessAnswered ? answers : [], (at) => localDate(at, timeZone));
  const held = heldBack(state, free);
  const freeFor = (occurrence: Occurrence) =>
    occurrence.trigger === undefined
      ? free.get(occurrence.on)?.find((at) => holdsBack(state, occurrence, at))
      : held.get(responseOf(occurrence.trigger));
  return (occurrence) => {
    const own = answered?.get(answeredName(occurrence));
    if (own !== undefined)
      return unlessAnswered || own < occurrence.dueAt ? { at: own, isFree: false } : undefined;
    const at = freeFor(occurrence);
    return at === undefined ? undefined : { at, isFree: true };
  };
}

/** The same of triggered occurrences that are not settled, by their responses. */
function heldBack({ rule, triggers = [], timeZone }: ReminderState, free: ReadonlyMap<string, number[]>) {
  if (rule?.type !== 'triggered' || free.size === 0) return new Map<string, number>();
  const due = triggers
    .filter(({ settled }) => !settled)
    .map(({ at, response }) => ({ response, dueAt: dueAfter(rule, at, timeZone) }))
    .sort((a, b) => a.dueAt - b.dueAt);
  const byDate = Map.groupBy(due, ({ dueAt }) => localDate(dueAt, timeZone));
  const held = [...free].flatMap(([date, answers]) => {
    const some = byDate.get(date) ?? [];
    return answers.flatMap((at): [string, number][] => {
      const one = some.find(({ dueAt }) => dueAt > at) ?? some.at(-1);
      return one ? [[one.response, at]] : [];
    });
  });
  return new Map(held);
}

/**
 * Of several occurrences of a date an answer holds back one: the newest that was due; the next, if that is settled or there
 * is none. Those before the user's first do not exist.
 */
function holdsBack(state: ReminderState, { on, slot, dueAt }: Occurrence, at: number): boolean {
  if (slot === undefined) return true;
  const dueOf = (other: number) => occurrenceOn(state, { on, slot: other })?.dueAt;
  if (dueAt <= at) return (dueOf(slot + 1) ?? Infinity) > at;
  const before = dueOf(slot - 1);
  const isSettled = occurrenceKey({ on, slot: slot - 1 }) <= (state.settledThrough ?? '');
  return before === undefined || before <= state.since || (before <= at && isSettled);
}

/** Whether a nudge or a snooze is left out: its occurrence has its answer, or took one that belongs to none. */
export const isFollowUpAnswered = ({ answers, answered }: ReminderState, followed: Occurrence): boolean =>
  answered?.has(answeredName(followed)) || answers.some((at) => at >= followed.dueAt);
