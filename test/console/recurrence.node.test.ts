import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRecurrence, writeRecurrence } from '../../console/features/reminders/recurrence.ts';
import { parseExpression } from '../../src/schedule/expression.ts';

const item = (min: number, max: number) => {
  const number = fc.integer({ min, max });
  const range = fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const step = fc.tuple(fc.oneof(fc.constant('*'), range), fc.integer({ min: 1, max }));
  return fc.oneof(
    number.map(String),
    range,
    step.map(([of, by]) => `${of}/${by}`),
  );
};
const list = (min: number, max: number) =>
  fc.array(item(min, max), { minLength: 1, maxLength: 4 }).map((items) => items.join(','));

const clock = fc.tuple(fc.integer({ min: 0, max: 59 }), fc.integer({ min: 0, max: 23 }));
const expressions = fc.oneof(
  fc.tuple(fc.constant('rolling' as const), fc.constant('*'), fc.oneof(fc.constant('*'), list(0, 7))),
  fc.tuple(fc.constant('fixed' as const), list(1, 31), fc.constant('*')),
  fc.tuple(fc.constant('fixed' as const), fc.constant('*'), fc.oneof(fc.constant('*'), list(0, 7))),
);

/** The days that the service reads out of an expression. */
function daysOf(recurrence: string, type: 'rolling' | 'fixed') {
  const parsed = parseExpression(recurrence, type);
  if ('issues' in parsed) throw new Error(parsed.issues.join());
  const { time, daysOfMonth, daysOfWeek } = parsed.expression;
  const days = daysOfMonth === '*' ? daysOfWeek : daysOfMonth;
  if (days === '*') return { time, days: 'every' };
  const numbers = type === 'rolling' ? days.map((day) => day % 7) : days;
  return { time, days: [...new Set(numbers)].sort((a, b) => a - b) };
}

test('the form shows what the service reads, and writes what says the same', () => {
  fc.assert(
    fc.property(expressions, clock, ([type, ofMonth, ofWeek], [minute, hour]) => {
      const recurrence = `${minute} ${hour} ${ofMonth} * ${ofWeek}`;
      const shown = readRecurrence(recurrence, type, false);
      expect(shown).toEqual(daysOf(recurrence, type));
      const written = shown && writeRecurrence(shown, type);
      expect(daysOf(written ?? '', type)).toEqual(shown);
    }),
  );
});

test('it leaves alone everything that it cannot show', () => {
  const hidden = [
    '@daily',
    '0 8 * * MON',
    '0 8 1 * 1',
    '0 8 * 1 *',
    '0 25 * * *',
    '60 8 * * *',
    '0 8 * *',
    '0 8 * * 5/2',
  ];
  for (const expression of hidden)
    expect(readRecurrence(expression, 'fixed', false), expression).toBeUndefined();
  expect(readRecurrence('0 8 1 * *', 'rolling', false)).toBeUndefined();
  expect(readRecurrence('0 8 * * *', 'rolling', true)).toBeUndefined();
  expect(readRecurrence('* * * * 1', 'rolling', true)).toEqual({ time: null, days: [1] });
});

test('days are typed as people write them', () => {
  // No expression has the day of the download and one after a week.
  expect(writeRecurrence({ time: '08:00', days: [0, 14] }, 'fixed')).toBeUndefined();
  expect(writeRecurrence({ time: '08:00', days: [0, 7] }, 'fixed')).toBe('0 8 * * 0,7');
  expect(writeRecurrence({ time: '08:00', days: [] }, 'rolling')).toBeUndefined();
});
