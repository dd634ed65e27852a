import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clockOf, offsetAt } from '../../src/schedule/clocks.ts';
import { isZoneName, tzRelease, zoneNames, zoneOf } from '../../src/schedule/zones.ts';
import { build } from '../../tools/zones/build.ts';
import { packageRelease, readPackage } from '../../tools/zones/package-zones.ts';
import { DAY } from './fixtures.ts';

test('the release has a name, and some six hundred zones and links', () => {
  expect(tzRelease).toMatch(/^20\d\d[a-z]+$/);
  expect(zoneNames.length).toBeGreaterThanOrEqual(597);
  for (const name of ['Europe/Paris', 'Asia/Calcutta', 'US/Eastern', 'UTC', 'Etc/GMT+5'])
    expect(isZoneName(name), name).toBe(true);
  expect(() => zoneOf('PST')).toThrow("Unknown time zone 'PST'");
});

test('the table is what `npm run zones` builds from the installed package', () => {
  const path = new URL('../../src/schedule/tzdata.ts', import.meta.url);
  const { text, unruled } = build();
  expect(readFileSync(path, 'utf8') === text, 'expected no difference: run npm run zones').toBe(true);
  expect(text.length).toBeLessThan(60_000);
  expect(unruled).toEqual([]);
  expect(tzRelease).toBe(packageRelease);
});

test('it has every name of the package, and gives back every change and no other, from the 19th century to 2499', () => {
  const wrong: string[] = [];
  const years = new Set<number>();
  const packageZones = readPackage();
  for (const { names, initial, changes } of packageZones) {
    for (const name of names) {
      const clock = clockOf(name);
      let before = initial;
      for (const [i, { at, offset }] of changes.entries()) {
        if (offsetAt(clock, at - 1) !== before || offsetAt(clock, at) !== offset)
          wrong.push(`${name} at ${at}`);
        const next = changes[i + 1];
        if (next && clock.latest.to !== next.at) wrong.push(`${name} between ${at} and ${next.at}`);
        before = offset;
        years.add(new Date(at).getUTCFullYear());
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(packageZones.flatMap(({ names }) => names).sort()).toEqual([...zoneNames].sort());
  expect([Math.min(...years), Math.max(...years)]).toEqual([1844, 2499]);
});

/** `instantOf` looks a day before and a day after: it does not see more than one change. */
test('no zone has ever changed its clocks twice in three days', () => {
  const gaps = zoneNames.flatMap((name) => {
    const { changes } = zoneOf(name);
    return changes.slice(1).map(({ at }, i) => at - (changes[i]?.at ?? 0));
  });
  expect(Math.min(...gaps)).toBeGreaterThan(3 * DAY);
});
