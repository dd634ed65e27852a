import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quietUntil } from '../../src/schedule/quiet-hours.ts';
import { zoneNames } from '../../src/schedule/zones.ts';

const night = { from: '22:00', to: '07:00' };
const nap = { from: '13:00', to: '14:30' };
const paris = 'Europe/Paris';
const at = (instant: string) => Date.parse(instant);
const until = (instant: string, hours: typeof night | null, zone = paris) => {
  const end = quietUntil(at(instant), hours, zone);
  return end === null ? null : new Date(end).toISOString().slice(0, -':00.000Z'.length);
};

test('nobody is disturbed from the beginning of their quiet hours up to the end', () => {
  expect(until('2027-02-01T11:59:59.999Z', nap)).toBeNull();
  expect(until('2027-02-01T12:00:00Z', nap)).toBe('2027-02-01T13:30');
  expect(until('2027-02-01T13:29:59.999Z', nap)).toBe('2027-02-01T13:30');
  expect(until('2027-02-01T13:30:00Z', nap)).toBeNull();
  expect(until('2027-02-01T13:00:00Z', null)).toBeNull();
});

test('they may span midnight', () => {
  expect(until('2027-02-01T20:59:00Z', night)).toBeNull();
  expect(until('2027-02-01T21:00:00Z', night)).toBe('2027-02-02T06:00');
  expect(until('2027-02-02T05:59:00Z', night)).toBe('2027-02-02T06:00');
  expect(until('2027-02-02T06:00:00Z', night)).toBeNull();
});

describe('when the clocks change', () => {
  test('a night is an hour shorter, or longer', () => {
    expect(until('2027-03-27T21:00:00Z', night)).toBe('2027-03-28T05:00');
    expect(until('2027-10-30T20:00:00Z', night)).toBe('2027-10-31T06:00');
  });

  test('an end that does not exist comes after the gap', () => {
    expect(until('2027-03-27T23:00:00Z', { from: '22:00', to: '02:30' })).toBe('2027-03-28T01:30');
  });

  test('an hour that happens twice is quiet twice', () => {
    const hours = { from: '01:00', to: '02:30' };
    expect(until('2027-10-30T23:30:00Z', hours)).toBe('2027-10-31T00:30');
    expect(until('2027-10-31T00:30:00Z', hours)).toBeNull();
    expect(until('2027-10-31T01:15:00Z', hours)).toBe('2027-10-31T01:30');
  });
});

test('in every zone quiet hours end, later than now, within a day and the hour that clocks may add', () => {
  const time = fc.integer({ min: 0, max: 1439 }).map((minute) => {
    const [hours, minutes] = [Math.floor(minute / 60), minute % 60];
    return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
  });
  const instant = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2035-01-01T00:00:00Z') });
  fc.assert(
    fc.property(instant, time, time, fc.constantFrom(...zoneNames), (now, from, to, zone) => {
      fc.pre(from !== to);
      const end = quietUntil(now, { from, to }, zone);
      if (end === null) return;
      expect(end).toBeGreaterThan(now);
      expect(end - now).toBeLessThanOrEqual(26 * 3600_000);
      expect(quietUntil(end, { from, to }, zone)).toBeNull();
    }),
    { seed: 15, numRuns: 3000 },
  );
});
