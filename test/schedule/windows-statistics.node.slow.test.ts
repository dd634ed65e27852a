import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dateOf, dayOf } from '../../src/schedule/days.ts';
import { type Draw, drawMinutes, type Windows } from '../../src/schedule/windows.ts';

const ada: Draw = { secret: 'f'.repeat(64), user: 'ada', revision: 3 };
/** Dates from 2027 on. */
const dates = (count: number) => Array.from({ length: count }, (_, n) => dateOf(dayOf('2027-01-01') + n));
const users = (count: number): Draw[] =>
  Array.from({ length: count }, (_, n) => ({ ...ada, user: `user-${n}` }));

/** How far counts are from equal ones, in standard deviations of chi-square. */
function deviation(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const freedom = counts.length - 1;
  return (chiSquare - freedom) / Math.sqrt(2 * freedom);
}

const tally = (values: readonly string[], all: readonly string[]) => {
  const counts = new Map(all.map((one) => [one, 0]));
  for (const value of values) counts.set(value, (counts.get(value) ?? Number.NaN) + 1);
  return [...counts.values()];
};

/** Every list of minutes that the windows allow. */
function placements({ list, gap }: Windows): string[] {
  const slots = list.flatMap((window) => Array.from({ length: window.count }, () => window));
  let found: number[][] = [[]];
  for (const { from, to } of slots)
    found = found.flatMap((minutes) => {
      const first = Math.max(from, (minutes.at(-1) ?? Number.NEGATIVE_INFINITY) + gap);
      return Array.from({ length: Math.max(0, to - first) }, (_, n) => [...minutes, first + n]);
    });
  return found.map(String);
}

describe('100,000 draws are uniform', () => {
  test('over the minutes of a window', () => {
    const windows: Windows = { list: [{ from: 540, to: 720, count: 1 }], gap: 30 };
    const drawn = users(100).flatMap((draw) =>
      dates(1000).map((date) => String(drawMinutes(windows, draw, date))),
    );
    expect(drawn).toHaveLength(100_000);
    expect(Math.abs(deviation(tally(drawn, placements(windows))))).toBeLessThan(4);
  });

  test.each<[string, Windows]>([
    ['three in a window', { list: [{ from: 600, to: 630, count: 3 }], gap: 8 }],
    [
      'windows that the gap ties together',
      {
        list: [
          { from: 600, to: 612, count: 1 },
          { from: 612, to: 630, count: 2 },
        ],
        gap: 6,
      },
    ],
    [
      'windows that hold hardly more than what they must',
      {
        list: [
          { from: 600, to: 622, count: 2 },
          { from: 625, to: 645, count: 2 },
        ],
        gap: 11,
      },
    ],
  ])('over all that the gap allows: %s', (_, windows) => {
    const all = placements(windows);
    const drawn = users(100).flatMap((draw) =>
      dates(1000).map((date) => String(drawMinutes(windows, draw, date))),
    );
    expect(all.length).toBeGreaterThan(10);
    expect(Math.abs(deviation(tally(drawn, all)))).toBeLessThan(4);
  });

  test('the check notices minutes that are drawn one after the other, each uniform over what is left to it', () => {
    const windows: Windows = { list: [{ from: 600, to: 630, count: 2 }], gap: 8 };
    const minutes = (date: string) => {
      const [first = 0, second = 0] = dates(2).map(
        (day) => createHmac('sha256', day).update(date).digest().readUInt32BE() / 2 ** 32,
      );
      const one = 600 + Math.floor(first * 22);
      return String([one, one + 8 + Math.floor(second * (622 - one))]);
    };
    expect(deviation(tally(dates(20_000).map(minutes), placements(windows)))).toBeGreaterThan(20);
  });
});

describe('minutes are not to be guessed', () => {
  const windows: Windows = { list: [{ from: 0, to: 1440, count: 1 }], gap: 1 };
  const minute = (draw: Draw, date = '2027-03-01') => drawMinutes(windows, draw, date)[0] as number;
  const halves = (draws: readonly (readonly [number, number])[]) =>
    tally(
      draws.map((pair) => pair.map((one) => Math.floor(one / 360)).join()),
      [0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].map((b) => `${a},${b}`)),
    );

  test("a person's minutes say nothing of another's", () => {
    const [one, other] = [ada, { ...ada, user: 'bob' }];
    const pairs = dates(20_000).map((date) => [minute(one, date), minute(other, date)] as const);
    expect(Math.abs(deviation(halves(pairs)))).toBeLessThan(4);
  });

  test("nor a date's of the next, nor a revision's of another", () => {
    const next = dates(20_001);
    const days = next.slice(1).map((date, n) => [minute(ada, next[n]), minute(ada, date)] as const);
    const revisions = next.map((date) => [minute(ada, date), minute({ ...ada, revision: 4 }, date)] as const);
    expect(Math.abs(deviation(halves(days)))).toBeLessThan(4);
    expect(Math.abs(deviation(halves(revisions)))).toBeLessThan(4);
  });
});
