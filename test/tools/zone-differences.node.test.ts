import { expect, test } from 'vitest';
import type { Change } from '../../src/schedule/yearly.ts';
import { openZones } from '../../src/schedule/zone-text.ts';
import { differences } from '../../tools/zones/differences.ts';
import { findYearly } from '../../tools/zones/find-yearly.ts';

const HOUR = 3_600_000;
const gaps = '0';
const winterAndSummer = '-28800 -25200|1(dc9.0)|3.8.0.7200.1 11.1.0.7200.0';
const open = (...lines: string[]) => openZones({ gaps, zones: lines.join('\n') });

const rome = (changes: string) => `Europe/Rome|3600 7200|${changes}`;

test('changes of an upgrade are told by name, and from when', () => {
  const vancouver = `America/Vancouver Canada/Pacific|${winterAndSummer}`;
  const old = open(vancouver, 'Asia/Tokyo|32400|', 'Old/Place|0|', rome(''));
  const next = open(
    'America/Vancouver|-28800 -25200|1(dc9.0)',
    'Canada/Pacific New/Place|0|',
    'Asia/Tokyo|32400|',
    rome('1(b6o)(2o)'),
  );
  expect(differences(old, next)).toEqual([
    'America/Vancouver has other clocks from 1970-11-01T09:00:00.000Z on',
    'Canada/Pacific has other clocks from the beginning on',
    'Europe/Rome has other clocks from 1970-06-01T00:00:00.000Z to 1970-06-02T00:00:00.000Z',
    'New/Place is new',
    'Old/Place is gone',
  ]);
  expect(differences(old, old)).toEqual([]);
});

/** Clocks that go forward on one day of each year and back on another, as a table to the year 2499. */
function tableOf(datesOf: (year: number) => [forward: number, back: number]): Change[] {
  return Array.from({ length: 500 }, (_, n) => datesOf(2000 + n)).flatMap(([forward, back]) => [
    { at: forward, offset: HOUR },
    { at: back, offset: 0 },
  ]);
}
const end = Date.UTC(2499, 11);
const named = (changes: Change[]) => ({ names: ['Some/Zone'], initial: 0, changes });
const sundayFrom = (year: number, month: number, day: number) => {
  const first = new Date(Date.UTC(year, month, day));
  return first.setUTCDate(day + ((7 - first.getUTCDay()) % 7));
};

test('changes on the same Sundays of each year become a rule, and only those that it makes are left out', () => {
  const odd = { at: Date.UTC(1999, 5), offset: 2 * HOUR };
  const changes = [odd, ...tableOf((year) => [sundayFrom(year, 2, 8) + 2 * HOUR, sundayFrom(year, 9, 28)])];
  const { changes: explicit, yearly } = findYearly(named(changes), end);
  expect(explicit).toEqual([odd, { at: Date.UTC(2000, 2, 12, 2), offset: HOUR }]);
  expect(yearly).toEqual([
    { month: 3, day: 8, weekday: 0, time: 2 * HOUR, offset: HOUR },
    { month: 10, day: 28, weekday: 0, time: HOUR, offset: 0 },
  ]);
});

test('changes by another calendar stay as they are', () => {
  const changes = tableOf((year) => [Date.UTC(year, 2, 1 + (year % 11)), Date.UTC(year, 9, 1 + (year % 11))]);
  expect(findYearly(named(changes), end)).toEqual({ initial: 0, changes, yearly: null });
});

test('a zone that stopped changing its clocks has no rule', () => {
  const changes = tableOf((year) => [sundayFrom(year, 2, 8), sundayFrom(year, 9, 1)]).slice(0, 51);
  expect(findYearly(named(changes), end)).toEqual({ initial: 0, changes, yearly: null });
});
