import { afterEach, expect, test, vi } from 'vitest';
import { midnightAfter, pauseOf } from '../../participant/pauses.ts';
import { dayText } from '../../participant/time.ts';
import { isNameless } from '../../participant/zone.ts';

afterEach(() => vi.unstubAllEnvs());

test('a pause that is over is none, also on a phone that has not heard of it', () => {
  const pausedUntil = '2027-03-01T00:00:00.000Z';
  const end = Date.parse(pausedUntil);
  expect([pauseOf({ pausedUntil }, end - 1), pauseOf({ pausedUntil }, end)]).toEqual([
    pausedUntil,
    undefined,
  ]);
  expect([pauseOf({ pausedUntil: null }, end), pauseOf({}, end)]).toEqual([null, undefined]);
});

test('tomorrow is the next date, on days of 23 and 25 hours too', () => {
  vi.stubEnv('TZ', 'Europe/Paris');
  // Half an hour after the midnight that begins 25 hours, and half an hour before the one that begins 23 hours.
  const [long, short] = ['2027-10-30T22:30:00Z', '2027-03-27T22:30:00Z'].map((text) => Date.parse(text)) as [
    number,
    number,
  ];
  expect(midnightAfter(1, long)).toBe('2027-10-31T23:00:00.000Z');
  expect(dayText(Date.parse('2027-11-01T08:00:00Z'), long, 'en')).toBe('Tomorrow');
  expect(midnightAfter(1, short)).toBe('2027-03-27T23:00:00.000Z');
  expect(dayText(Date.parse('2027-03-28T08:00:00Z'), short, 'en')).toBe('Tomorrow');
  expect(dayText(Date.parse('2027-03-29T08:00:00Z'), short, 'en-GB')).toBe('Monday 29 March');
});

test.each(['UTC', 'Etc/Unknown', '', '+05:30', 'GMT+5', 'Etc/GMT-3'])(
  'the zone %j says nothing of a place',
  (zone) => {
    expect([isNameless(zone), isNameless('Europe/Paris')]).toEqual([true, false]);
  },
);
