import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { slowDates } from '../../simulator/oracle/series.ts';
import type { SeriesRule } from '../../src/schedule/rule.ts';
import { firstOnOrAfter, listedAt, type Series } from '../../src/schedule/series.ts';
import { ruleOf } from './fixtures.ts';

const DAYS = 120;
const epochDay = (date: string) => Date.parse(date) / 86_400_000;
const dateAt = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10);

const sorted = (min: number, max: number) =>
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1 }).map((days) => days.sort((a, b) => a - b));
const bursts = fc
  .record({
    every: fc.integer({ min: 1, max: 40 }),
    times: fc.integer({ min: 1, max: 30 }),
    burst: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ burst, ...rest }) => ({ ...rest, burst: Math.min(burst, rest.every) }));
const chidi = { secret: 'of the survey', user: 'chidi', revision: 3 };
const rules: fc.Arbitrary<SeriesRule> = fc.oneof(
  fc.record({
    type: fc.constant('rolling' as const),
    time: fc.constant('08:00'),
    weekdays: sorted(0, 6),
    delay: fc.integer({ min: 0, max: 20 }),
    ends: fc.option(fc.integer({ min: 1, max: 30 })),
  }),
  fc
    .record({
      type: fc.constant('rolling' as const),
      time: fc.constant('08:00'),
      weekdays: sorted(0, 6),
      pick: fc.integer({ min: 1, max: 6 }),
      delay: fc.integer({ min: 0, max: 20 }),
      ends: fc.option(fc.integer({ min: 1, max: 30 })),
    })
    .map((rule) => ({ ...rule, pick: Math.min(rule.pick, rule.weekdays.length) })),
  fc.record({
    type: fc.constant('fixed' as const),
    time: fc.constant('08:00'),
    from: fc.constantFrom('download' as const, 'joined' as const, { date: 'surgery' }),
    days: fc.oneof(fc.constant('every' as const), sorted(-365, 110), bursts),
  }),
);
const starts = fc.integer({ min: epochDay('1900-01-01'), max: epochDay('2200-01-01') }).map(dateAt);

test('a series lists what a loop over its days finds, whichever day is asked for', () => {
  fc.assert(
    fc.property(rules, starts, fc.integer({ min: -400, max: DAYS - 40 }), (rule, start, offset) => {
      const series = { rule, start, draw: chidi };
      const listed = slowDates(series, DAYS);
      const date = dateAt(epochDay(start) + offset);
      expect(firstOnOrAfter(series, date)).toEqual(listed.find(({ on }) => on >= date) ?? null);
    }),
    { numRuns: 3000 },
  );
});

test('positions count the listed dates, and there is none before the first or after the last', () => {
  fc.assert(
    fc.property(rules, starts, (rule, start) => {
      const series = { rule, start, draw: chidi };
      const listed = slowDates(series, DAYS);
      expect(listed.map(({ counter }) => listedAt(series, counter))).toEqual(listed);
      expect(listedAt(series, -1)).toBeNull();
      const bounded = rule.type === 'rolling' ? rule.ends !== null : rule.days !== 'every';
      if (bounded) expect(listedAt(series, slowDates(series, 1300).length)).toBeNull();
    }),
  );
});

describe('a series', () => {
  test('rolling starts delay days after the study, on the first listed weekday', () => {
    const rule = ruleOf('rolling', '0 8 * * 1,4', { delay: 3 });
    // 1 March 2026 is a Sunday.
    expect(firstOnOrAfter({ rule, start: '2026-03-01' }, '2020-01-01')).toEqual({
      on: '2026-03-05',
      counter: 0,
    });
  });

  test('that ends after three has no fourth', () => {
    const series = { rule: ruleOf('rolling', '0 8 * * 1', { ends: 3 }), start: '2026-03-01' };
    expect(firstOnOrAfter(series, '2026-03-16')).toEqual({ on: '2026-03-16', counter: 2 });
    expect(firstOnOrAfter(series, '2026-03-17')).toBeNull();
  });

  test('fixed counts from the download: 0 is its day, 7 the same weekday a week later', () => {
    const series = { rule: ruleOf('fixed', '0 8 * * 0,7'), start: '2026-03-04' };
    expect([listedAt(series, 0), listedAt(series, 1), listedAt(series, 2)]).toEqual([
      { on: '2026-03-04', counter: 0 },
      { on: '2026-03-11', counter: 1 },
      null,
    ]);
  });

  test('fixed by days of month counts days, whatever the length of the month', () => {
    const series = { rule: ruleOf('fixed', '0 8 */15 * *'), start: '2026-02-01' };
    expect([0, 1, 2, 3].map((counter) => listedAt(series, counter)?.on)).toEqual([
      '2026-02-02',
      '2026-02-17',
      '2026-03-04',
      undefined,
    ]);
  });

  test('stops where dates stop', () => {
    const series = { rule: ruleOf('rolling', '0 8 * * *'), start: '9999-12-30' };
    expect(firstOnOrAfter(series, '9999-12-31')).toEqual({ on: '9999-12-31', counter: 1 });
    expect(listedAt(series, 2)).toBeNull();
    expect(
      firstOnOrAfter({ ...series, rule: ruleOf('rolling', '0 8 * * *', { delay: 9 }) }, '9999-01-01'),
    ).toBeNull();
  });
});

describe('a date far away', () => {
  test('is counted right', () => {
    const series: Series = { rule: ruleOf('rolling', '0 8 * * 1-5'), start: '1970-01-01' };
    const listed = slowDates(series, 231 * 366);
    const date = '2200-01-01';
    expect(firstOnOrAfter(series, date)).toEqual(listed.find(({ on }) => on >= date));
  });

  test.each([
    ruleOf('rolling', '0 8 * * 1-5'),
    ruleOf('fixed', '0 8 * * *'),
    ruleOf('fixed', '0 8 1-31 * *'),
  ])('takes as many looks at the rule as one nearby: %j', (rule) => {
    const looks = (date: string) => {
      let count = 0;
      const counting = <T extends object>(target: T): T =>
        new Proxy(target, {
          get(object, key) {
            count++;
            const value = Reflect.get(object, key);
            return Array.isArray(value) ? counting(value) : value;
          },
        });
      const series = { rule: counting(rule), start: '1970-01-01' };
      firstOnOrAfter(series, date);
      return count;
    };
    expect(looks('2200-01-06')).toBe(looks('1970-02-05'));
  });
});

describe('weekdays that are drawn', () => {
  const rule = ruleOf('rolling', '0 9 * * *', { pick: 2 });
  const weekOf = (user: string, week = 0) =>
    [0, 1].map(
      (n) => listedAt({ rule, start: '2027-03-03', draw: { ...chidi, user } }, 2 * week + n)?.on ?? '',
    );

  test('are two of each week from the first day of the series on, other ones for each person and week', () => {
    for (let week = 0; week < 50; week++) {
      const [first = '', second = ''] = weekOf('chidi', week);
      const begin = epochDay('2027-03-03') + 7 * week;
      expect(epochDay(first)).toBeGreaterThanOrEqual(begin);
      expect(epochDay(second)).toBeLessThan(begin + 7);
      expect(first < second).toBe(true);
    }
    expect(new Set(Array.from({ length: 50 }, (_, n) => weekOf(`person ${n}`).join())).size).toBeGreaterThan(
      10,
    );
  });

  test('each pair is as likely as any other', () => {
    const counts = new Map<string, number>();
    const people = 21_000;
    for (let n = 0; n < people; n++) {
      const pair = weekOf(`person ${n}`).join();
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    expect(counts.size).toBe(21);
    // Six standard deviations.
    for (const [pair, count] of counts) expect(Math.abs(count - people / 21), pair).toBeLessThan(6 * 31);
  });
});
