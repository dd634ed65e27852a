import { localDate, moment } from './civil.ts';
import { dateOf, dayOf } from './days.ts';
import type { Rule } from './rule.ts';
import { firstOnOrAfter, type Listed, listedAt } from './series.ts';

/** All that decides what one user gets for one survey, and when. */
export interface Agenda {
  /** Null: the survey has no reminders. */
  rule: Rule | null;
  /** The start of the series, a date; null: fixed, and not downloaded yet. */
  start: string | null;
  /** The user's zone now: the last device's, else the user's own, else the study's. */
  timeZone: string;
  /** The user's `customRemindersTime`, `HH:MM`; null: the rule's time. */
  time: string | null;
  /**
   * Epoch ms: only what is due strictly after it exists for the user. The latest of: reminders set, joined,
   * downloaded, reactivated.
   */
  since: number;
  /** The newest settled date of this revision of the reminders. No date up to it is planned again. */
  settledThrough: string | null;
  /** Minutes for which an occurrence may still be sent. */
  expiresAfter: number;
  unlessAnswered: boolean;
  /** Epoch ms: when the user answered this survey recently. */
  answers: readonly number[];
  member: boolean;
  /** The survey, or its study. */
  archived: boolean;
  /** Epoch ms: what is due before it is skipped; null: not paused. */
  pausedUntil: number | null;
  /** Whether the user has an enabled device. */
  reachable: boolean;
}

/** One date of one user's series, at the time when it is due. */
export interface Occurrence extends Listed {
  /** Epoch ms. */
  dueAt: number;
  /** The same with the user's clock: date, time and offset. */
  local: string;
  /** Says so when clocks moved the time. */
  note?: string;
}

/**
 * What to plan: the first listed date after `settledThrough` that is due after `since`. It may be overdue. Null when
 * the series is over, or there is no rule, start or membership, or the survey is archived.
 */
export function nextOccurrence(agenda: Agenda): Occurrence | null {
  return occurrencesFrom(agenda, agenda.since, 1)[0] ?? null;
}

/** At most `count` occurrences, in order, that are due strictly after the instant `from` (epoch ms) and `since`. */
export function occurrencesFrom(agenda: Agenda, from: number, count: number): Occurrence[] {
  const found: Occurrence[] = [];
  for (const occurrence of occurrences(agenda, from)) {
    if (found.length === count) break;
    found.push(occurrence);
  }
  return found;
}

/** All occurrences, in order, that are due strictly after the instant `from` (epoch ms) and `since`. */
export function* occurrences(agenda: Agenda, from: number): Generator<Occurrence, void> {
  const { rule, start, member, archived, settledThrough, timeZone } = agenda;
  if (rule === null || start === null || !member || archived) return;

  const after = Math.max(from, agenda.since);
  // A clock change can carry a time into the next date, so what is listed for the day before may still come.
  const eve = dayOf(localDate(after, timeZone)) - 1;
  const unsettled = settledThrough === null ? eve : dayOf(settledThrough) + 1;
  const series = { rule, start };
  let listed = firstOnOrAfter(series, dateOf(Math.max(eve, unsettled)));
  while (listed !== null) {
    const occurrence = withTime(listed, agenda, rule);
    if (occurrence.dueAt > after) yield occurrence;
    listed = listedAt(series, listed.counter + 1);
  }
}

/** The occurrence of one date with the user's zone and time of now; null when the series does not list the date. */
export function occurrenceOn(agenda: Agenda, date: string): Occurrence | null {
  const { rule, start } = agenda;
  if (rule === null || start === null) return null;
  const listed = firstOnOrAfter({ rule, start }, date);
  return listed?.on === date ? withTime(listed, agenda, rule) : null;
}

function withTime(listed: Listed, { time, timeZone }: Agenda, rule: Rule): Occurrence {
  const { at, ...rest } = moment(listed.on, time ?? rule.time, timeZone);
  return { ...listed, dueAt: at, ...rest };
}

/**
 * A `nextOccurrence` for many users at once: those for whom it depends on the same inputs share one computation.
 * Keep it for one replan; it forgets nothing.
 */
export function memoPlanner(plan = nextOccurrence): typeof nextOccurrence {
  const known = new Map<string, Occurrence | null>();
  return (agenda) => {
    const { rule, start, timeZone, time, since, settledThrough, member, archived } = agenda;
    const key = JSON.stringify([rule, start, timeZone, time, since, settledThrough, member, archived]);
    const planned = known.get(key);
    if (planned !== undefined) return planned;
    const occurrence = plan(agenda);
    known.set(key, occurrence);
    return occurrence;
  };
}
