import { describe, expect, test } from 'vitest';
import type { ReminderState } from '../../src/schedule/occurrences.ts';
import { showOccurrences } from '../../src/schedule/shown.ts';
import { adas, at, ruleOf } from './fixtures.ts';

describe('nudges that would follow an occurrence', () => {
  const followUps = { every: 60, max: 3, stop: 'answered' } as const;
  // 08:00 in Paris, which is 07:00 in UTC.
  const nudges = (changes: Partial<ReminderState>) =>
    showOccurrences(adas({ followUps, ...changes }), at('2026-03-10T00:00:00Z'), 1)[0]?.nudges?.map((iso) =>
      iso.slice(11, 16),
    );

  test('come after its push, up to its expiry, and there are none without', () => {
    expect(nudges({})).toEqual(['08:00', '09:00', '10:00']);
    expect(nudges({ expiresAfter: 180 })).toEqual(['08:00', '09:00']);
    expect(nudges({ followUps: null })).toBeUndefined();
  });

  test('are counted from the end of quiet hours that put it off, and none is within them', () => {
    expect(nudges({ quietHours: { from: '07:00', to: '08:30' } })).toEqual(['08:30', '09:30', '10:30']);
    expect(nudges({ quietHours: { from: '08:30', to: '10:30' } })).toEqual(['10:00']);
    expect(nudges({ quietHours: { from: '07:00', to: '14:00' } })).toBeUndefined();
  });

  test('end when the next occurrence is due, or when that goes out', () => {
    const windows = [
      { from: '08:00', to: '08:01' },
      { from: '10:00', to: '10:01' },
    ];
    const rule = ruleOf('rolling', '* * * * *', { windows });
    expect(nudges({ rule })).toEqual(['08:00']);
    // The next one waits until eleven, and the nudges at ten and half past fall within the quiet hours.
    const half = { ...followUps, every: 30, max: 10 };
    expect(nudges({ rule, followUps: half, quietHours: { from: '10:00', to: '11:00' } })).toEqual([
      '07:30',
      '08:00',
      '08:30',
    ]);
  });

  test('are not promised of what is skipped as things stand', () => {
    expect(nudges({ frozen: true })).toBeUndefined();
    expect(nudges({ pausedUntil: at('2026-03-11T00:00:00Z') })).toBeUndefined();
    expect(nudges({ pausedUntil: at('2026-03-10T06:00:00Z') })).toHaveLength(3);
  });
});
