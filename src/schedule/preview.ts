import { dayMs, dayOf } from './days.ts';
import type { ReminderState } from './occurrences.ts';
import type { QuietHours } from './quiet-hours.ts';
import { type FollowUpRule, parseRule, type Timing } from './rule.ts';
import { type Shown, showOccurrences } from './shown.ts';

/** What to preview, already validated. */
export interface PreviewRequest {
  reminders: Timing & { expiresAfter?: number; followUps?: FollowUpRule | null | undefined };
  timeZone: string;
  /** `HH:MM`, in place of the recurrence's time. */
  customRemindersTime?: string | null;
  quietHours?: QuietHours | null;
  /** The study's first date, which rolling reminders start from. */
  startsOn?: string;
  /** The local date of the download, which fixed reminders start from. */
  downloadedOn?: string;
  /** Epoch ms, exclusive; absent: from the start of the series. */
  from?: number;
  count: number;
}

/**
 * At most `count` occurrences that the reminders would bring. Times within windows are an example: each person has their own. Throws a RangeError when
 * `parseRule` refuses the reminders, or the date that their type starts from is absent.
 */
export function preview(request: PreviewRequest): Shown[] {
  const { reminders, timeZone, customRemindersTime = null, startsOn, downloadedOn, count } = request;
  const { expiresAfter = untouched.expiresAfter } = reminders;
  const parsed = parseRule(reminders);
  if ('issues' in parsed) throw new RangeError(parsed.issues.map((issue) => issue.detail).join('; '));
  const start = reminders.type === 'rolling' ? startsOn : downloadedOn;
  if (start === undefined) {
    const name = reminders.type === 'rolling' ? 'startsOn' : 'downloadedOn';
    throw new RangeError(`Missing ${name}: expected a date, which ${reminders.type} reminders start from`);
  }
  // A day before its first date begins in UTC, a series has not begun in any zone.
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
  };
  return showOccurrences(state, since, count);
}

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
