import type { Api } from '../../../client/client.ts';
import type { Survey } from '../../api.ts';
import { formatDays, parseDays } from './day-lists.ts';
import { type Duration, durationOf, minutesIn } from './durations.ts';
import { type ReminderType, readRecurrence, writeRecurrence } from './recurrence.ts';
import {
  emptyTrigger,
  isCompleteTrigger,
  type TriggerDraft,
  triggerDraftOf,
  triggerOf,
} from './trigger-draft.ts';

/* The state of the reminder form, and its conversion to the body that the service takes. */

export type Reminders = NonNullable<Survey['reminders']>;
/** Reminders as the service takes them; the service fills in the defaults. */
export type GivenReminders = NonNullable<
  NonNullable<Parameters<Api['survey'][':id']['$patch']>[0]>['json']['reminders']
>;

export interface WindowDraft {
  key: number;
  from: string;
  to: string;
  count: string;
}

export interface TextDraft {
  key: number;
  tag: string;
  subject: string;
  body: string;
}

/** `repeated` and `bursts` are of fixed reminders only: a day, or several in a row, at regular intervals. */
export type DayKind = 'every' | 'listed' | 'repeated' | 'bursts';

/** Numbers stay as typed. */
export interface Draft {
  type: ReminderType | 'triggered';
  /** Only of triggered reminders. */
  trigger: TriggerDraft;
  /** The clock that days and times are on. */
  clock: 'participant' | 'study';
  /** Replaces days and time if the form cannot show them; as typed. */
  expression: string | null;
  /** Only of fixed reminders; undefined: the download. */
  from: GivenReminders['from'];
  days: DayKind;
  weekdays: readonly number[];
  /** Random weekdays of each week; empty: all of them. */
  pick: string;
  daysAfter: string;
  /** The days after day 0 are in the expression, where somebody wrote them, as far as it can list them. */
  inExpression: boolean;
  repeated: { burst: string; every: string; times: string };
  isWindowed: boolean;
  time: string;
  windows: readonly WindowDraft[];
  minGap: string;
  ends: string;
  delay: string;
  expiry: Duration;
  unlessAnswered: boolean;
  /** The time for an answer; without an amount any time. */
  inTime: Duration;
  refusesLate: boolean;
  hasNudges: boolean;
  nudges: { every: Duration; max: string; stop: 'answered' | 'opened' };
  subject: string;
  body: string;
  translations: readonly TextDraft[];
}

/** The props of the parts of the form. */
export interface DraftProps {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
}

let keys = 0;
export const newKey = (): number => keys++;

/** Minutes until a reminder at one time of day expires, unless somebody says otherwise. */
const usualExpiry = 360;

const anyTime: Duration = { amount: '', unit: 'hours' };

export const emptyDraft = (): Draft => ({
  type: 'rolling',
  trigger: emptyTrigger,
  clock: 'participant',
  expression: null,
  from: undefined,
  days: 'every',
  weekdays: [1, 2, 3, 4, 5],
  pick: '',
  daysAfter: '1, 7, 14',
  inExpression: false,
  repeated: { burst: '7', every: '91', times: '4' },
  isWindowed: false,
  time: '20:00',
  windows: [{ key: newKey(), from: '09:00', to: '21:00', count: '3' }],
  minGap: '30',
  ends: '',
  delay: '',
  expiry: durationOf(usualExpiry),
  unlessAnswered: false,
  inTime: anyTime,
  refusesLate: false,
  hasNudges: false,
  nudges: { every: durationOf(30), max: '2', stop: 'answered' },
  subject: '',
  body: '',
  translations: [],
});

export function draftOf(reminders: Reminders): Draft {
  const { type, recurrence, windows, minGap, ends, delay, followUps, notification, translations } = reminders;
  const draft: Draft = {
    ...emptyDraft(),
    type,
    ...(reminders.trigger && { trigger: triggerDraftOf(reminders.trigger) }),
    clock: reminders.clock ?? 'participant',
    from: reminders.from,
    ...(reminders.days && withDays(reminders.days)),
    pick: String(reminders.pick ?? ''),
    isWindowed: windows !== undefined,
    ...(windows && {
      windows: windows.map(({ from, to, count }) => ({
        key: newKey(),
        from,
        to: to === '24:00' ? '00:00' : to,
        count: String(count),
      })),
    }),
    ...(minGap !== undefined && { minGap: String(minGap) }),
    ends: String(ends ?? ''),
    delay: String(delay ?? ''),
    expiry: durationOf(reminders.expiresAfter),
    unlessAnswered: reminders.unlessAnswered,
    inTime: reminders.answerWithin === undefined ? anyTime : durationOf(reminders.answerWithin),
    refusesLate: reminders.lateAnswers === 'refuse',
    ...(followUps && {
      hasNudges: true,
      nudges: { every: durationOf(followUps.every), max: String(followUps.max), stop: followUps.stop },
    }),
    ...notification,
    translations: Object.entries(translations ?? {}).map(([tag, text]) => ({ key: newKey(), tag, ...text })),
  };
  return recurrence === null ? draft : withExpression(draft, recurrence);
}

/** The draft with the days and the time of an expression, or with its text if the form cannot show it. */
export function withExpression(draft: Draft, expression: string): Draft {
  const shown = readRecurrence(expression, listed(draft), draft.isWindowed);
  if (!shown) return { ...draft, expression };
  const { days, time } = shown;
  const isRolling = listed(draft) === 'rolling';
  // The expression of days that are given beside it lists none.
  const isBeside = !isRolling && draft.days !== 'every' && !draft.inExpression;
  return {
    ...draft,
    expression: null,
    ...(days === 'every' && !isBeside && { days: 'every' }),
    ...(days !== 'every' && {
      days: 'listed',
      ...(isRolling ? { weekdays: days } : { daysAfter: formatDays(days), inExpression: true }),
    }),
    ...(time !== null && { time }),
  };
}

type GivenDays = NonNullable<GivenReminders['days']>;

function withDays(days: GivenDays): Partial<Draft> {
  if (Array.isArray(days)) return { days: 'listed', daysAfter: formatDays(days) };
  const { burst, every, times } = days;
  return {
    days: burst === undefined ? 'repeated' : 'bursts',
    repeated: { burst: String(burst ?? 7), every: String(every), times: String(times) },
  };
}

/** The draft with another type, which may not have its kind of days. */
export const withType = (draft: Draft, type: Draft['type']): Draft => ({
  ...draft,
  type,
  expression: null,
  days: type === 'fixed' || draft.days === 'listed' ? draft.days : 'every',
});

/** The type whose days an expression lists. */
const listed = ({ type }: Draft): ReminderType => (type === 'fixed' ? 'fixed' : 'rolling');

/** The days and times, or the trigger, are complete. */
export const isSayable = (draft: Draft): boolean =>
  draft.type === 'triggered' ? isCompleteTrigger(draft.trigger) : expressionOf(draft) !== undefined;

/** Undefined: the form is incomplete. */
export function expressionOf(draft: Draft): string | undefined {
  if (draft.expression !== null) return draft.expression;
  const days = daysInExpression(draft);
  return days && writeRecurrence({ time: draft.isWindowed ? null : draft.time, days }, listed(draft));
}

function daysInExpression(draft: Draft): readonly number[] | 'every' | undefined {
  if (draft.days !== 'listed') return 'every';
  if (listed(draft) === 'rolling') return draft.weekdays;
  const days = parseDays(draft.daysAfter);
  return days && (isBesideExpression(draft, days) ? 'every' : sorted(days));
}

/** Days that are given beside the expression: it cannot list them, or never did. */
const isBesideExpression = ({ inExpression }: Draft, days: readonly number[]) =>
  !inExpression ||
  days.some((day) => day < 0 || day > 31) ||
  writeRecurrence({ time: null, days: sorted(days) }, 'fixed') === undefined;

const sorted = (days: readonly number[]) => [...new Set(days)].sort((a, b) => a - b);

/** The days beside the expression, of fixed reminders. */
function daysBeside(draft: Draft): GivenDays | undefined {
  const { days, daysAfter, repeated, expression } = draft;
  if (expression !== null || days === 'every') return;
  if (days !== 'listed')
    return {
      ...(days === 'bursts' && { burst: Number(repeated.burst) }),
      every: Number(repeated.every),
      times: Number(repeated.times),
    };
  const list = parseDays(daysAfter);
  return list && isBesideExpression(draft, list) ? list : undefined;
}

/**
 * Minutes until a random reminder expires, so that each is gone when the next one may come. Undefined: no number of minutes
 * is below the gap.
 */
export function proposedExpiry({
  isWindowed,
  minGap,
}: Pick<Draft, 'isWindowed' | 'minGap'>): number | undefined {
  const gap = Number(minGap);
  return isWindowed && Number.isInteger(gap) && gap > 1 ? gap - 1 : undefined;
}

/** Whether a random reminder may be open still when the next one of the date comes. */
export const overlaps = (draft: Draft): boolean =>
  proposedExpiry(draft) !== undefined && minutesIn(draft.expiry) >= Number(draft.minGap);

/** The draft after a change of its times. The expiry follows them while it is what was proposed. */
export function withTimes(draft: Draft, change: Partial<Draft>): Draft {
  const after = { ...draft, ...change };
  if (minutesIn(draft.expiry) !== (proposedExpiry(draft) ?? usualExpiry)) return after;
  return { ...after, expiry: durationOf(proposedExpiry(after) ?? usualExpiry) };
}

/** The draft with nudges, of which the last comes before the reminder expires, if there is room for one. */
export function withNudges(draft: Draft): Draft {
  const { nudges, expiry } = draft;
  const room = minutesIn(expiry) - 1;
  const between = minutesIn(nudges.every);
  const max = Math.max(1, Math.min(Number(nudges.max), Math.floor(room / leastBetween)));
  const every = Math.max(leastBetween, Math.min(between, Math.floor(room / max)));
  const fits = between * Number(nudges.max) <= room;
  return {
    ...draft,
    hasNudges: true,
    ...(!fits && { nudges: { ...nudges, every: durationOf(every), max: `${max}` } }),
  };
}

/** Minutes, as the service has it. */
const leastBetween = 5;

export type Timing = Omit<GivenReminders, 'notification' | 'translations'>;

/** Days and times of the reminders, without their texts. */
export function timingOf(draft: Draft): Timing {
  const { type, from, pick, isWindowed, hasNudges, nudges, unlessAnswered } = draft;
  const days = type === 'fixed' ? daysBeside(draft) : undefined;
  const when =
    type === 'triggered'
      ? { type, recurrence: null, trigger: triggerOf(draft.trigger) }
      : {
          type,
          ...(draft.clock === 'study' && { clock: draft.clock }),
          recurrence: expressionOf(draft) ?? '',
          ...(type === 'fixed' && from !== undefined && { from }),
          ...(days && { days }),
          ...(type === 'rolling' && pick && { pick: Number(pick) }),
          ends: type === 'rolling' ? numberOrNull(draft.ends) : null,
          delay: type === 'rolling' ? numberOrNull(draft.delay) : null,
          ...(isWindowed && {
            windows: draft.windows.map(({ from, to, count }) => ({
              from,
              // A field for a time knows no 24:00.
              to: to === '00:00' ? '24:00' : to,
              count: Number(count),
            })),
            minGap: Number(draft.minGap),
          }),
        };
  return {
    ...when,
    unlessAnswered,
    expiresAfter: minutesIn(draft.expiry),
    ...(draft.inTime.amount.trim() && {
      answerWithin: minutesIn(draft.inTime),
      ...(draft.refusesLate && { lateAnswers: 'refuse' as const }),
    }),
    followUps: hasNudges
      ? { every: minutesIn(nudges.every), max: Number(nudges.max), stop: nudges.stop }
      : null,
  };
}

export function remindersOf(draft: Draft): GivenReminders {
  const { subject, body, translations } = draft;
  const texts = translations.map(({ tag, subject, body }) => [tag.trim(), { subject, body }] as const);
  return {
    ...timingOf(draft),
    notification: { subject, body },
    ...(texts.length > 0 && { translations: Object.fromEntries(texts) }),
  };
}

const numberOrNull = (text: string) => (text.trim() === '' ? null : Number(text));
