import { describe, expect, test } from 'vitest';
import { occurrences } from '../../src/schedule/occurrences.ts';
import { type Decision, judgeDue } from '../../src/schedule/verdicts.ts';
import { adas, at, DAY, MINUTE, ruleOf } from './fixtures.ts';

// 10 March 2026, 08:00 in Paris, is the pending occurrence; the days before it are settled.
const pending = { on: '2026-03-10', revision: 1, counter: 9, dueAt: at('2026-03-10T07:00:00Z') };
const settled = { settledThrough: '2026-03-09' };

/** `10 sent`, `11 expired`, ... by the day of the month. */
function brief(decisions: Decision[]): string[] {
  return decisions.map(({ on, verdict, reason }) => `${on.slice(8)} ${verdict === 'send' ? 'sent' : reason}`);
}

describe('a due occurrence', () => {
  test('is sent, and the next date is planned', () => {
    expect(judgeDue({ pending, state: adas(settled), now: pending.dueAt })).toEqual({
      decisions: [
        {
          on: '2026-03-10',
          counter: 9,
          dueAt: pending.dueAt,
          verdict: 'send',
          expiresAt: pending.dueAt + 360 * MINUTE,
        },
      ],
      next: { on: '2026-03-11', counter: 10, dueAt: pending.dueAt + DAY },
    });
  });

  test('may be the last of its series', () => {
    const rule = ruleOf('rolling', '0 8 * * *', { ends: 10 });
    const { decisions, next } = judgeDue({ pending, state: adas({ ...settled, rule }), now: pending.dueAt });
    expect([brief(decisions), next]).toEqual([['10 sent'], null]);
  });
});

test('a due occurrence of a response that is gone is the one that is skipped', () => {
  const trigger = '019bd3a1f7c0/1234567890abcdef1234567890abcdef';
  const rule = { type: 'triggered', after: 20, at: null, time: null } as const;
  const { decisions, next } = judgeDue({
    pending: { ...pending, trigger },
    state: adas({ rule, triggers: [] }),
    now: pending.dueAt,
  });
  expect(decisions).toEqual([
    { on: '2026-03-10', trigger, counter: 9, dueAt: pending.dueAt, verdict: 'skip', reason: 'trigger-gone' },
  ]);
  expect(next).toBeNull();
});

test('of several triggered occurrences of a date an answer that belongs to none holds back one, the first after it', () => {
  const rule = { type: 'triggered', after: 20, at: null, time: null } as const;
  const given = (minute: number) => pending.dueAt - (60 - minute) * MINUTE;
  const triggers = [10, 20, 30].map((minute) => ({
    at: given(minute),
    response: String(minute).padStart(32, '0'),
    settled: false,
  }));
  const state = adas({ rule, triggers, unlessAnswered: true, answers: [given(45)], since: 0 });
  const [first, ...rest] = occurrences(state, given(0));
  const { decisions } = judgeDue({
    pending: { ...first, on: first?.on ?? '', revision: 1 },
    state,
    now: pending.dueAt,
  });
  expect(rest).toHaveLength(2);
  expect(decisions.map(({ verdict, reason }) => reason ?? verdict)).toEqual([
    'superseded',
    'superseded',
    'answered',
  ]);
});

describe('after an outage', () => {
  test('only the newest is sent; those before it have expired', () => {
    const { decisions, next } = judgeDue({ pending, state: adas(settled), now: at('2026-03-13T08:00:00Z') });
    expect(brief(decisions)).toEqual(['10 expired', '11 expired', '12 expired', '13 sent']);
    expect(decisions.map(({ counter }) => counter)).toEqual([9, 10, 11, 12]);
    expect(next?.on).toBe('2026-03-14');
  });

  // With a day to expire, the clocks going forward make two consecutive dates valid at once.
  const gap = { ...settled, settledThrough: '2026-03-27', expiresAfter: 1440 };
  const before = { on: '2026-03-28', revision: 1 };
  const bothValid = at('2026-03-29T06:30:00Z');

  test('an older one that has not expired is superseded', () => {
    const { decisions } = judgeDue({ pending: before, state: adas(gap), now: bothValid });
    expect(brief(decisions)).toEqual(['28 superseded', '29 sent']);
  });

  test('an older one is superseded by a newer one that is skipped for itself', () => {
    const answered = { unlessAnswered: true, answers: [at('2026-03-29T05:00:00Z')] };
    const { decisions } = judgeDue({
      pending: before,
      state: adas({ ...gap, ...answered }),
      now: bothValid,
    });
    expect(brief(decisions)).toEqual(['28 superseded', '29 answered']);
  });

  test('an older one keeps a reason of its own', () => {
    const answered = { unlessAnswered: true, answers: [at('2026-03-28T12:00:00Z')] };
    expect(
      brief(judgeDue({ pending: before, state: adas({ ...gap, ...answered }), now: bothValid }).decisions),
    ).toEqual(['28 answered', '29 sent']);
    const paused = { pausedUntil: at('2026-03-28T12:00:00Z') };
    expect(
      brief(judgeDue({ pending: before, state: adas({ ...gap, ...paused }), now: bothValid }).decisions),
    ).toEqual(['28 paused', '29 sent']);
  });

  test('two dates that are due at one instant bring one push', () => {
    // In Apia 30 December 2011 was skipped, so that its time is that of the 31st.
    const ada = adas({ timeZone: 'Pacific/Apia', start: '2011-12-01', since: at('2011-12-01T00:00:00Z') });
    const { decisions, next } = judgeDue({
      pending: { on: '2011-12-30', revision: 1 },
      state: ada,
      now: at('2011-12-30T18:00:00Z'),
    });
    expect(brief(decisions)).toEqual(['30 superseded', '31 sent']);
    expect(next?.on).toBe('2012-01-01');
  });

  test('of years, the pending date and those of the last 400 days are settled', () => {
    const { decisions, next } = judgeDue({ pending, state: adas(settled), now: at('2036-03-10T08:00:00Z') });
    expect(decisions).toHaveLength(1 + 400);
    expect([decisions[0]?.on, decisions[1]?.on, decisions.at(-1)?.on]).toEqual([
      '2026-03-10',
      '2035-02-05',
      '2036-03-10',
    ]);
    expect(brief(decisions.slice(-2))).toEqual(['09 expired', '10 sent']);
    expect(next?.on).toBe('2036-03-11');
  });
});

describe('an occurrence that is not due', () => {
  test('is kept, with its instant of now, when the user went west', () => {
    const { decisions, next, wait } = judgeDue({
      pending,
      state: adas({ ...settled, timeZone: 'America/New_York' }),
      now: pending.dueAt,
    });
    expect([decisions, next]).toEqual([[], null]);
    expect(wait).toEqual({
      on: '2026-03-10',
      counter: 9,
      dueAt: at('2026-03-10T12:00:00Z'),
    });
  });

  test('is kept when the server clock goes back', () => {
    expect(judgeDue({ pending, state: adas(settled), now: pending.dueAt - 1 })).toMatchObject({
      decisions: [],
      wait: { on: '2026-03-10' },
    });
  });
});

describe('a pending row that has lost its place', () => {
  test('of an old revision is settled alone, as it was planned, and the new revision is planned', () => {
    const changed = adas({
      revision: 2,
      rule: ruleOf('rolling', '0 12 * * *'),
      since: at('2026-03-09T12:00:00Z'),
    });
    const { decisions, next } = judgeDue({ pending, state: changed, now: at('2026-03-12T20:00:00Z') });
    expect(decisions).toEqual([
      { on: '2026-03-10', counter: 9, dueAt: pending.dueAt, verdict: 'skip', reason: 'stale' },
    ]);
    expect(next).toMatchObject({ on: '2026-03-10', dueAt: at('2026-03-10T11:00:00Z') });
  });

  test.each([
    ['left-study', { member: false }],
    ['survey-archived', { archived: true }],
    ['series-ended', { rule: null }],
  ])('is settled as %s, and nothing is planned', (reason, changes) => {
    const { decisions, next } = judgeDue({
      pending,
      state: adas({ ...settled, ...changes }),
      now: at('2026-03-12T08:00:00Z'),
    });
    expect([brief(decisions), next]).toEqual([[`10 ${reason}`], null]);
  });

  test('is settled as series-ended when the study begins later now, and the series goes on', () => {
    const { decisions, next } = judgeDue({
      pending,
      state: adas({ ...settled, start: '2026-03-12' }),
      now: at('2026-03-12T08:00:00Z'),
    });
    expect(brief(decisions)).toEqual(['10 series-ended', '12 sent']);
    expect(next).toMatchObject({ on: '2026-03-13', counter: 1 });
  });

  test('does not bring back what is newer and settled', () => {
    const { decisions, next } = judgeDue({
      pending,
      state: adas({ settledThrough: '2026-03-12' }),
      now: at('2026-03-13T08:00:00Z'),
    });
    expect(brief(decisions)).toEqual(['10 superseded', '13 sent']);
    expect(next?.on).toBe('2026-03-14');
  });

  test('that does not say how it was planned is settled as of now', () => {
    const { decisions } = judgeDue({
      pending: { on: '2026-03-10', revision: 1 },
      state: adas({ member: false }),
      now: pending.dueAt + MINUTE,
    });
    expect(decisions).toMatchObject([{ counter: 0, dueAt: pending.dueAt + MINUTE }]);
  });
});
