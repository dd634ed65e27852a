import { dateOf, dayOf, lastDay, weekdayOf } from './days.ts';
import type { SeriesRule } from './rule.ts';

/** The dates of reminders, without times: the same for everyone with the same start. They stop after 9999-12-31. */
export interface Series {
  rule: SeriesRule;
  /** A date: the study's `startsOn` for rolling, the local date of the user's first download for fixed. */
  start: string;
}

/** A date of a series. */
export interface Listed {
  on: string;
  /** Position in the series, from 0. */
  counter: number;
}

/** The first listed date on or after `date`; null when the series is over. */
export function firstOnOrAfter(series: Series, date: string): Listed | null {
  return listedAt(series, countBefore(patternOf(series.rule, series.start), dayOf(date)));
}

/** The listed date at position `counter`; null when there is none. */
export function listedAt({ rule, start }: Series, counter: number): Listed | null {
  const day = dayAt(patternOf(rule, start), counter);
  return day === null ? null : { on: dateOf(day), counter };
}

/**
 * Every series is a few days (`offsets`, sorted) from `first` on, repeated every `period` days, without the first
 * `skipped` of them, `length` in all.
 */
export interface Pattern {
  first: number;
  period: number;
  offsets: readonly number[];
  skipped: number;
  length: number;
}

const eachDay = [0];

/** Kept by rule, since the users of a survey share the rule, and mostly its start. */
const known = new WeakMap<SeriesRule, { start: string; pattern: Pattern }>();

/** @param start as of {@link Series} */
export function patternOf(rule: SeriesRule, start: string): Pattern {
  const before = known.get(rule);
  if (before?.start === start) return before.pattern;
  const pattern = findPattern(rule, start);
  known.set(rule, { start, pattern });
  return pattern;
}

function findPattern(rule: SeriesRule, start: string): Pattern {
  const first = dayOf(start);
  const endless = Number.POSITIVE_INFINITY;
  if (rule.type === 'rolling') {
    const { weekdays, delay, ends } = rule;
    const weekday = weekdayOf(first + delay);
    const sunday = first + delay - weekday;
    const skipped = countBelow(weekdays, weekday);
    return { first: sunday, period: 7, offsets: weekdays, skipped, length: ends ?? endless };
  }
  const { days } = rule;
  if (days === 'every') return { first, period: 1, offsets: eachDay, skipped: 0, length: endless };
  // 32 is more than the largest day, 31; a second lap is never listed, as `length` ends with the first.
  return { first, period: 32, offsets: days, skipped: 0, length: days.length };
}

/** The listed day at position `counter`; null when there is none. */
export function dayAt({ first, period, offsets, skipped, length }: Pattern, counter: number): number | null {
  if (counter < 0 || counter >= length) return null;
  const laps = Math.floor((counter + skipped) / offsets.length);
  const offset = offsets[counter + skipped - laps * offsets.length] as number;
  const day = first + period * laps + offset;
  return day > lastDay ? null : day;
}

/** How many days the endless pattern lists before `day`. */
export function countBefore({ first, period, offsets, skipped }: Pattern, day: number): number {
  const laps = Math.floor((day - first) / period);
  const rest = day - first - laps * period;
  return Math.max(0, laps * offsets.length + countBelow(offsets, rest) - skipped);
}

function countBelow(numbers: readonly number[], limit: number): number {
  let count = 0;
  for (const number of numbers) if (number < limit) count++;
  return count;
}
