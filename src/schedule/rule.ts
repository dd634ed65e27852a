import { parseExpression } from './expression.ts';
import { checkWindows, type GivenWindows, windowsOf } from './given-windows.ts';
import type { ReminderText } from './languages.ts';
import { issueAt, type RuleIssue } from './rule-issue.ts';
import { type GivenTrigger, parseTrigger, type TriggerRule } from './triggers.ts';
import type { Windows } from './windows.ts';

/**
 * `fixed` counts from the user's download, `rolling` follows the study's calendar (interface, Survey reminders), `triggered`
 * a response.
 */
export type ReminderType = 'fixed' | 'rolling' | 'triggered';

/** The `reminders` property of a survey (interface, Survey reminders property). */
export interface Reminders extends GivenWindows {
  type: ReminderType;
  /** Five fields; see `parseExpression`. Triggered: null. */
  recurrence: string | null;
  /** Triggered only. */
  trigger?: GivenTrigger | null | undefined;
  /** The clock that the times are on. Absent: the participant's. */
  clock?: 'participant' | 'study' | undefined;
  /** Rolling only: the number of occurrences; null or absent: no end. */
  ends?: number | null;
  /** Rolling only: days from the study's start to the first day of the series; null or absent: 0. */
  delay?: number | null;
  /** Skips an occurrence if the user has answered on its date. Absent: false. */
  unlessAnswered?: boolean;
  /** Minutes for which an occurrence may still be sent, 1-1440. Absent: 360. */
  expiresAfter?: number;
  notification: ReminderText;
  /** By language tag. */
  translations?: Record<string, ReminderText> | undefined;
  /** Nudges; null or absent: none. */
  followUps?: FollowUpRule | null | undefined;
}

/** Further pushes of an occurrence after its first, until it is answered. */
export interface FollowUpRule {
  /** Minutes from the first push to the first nudge, and from nudge to nudge. */
  every: number;
  max: number;
  stop: 'answered' | 'opened';
}

/**
 * Reminders, parsed. `time` is `HH:MM`, and null with windows. `weekdays` are 0-6 from Sunday, sorted, at least one; `days` are days after
 * the download, 0-31, sorted, at least one.
 */
export type Rule = SeriesRule | TriggerRule;

/** Reminders that come on listed dates. */
export type SeriesRule = Times &
  (
    | { type: 'rolling'; weekdays: readonly number[]; delay: number; ends: number | null }
    | { type: 'fixed'; days: readonly number[] | 'every' }
  );

type Times = { time: string; windows?: undefined } | { time: null; windows: Windows };

/** The timing of reminders. */
export type Timing = Pick<Reminders, 'type' | 'recurrence' | 'ends' | 'delay' | 'trigger'> & GivenWindows;

const everyWeekday = [0, 1, 2, 3, 4, 5, 6];
const centuryDays = 36_500;

/** Parses the timing of reminders, or returns all its errors. */
export function parseRule(reminders: Timing): { rule: Rule } | { issues: RuleIssue[] } {
  const { type, recurrence, ends = null, delay = null } = reminders;
  const counts = [...checkCount('ends', ends, 1, type), ...checkCount('delay', delay, 0, type)];
  if (type === 'triggered') {
    const triggered = parseTrigger(reminders);
    const faults = 'issues' in triggered ? triggered.issues : [];
    return 'rule' in triggered && counts.length === 0 ? triggered : { issues: [...faults, ...counts] };
  }
  const parsed = parseExpression(recurrence ?? '', type, reminders.windows !== undefined);
  const faults = 'issues' in parsed ? parsed.issues : [];
  const issues = [
    ...faults.map((detail) => issueAt('/recurrence', detail)),
    ...counts,
    ...(reminders.trigger ? [issueAt('/trigger', 'Unexpected: only triggered reminders take it')] : []),
    ...checkWindows(reminders),
  ];
  if ('issues' in parsed || issues.length > 0) return { issues };

  const { time, daysOfMonth, daysOfWeek } = parsed.expression;
  const windows = windowsOf(reminders);
  const times: Times = windows ? { time: null, windows } : { time: time ?? '' };
  if (type === 'fixed') {
    const days = daysOfWeek === '*' ? daysOfMonth : daysOfWeek;
    return { rule: { type, ...times, days: days === '*' ? 'every' : days } };
  }
  const weekdays =
    daysOfWeek === '*' ? everyWeekday : everyWeekday.filter((day) => daysOfWeek.some((n) => n % 7 === day));
  return { rule: { type, ...times, weekdays, delay: delay ?? 0, ends } };
}

function checkCount(
  name: 'ends' | 'delay',
  value: number | null,
  min: number,
  type: ReminderType,
): RuleIssue[] {
  if (value === null) return [];
  const isWithin = Number.isInteger(value) && value >= min && value <= centuryDays;
  if (type === 'rolling' && isWithin) return [];
  const expected =
    type === 'rolling'
      ? `expected null or a whole number from ${min} to ${centuryDays}`
      : `expected null, as ${type} reminders take no ${name}`;
  return [issueAt(`/${name}`, `Unexpected ${name} '${value}': ${expected}`)];
}
