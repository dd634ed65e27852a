import { describe, expect, test } from 'vitest';
import { clockOf, offsetAt } from '../../../src/schedule/clocks.ts';
import { rulesFrom } from '../../../src/schedule/zone-rules.ts';
import { isZoneName, tzRelease, zoneNames, zoneOf } from '../../../src/schedule/zones.ts';
import { at } from './fixtures.ts';

const HOUR = 3_600_000;

test('the release has a name, and some six hundred zones and links', () => {
  expect(tzRelease).toMatch(/^20\d\d[a-z]+$/);
  expect(zoneNames.length).toBeGreaterThanOrEqual(597);
  for (const name of ['Europe/Paris', 'Asia/Calcutta', 'US/Eastern', 'UTC', 'Etc/GMT+5'])
    expect(isZoneName(name), name).toBe(true);
  expect(() => zoneOf('PST')).toThrow("Unknown time zone 'PST'");
});

describe('the rules of a zone from an instant on', () => {
  test('are its offset, the changes to come, and the yearly rule', () => {
    expect(rulesFrom('Europe/Paris', at('2026-01-01T00:00:00Z'))).toBe(
      '3600, 3.25.0 7200s 7200, 10.25.0 10800s 3600',
    );
    expect(rulesFrom('America/Vancouver', at('2026-01-01T00:00:00Z'))).toBe(
      '-28800, 2026-03-08T10:00:00.000Z -25200',
    );
    expect(rulesFrom('Asia/Tokyo', at('2026-01-01T00:00:00Z'))).toBe('32400');
  });

  test('do not show what was before', () => {
    expect(rulesFrom('America/Vancouver', at('2027-01-01T00:00:00Z'))).toBe('-25200');
    expect(rulesFrom('Europe/Lisbon', at('1996-01-01T00:00:00Z'))).toBe(
      '3600, 1996-10-27T01:00:00.000Z 0, 3.25.0 3600s 3600, 10.25.0 7200s 0',
    );
    // All of Europe has the same rule since 1996, whatever it did before.
    const since = at('2026-01-01T00:00:00Z');
    expect(rulesFrom('Europe/Kyiv', since)).toBe(rulesFrom('Europe/Helsinki', since));
  });

  test('are those of the season', () => {
    const [winter, summer] = ['2026-01-01T00:00:00Z', '2026-07-01T00:00:00Z'].map((instant) =>
      rulesFrom('Europe/Paris', at(instant)),
    );
    expect(winter?.split(', ')[0]).toBe('3600');
    expect(summer?.split(', ')[0]).toBe('7200');
  });

  test('are the same for two zones exactly when their clocks are', () => {
    const [from, to] = [at('2024-02-01T00:00:00Z'), at('2029-02-01T00:00:00Z')];
    const shownBy = new Map<string, string>();
    for (const name of zoneNames) {
      const clock = clockOf(name);
      const shown: string[] = [];
      let before = Number.NaN;
      for (let hour = from; hour < to; hour += HOUR) {
        const offset = offsetAt(clock, hour);
        if (offset !== before) shown.push(`${hour} ${offset}`);
        before = offset;
      }
      const rules = rulesFrom(name, from);
      expect(shownBy.get(rules) ?? shown.join(), name).toBe(shown.join());
      shownBy.set(rules, shown.join());
    }
    expect(new Set(shownBy.values()).size).toBe(shownBy.size);
  });

  test('are short: all zones together have less than 30 KB', () => {
    const texts = zoneNames.map((name) => rulesFrom(name, at('2026-11-22T00:00:00Z')));
    expect(texts.join('').length).toBeLessThan(30_000);
  });
});
