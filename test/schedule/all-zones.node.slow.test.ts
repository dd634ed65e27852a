import { expect, test } from 'vitest';
import { offsetAt, offsetChanges, slowMoment } from '../../simulator/oracle/clock.ts';
import { showOccurrences } from '../../src/schedule/shown.ts';
import { adas, at, DAY, MINUTE, ruleOf } from './fixtures.ts';
import { linkNames } from './link-names.ts';

const threeDays = { rule: ruleOf('rolling', '0 0 * * *', { ends: 3 }) };

test('every zone has exactly one occurrence on each date around each change of its clocks, 2024 to 2030', () => {
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), ...linkNames])];
  const { wrong, seen, steps } = compare(zones, at('2024-01-01T00:00:00Z'), at('2031-01-01T00:00:00Z'));
  expect(wrong).toEqual([]);
  // That it has looked where it should: hours, half hours and two hours, both ways.
  expect(steps).toEqual(expect.arrayContaining([60, -60, 30, -30, 120, -120]));
  expect(zones.length).toBeGreaterThan(590);
  expect(seen.changes).toBeGreaterThan(2500);
  expect(Math.min(seen.twice, seen.never)).toBeGreaterThan(5000);
});

test('so have zones that once changed by 15, 40, 45 or 420 minutes, or skipped a day', () => {
  const zones = [
    'Asia/Kathmandu',
    'America/Guyana',
    'Antarctica/Vostok',
    'Pacific/Kiritimati',
    'Pacific/Kwajalein',
    'Pacific/Apia',
  ];
  const { wrong, steps } = compare(zones, at('1973-01-01T00:00:00Z'), at('2024-01-01T00:00:00Z'));
  expect(wrong).toEqual([]);
  expect(steps).toEqual(expect.arrayContaining([15, 40, 45, 420, -420, 1440]));
});

/** Three days around each change, at times around the change: the schedule, beside the slow model. */
function compare(zones: string[], from: number, to: number) {
  const wrong: string[] = [];
  const seen = { changes: 0, once: 0, twice: 0, never: 0 };
  const steps = new Set<number>();

  for (const timeZone of zones) {
    const changes = offsetChanges(timeZone, from, to);
    const offsets = [...new Set([from, ...changes].map((instant) => offsetAt(instant, timeZone)))];
    for (const change of changes) {
      const [before, after] = [offsetAt(change - MINUTE, timeZone), offsetAt(change, timeZone)];
      const start = dateOf(change + Math.min(before, after) - DAY);
      seen.changes++;
      steps.add((after - before) / MINUTE);
      for (const time of timesAround(change, before, after)) {
        const expected = [0, 1, 2].map((n) => {
          const on = dateOf(at(start) + n * DAY);
          return { on, ...slowMoment(on, time, timeZone, offsets) };
        });
        for (const { happens } of expected) seen[happens]++;
        const since = change - 9 * DAY;
        const found = showOccurrences(adas({ ...threeDays, start, timeZone, time, since }), since, 9);
        const wanted = expected.map(({ on, at, happens }) => `${on} ${at} ${happens}`).join();
        const got = found.map(({ on, dueAt, note }) => `${on} ${at(dueAt)} ${happensBy(note)}`).join();
        if (got !== wanted) wrong.push(`${timeZone} ${time}: expected ${wanted}, got ${got}`);
      }
    }
  }
  return { wrong, seen, steps: [...steps] };
}

/** Wall times before, in and after those that a change skips or repeats, to the minute. */
function timesAround(change: number, before: number, after: number): string[] {
  const first = change + Math.min(before, after);
  const length = Math.abs(after - before);
  const middle = Math.floor(length / 2 / MINUTE) * MINUTE;
  const walls = [-MINUTE, 0, MINUTE, middle, length - MINUTE, length, length + MINUTE].map((n) => first + n);
  const times = walls.map((wall) => new Date(wall).toISOString().slice(11, 16));
  return [...new Set([...times, '00:00', '23:59'])];
}

function dateOf(wall: number): string {
  return new Date(wall).toISOString().slice(0, 10);
}

function happensBy(note: string | undefined): string {
  if (note === undefined) return 'once';
  return note.startsWith('Clocks go back') ? 'twice' : 'never';
}
