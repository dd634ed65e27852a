import { localTime, moment, wallTimeOf } from './civil.ts';
import { nextFollowUp, type Sent } from './follow-ups.ts';
import { type Occurrence, occurrences, type ReminderState, timesOf, userZoneOf } from './occurrences.ts';
import { pauseNote } from './pauses.ts';
import { quietNote } from './quiet-hours.ts';
import { shownSlot } from './slots.ts';
import { judge } from './verdicts.ts';
import { drawMinutes } from './windows.ts';

/** An occurrence in the form of the API. Instants are ISO 8601 in UTC with milliseconds. */
export interface Shown extends ReturnType<typeof shownSlot> {
  counter: number;
  dueAt: string;
  /** `dueAt` with the user's clock: date, time and offset. */
  local: string;
  /** The nudges if nobody answers. Absent: none. */
  nudges?: string[];
  /** Tells that clocks moved the time, or that it would be skipped as things stand. */
  note?: string;
}

/** At most `count` occurrences, in order, that are due strictly after the instant `from` (epoch ms) and `since`. */
export function showOccurrences(state: ReminderState, from: number, count: number): Shown[] {
  const found: Occurrence[] = [];
  for (const occurrence of occurrences(state, from)) if (found.push(occurrence) > count) break;
  return found.slice(0, count).map((occurrence, n) => shown(occurrence, found[n + 1], state));
}

function shown(occurrence: Occurrence, next: Occurrence | undefined, state: ReminderState): Shown {
  const { frozen, pausedUntil, quietHours = null, expiresAfter } = state;
  const timeZone = userZoneOf(state);
  const { dueAt } = occurrence;
  const { local, note } = shownTime(occurrence, state);
  const nudges = nudgesOf(occurrence, next, state).map(iso);
  const notes = [
    note,
    frozen && 'The study is frozen: will be skipped unless the freeze has ended by then',
    pauseNote(dueAt, pausedUntil),
    quietNote(dueAt, { quietHours, timeZone, expiresAfter }),
  ].filter(Boolean);
  return {
    ...shownSlot(occurrence),
    counter: occurrence.counter,
    dueAt: iso(dueAt),
    local: timeZone === state.timeZone ? local : localTime(dueAt, timeZone),
    ...(nudges.length > 0 && { nudges }),
    ...(notes.length > 0 && { note: notes.join('. ') }),
  };
}

const iso = (ms: number) => new Date(ms).toISOString();

function shownTime({ on, slot = 0, dueAt }: Occurrence, state: ReminderState): Pick<Shown, 'local' | 'note'> {
  const { rule, time, timeZone } = state;
  if (rule?.type === 'triggered')
    return rule.at === null ? { local: localTime(dueAt, timeZone) } : moment(on, rule.at, timeZone);
  if (!rule?.windows) return moment(on, time ?? rule?.time ?? '', timeZone);
  const { windows, draw } = timesOf(state, rule.windows);
  const drawn = moment(on, wallTimeOf(drawMinutes(windows, draw, on)[slot] ?? 0), timeZone);
  if (drawn.at === dueAt) return drawn;
  const note = `Clocks go forward: comes ${windows.gap} minutes after the one before`;
  return { local: localTime(dueAt, timeZone), note };
}

/** The nudges of an occurrence that nobody answers (epoch ms), up to the `next` one. */
function nudgesOf(occurrence: Occurrence, next: Occurrence | undefined, state: ReminderState): number[] {
  const sentAt = pushedAt(occurrence, state);
  if (!state.followUps || sentAt === null) return [];
  const end = next === undefined ? Infinity : (pushedAt(next, state) ?? next.dueAt);
  const nudges: number[] = [];
  let sent: Sent = { ...occurrence, revision: 0, countedFrom: sentAt, ...untouched };
  for (;;) {
    const nudge = nextFollowUp(sent, state);
    if (nudge === null || nudge.dueAt >= end) return nudges;
    const { verdict } = judge(state, nudge.dueAt)({ ...occurrence, openedAt: null, followUp: nudge });
    if (verdict === 'send') nudges.push(nudge.dueAt);
    sent = { ...sent, nudges: sent.nudges + 1 };
  }
}

/** The time of the push as things stand (epoch ms); null: skipped. */
function pushedAt(occurrence: Occurrence, state: ReminderState): number | null {
  const outcome = judge(state, occurrence.dueAt)(occurrence);
  if (outcome.verdict === 'skip') return null;
  return outcome.verdict === 'wait' ? outcome.until : occurrence.dueAt;
}

const untouched = {
  nudges: 0,
  earlierNudges: 0,
  snoozedUntil: null,
  snoozedAt: null,
  nextAt: 0,
  openedAt: null,
};
