import { describe, expect, test } from 'vitest';
import { nextOccurrence, occurrenceOn, type ReminderState } from '../../src/schedule/occurrences.ts';
import { adas, at, ruleOf } from './fixtures.ts';

describe('the next occurrence', () => {
  test('is the first of the series, at its time in the zone of the user', () => {
    expect(nextOccurrence(adas())).toEqual({
      on: '2026-03-01',
      counter: 0,
      dueAt: at('2026-03-01T07:00:00Z'),
    });
  });

  test('is at the time that the user chose', () => {
    expect(nextOccurrence(adas({ time: '21:15' }))?.dueAt).toBe(at('2026-03-01T20:15:00Z'));
  });

  test('is due strictly after the user came to be reminded', () => {
    const eight = at('2026-03-10T07:00:00Z');
    expect(nextOccurrence(adas({ since: eight - 1 }))?.on).toBe('2026-03-10');
    expect(nextOccurrence(adas({ since: eight }))?.on).toBe('2026-03-11');
  });

  test('keeps its position in the series, whenever the user came', () => {
    expect(nextOccurrence(adas({ since: at('2026-03-10T12:00:00Z') }))).toMatchObject({
      on: '2026-03-11',
      counter: 10,
    });
  });

  test('is after the newest settled date, wherever the user is', () => {
    const settled = { settledThrough: '2026-03-10' };
    expect(nextOccurrence(adas(settled))).toMatchObject({ on: '2026-03-11', counter: 10 });
    expect(nextOccurrence(adas({ ...settled, timeZone: 'Pacific/Pago_Pago' }))?.on).toBe('2026-03-11');
    expect(nextOccurrence(adas({ ...settled, timeZone: 'Pacific/Kiritimati' }))?.on).toBe('2026-03-11');
  });

  test('may be overdue: nothing is skipped without a settlement', () => {
    expect(
      nextOccurrence(adas({ since: at('2026-03-10T12:00:00Z'), settledThrough: '2026-03-12' }))?.on,
    ).toBe('2026-03-13');
  });

  test('of the day before still comes when the clocks carry it over midnight', () => {
    // In Nuuk 23:30 does not exist on 28 March 2026; it is 00:30 on the 29th.
    const ada = adas({ timeZone: 'America/Nuuk', time: '23:30', since: at('2026-03-29T01:10:00Z') });
    expect(nextOccurrence(ada)).toMatchObject({ on: '2026-03-28', dueAt: at('2026-03-29T01:30:00Z') });
  });

  test('of fixed reminders counts from the download, and its day counts when its time is still to come', () => {
    const fixed = { rule: ruleOf('fixed', '0 8 * * 0,3'), start: '2026-03-04' };
    const morning = adas({ ...fixed, since: at('2026-03-04T06:00:00Z') });
    const evening = adas({ ...fixed, since: at('2026-03-04T18:00:00Z') });
    expect(nextOccurrence(morning)).toMatchObject({ on: '2026-03-04', counter: 0 });
    expect(nextOccurrence(evening)).toMatchObject({ on: '2026-03-07', counter: 1 });
  });

  test.each<[string, Partial<ReminderState>]>([
    ['the survey has no reminders', { rule: null }],
    ['the survey was not downloaded', { rule: ruleOf('fixed', '0 8 * * *'), start: null }],
    ['the user is not in the study', { member: false }],
    ['the survey is archived', { archived: true }],
    [
      'the series is over',
      { rule: ruleOf('rolling', '0 8 * * *', { ends: 5 }), settledThrough: '2026-03-05' },
    ],
    [
      'the series was over before the user came',
      { rule: ruleOf('fixed', '0 8 1 * *'), since: at('2026-05-01T00:00:00Z') },
    ],
  ])('is none when %s', (_, changes) => {
    expect(nextOccurrence(adas(changes))).toBeNull();
  });

  test('of a study that began in 1970 is found in 2200 without walking there', () => {
    let looks = 0;
    const rule = new Proxy(ruleOf('rolling', '0 8 * * 1'), {
      get: (target, key) => {
        looks++;
        return Reflect.get(target, key);
      },
    });
    const ada = adas({ rule, start: '1970-01-01', since: at('2200-01-01T00:00:00Z') });
    expect(nextOccurrence(ada)).toMatchObject({ on: '2200-01-06', counter: 12_001 });
    expect(looks).toBeLessThan(50);
  });
});

test('the occurrence of a date is there only when the series lists the date', () => {
  const ada = adas({ rule: ruleOf('rolling', '0 8 * * 1', { ends: 2 }) });
  expect(occurrenceOn(ada, { on: '2026-03-09' })).toMatchObject({ on: '2026-03-09', counter: 1 });
  expect(['2026-02-23', '2026-03-10', '2026-03-16'].map((on) => occurrenceOn(ada, { on }))).toEqual([
    null,
    null,
    null,
  ]);
});
