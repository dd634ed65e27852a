import { describe, expect, test } from 'vitest';
import { nextOccurrence, occurrences } from '../../src/schedule/occurrences.ts';
import { occurrenceKey } from '../../src/schedule/slots.ts';
import { judgeDue, verdictOf } from '../../src/schedule/verdicts.ts';
import { adas, at, ruleOf } from './fixtures.ts';

/** Ada is reminded at 08:00 in Paris, and sleeps until nine. */
const quietHours = { from: '22:00', to: '09:00' };
const pending = { on: '2026-03-10', revision: 1, dueAt: at('2026-03-10T07:00:00Z') };
const settled = { settledThrough: '2026-03-09' };
const nine = at('2026-03-10T08:00:00Z');

describe('within quiet hours', () => {
  const ada = adas({ ...settled, quietHours });

  test('a due occurrence waits until they end', () => {
    expect(verdictOf(pending, ada, pending.dueAt)).toEqual({ verdict: 'wait', until: nine });
    expect(judgeDue({ pending, state: ada, now: pending.dueAt })).toMatchObject({
      decisions: [],
      next: null,
      wait: { on: '2026-03-10' },
      until: nine,
    });
    expect(verdictOf(pending, ada, nine)).toMatchObject({ verdict: 'send' });
  });

  test('an occurrence that expires before they end is skipped, and one that expired for another reason says so', () => {
    const hasty = adas({ ...settled, quietHours, expiresAfter: 60 });
    expect(verdictOf(pending, hasty, pending.dueAt)).toEqual({ verdict: 'skip', reason: 'quiet-hours' });
    expect(verdictOf(pending, hasty, nine)).toEqual({ verdict: 'skip', reason: 'quiet-hours' });
    const awake = adas({ ...settled, quietHours: { from: '22:00', to: '07:00' }, expiresAfter: 60 });
    expect(verdictOf(pending, awake, nine)).toEqual({ verdict: 'skip', reason: 'expired' });
  });

  test.each([
    ['study-frozen', { frozen: true }],
    ['paused', { pausedUntil: nine }],
    ['answered', { unlessAnswered: true, answers: [at('2026-03-10T05:00:00Z')] }],
  ])('%s is a reason that comes before', (reason, changes) => {
    expect(verdictOf(pending, adas({ ...settled, quietHours, ...changes }), pending.dueAt)).toEqual({
      verdict: 'skip',
      reason,
    });
  });

  test('a phone may still be registered', () => {
    expect(
      verdictOf(pending, adas({ ...settled, quietHours, reachable: false }), pending.dueAt),
    ).toMatchObject({
      verdict: 'wait',
    });
  });

  test('only the newest waits', () => {
    const rule = ruleOf('rolling', '* * * * *', { windows: [{ from: '05:00', to: '07:00', count: 2 }] });
    const state = adas({ rule, settledThrough: '2026-03-09/001', quietHours });
    const first = { on: '2026-03-10', slot: 0, revision: 1 };
    expect(judgeDue({ pending: first, state, now: at('2026-03-10T06:30:00Z') })).toMatchObject({
      decisions: [{ on: '2026-03-10', slot: 0, reason: 'superseded' }],
      next: null,
      wait: { on: '2026-03-10', slot: 1 },
      until: nine,
    });
  });
});

describe('the slots of a date', () => {
  const rule = ruleOf('rolling', '* * * * 1,3', {
    windows: [
      { from: '09:00', to: '12:00', count: 2 },
      { from: '14:00', to: '18:00' },
    ],
    ends: 3,
  });
  const draw = { secret: 's', user: 'ada', revision: 1 };
  const state = adas({ rule, draw });

  test('follow one another, date after date, and end after so many dates', () => {
    const all = [...occurrences(state, state.since)];
    expect(all.map(({ on, slot, counter }) => `${on} ${slot} ${counter}`)).toEqual([
      '2026-03-02 0 0',
      '2026-03-02 1 1',
      '2026-03-02 2 2',
      '2026-03-04 0 3',
      '2026-03-04 1 4',
      '2026-03-04 2 5',
      '2026-03-09 0 6',
      '2026-03-09 1 7',
      '2026-03-09 2 8',
    ]);
    expect(all.map(occurrenceKey).toSorted()).toEqual(all.map(occurrenceKey));
    const [first, second] = all;
    expect(nextOccurrence({ ...state, since: first?.dueAt ?? 0 })).toEqual(second);
    expect(nextOccurrence({ ...state, settledThrough: '2026-03-02/001' })).toEqual(all[2]);
    expect(nextOccurrence({ ...state, settledThrough: '2026-03-02/002' })).toEqual(all[3]);
    expect(nextOccurrence({ ...state, settledThrough: '2026-03-09/002' })).toBeNull();
  });

  test('keep their minutes wherever the user travels', () => {
    const wall = (timeZone: string) =>
      [...occurrences({ ...state, timeZone, since: at('2026-02-20T12:00:00Z') }, 0)].map(({ dueAt }) =>
        new Date(dueAt).toISOString().slice(0, 16),
      );
    const hours = (a: string, b: string) => (Date.parse(`${a}Z`) - Date.parse(`${b}Z`)) / 3_600_000;
    const [paris, tokyo] = [wall('Europe/Paris'), wall('Asia/Tokyo')];
    expect(new Set(paris.map((one, n) => hours(one, tokyo[n] ?? '')))).toEqual(new Set([8]));
  });
});
