import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moment, wallTimeOf } from '../../../src/schedule/civil.ts';
import { dateOf, dayOf } from '../../../src/schedule/days.ts';
import { slotTimes } from '../../../src/schedule/slot-times.ts';
import {
  type Draw,
  drawMinutes,
  findOverfull,
  slotsOf,
  type Windows,
} from '../../../src/schedule/windows.ts';
import { zoneNames } from '../../../src/schedule/zones.ts';
import { knownDraws } from '../../support/draws.ts';
import { MINUTE } from './fixtures.ts';

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

test('Node has the draws that workerd has', () => {
  for (const { draw, windows, date, minutes } of knownDraws)
    expect(drawMinutes(windows, draw, date)).toEqual(minutes);
});

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

  test('they come from HMAC-SHA-256 of revision, user and date, by the secret', () => {
    const digest = createHmac('sha256', ada.secret).update('3/ada/2027-03-01/0').digest();
    const random = Number(digest.readBigUInt64BE() & ((1n << 53n) - 1n)) / 2 ** 53;
    expect(minute(ada)).toBe(1440 - 1 - Math.floor(random * 1440));
  });

  test('and are the same whenever they are computed', () => {
    const six: Windows = {
      list: [
        { from: 540, to: 900, count: 3 },
        { from: 900, to: 1260, count: 3 },
      ],
      gap: 45,
    };
    const first = drawMinutes(six, ada, '2027-03-01');
    expect(drawMinutes(structuredClone(six), { ...ada }, '2027-03-01')).toEqual(first);
    expect(first).toMatchInlineSnapshot(`
      [
        685,
        837,
        891,
        1024,
        1078,
        1191,
      ]
    `);
  });
});

const windowsOf = fc
  .record({
    parts: fc.array(
      fc.record({
        pause: fc.nat(120),
        length: fc.integer({ min: 1, max: 300 }),
        count: fc.integer({ min: 1, max: 5 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    gap: fc.integer({ min: 1, max: 90 }),
  })
  .map(({ parts, gap }): Windows => {
    let end = 0;
    const list = parts.map(({ pause, length, count }) => {
      const from = end + pause;
      end = from + length;
      return { from, to: end, count };
    });
    return { list, gap };
  })
  .filter((windows) => (windows.list.at(-1)?.to ?? 0) < 1440 && findOverfull(windows) < 0);

const date = fc.integer({ min: dayOf('1990-01-01'), max: dayOf('2040-01-01') });

test('each is in its window, and no two are closer than the gap', () => {
  fc.assert(
    fc.property(windowsOf, date, (windows, day) => {
      const minutes = drawMinutes(windows, ada, dateOf(day));
      const slots = windows.list.flatMap((window) => Array.from({ length: window.count }, () => window));
      expect(minutes).toHaveLength(slotsOf(windows));
      slots.forEach(({ from, to }, n) => {
        const minute = minutes[n] as number;
        expect(minute >= from && minute < to).toBe(true);
        if (n > 0) expect(minute - (minutes[n - 1] as number)).toBeGreaterThanOrEqual(windows.gap);
      });
    }),
    { seed: 13, numRuns: 500 },
  );
});

describe('on days when the clocks change', () => {
  const changes = [
    '2027-03-28',
    '2027-10-31',
    '2027-03-27',
    '2027-03-14',
    '2027-11-07',
    '2027-10-03',
    '2027-04-04',
  ];

  test('no two are closer than the gap, and none is later than its minute by more than the clocks move', () => {
    const zone = fc.constantFrom(
      'Europe/Paris',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Beirut',
      'America/Nuuk',
    );
    fc.assert(
      fc.property(windowsOf, fc.constantFrom(...changes), zone, (windows, on, timeZone) => {
        const minutes = drawMinutes(windows, ada, on);
        const instants = slotTimes({ windows, draw: ada, timeZone }, dayOf(on));
        const plain = slotTimes({ windows, draw: ada, timeZone: 'UTC' }, dayOf(on));
        expect(plain).toEqual(minutes.map((minute) => Date.parse(on) + minute * MINUTE));
        instants.forEach((at, n) => {
          const late = at - moment(on, wallTimeOf(minutes[n] as number), timeZone).at;
          expect(late >= 0 && late <= 60 * MINUTE).toBe(true);
          if (n > 0) expect(at - (instants[n - 1] as number)).toBeGreaterThanOrEqual(windows.gap * MINUTE);
        });
      }),
      { seed: 13, numRuns: 500 },
    );
  });

  test('a minute that does not exist comes after the gap, and a later slot never overtakes it', () => {
    const windows: Windows = {
      list: [
        { from: 120, to: 180, count: 1 },
        { from: 180, to: 190, count: 1 },
      ],
      gap: 1,
    };
    const draws = users(50).map((draw) =>
      slotTimes({ windows, draw, timeZone: 'Europe/Paris' }, dayOf('2027-03-28')),
    );
    const [start, end] = [Date.parse('2027-03-28T01:00Z'), Date.parse('2027-03-28T02:00Z')];
    for (const [first = 0, second = 0] of draws) {
      expect(first >= start && first < end).toBe(true);
      expect(second).toBeGreaterThan(first);
    }
  });
});

test('in every zone the slots of a date are in order, and before those of the next', () => {
  const windows: Windows = {
    list: [
      { from: 0, to: 60, count: 2 },
      { from: 1320, to: 1439, count: 2 },
    ],
    gap: 20,
  };
  fc.assert(
    fc.property(date, fc.constantFrom(...zoneNames), (day, timeZone) => {
      const [one, next] = [day, day + 1].map((on) => slotTimes({ windows, draw: ada, timeZone }, on));
      const all = [...(one ?? []), ...(next ?? [])];
      expect(all).toEqual(all.toSorted((a, b) => a - b));
    }),
    { seed: 13, numRuns: 3000 },
  );
});
