import { timeOf } from './civil.ts';
import { clockOf, instantOf, offsetAt } from './clocks.ts';
import type { Participation } from './course.ts';
import { dateOf, dayMs, dayOf } from './days.ts';
import type { QuietHours } from './quiet-hours.ts';
import type { FollowUpRule, Reminders, Rule } from './rule.ts';
import { countBefore, dayAt, firstOnOrAfter, type Pattern, patternOf } from './series.ts';
import { type SlotTimes, slotTimes } from './slot-times.ts';
import { occurrenceKey, type Slot, slotOf } from './slots.ts';
import { type TriggerState, triggeredAfter, triggeredOn } from './triggers.ts';
import { type Draw, drawMinutes, exampleDraw, slotsOf, type Windows } from './windows.ts';

/** The state that decides which occurrences one user gets for one survey, and when. */
export interface ReminderState extends TriggerState {
  /** Null: the survey has no reminders. */
  rule: Rule | null;
  /** The start of the series, a date; null: fixed, and its download or date is missing. */
  start: string | null;
  /** The dates on which the user takes part. Absent: no bounds. */
  participation?: Participation;
  /**
   * The zone of the clock that the times are on: the user's present zone, which is the last device's, else the user's own,
   * else the study's; or always the study's, as the reminders say.
   */
  timeZone: string;
  /** The user's present zone, whose clock quiet hours are on. Absent: `timeZone`. */
  userZone?: string;
  /** The user's `customRemindersTime`, `HH:MM`; null: the rule's time. */
  time: string | null;
  /**
   * Epoch ms: only occurrences due strictly after it exist for the user. The latest of: reminders set, began to take part,
   * downloaded, reactivated.
   */
  since: number;
  /**
   * The key of the newest settled occurrence of this revision of the reminders. No occurrence up to it is planned again.
   */
  settledThrough: string | null;
  /**
   * The position of that occurrence, if it was sent or answered. A correction of the person's own date, from which days are counted,
   * changes neither it nor those before it while it is open: see {@link isSameVisit}.
   */
  settledCounter?: number | undefined;
  /** Minutes for which an occurrence may still be sent. */
  expiresAfter: number;
  unlessAnswered: boolean;
  /** Epoch ms: the user's recent answers to this survey that belong to no occurrence. */
  answers: readonly number[];
  /** The recent answers that belong to an occurrence, by its `answeredName`: the first one (epoch ms). Absent: none. */
  answered?: ReadonlyMap<string, number>;
  /** The user takes part in the study, and the survey is for them. */
  member: boolean;
  /** They take part, but the survey is for others. Absent: it is not. */
  isOutOfGroup?: boolean;
  /** The survey or its study is archived. */
  archived: boolean;
  /** The study is frozen: due occurrences are skipped. Absent: not frozen. */
  frozen?: boolean;
  /** The input of the draws within windows. Absent: an example, of no user. */
  draw?: Draw;
  /** No push goes out within them. Absent: the user has none. */
  quietHours?: QuietHours | null;
  /** Epoch ms: occurrences due before it are skipped; null: not paused. */
  pausedUntil: number | null;
  /** Whether the user has an enabled device. */
  reachable: boolean;
  /** Null or absent: no nudges. */
  followUps?: FollowUpRule | null;
}

/** Whether days are counted from a date of the person's own, which may move. */
export const hasOwnDate = (rule: Rule | null): boolean =>
  rule?.type === 'fixed' && typeof rule.from === 'object';

/** The clock that times are on. The study's knows no `customRemindersTime`. */
export const clockedBy = (
  clock: Reminders['clock'],
  { userZone, studyZone, time }: { userZone: string; studyZone: string; time: string | null },
): Pick<ReminderState, 'timeZone' | 'userZone' | 'time'> =>
  clock === 'study' ? { timeZone: studyZone, userZone, time: null } : { timeZone: userZone, time };

/** The user's present zone. */
export const userZoneOf = ({ userZone, timeZone }: Pick<ReminderState, 'userZone' | 'timeZone'>): string =>
  userZone ?? timeZone;

/** One occurrence of one user's series, with its due time. */
export interface Occurrence extends Slot {
  /** Position in the series, from 0. */
  counter: number;
  /** Epoch ms. */
  dueAt: number;
}

/**
 * The occurrence to plan: the first listed date after `settledThrough` that is due after `since`. It may be overdue. Null
 * if the series is over, or there is no rule, start or membership, or the survey is archived.
 */
export function nextOccurrence(state: ReminderState): Occurrence | null {
  return occurrenceAfter(state, state.since);
}

/** All occurrences, in order, that are due strictly after the instant `from` (epoch ms) and `since`. */
export function* occurrences(state: ReminderState, from: number): Generator<Occurrence, void> {
  let found = occurrenceAfter(state, from);
  while (found !== null) {
    yield found;
    const settled = { settledThrough: occurrenceKey(found), settledCounter: found.counter };
    found = occurrenceAfter({ ...state, ...settled }, from);
  }
}

/** One occurrence by the user's present zone and time; null if the series does not list it. */
export function occurrenceOn(state: ReminderState, asked: Slot): Occurrence | null {
  const { on, slot = 0 } = asked;
  const { rule, start, time, timeZone } = state;
  if (rule === null || start === null) return null;
  if (rule.type === 'triggered') return triggeredOn(state, rule, asked);
  const listed = firstOnOrAfter({ rule, start, draw: state.draw }, on);
  if (listed?.on !== on) return null;
  if (rule.windows) {
    const dueAt = slotTimes(timesOf(state, rule.windows), dayOf(on))[slot];
    const counter = listed.counter * slotsOf(rule.windows) + slot;
    return dueAt === undefined ? null : { on, slot, counter, dueAt };
  }
  const wall = dayOf(on) * dayMs + timeOf(time ?? rule.time);
  return { ...listed, dueAt: instantOf(clockOf(timeZone), wall) };
}

/**
 * Whether an occurrence that came is still the one at its position, though its date was corrected since: by less than the time for
 * which it is open.
 */
export function isSameVisit(state: ReminderState, { on, counter }: { on: string; counter: number }): boolean {
  const { rule, start, expiresAfter } = state;
  if (rule === null || rule.type === 'triggered' || start === null || !hasOwnDate(rule)) return false;
  const slots = rule.windows ? slotsOf(rule.windows) : 1;
  const day = dayAt(patternOf({ rule, start }), Math.floor(counter / slots));
  return day !== null && Math.abs(day - dayOf(on)) * 1440 < expiresAfter;
}

/** An occurrence that is still to be settled; null if the series does not list it, or it came before its date was corrected. */
export function comingOn(state: ReminderState, asked: Slot): Occurrence | null {
  const listed = occurrenceOn(state, asked);
  return listed !== null && listed.counter < positionAfter(state) ? null : listed;
}

/** The first position that may come. */
function positionAfter(state: ReminderState): number {
  const { rule, settledThrough, settledCounter } = state;
  if (settledThrough === null || settledCounter === undefined || !hasOwnDate(rule)) return 0;
  const settled = { on: slotOf(settledThrough).on, counter: settledCounter };
  return isSameVisit(state, settled) ? settledCounter + 1 : 0;
}

/** The time of day of an occurrence, ms since midnight on the clock of the reminders, wherever it was due. */
export function timeOfDay(state: ReminderState, { on, slot = 0, dueAt }: Slot & { dueAt: number }): number {
  const { rule, time, timeZone, draw = exampleDraw } = state;
  if (rule?.windows) return (drawMinutes(rule.windows, draw, on)[slot] ?? 0) * 60_000;
  const wall = rule?.type === 'triggered' ? rule.at : (time ?? rule?.time);
  if (wall != null) return timeOf(wall);
  const local = dueAt + offsetAt(clockOf(timeZone), dueAt);
  return local - Math.floor(local / dayMs) * dayMs;
}

/** The instants of a date's occurrences within windows. */
export const timesOf = ({ draw = exampleDraw, timeZone }: ReminderState, windows: Windows): SlotTimes => ({
  windows,
  draw,
  timeZone,
});

/** The first occurrence that is due strictly after `from` and `since`. Numbers only: it runs for every user of a study. */
function occurrenceAfter(state: ReminderState, from: number): Occurrence | null {
  const { rule, start, member, archived, settledThrough } = state;
  if (rule === null || start === null || !member || archived) return null;

  const after = Math.max(from, state.since);
  if (rule.type === 'triggered') return triggeredAfter(state, rule, after);
  const { from: first = null, until = null } = state.participation ?? {};
  const bounds = {
    firstDay: first === null ? Number.NEGATIVE_INFINITY : dayOf(first),
    lastDay: until === null ? Number.POSITIVE_INFINITY : dayOf(until),
  };
  const pattern = patternOf({ rule, start, draw: state.draw });
  if (rule.windows) return slotAfter(state, { pattern, ...bounds, windows: rule.windows, after });
  const clock = clockOf(state.timeZone);
  const time = timeOf(state.time ?? rule.time);
  // The last day whose time has passed on the clock: a clock change can delay it by up to a day, so it may still come.
  const passed = Math.floor((after + offsetAt(clock, after) - time) / dayMs);
  const settled = settledThrough === null ? Number.NEGATIVE_INFINITY : dayOf(settledThrough) + 1;
  const earliest = Math.max(passed, settled, bounds.firstDay);
  for (let counter = Math.max(countBefore(pattern, earliest), positionAfter(state)); ; counter++) {
    const day = dayAt(pattern, counter);
    if (day === null || day > bounds.lastDay) return null;
    const dueAt = instantOf(clock, day * dayMs + time);
    if (dueAt > after) return { on: dateOf(day), counter, dueAt };
  }
}

/** The same with windows. */
function slotAfter(
  state: ReminderState,
  {
    pattern,
    firstDay,
    lastDay,
    windows,
    after,
  }: { pattern: Pattern; firstDay: number; lastDay: number; windows: Windows; after: number },
): Occurrence | null {
  const { settledThrough, timeZone } = state;
  const slots = slotsOf(windows);
  const times = timesOf(state, windows);
  const settled = settledThrough === null ? null : slotOf(settledThrough);
  const settledDay = settled ? dayOf(settled.on) : Number.NEGATIVE_INFINITY;
  const end = (windows.list.at(-1)?.to ?? 0) * 60_000;
  const passed = Math.floor((after + offsetAt(clockOf(timeZone), after) - end) / dayMs);
  const start = positionAfter(state);
  const earliest = countBefore(pattern, Math.max(passed, settledDay, firstDay));
  for (let position = Math.max(earliest, Math.floor(start / slots)); ; position++) {
    const day = dayAt(pattern, position);
    if (day === null || day > lastDay) return null;
    const on = dateOf(day);
    const first = Math.max(start - position * slots, day === settledDay ? (settled?.slot ?? slots) + 1 : 0);
    const instants = first < slots ? slotTimes(times, day) : [];
    for (let slot = first; slot < slots; slot++) {
      const dueAt = instants[slot] as number;
      if (dueAt > after) return { on, slot, counter: position * slots + slot, dueAt };
    }
  }
}
