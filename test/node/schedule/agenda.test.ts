import { expect, test } from 'vitest';
import { foresee } from '../../../src/schedule/agenda.ts';
import { indefinitely } from '../../../src/schedule/pauses.ts';
import { adas, at, ruleOf } from './fixtures.ts';

const now = at('2026-03-02T12:00:00Z');
const morning = adas({ rule: ruleOf('rolling', '0 8 * * *'), timeZone: 'UTC', expiresAfter: 60 });
const evening = { ...morning, rule: ruleOf('rolling', '0 20 * * *') };
const dues = (states: Parameters<typeof foresee>[0], count = 4) =>
  foresee(states, now, count).map(({ dueAt }) => new Date(dueAt).toISOString().slice(5, 16));

test('what comes next is in order of time over all surveys', () => {
  expect(dues([morning, evening])).toEqual(['03-02T20:00', '03-03T08:00', '03-03T20:00', '03-04T08:00']);
  expect(foresee([morning], now, 1)).toMatchObject([
    { on: '2026-03-03', state: morning, expiresAt: at('2026-03-03T09:00:00Z') },
  ]);
});

test('what a pause, an answer, a freeze or the archive would skip is left out', () => {
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
    get sentAhead() {
      looked += 1;
      return [];
    },
  }));
  expect(foresee(states, now, 64)).toHaveLength(64);
  expect(looked).toBeLessThanOrEqual(100 * 3 + 64 * 3);
});
