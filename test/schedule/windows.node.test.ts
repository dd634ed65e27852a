import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { moment, wallTimeOf } from '../../src/schedule/civil.ts';
import { dateOf, dayOf } from '../../src/schedule/days.ts';
import { slotTimes } from '../../src/schedule/slot-times.ts';
import { type Draw, drawMinutes, findOverfull, slotsOf, type Windows } from '../../src/schedule/windows.ts';
import { zoneNames } from '../../src/schedule/zones.ts';
import { knownDraws } from '../support/draws.ts';
import { MINUTE } from './fixtures.ts';

const ada: Draw = { secret: 'f'.repeat(64), user: 'ada', revision: 3 };
const users = (count: number): Draw[] =>
  Array.from({ length: count }, (_, n) => ({ ...ada, user: `user-${n}` }));

test('Node has the draws that workerd has', () => {
  for (const { draw, windows, date, minutes } of knownDraws)
    expect(drawMinutes(windows, draw, date)).toEqual(minutes);
});

describe('the minutes of a date', () => {
  test('come from HMAC-SHA-256 of revision, user and date, by the secret', () => {
    const windows: Windows = { list: [{ from: 0, to: 1440, count: 1 }], gap: 1 };
    const digest = createHmac('sha256', ada.secret).update('3/ada/2027-03-01/0').digest();
    const random = Number(digest.readBigUInt64BE() & ((1n << 53n) - 1n)) / 2 ** 53;
    expect(drawMinutes(windows, ada, '2027-03-01')).toEqual([1440 - 1 - Math.floor(random * 1440)]);
  });

  test('are the same whenever they are computed', () => {
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
