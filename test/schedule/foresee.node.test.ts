import { expect, test } from 'vitest';
import { foresee } from '../../src/schedule/foresee.ts';
import { indefinitely } from '../../src/schedule/pauses.ts';
import { adas, at, ruleOf } from './fixtures.ts';

const now = at('2026-03-02T12:00:00Z');
const morning = adas({ rule: ruleOf('rolling', '0 8 * * *'), timeZone: 'UTC', expiresAfter: 60 });
const evening = { ...morning, rule: ruleOf('rolling', '0 20 * * *') };
const dues = (states: Parameters<typeof foresee>[0], count = 4) =>
  foresee(states, now, count).found.map(({ dueAt }) => new Date(dueAt).toISOString().slice(5, 16));

test('upcoming occurrences are in order of time over all surveys', () => {
  expect(dues([morning, evening])).toEqual(['03-02T20:00', '03-03T08:00', '03-03T20:00', '03-04T08:00']);
  expect(foresee([morning], now, 1).found).toMatchObject([
    { on: '2026-03-03', state: morning, expiresAt: at('2026-03-03T09:00:00Z') },
  ]);
});

test('occurrences that a pause, an answer, a freeze or the archive would skip are left out', () => {
  expect(dues([{ ...evening, pausedUntil: at('2026-03-04T20:00:00Z') }], 1)).toEqual(['03-04T20:00']);
  expect(dues([{ ...evening, unlessAnswered: true, answers: [now - 1] }], 1)).toEqual(['03-03T20:00']);
  expect(dues([{ ...evening, pausedUntil: indefinitely }])).toEqual([]);
  expect(dues([{ ...evening, frozen: true }])).toEqual([]);
  expect(dues([{ ...evening, archived: true }])).toEqual([]);
  expect(dues([{ ...evening, pausedUntil: at('9999-12-31T23:59:59Z') }])).toEqual([]);
});

test('a phone that cannot be pushed to has its own copy all the same', () => {
  expect(dues([{ ...evening, reachable: false }], 1)).toEqual(['03-02T20:00']);
});

test('a series ends, and the others go on', () => {
  const twice = { ...morning, start: '2026-03-02', rule: ruleOf('rolling', '0 8 * * *', { ends: 2 }) };
  expect(dues([twice, evening])).toEqual(['03-02T20:00', '03-03T08:00', '03-03T20:00', '03-04T20:00']);
});

test('of many surveys it looks at one occurrence of each, and at one more for each that it finds', () => {
  let looked = 0;
  const states = Array.from({ length: 100 }, () => ({
    ...evening,
    get settledThrough() {
      looked += 1;
      return null;
    },
  }));
  expect(foresee(states, now, 64).found).toHaveLength(64);
  expect(looked).toBeLessThanOrEqual(100 * 3 + 64 * 3);
});

/** Twelve windows of eight, all of them in quiet hours. */
const crowded = () => {
  const list = Array.from({ length: 12 }, (_, n) => {
    const hour = (minute: string) => `${String(2 * n).padStart(2, '0')}:${minute}`;
    return { from: hour('00'), to: hour('59'), count: 8 };
  });
  return ruleOf('rolling', '* * * * *', { windows: list, minGap: 1 });
};

test('a walk draws a date once for all of its slots, and ends at its bound', () => {
  let drawn = 0;
  const draw = {
    user: 'ada',
    revision: 1,
    get secret() {
      drawn += 1;
      return 'secret';
    },
  };
  const quiet = { ...morning, rule: crowded(), expiresAfter: 5, quietHours: { from: '00:00', to: '23:59' } };
  const { found, more } = foresee([{ ...quiet, draw }], now, 64);
  expect(more).toBe(true);
  expect(found.length).toBeLessThan(64);
  expect(drawn).toBeGreaterThan(1);
  expect(drawn).toBeLessThan(40);
});

test('an occurrence that waits for quiet hours to end comes in its order among those of other surveys', () => {
  const quietHours = { from: '19:00', to: '21:00' };
  const late = { ...morning, quietHours, rule: ruleOf('rolling', '30 20 * * *'), expiresAfter: 120 };
  const between = { ...morning, quietHours, rule: ruleOf('rolling', '15 21 * * *') };
  expect(dues([between, late, morning])).toEqual([
    '03-02T21:00',
    '03-02T21:15',
    '03-03T08:00',
    '03-03T21:00',
  ]);
});
