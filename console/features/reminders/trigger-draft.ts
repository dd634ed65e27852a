import type { Survey } from '../../api.ts';
import { type Duration, durationOf, minutesIn } from './durations.ts';

/* The state of the fields of triggered reminders, and its conversion to the body that the service takes. */

type Trigger = NonNullable<NonNullable<Survey['reminders']>['trigger']>;

/** An item of the other survey, and the answers of which it has one. */
export interface Condition {
  key: number;
  item: string;
  answers: readonly string[];
}

/** Numbers stay as typed. */
export interface TriggerDraft {
  /** Empty until it is chosen. */
  survey: string;
  conditions: readonly Condition[];
  after: Duration;
  /** Empty: at no certain time of day. */
  at: string;
  each: boolean;
}

export const emptyTrigger: TriggerDraft = {
  survey: '',
  conditions: [],
  after: durationOf(20),
  at: '',
  each: true,
};

export function triggerDraftOf({ survey, where = {}, after, at = '', each }: Trigger): TriggerDraft {
  const conditions = Object.entries(where).map(([item, answers], key) => ({ key: -1 - key, item, answers }));
  return { survey, conditions, after: durationOf(after), at, each };
}

export function triggerOf({ survey, conditions, after, at, each }: TriggerDraft): Trigger {
  const where = Object.fromEntries(conditions.map(({ item, answers }) => [item, [...answers]]));
  return {
    survey,
    ...(conditions.length > 0 && { where }),
    after: minutesIn(after),
    ...(at && { at }),
    each,
  };
}

/** A survey is chosen, and each condition has its item, once, and an answer. */
export const isCompleteTrigger = ({ survey, conditions }: TriggerDraft): boolean =>
  survey !== '' &&
  conditions.every(({ item, answers }) => item !== '' && answers.length > 0) &&
  new Set(conditions.map(({ item }) => item)).size === conditions.length;
