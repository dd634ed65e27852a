import { describe, expect, test } from 'vitest';
import { zoneFile } from '../../simulator/oracle/zone-files.ts';
import { offsetByPackage, oracle } from '../../simulator/oracle/zones.ts';
import { clockOf, offsetAt } from '../../src/schedule/clocks.ts';
import { zoneNames } from '../../src/schedule/zones.ts';
import { at, DAY } from './fixtures.ts';

const HOUR = 3_600_000;

if (!oracle.readsZoneFiles) console.warn(`The oracle is ${oracle.name}.`);

describe(`by ${oracle.name}`, () => {
  test('every zone changes its clocks at the right second from 2024 to 2040, and each hour around it is right', () => {
    const { wrong, changes } = compare(
      zoneNames,
      oracle.offsetAt,
      '2024-01-01T00:00:00Z',
      '2041-01-01T00:00:00Z',
    );
    expect(wrong).toEqual([]);
    expect(changes).toBeGreaterThan(6000);
  });

  test('the yearly rules go on in the years to 2400', () => {
    const zones = zoneNames.filter((name) => clockOf(name).zone.yearly !== null);
    const { wrong, changes } = compare(
      zones,
      oracle.offsetAt,
      '2398-01-01T00:00:00Z',
      '2401-01-01T00:00:00Z',
    );
    expect(wrong).toEqual([]);
    expect(changes).toBe(zones.length * 6);
  });
});

/** Debian compiles these two with the rules that they had before the tz database made them links. */
const compiledApart = ['EET', 'WET'];

test.skipIf(!oracle.readsZoneFiles)('every change of a zone file since 1970 is right', () => {
  const wrong: string[] = [];
  for (const name of zoneNames.filter((zone) => !compiledApart.includes(zone))) {
    const clock = clockOf(name);
    for (const change of zoneFile(name).changes.filter((seconds) => seconds >= 0)) {
      for (const instant of [change * 1000 - 1, change * 1000])
        if (offsetAt(clock, instant) !== oracle.offsetAt(instant, name)) wrong.push(`${name} at ${change}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('moment-timezone calculates the same, from 1850 on', () => {
  const zones = zoneNames.filter((_, n) => n % 10 === 0);
  const { wrong } = compare(zones, offsetByPackage(), '1850-01-01T00:00:00Z', '2101-01-01T00:00:00Z');
  expect(wrong).toEqual([]);
});

/** Each day, and where the offset is not that of the day before: the second of the change, and each hour around it. */
function compare(zones: readonly string[], offsetBy: typeof oracle.offsetAt, first: string, end: string) {
  const wrong: string[] = [];
  let changes = 0;
  for (const zone of zones) {
    const clock = clockOf(zone);
    const check = (instant: number) => {
      const [expected, found] = [offsetBy(instant, zone), offsetAt(clock, instant)];
      if (found !== expected)
        wrong.push(`${zone} at ${new Date(instant).toISOString()}: ${found}, not ${expected}`);
      return expected;
    };
    let before = check(at(first));
    for (let day = at(first); day < at(end); day += DAY) {
      const offset = check(day);
      if (offset === before) continue;
      changes++;
      const change = findChange((instant) => offsetBy(instant, zone), day - DAY, day);
      for (const instant of [change - 1000, change - 1, change, change + 1000]) check(instant);
      for (let hour = day - 3 * DAY; hour < day + 2 * DAY; hour += HOUR) check(hour);
      before = offset;
    }
  }
  return { wrong: wrong.slice(0, 20), changes };
}

/** The first second of the new offset, between two instants of different offsets. */
function findChange(offsetOf: (instant: number) => number, from: number, to: number): number {
  let [old, change] = [from, to];
  while (change - old > 1000) {
    const middle = old + Math.floor((change - old) / 2000) * 1000;
    if (offsetOf(middle) === offsetOf(from)) old = middle;
    else change = middle;
  }
  return change;
}
