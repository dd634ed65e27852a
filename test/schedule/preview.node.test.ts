import { describe, expect, test } from 'vitest';
import { preview } from '../../src/schedule/preview.ts';
import { at } from './fixtures.ts';

const daily = { type: 'rolling', recurrence: '30 2 * * *' } as const;
const afterDownload = { type: 'fixed', recurrence: '0 8 * * 0,7' } as const;

describe('a preview', () => {
  test('shows dates, instants, local times and what clocks do to them', () => {
    const request = { reminders: daily, timeZone: 'Europe/Paris', startsOn: '2026-03-28', count: 2 };
    expect(preview(request)).toEqual([
      { on: '2026-03-28', counter: 0, dueAt: '2026-03-28T01:30:00.000Z', local: '2026-03-28T02:30:00+01:00' },
      {
        on: '2026-03-29',
        counter: 1,
        dueAt: '2026-03-29T01:30:00.000Z',
        local: '2026-03-29T03:30:00+02:00',
        note: 'Clocks go forward: 2026-03-29 02:30 does not exist in Europe/Paris, so the time is 2026-03-29 03:30',
      },
    ]);
  });

  test('of fixed reminders counts from the download', () => {
    const request = { reminders: afterDownload, timeZone: 'UTC', downloadedOn: '2026-03-04', count: 10 };
    expect(preview(request).map(({ on }) => on)).toEqual(['2026-03-04', '2026-03-11']);
  });

  test('begins with the first occurrence in the zones that are earliest and latest', () => {
    for (const timeZone of ['Pacific/Kiritimati', 'Etc/GMT-14', 'Etc/GMT+12', 'Pacific/Pago_Pago']) {
      for (const customRemindersTime of ['00:00', '23:59']) {
        const request = { reminders: daily, timeZone, customRemindersTime, startsOn: '2026-03-28', count: 1 };
        expect(preview(request)[0]?.local).toContain(`2026-03-28T${customRemindersTime}`);
      }
    }
  });

  test('begins after `from`, and keeps positions', () => {
    const from = at('2026-03-30T00:30:00.000Z');
    const request = { reminders: daily, timeZone: 'Europe/Paris', startsOn: '2026-03-28', from, count: 1 };
    expect(preview(request)).toMatchObject([{ on: '2026-03-31', counter: 3 }]);
    expect(preview({ ...request, from: from - 1 })).toMatchObject([{ on: '2026-03-30', counter: 2 }]);
  });

  test('begins after a `from` of any year', () => {
    const request = { reminders: daily, timeZone: 'UTC', startsOn: '2026-03-28', count: 1 };
    expect(preview({ ...request, from: at('-000001-06-01T00:00:00Z') })).toMatchObject([
      { on: '2026-03-28' },
    ]);
    expect(preview({ ...request, from: at('9999-12-31T02:00:00Z') })).toMatchObject([{ on: '9999-12-31' }]);
    expect(preview({ ...request, from: at('9999-12-31T02:30:00Z') })).toEqual([]);
    expect(preview({ ...request, from: at('+012026-01-01T00:00:00Z') })).toEqual([]);
  });

  test('uses the custom time, unless it is null', () => {
    const request = { reminders: daily, timeZone: 'UTC', startsOn: '2026-03-28', count: 1 };
    expect(preview({ ...request, customRemindersTime: '21:00' })[0]?.dueAt).toBe('2026-03-28T21:00:00.000Z');
    expect(preview({ ...request, customRemindersTime: null })[0]?.dueAt).toBe('2026-03-28T02:30:00.000Z');
  });

  test('refuses what validation should have refused', () => {
    const request = { reminders: daily, timeZone: 'UTC', startsOn: '2026-03-28', count: 1 };
    expect(() => preview({ ...request, reminders: { ...daily, recurrence: '' } })).toThrow(RangeError);
    expect(() =>
      preview({ reminders: daily, timeZone: 'UTC', downloadedOn: '2026-03-28', count: 1 }),
    ).toThrow('startsOn');
    expect(() => preview({ ...request, reminders: afterDownload })).toThrow('downloadedOn');
  });

  test('of 400 occurrences in 2200 is 400 dates', () => {
    const from = at('2200-01-01T00:00:00Z');
    const occurrences = preview({
      reminders: daily,
      timeZone: 'Europe/Paris',
      startsOn: '1970-01-01',
      from,
      count: 400,
    });
    expect(new Set(occurrences.map(({ on }) => on)).size).toBe(400);
  });
});
