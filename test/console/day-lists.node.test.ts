import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDays, parseDays } from '../../console/features/reminders/day-lists.ts';
import { durationOf, minutesIn } from '../../console/features/reminders/durations.ts';

test('days are typed as people write them', () => {
  expect(parseDays('1, 7,14 – 16')).toEqual([1, 7, 14, 15, 16]);
  expect(parseDays('-7, −1, 0, 3650')).toEqual([-7, -1, 0, 3650]);
  expect(parseDays('-3 to -1')).toEqual([-3, -2, -1]);
  for (const text of ['', ' ', '1,', 'x', '1.5', '16-14', '-366', '3651'])
    expect(parseDays(text), text).toBeUndefined();
  expect(formatDays([1, 7, 14, 15, 16])).toBe('1, 7, 14-16');
  expect(formatDays([-3, -2, -1])).toBe('-3 to -1');
});

test('each list of days is shown so that it is read back', () => {
  const lists = fc.array(fc.integer({ min: -365, max: 3650 }), { minLength: 1 });
  fc.assert(
    fc.property(lists, (days) => {
      expect(parseDays(formatDays(days))).toEqual(days);
    }),
  );
});

test('a time is shown in the largest unit of which it is a whole number', () => {
  expect(durationOf(30_240)).toEqual({ amount: '21', unit: 'days' });
  expect(durationOf(360)).toEqual({ amount: '6', unit: 'hours' });
  expect(durationOf(90)).toEqual({ amount: '90', unit: 'minutes' });
  expect(durationOf(0)).toEqual({ amount: '0', unit: 'minutes' });
  expect(minutesIn({ amount: '1.1', unit: 'hours' })).toBe(66);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_400 }), (n) => {
      expect(minutesIn(durationOf(n))).toBe(n);
    }),
  );
});
