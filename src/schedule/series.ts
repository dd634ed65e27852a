import { dateOf, dayOf, lastDay, weekdayOf } from './days.ts';
import type { Bursts } from './given-days.ts';
import type { SeriesRule } from './rule.ts';
import { type Draw, drawNumbers, exampleDraw } from './windows.ts';

/** The dates of reminders, without times. They stop after 9999-12-31. */
export interface Series {
  rule: SeriesRule;
  /** A date: the study's `startsOn` for rolling, for fixed that of the user's download, of their joining, or of their own. */
  start: string;
  /** The input of the draws of weekdays. Absent: an example. */
  draw?: Draw | undefined;
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

/** The listed date at position `counter`; null when there is none. */
export function listedAt(series: Series, counter: number): Listed | null {
  const day = dayAt(patternOf(series), counter);
  return day === null ? null : { on: dateOf(day), counter };
}

/** Every series is `each` days (sorted, from `first` on), of every lap of `period` days, `length` in all. */
export interface Pattern {
  first: number;
  period: number;
  each: number;
  /** The days of a lap. */
  offsets: (lap: number) => readonly number[];
  length: number;
}

const endless = Number.POSITIVE_INFINITY;

/** Kept by rule, since the users of a survey share the rule, and often its start. */
const known = new WeakMap<SeriesRule, { start: string; draw: Draw | undefined; pattern: Pattern }>();

export function patternOf({ rule, start, draw }: Series): Pattern {
  const before = known.get(rule);
  if (before?.start === start && before.draw === draw) return before.pattern;
  const pattern = findPattern({ rule, start, draw });
  known.set(rule, { start, draw, pattern });
  return pattern;
}

function findPattern({ rule, start, draw }: Series): Pattern {
  const first = dayOf(start);
  if (rule.type === 'rolling') return weeksOf(rule, first + rule.delay, draw);
  const { days } = rule;
  if (days === 'every') return { first, ...lapsOf([0], 1), length: endless };
  if (isList(days)) return { first, ...lapsOf(days, endless), length: days.length };
  const { burst, every, times } = days;
  return { first, ...lapsOf(rowOf(burst), every), length: burst * times };
}

const isList = (days: readonly number[] | Bursts): days is readonly number[] => Array.isArray(days);

/** The same days in every lap. */
const lapsOf = (days: readonly number[], period: number) => ({
  period,
  each: days.length,
  offsets: () => days,
});

const rowOf = (length: number) => Array.from({ length }, (_, n) => n);

/** Weeks begin on the first day of the series. */
function weeksOf(
  { weekdays, pick, ends }: SeriesRule & { type: 'rolling' },
  first: number,
  draw: Draw = exampleDraw,
): Pattern {
  const days = weekdays.map((day) => (day - weekdayOf(first) + 7) % 7).sort((a, b) => a - b);
  const week = { first, period: 7, length: ends ?? endless };
  if (pick === undefined || pick === days.length) return { ...week, ...lapsOf(days, 7) };
  const choices = choicesOf(days, pick);
  // The last week, since its days are asked for one after the other.
  let last: { lap: number; offsets: readonly number[] } = { lap: -1, offsets: days };
  const offsets = (lap: number) => {
    if (lap !== last.lap) {
      const random = drawNumbers(draw, `${dateOf(first + 7 * lap)}/week`)();
      last = { lap, offsets: choices[Math.floor(random * choices.length)] as readonly number[] };
    }
    return last.offsets;
  };
  return { ...week, each: pick, offsets };
}

/** Every choice of `count` of the days, in the order of the days. */
function choicesOf([day, ...rest]: readonly number[], count: number): (readonly number[])[] {
  if (count === 0) return [[]];
  if (day === undefined) return [];
  return [...choicesOf(rest, count - 1).map((others) => [day, ...others]), ...choicesOf(rest, count)];
}

/** The listed day at position `counter`; null when there is none. */
export function dayAt({ first, period, each, offsets, length }: Pattern, counter: number): number | null {
  if (counter < 0 || counter >= length) return null;
  const lap = Math.floor(counter / each);
  const begin = first + (lap === 0 ? 0 : period * lap);
  if (begin > lastDay) return null;
  const day = begin + (offsets(lap)[counter - lap * each] as number);
  return day > lastDay ? null : day;
}

/** How many days the endless pattern lists before `day`. */
export function countBefore({ first, period, each, offsets }: Pattern, day: number): number {
  const lap = period === endless ? 0 : Math.floor((day - first) / period);
  if (lap < 0) return 0;
  const begin = first + (lap === 0 ? 0 : period * lap);
  return lap * each + (begin > lastDay ? 0 : countBelow(offsets(lap), day - begin));
}

function countBelow(numbers: readonly number[], limit: number): number {
  let count = 0;
  for (const number of numbers) if (number < limit) count++;
  return count;
}
