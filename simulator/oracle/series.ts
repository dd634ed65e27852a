import { createHmac } from 'node:crypto';
import type { SeriesRule } from '../../src/schedule/rule.ts';
import type { Listed } from '../../src/schedule/series.ts';
import type { Draw } from './draws.ts';

const dayMs = 86_400_000;

/** The rule of a series, its first day, and, where weekdays are drawn, for whom. */
interface Given {
  rule: SeriesRule;
  start: string;
  draw?: Draw | undefined;
}

/** Days that may be listed before the start. */
const daysBefore = 365;

/** The dates of a series, found by checking each day in turn, up to `days` days after its start. */
export function slowDates({ rule, start, draw }: Given, days: number): Listed[] {
  const listed: Listed[] = [];
  const drawn = new Map<number, Set<number>>();
  for (let n = -daysBefore; n < days; n++) {
    if (!isListed(rule, n, weekdayOf(start, n), listed.length)) continue;
    if (rule.type === 'rolling' && rule.pick !== undefined && !isDrawn({ rule, start, draw }, n, drawn))
      continue;
    listed.push({ on: dateAfter(start, n), counter: listed.length });
  }
  return listed;
}

const dateAfter = (start: string, n: number) =>
  new Date(Date.parse(start) + n * dayMs).toISOString().slice(0, 10);
const weekdayOf = (start: string, n: number) => new Date(Date.parse(start) + n * dayMs).getUTCDay();

function isListed(rule: SeriesRule, daysAfterStart: number, weekday: number, listedBefore: number): boolean {
  if (rule.type === 'fixed') return isDay(rule.days, daysAfterStart);
  if (rule.ends !== null && listedBefore >= rule.ends) return false;
  return daysAfterStart >= rule.delay && rule.weekdays.includes(weekday);
}

function isDay(days: (SeriesRule & { type: 'fixed' })['days'], n: number): boolean {
  if (days === 'every') return n >= 0;
  if ('includes' in days) return days.includes(n);
  const lap = Math.floor(n / days.every);
  return lap >= 0 && lap < days.times && n - lap * days.every < days.burst;
}

/** Whether a listed day is one of those that are drawn for its week, by counting through all choices. */
function isDrawn({ rule, start, draw }: Given, n: number, known: Map<number, Set<number>>): boolean {
  if (rule.type !== 'rolling' || !draw) throw new Error('Weekdays are drawn for somebody.');
  const week = Math.floor((n - rule.delay) / 7);
  let chosen = known.get(week);
  if (!chosen) {
    const first = rule.delay + 7 * week;
    const candidates = [0, 1, 2, 3, 4, 5, 6]
      .map((day) => first + day)
      .filter((day) => rule.weekdays.includes(weekdayOf(start, day)));
    const choices = choicesOf(candidates, rule.pick ?? 0);
    const { secret, user, revision } = draw;
    const digest = createHmac('sha256', secret)
      .update(`${revision}/${user}/${dateAfter(start, first)}/week/0`)
      .digest();
    const random = digest.readBigUInt64BE(0) & ((1n << 53n) - 1n);
    chosen = new Set(choices[Number((random * BigInt(choices.length)) >> 53n)]);
    known.set(week, chosen);
  }
  return chosen.has(n);
}

/** All choices of `count` days, the ones with earlier days first. */
function choicesOf(days: readonly number[], count: number): number[][] {
  const all: number[][] = [];
  for (let bits = 0; bits < 1 << days.length; bits++) {
    const some = days.filter((_, n) => bits & (1 << n));
    if (some.length === count) all.push(some);
  }
  const textOf = (some: readonly number[]) => some.map((day) => String(days.indexOf(day))).join('');
  return all.sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}
