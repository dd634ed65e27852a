import { describe, expect, test } from 'vitest';
import { isDate, isWallTime, localDate, moment } from '../../src/schedule/civil.ts';
import { clockOf, instantOf } from '../../src/schedule/clocks.ts';
import { timeOf } from '../../src/schedule/course.ts';
import { isZoneName } from '../../src/schedule/zones.ts';
import { at } from './fixtures.ts';
import { linkNames } from './link-names.ts';

describe('a time zone', () => {
  const names = [...Intl.supportedValuesOf('timeZone'), ...linkNames, 'UTC', 'Etc/GMT+5'];

  test('is every canonical and every link name of the tz database', () => {
    expect(names.length).toBeGreaterThan(590);
    expect(names.filter((name) => !isZoneName(name))).toEqual([]);
  });

  test('is spelled as the tz database does', () => {
    const respelled = names.flatMap((name) => [
      name.toLowerCase(),
      name.toUpperCase(),
      ` ${name}`,
      `${name} `,
    ]);
    expect(respelled.filter((name) => isZoneName(name) && !names.includes(name))).toEqual([]);
    expect(isZoneName('utc')).toBe(false);
    expect(isZoneName('europe/paris')).toBe(false);
    expect(isZoneName('Europe/Isle_Of_Man')).toBe(false);
  });

  test.each([
    '',
    'UTC+5',
    'GMT+5',
    '+05:30',
    '-08',
    '+0530',
    '\u221205:30',
    'Z',
    'Mars/Base',
    'Etc/Unknown',
    'Etc/GMT+15',
    'PST',
    'IST',
    'Europe',
    'Europe/',
    'Europe/Paris/',
    'Europe/Paris\0',
    '2026-01-01[Europe/Paris]',
    '2026-01-01T00:00Z[Europe/Paris]',
    '__proto__',
    'constructor',
    `Europe/${'a'.repeat(10_000)}`,
  ])('is not %j', (name) => {
    expect(isZoneName(name)).toBe(false);
  });
});

test.each([
  ['2026-03-29', true],
  ['2024-02-29', true],
  ['9999-12-31', true],
  ['2026-02-29', false],
  ['2026-02-30', false],
  ['2026-13-01', false],
  ['2026-00-10', false],
  ['2026-01-00', false],
  ['2026-1-1', false],
  ['20260329', false],
  ['2026-03-29T00:00', false],
  ['2026-03-29\n', false],
  ['+002026-03-29', false],
  ['２０２６-03-29', false],
  ['', false],
])('%j as a date: %s', (text, expected) => {
  expect(isDate(text)).toBe(expected);
});

test.each([
  ['00:00', true],
  ['09:30', true],
  ['23:59', true],
  ['24:00', false],
  ['23:60', false],
  ['9:30', false],
  ['09:30:00', false],
  ['0930', false],
  ['09:30\n', false],
  ['', false],
])('%j as a wall time: %s', (text, expected) => {
  expect(isWallTime(text)).toBe(expected);
});

test('the local date is that of the zone, on both sides of the date line', () => {
  const instant = at('2026-06-15T10:30:00Z');
  expect(localDate(instant, 'Pacific/Pago_Pago')).toBe('2026-06-14');
  expect(localDate(instant, 'Europe/Paris')).toBe('2026-06-15');
  expect(localDate(instant, 'Pacific/Kiritimati')).toBe('2026-06-16');
});

describe('the moment of a wall time', () => {
  test('9 PM stays 9 PM when the clocks change', () => {
    const nights = ['2026-03-07', '2026-03-08', '2026-10-31', '2026-11-01'];
    expect(nights.map((date) => moment(date, '21:00', 'America/New_York'))).toEqual([
      { at: at('2026-03-08T02:00:00Z'), local: '2026-03-07T21:00:00-05:00' },
      { at: at('2026-03-09T01:00:00Z'), local: '2026-03-08T21:00:00-04:00' },
      { at: at('2026-11-01T01:00:00Z'), local: '2026-10-31T21:00:00-04:00' },
      { at: at('2026-11-02T02:00:00Z'), local: '2026-11-01T21:00:00-05:00' },
    ]);
  });

  test.each([
    ['an hour', '2026-03-29', '02:30', 'Europe/Paris', '2026-03-29T03:30:00+02:00'],
    ['half an hour', '2026-10-04', '02:15', 'Australia/Lord_Howe', '2026-10-04T02:45:00+11:00'],
    ['two hours', '2026-03-29', '01:30', 'Antarctica/Troll', '2026-03-29T03:30:00+02:00'],
    ['over midnight', '2026-03-28', '23:30', 'America/Nuuk', '2026-03-29T00:30:00-01:00'],
    ['at midnight', '2026-03-29', '00:00', 'Asia/Beirut', '2026-03-29T01:00:00+03:00'],
    ['a whole day', '2011-12-30', '09:00', 'Pacific/Apia', '2011-12-31T09:00:00+14:00'],
    ['another day', '1993-08-21', '09:00', 'Pacific/Kwajalein', '1993-08-22T09:00:00+12:00'],
    ['by its link', '1993-08-21', '09:00', 'Kwajalein', '1993-08-22T09:00:00+12:00'],
  ])('that a gap of %s swallows moves forward by the gap', (_, date, time, zone, local) => {
    const moved = local.slice(0, 16).replace('T', ' ');
    expect(moment(date, time, zone)).toEqual({
      at: Date.parse(local),
      local,
      note: `Clocks go forward: ${date} ${time} does not exist in ${zone}, so the time is ${moved}`,
    });
  });

  test.each([
    ['an hour', '2026-10-25', '02:30', 'Europe/Paris', '2026-10-25T02:30:00+02:00'],
    ['half an hour', '2026-04-05', '01:45', 'Australia/Lord_Howe', '2026-04-05T01:45:00+11:00'],
    ['45 minutes east', '2026-04-05', '02:50', 'Pacific/Chatham', '2026-04-05T02:50:00+13:45'],
    ['after midnight', '2025-11-02', '00:30', 'America/Havana', '2025-11-02T00:30:00-04:00'],
    ['over midnight', '2026-10-24', '23:30', 'Asia/Beirut', '2026-10-24T23:30:00+03:00'],
  ])('that a fold of %s repeats is the first of the two', (_, date, time, zone, local) => {
    expect(moment(date, time, zone)).toEqual({
      at: Date.parse(local),
      local,
      note: `Clocks go back: ${date} ${time} happens twice in ${zone}, and this is the first`,
    });
  });

  test('of a plain day has no note', () => {
    expect(moment('2026-06-15', '08:00', 'Asia/Kathmandu')).toEqual({
      at: at('2026-06-15T02:15:00Z'),
      local: '2026-06-15T08:00:00+05:45',
    });
  });
});

test('no instant is refused, and leaves the clock as it was', () => {
  const wall = Date.parse('2027-03-06T21:30:00Z');
  for (const none of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    expect(() => instantOf(clockOf('Europe/Paris'), none)).toThrow(RangeError);
    expect(instantOf(clockOf('Europe/Paris'), wall)).toBe(at('2027-03-06T20:30:00Z'));
  }
});

test('the time of somebody ends with the last date that can be written', () => {
  expect(timeOf({ joinedOn: '9999-12-30', own: null, participationDays: 10 })).toEqual({
    from: '9999-12-30',
    until: '9999-12-31',
  });
});
