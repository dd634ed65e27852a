import type { Api } from '../../../client/client.ts';
import type { Survey } from '../../api.ts';
import { formatDays, parseDays, type ReminderType, readRecurrence, writeRecurrence } from './recurrence.ts';
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

/** Numbers stay as typed. */
export interface Draft {
  type: ReminderType | 'triggered';
  /** Only of triggered reminders. */
  trigger: TriggerDraft;
  /** The clock that days and times are on. */
  clock: 'participant' | 'study';
  /** Replaces days and time if the form cannot show them; as typed. */
  expression: string | null;
  isEveryDay: boolean;
  weekdays: readonly number[];
  daysAfter: string;
  isWindowed: boolean;
  time: string;
  windows: readonly WindowDraft[];
  minGap: string;
  ends: string;
  delay: string;
  expiresAfter: string;
  unlessAnswered: boolean;
  /** Minutes to answer in time; empty: any time. */
  answerWithin: string;
  refusesLate: boolean;
  hasNudges: boolean;
  nudges: { every: string; max: string; stop: 'answered' | 'opened' };
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
const usualExpiry = '360';

export const emptyDraft = (): Draft => ({
  type: 'rolling',
  trigger: emptyTrigger,
  clock: 'participant',
  expression: null,
  isEveryDay: true,
  weekdays: [1, 2, 3, 4, 5],
  daysAfter: '1, 7, 14',
  isWindowed: false,
  time: '20:00',
  windows: [{ key: newKey(), from: '09:00', to: '21:00', count: '3' }],
  minGap: '30',
  ends: '',
  delay: '',
  expiresAfter: usualExpiry,
  unlessAnswered: false,
  answerWithin: '',
  refusesLate: false,
  hasNudges: false,
  nudges: { every: '30', max: '2', stop: 'answered' },
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
    expiresAfter: String(reminders.expiresAfter),
    unlessAnswered: reminders.unlessAnswered,
    answerWithin: String(reminders.answerWithin ?? ''),
    refusesLate: reminders.lateAnswers === 'refuse',
    ...(followUps && {
      hasNudges: true,
      nudges: { every: String(followUps.every), max: String(followUps.max), stop: followUps.stop },
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
  return {
    ...draft,
    expression: null,
    isEveryDay: days === 'every',
    ...(days !== 'every' &&
      (listed(draft) === 'rolling' ? { weekdays: days } : { daysAfter: formatDays(days) })),
    ...(time !== null && { time }),
  };
}

/** The type whose days an expression lists. */
const listed = ({ type }: Draft): ReminderType => (type === 'fixed' ? 'fixed' : 'rolling');

/** The days and times, or the trigger, are complete. */
export const isSayable = (draft: Draft): boolean =>
  draft.type === 'triggered' ? isCompleteTrigger(draft.trigger) : expressionOf(draft) !== undefined;

/** Undefined: the form is incomplete. */
export function expressionOf(draft: Draft): string | undefined {
  if (draft.expression !== null) return draft.expression;
  const days = draft.isEveryDay
    ? 'every'
    : listed(draft) === 'rolling'
      ? draft.weekdays
      : parseDays(draft.daysAfter);
  return days && writeRecurrence({ time: draft.isWindowed ? null : draft.time, days }, listed(draft));
}

/**
 * Minutes until a random reminder expires, so that each is gone when the next one may come. Undefined: no number of minutes
 * is below the gap.
 */
export function proposedExpiry({
  isWindowed,
  minGap,
}: Pick<Draft, 'isWindowed' | 'minGap'>): string | undefined {
  const gap = Number(minGap);
  return isWindowed && Number.isInteger(gap) && gap > 1 ? String(gap - 1) : undefined;
}

/** Whether a random reminder may be open still when the next one of the date comes. */
export const overlaps = (draft: Draft): boolean =>
  proposedExpiry(draft) !== undefined && Number(draft.expiresAfter) >= Number(draft.minGap);

/** The draft after a change of its times. The expiry follows them while it is what was proposed. */
export function withTimes(draft: Draft, change: Partial<Draft>): Draft {
  const after = { ...draft, ...change };
  if (draft.expiresAfter !== (proposedExpiry(draft) ?? usualExpiry)) return after;
  return { ...after, expiresAfter: proposedExpiry(after) ?? usualExpiry };
}

/** The draft with nudges, of which the last comes before the reminder expires, if there is room for one. */
export function withNudges(draft: Draft): Draft {
  const { nudges, expiresAfter } = draft;
  const room = Number(expiresAfter) - 1;
  const max = Math.max(1, Math.min(Number(nudges.max), Math.floor(room / leastBetween)));
  const every = Math.max(leastBetween, Math.min(Number(nudges.every), Math.floor(room / max)));
  const fits = Number(nudges.every) * Number(nudges.max) <= room;
  return {
    ...draft,
    hasNudges: true,
    ...(!fits && { nudges: { ...nudges, every: `${every}`, max: `${max}` } }),
  };
}

/** Minutes, as the service has it. */
const leastBetween = 5;

export type Timing = Omit<GivenReminders, 'notification' | 'translations'>;

/** Days and times of the reminders, without their texts. */
export function timingOf(draft: Draft): Timing {
  const { type, isWindowed, hasNudges, nudges, unlessAnswered } = draft;
  const when =
    type === 'triggered'
      ? { type, recurrence: null, trigger: triggerOf(draft.trigger) }
      : {
          type,
          ...(draft.clock === 'study' && { clock: draft.clock }),
          recurrence: expressionOf(draft) ?? '',
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
    expiresAfter: Number(draft.expiresAfter),
    ...(draft.answerWithin?.trim() && {
      answerWithin: Number(draft.answerWithin),
      ...(draft.refusesLate && { lateAnswers: 'refuse' as const }),
    }),
    followUps: hasNudges ? { every: Number(nudges.every), max: Number(nudges.max), stop: nudges.stop } : null,
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
