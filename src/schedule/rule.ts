import { type Days, type Expression, parseExpression } from './expression.ts';
import { type Bursts, checkDays, daysOf, type GivenDays, type GivenStart } from './given-days.ts';
import { checkWindows, type GivenWindows, windowsOf } from './given-windows.ts';
import type { ReminderText } from './languages.ts';
import { issueAt, type RuleIssue } from './rule-issue.ts';
import { type GivenTrigger, parseTrigger, type TriggerRule } from './triggers.ts';
import type { Windows } from './windows.ts';

/**
 * `fixed` counts from a date of the user's own, mostly the download, `rolling` follows the study's calendar (interface, Survey reminders), `triggered`
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
  /** Fixed only; absent: the download. */
  from?: GivenStart | undefined;
  /** Fixed only, instead of the day fields of the recurrence. */
  days?: GivenDays | undefined;
  /** Rolling only: so many of the listed weekdays of each week, drawn for each person. */
  pick?: number | undefined;
  /** The clock that the times are on. Absent: the participant's. */
  clock?: 'participant' | 'study' | undefined;
  /** Rolling only: the number of occurrences; null or absent: no end. */
  ends?: number | null;
  /** Rolling only: days from the study's start to the first day of the series; null or absent: 0. */
  delay?: number | null;
  /** Skips an occurrence if the user has answered on its date. Absent: false. */
  unlessAnswered?: boolean;
  /** Minutes for which an occurrence may still be sent, up to 60 days. Absent: 360. */
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
 * Reminders, parsed. `time` is `HH:MM`, and null with windows. `weekdays` are 0-6 from Sunday, sorted, at least one, of which
 * `pick` are drawn in each week from the start on; `days` are days from the start `from` on, sorted, at least one.
 */
export type Rule = SeriesRule | TriggerRule;

/** Reminders that come on listed dates. */
export type SeriesRule = Times &
  (
    | { type: 'rolling'; weekdays: readonly number[]; pick?: number; delay: number; ends: number | null }
    | { type: 'fixed'; from: GivenStart; days: readonly number[] | Bursts | 'every' }
  );

type Times = { time: string; windows?: undefined } | { time: null; windows: Windows };

/** Whether dates or times of reminders, or of their rule, are drawn for each person. */
export const isDrawn = ({ windows, pick }: { windows?: unknown; pick?: unknown }): boolean =>
  windows !== undefined || pick !== undefined;

/** The timing of reminders. */
export type Timing = Pick<
  Reminders,
  'type' | 'recurrence' | 'from' | 'days' | 'pick' | 'ends' | 'delay' | 'trigger'
> &
  GivenWindows;

const everyWeekday = [0, 1, 2, 3, 4, 5, 6];
const centuryDays = 36_500;

/** Parses the timing of reminders, or returns all its errors. */
export function parseRule(reminders: Timing): { rule: Rule } | { issues: RuleIssue[] } {
  const { type, recurrence, ends = null, delay = null } = reminders;
  const counts = [
    ...checkCount('ends', ends, 1, type),
    ...checkCount('delay', delay, 0, type),
    ...checkKinds(reminders),
  ];
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
    ...('expression' in parsed ? checkListed(reminders, parsed.expression) : []),
  ];
  if ('issues' in parsed || issues.length > 0) return { issues };

  const { time, daysOfMonth, daysOfWeek } = parsed.expression;
  const windows = windowsOf(reminders);
  const times: Times = windows ? { time: null, windows } : { time: time ?? '' };
  const { from = 'download', days, pick } = reminders;
  if (type === 'fixed') {
    const listed = daysOfWeek === '*' ? daysOfMonth : daysOfWeek;
    return { rule: { type, ...times, from, days: days ? daysOf(days) : listed === '*' ? 'every' : listed } };
  }
  const weekdays = weekdaysOf(daysOfWeek);
  return { rule: { type, ...times, weekdays, ...(pick && { pick }), delay: delay ?? 0, ends } };
}

const weekdaysOf = (days: Days) =>
  days === '*' ? everyWeekday : everyWeekday.filter((day) => days.some((n) => n % 7 === day));

/** Fields of another type of reminders. */
function checkKinds({ type, ...reminders }: Timing): RuleIssue[] {
  const kinds = { from: 'fixed', days: 'fixed', pick: 'rolling' } as const;
  return (['from', 'days', 'pick'] as const).flatMap((name) =>
    reminders[name] === undefined || kinds[name] === type
      ? []
      : issueAt(`/${name}`, `Unexpected: only ${kinds[name]} reminders take ${name}`),
  );
}

/** Errors of the days that are listed beside the recurrence, or drawn from it. */
function checkListed(
  { type, from = 'download', days, pick }: Timing,
  { daysOfMonth, daysOfWeek }: Expression,
): RuleIssue[] {
  if (type === 'fixed' && days) {
    const isPlain = daysOfMonth === '*' && daysOfWeek === '*';
    const twice = issueAt('/recurrence', 'Unexpected day field: expected * in both, as days lists the days');
    return [...(isPlain ? [] : [twice]), ...checkDays(days, from)];
  }
  const listed = weekdaysOf(daysOfWeek).length;
  const most = Math.min(6, listed);
  if (type !== 'rolling' || pick === undefined || (Number.isInteger(pick) && pick >= 1 && pick <= most))
    return [];
  const limit = most === listed ? `${most}, the weekdays that the recurrence lists` : most;
  return [issueAt('/pick', `Unexpected pick '${pick}': expected a whole number from 1 to ${limit}`)];
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
