import type { SeriesRule } from '../../src/schedule/rule.ts';
import type { Listed, Series } from '../../src/schedule/series.ts';

const dayMs = 86_400_000;

/** The dates of a series, found by checking each of its first `days` days in turn. */
export function slowDates({ rule, start }: Series, days: number): Listed[] {
  const listed: Listed[] = [];
  for (let n = 0; n < days; n++) {
    const date = new Date(Date.parse(start) + n * dayMs);
    if (isListed(rule, n, date.getUTCDay(), listed.length)) {
      listed.push({ on: date.toISOString().slice(0, 10), counter: listed.length });
    }
  }
  return listed;
}

function isListed(rule: SeriesRule, daysAfterStart: number, weekday: number, listedBefore: number): boolean {
  if (rule.type === 'fixed') return rule.days === 'every' || rule.days.includes(daysAfterStart);
  if (rule.ends !== null && listedBefore >= rule.ends) return false;
  return daysAfterStart >= rule.delay && rule.weekdays.includes(weekday);
}
