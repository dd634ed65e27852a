import { dateOf, dayOf, LAST_DAY, mod, weekdayOf } from './days.ts';
import type { Rule } from './rule.ts';

/** The dates of reminders, without times: the same for everyone with the same start. They stop after 9999-12-31. */
export interface Series {
  rule: Rule;
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
  return listedAt(series, countBefore(patternOf(series), dayOf(date)));
}

/** The last listed date on or before `date`; null before the first. */
export function lastOnOrBefore(series: Series, date: string): Listed | null {
  const pattern = patternOf(series);
  const count = countBefore(pattern, Math.min(dayOf(date), LAST_DAY) + 1);
  return listedAt(series, Math.min(count, pattern.length) - 1);
}

/** The listed date at position `counter`; null when there is none. */
export function listedAt(series: Series, counter: number): Listed | null {
  const { first, period, offsets, length } = patternOf(series);
  const offset = offsets[mod(counter, offsets.length)];
  if (counter < 0 || counter >= length || offset === undefined) return null;
  const day = first + period * Math.floor(counter / offsets.length) + offset;
  return day > LAST_DAY ? null : { on: dateOf(day), counter };
}

/** Every series is a few days (`offsets`, sorted) from `first` on, repeated every `period` days, `length` in all. */
interface Pattern {
  first: number;
  period: number;
  offsets: readonly number[];
  length: number;
}

function patternOf({ rule, start }: Series): Pattern {
  const first = dayOf(start);
  if (rule.type === 'rolling') {
    const from = first + rule.delay;
    const offsets = rule.weekdays.map((weekday) => mod(weekday - weekdayOf(from), 7)).sort((a, b) => a - b);
    return { first: from, period: 7, offsets, length: rule.ends ?? Number.POSITIVE_INFINITY };
  }
  if (rule.days === 'every') return { first, period: 1, offsets: [0], length: Number.POSITIVE_INFINITY };
  // 32 is more than the largest day, 31; a second lap is never listed, as `length` ends with the first.
  return { first, period: 32, offsets: rule.days, length: rule.days.length };
}

/** How many days the pattern, taken without its end, lists before `day`. */
function countBefore({ first, period, offsets }: Pattern, day: number): number {
  if (day <= first) return 0;
  const laps = Math.floor((day - first) / period);
  const rest = (day - first) % period;
  return laps * offsets.length + offsets.filter((offset) => offset < rest).length;
}
