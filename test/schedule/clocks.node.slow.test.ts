import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { offsetByPackage } from '../../simulator/oracle/zones.ts';
import { localDate, moment } from '../../src/schedule/civil.ts';
import { clockOf } from '../../src/schedule/clocks.ts';
import { nextOccurrence } from '../../src/schedule/occurrences.ts';
import { adas, at, DAY, ruleOf } from './fixtures.ts';
import { linkNames } from './link-names.ts';

const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), ...linkNames])];
const daily = ruleOf('rolling', '0 8 * * *');
const times = fc
  .integer({ min: 0, max: 1439 })
  .map((n) => [Math.floor(n / 60), n % 60].map((part) => String(part).padStart(2, '0')).join(':'));
const instants = (from: string, to: string) => fc.integer({ min: at(from), max: at(to) });

/** Its table ends with 2499, and the calendar repeats every 400 years. */
const offsetAt = (instant: number, zone: string): number =>
  instant < at('2450-01-01T00:00:00Z') ? ofPackage(instant, zone) : offsetAt(instant - 146_097 * DAY, zone);
const ofPackage = offsetByPackage();
const seen = { compared: 0, elsewhere: 0 };

/**
 * Temporal asks the tz database of Node, which may be of another release than Fieldbell's: it judges only where both
 * have the same offsets for five days around, and change them at the same instants.
 */
function mayJudge(zone: string, instant: number): boolean {
  const zoned = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  const agree = (at: number) => zoned(at).offsetNanoseconds / 1e6 === offsetAt(at, zone);
  const days = Array.from({ length: 11 }, (_, n) => instant + (n - 5) * DAY);
  // To look for a change takes Temporal long where there is none.
  const changes = new Set(days.map((at) => offsetAt(at, zone))).size > 1;
  const change = changes
    ? zoned(instant - 5 * DAY).getTimeZoneTransition('next')?.epochMilliseconds
    : undefined;
  const same = [...days, ...(change === undefined ? [] : [change - 1, change])].every(agree);
  seen[same ? 'compared' : 'elsewhere']++;
  return same;
}

/** The clock of a zone at an instant and at a wall time of that date is what Temporal, asked directly, says. */
function expectAsTemporal(zone: string, instant: number, time: string): void {
  const there = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
  const date = there.toPlainDate().toString();
  expect(localDate(instant, zone)).toBe(date);

  const wall = Temporal.PlainDateTime.from(`${date}T${time}`);
  const [first, last] = (['compatible', 'later'] as const).map((disambiguation) =>
    wall.toZonedDateTime(zone, { disambiguation }),
  ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime];
  const { note, ...found } = moment(date, time, zone);
  expect(found).toEqual({
    at: first.epochMilliseconds,
    local: first.toString({ timeZoneName: 'never', smallestUnit: 'second' }),
  });
  const moved = first.toPlainDateTime().equals(wall) ? undefined : 'Clocks go forward';
  const repeated = last.equals(first) ? undefined : 'Clocks go back';
  expect(note?.split(':')[0]).toBe(moved ?? repeated);
}

/** The planned instant of each day at `time` is the first after `since` of those that Temporal gives the dates nearby. */
function expectNextAsTemporal(zone: string, since: number, time: string): void {
  const today = Temporal.Instant.fromEpochMilliseconds(since).toZonedDateTimeISO(zone).toPlainDate();
  const plainTime = Temporal.PlainTime.from(time);
  const expected = [-3, -2, -1, 0, 1, 2, 3]
    .map((days) => today.add({ days }))
    .map((date) => ({
      on: date.toString(),
      dueAt: date.toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds,
    }))
    .find(({ dueAt }) => dueAt > since);
  const reminderState = adas({ rule: daily, start: '1800-01-01', timeZone: zone, time, since });
  expect(nextOccurrence(reminderState)).toMatchObject(expected ?? {});
}

/** Known or not, forgotten or not: each zone is asked far and near, forth and back. */
test.each([
  ['1990-01-01T00:00:00Z', '2101-01-01T00:00:00Z', 10],
  ['1850-01-01T00:00:00Z', '1990-01-01T00:00:00Z', 4],
  ['2101-01-01T00:00:00Z', '9999-12-30T00:00:00Z', 2],
])('every zone shows what Temporal says, from %s to %s', (from, to, numRuns) => {
  for (const zone of zones)
    fc.assert(
      fc.property(instants(from, to), times, (instant, time) => {
        if (mayJudge(zone, instant)) expectAsTemporal(zone, instant, time);
      }),
      { numRuns },
    );
});

test('so it does within three days of each change of its clocks, from 1990', () => {
  const near = fc.tuple(fc.integer({ min: -3 * DAY, max: 3 * DAY }), times);
  let changes = 0;
  // Of the names of a clock, one.
  for (const zone of new Map(zones.map((zone) => [JSON.stringify(clockOf(zone).zone), zone])).values()) {
    const from = Temporal.Instant.from('1990-01-01T00:00:00Z').toZonedDateTimeISO(zone);
    const before = at('2031-01-01T00:00:00Z');
    let change = from.getTimeZoneTransition('next');
    while (change !== null && change.epochMilliseconds < before) {
      const { epochMilliseconds } = change;
      const samples = mayJudge(zone, epochMilliseconds) ? fc.sample(near, 1) : [];
      for (const [distance, time] of samples)
        for (const expectRight of [expectAsTemporal, expectNextAsTemporal])
          expectRight(zone, epochMilliseconds + distance, time);
      changes++;
      change = change.getTimeZoneTransition('next');
    }
  }
  expect(changes).toBeGreaterThan(10_000);
});

test.each([
  ['Africa/Monrovia', '1972-01-07T00:44:30Z'],
  ['Europe/Amsterdam', '1937-06-30T23:40:28Z'],
  ['Europe/Amsterdam', '1940-05-15T23:40:00Z'],
  ['Europe/Paris', '1911-03-10T23:50:39Z'],
  ['America/Juneau', '1867-10-19T00:31:41Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['Pacific/Kwajalein', '1969-10-01T13:00:00Z'],
  ['Asia/Manila', '1844-12-31T15:56:00Z'],
])(
  '%s, which had odd seconds or went over the date line, shows what Temporal says around %s',
  (zone, change) => {
    fc.assert(
      fc.property(fc.integer({ min: -3 * DAY, max: 3 * DAY }), times, (distance, time) => {
        expectAsTemporal(zone, at(change) + distance, time);
        expectNextAsTemporal(zone, at(change) + distance, time);
      }),
      { numRuns: 300 },
    );
  },
);

test.each(['2150', '9999'])('clocks still change in %s, in the zones that change them now', (year) => {
  const summer = ['Europe/Paris', 'America/New_York'].map(
    (zone) => moment(`${year}-07-01`, '12:00', zone).local,
  );
  expect(summer).toEqual([`${year}-07-01T12:00:00+02:00`, `${year}-07-01T12:00:00-04:00`]);
  fc.assert(
    fc.property(instants(`${year}-01-02T00:00:00Z`, `${year}-12-30T00:00:00Z`), times, (instant, time) => {
      for (const zone of ['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca'])
        expectAsTemporal(zone, instant, time);
    }),
    { numRuns: 200 },
  );
});

test('Temporal was the judge nearly everywhere', () => {
  expect(seen.compared).toBeGreaterThan(15_000);
  expect(seen.elsewhere).toBeLessThan(seen.compared / 100);
});

test('a zone that does not exist is refused, each time', () => {
  for (const _ of [1, 2]) expect(() => localDate(0, 'Mars/Base')).toThrow(RangeError);
});
