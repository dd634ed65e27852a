import { localDate } from './civil.ts';
import type { Participation } from './course.ts';
import { dayMs, dayOf } from './days.ts';
import { earliestDay } from './given-days.ts';
import { clockedBy, type ReminderState } from './occurrences.ts';
import type { QuietHours } from './quiet-hours.ts';
import { type FollowUpRule, parseRule, type Reminders, type Timing } from './rule.ts';
import { type Shown, showOccurrences } from './shown.ts';

/** The input of a preview, already validated. */
export interface PreviewRequest {
  reminders: Timing &
    Pick<Reminders, 'clock'> & { expiresAfter?: number; followUps?: FollowUpRule | null | undefined };
  timeZone: string;
  /** For reminders on the study's clock. */
  studyTimeZone?: string | undefined;
  /** `HH:MM`, replaces the recurrence's time. */
  customRemindersTime?: string | null | undefined;
  quietHours?: QuietHours | null | undefined;
  /** The study's first date, from which rolling reminders start. */
  startsOn?: string | undefined;
  /** The local date of the download, of joining, or of the dates of the person's own, from which fixed reminders start. */
  downloadedOn?: string | undefined;
  joinedOn?: string | undefined;
  dates?: Readonly<Record<string, string>> | undefined;
  participation?: Participation | undefined;
  /** Epoch ms: an example of a response that triggers the reminders. */
  respondedAt?: number | undefined;
  /** Epoch ms, exclusive; absent: from the start of the series. */
  from?: number | undefined;
  count: number;
}

/**
 * At most `count` occurrences of the reminders. Times within windows are an example: each person has their own. Throws a
 * RangeError if `parseRule` refuses the reminders, or the start of their type is absent.
 */
export function preview(request: PreviewRequest): Shown[] {
  const { reminders, timeZone, customRemindersTime: time = null, count } = request;
  const { studyTimeZone: studyZone = timeZone } = request;
  const { expiresAfter = untouched.expiresAfter } = reminders;
  const parsed = parseRule(reminders);
  if ('issues' in parsed) throw new RangeError(parsed.issues.map((issue) => issue.detail).join('; '));
  const { respondedAt } = request;
  const name = startOf(reminders);
  const start = startIn(request, name);
  if (start === undefined)
    throw new RangeError(`Missing ${name}: these ${reminders.type} reminders start from it`);
  // When the day before its first possible date begins in UTC, a series has not begun in any zone.
  const since = request.from ?? (dayOf(start) + earliestDay - 1) * dayMs;
  const state: ReminderState = {
    ...untouched,
    rule: parsed.rule,
    start,
    ...clockedBy(reminders.clock, { userZone: timeZone, studyZone, time }),
    quietHours: request.quietHours ?? null,
    expiresAfter,
    followUps: reminders.followUps ?? null,
    since,
    ...(request.participation && { participation: request.participation }),
    ...(respondedAt !== undefined && { triggers: [{ at: respondedAt, response: '', settled: false }] }),
  };
  return showOccurrences(state, since, count);
}

/** The names of the starts. */
export const starts = ['startsOn', 'downloadedOn', 'joinedOn', 'dates', 'respondedAt'] as const;
type Start = (typeof starts)[number];

/** The name of the start of reminders. */
export function startOf({ type, from = 'download' }: Pick<Timing, 'type' | 'from'>): Start {
  if (type !== 'fixed') return type === 'rolling' ? 'startsOn' : 'respondedAt';
  return typeof from === 'object' ? 'dates' : from === 'joined' ? 'joinedOn' : 'downloadedOn';
}

function startIn({ reminders, timeZone, ...given }: PreviewRequest, name: Start): string | undefined {
  if (name === 'respondedAt')
    return given.respondedAt === undefined ? undefined : localDate(given.respondedAt, timeZone);
  if (name !== 'dates') return given[name];
  return typeof reminders.from === 'object' ? given.dates?.[reminders.from.date] : undefined;
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
