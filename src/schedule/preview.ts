import { localDate } from './civil.ts';
import { dayMs, dayOf } from './days.ts';
import type { ReminderState } from './occurrences.ts';
import type { QuietHours } from './quiet-hours.ts';
import { type FollowUpRule, parseRule, type Timing } from './rule.ts';
import { type Shown, showOccurrences } from './shown.ts';

/** The input of a preview, already validated. */
export interface PreviewRequest {
  reminders: Timing & { expiresAfter?: number; followUps?: FollowUpRule | null | undefined };
  timeZone: string;
  /** `HH:MM`, replaces the recurrence's time. */
  customRemindersTime?: string | null;
  quietHours?: QuietHours | null;
  /** The study's first date, from which rolling reminders start. */
  startsOn?: string;
  /** The local date of the download, from which fixed reminders start. */
  downloadedOn?: string;
  /** Epoch ms: an example of a response that triggers the reminders. */
  respondedAt?: number;
  /** Epoch ms, exclusive; absent: from the start of the series. */
  from?: number;
  count: number;
}

/**
 * At most `count` occurrences of the reminders. Times within windows are an example: each person has their own. Throws a
 * RangeError if `parseRule` refuses the reminders, or the start of their type is absent.
 */
export function preview(request: PreviewRequest): Shown[] {
  const { reminders, timeZone, customRemindersTime = null, startsOn, downloadedOn, count } = request;
  const { expiresAfter = untouched.expiresAfter } = reminders;
  const parsed = parseRule(reminders);
  if ('issues' in parsed) throw new RangeError(parsed.issues.map((issue) => issue.detail).join('; '));
  const { respondedAt } = request;
  const response = respondedAt === undefined ? undefined : localDate(respondedAt, timeZone);
  const start = { rolling: startsOn, fixed: downloadedOn, triggered: response }[reminders.type];
  if (start === undefined)
    throw new RangeError(`Missing ${startOf[reminders.type]}: ${reminders.type} reminders start from it`);
  // When the day before its first date begins in UTC, a series has not begun in any zone.
  const since = request.from ?? (dayOf(start) - 1) * dayMs;
  const state: ReminderState = {
    ...untouched,
    rule: parsed.rule,
    start,
    timeZone,
    time: customRemindersTime,
    quietHours: request.quietHours ?? null,
    expiresAfter,
    followUps: reminders.followUps ?? null,
    since,
    ...(respondedAt !== undefined && { triggers: [{ at: respondedAt, response: '', settled: false }] }),
  };
  return showOccurrences(state, since, count);
}

/** The name of the start of each type. */
export const startOf = { rolling: 'startsOn', fixed: 'downloadedOn', triggered: 'respondedAt' } as const;

/** A member to whom nothing has happened yet. */
const untouched = {
  settledThrough: null,
  expiresAfter: 360,
  unlessAnswered: false,
  answers: [],
  member: true,
  archived: false,
  pausedUntil: null,
  reachable: true,
};
