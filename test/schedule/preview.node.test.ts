import { describe, expect, test } from 'vitest';
import { preview } from '../../src/schedule/preview.ts';
import { at } from './fixtures.ts';

const daily = { type: 'rolling', recurrence: '30 2 * * *' } as const;
const afterDownload = { type: 'fixed', recurrence: '0 8 * * 0,7' } as const;

describe('a preview', () => {
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

  test('refuses what validation should have refused', () => {
    const request = { reminders: daily, timeZone: 'UTC', startsOn: '2026-03-28', count: 1 };
    expect(() => preview({ ...request, reminders: { ...daily, recurrence: '' } })).toThrow(RangeError);
    expect(() =>
      preview({ reminders: daily, timeZone: 'UTC', downloadedOn: '2026-03-28', count: 1 }),
    ).toThrow('startsOn');
    expect(() => preview({ ...request, reminders: afterDownload })).toThrow('downloadedOn');
  });
});
