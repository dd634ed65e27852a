import { describe, expect, test } from 'vitest';
import type { ReminderState } from '../../src/schedule/occurrences.ts';
import { type Reason, verdictOf } from '../../src/schedule/verdicts.ts';
import { adas, at, MINUTE, ruleOf } from './fixtures.ts';

type Changes = Partial<ReminderState & { revision: number }>;

// 10 March 2026, 08:00 in Paris.
const pending = { on: '2026-03-10', revision: 1 };
const due = at('2026-03-10T07:00:00Z');
const minuteLate = due + MINUTE;
const send = { verdict: 'send', expiresAt: due + 360 * MINUTE };

describe('an occurrence that is due', () => {
  test('is sent, from its minute on until it expires', () => {
    expect(verdictOf(pending, adas(), due)).toEqual(send);
    expect(verdictOf(pending, adas(), due + 360 * MINUTE - 1)).toEqual(send);
  });

  test('is sent within the expiry that the reminders set', () => {
    expect(verdictOf(pending, adas({ expiresAfter: 1 }), due)).toEqual({
      verdict: 'send',
      expiresAt: minuteLate,
    });
    expect(verdictOf(pending, adas({ expiresAfter: 1440 }), due + 1439 * MINUTE)).toMatchObject({
      verdict: 'send',
    });
  });

  test.each<[Reason, string, Changes, string, Changes]>([
    ['stale', 'the reminders changed', { revision: 2 }, 'they did not', { revision: 1 }],
    ['left-study', 'the user left the study', { member: false }, 'they stayed', { member: true }],
    ['survey-archived', 'the survey is archived', { archived: true }, 'it is active', { archived: false }],
    ['series-ended', 'the survey lost its reminders', { rule: null }, 'it kept them', {}],
    ['series-ended', 'there is no download', { start: null }, 'there is one', { start: '2026-03-01' }],
    [
      'series-ended',
      'the series ended the day before',
      { rule: ruleOf('rolling', '0 8 * * *', { ends: 9 }) },
      'it ends that day',
      { rule: ruleOf('rolling', '0 8 * * *', { ends: 10 }) },
    ],
    [
      'series-ended',
      'the study now begins later',
      { start: '2026-03-11' },
      'it begins that day',
      { start: '2026-03-10' },
    ],
    [
      'superseded',
      'it is settled',
      { settledThrough: '2026-03-10' },
      'the eve is',
      { settledThrough: '2026-03-09' },
    ],
    [
      'superseded',
      'a newer date is settled',
      { settledThrough: '2026-03-11' },
      'none is',
      { settledThrough: null },
    ],
    [
      'answered',
      'the user answered after midnight',
      { unlessAnswered: true, answers: [at('2026-03-09T23:00:00Z')] },
      'it was before midnight',
      { unlessAnswered: true, answers: [at('2026-03-09T22:59:59.999Z')] },
    ],
    [
      'answered',
      'the user answered',
      { unlessAnswered: true, answers: [due] },
      'that does not matter',
      { unlessAnswered: false, answers: [due] },
    ],
    [
      'answered',
      'it is the same date where the user is',
      { unlessAnswered: true, answers: [at('2026-03-09T16:00:00Z')], timeZone: 'Asia/Tokyo', time: '15:00' },
      'there it is another date',
      { unlessAnswered: true, answers: [at('2026-03-09T14:00:00Z')], timeZone: 'Asia/Tokyo', time: '16:00' },
    ],
    ['paused', 'a pause lasts', { pausedUntil: minuteLate + 1 }, 'there is none', { pausedUntil: null }],
    [
      'paused',
      'it was due within a pause',
      { pausedUntil: due + 1 },
      'the pause was over',
      { pausedUntil: due },
    ],
    ['expired', 'it is too late', { expiresAfter: 1 }, 'it is not', { expiresAfter: 2 }],
    ['no-device', 'the user has no device', { reachable: false }, 'they have one', { reachable: true }],
  ])('is skipped as %s when %s, and sent when %s', (reason, _, changes, __, otherwise) => {
    expect(verdictOf(pending, adas(changes), minuteLate)).toEqual({ verdict: 'skip', reason });
    expect(verdictOf(pending, adas(otherwise), minuteLate)).toMatchObject({ verdict: 'send' });
  });

  test('gives the first reason that holds', () => {
    const reasons: [Reason, Changes][] = [
      ['stale', { revision: 2 }],
      ['left-study', { member: false }],
      ['survey-archived', { archived: true }],
      ['series-ended', { rule: null }],
      ['superseded', { settledThrough: '2026-03-10' }],
      ['answered', { unlessAnswered: true, answers: [due] }],
      ['paused', { pausedUntil: minuteLate }],
      ['expired', { expiresAfter: 1 }],
      ['no-device', { reachable: false }],
    ];
    const found = reasons.map((_, i) =>
      verdictOf(
        pending,
        adas(Object.assign({}, ...reasons.slice(i).map(([, changes]) => changes))),
        minuteLate,
      ),
    );
    expect(found).toEqual(reasons.map(([reason]) => ({ verdict: 'skip', reason })));
  });
});

describe('an occurrence that is not due', () => {
  test('waits until it is', () => {
    expect(verdictOf(pending, adas(), due - 1)).toEqual({ verdict: 'wait', until: due });
  });

  test('waits when the user went west, or chose a later time', () => {
    const later = at('2026-03-10T15:00:00Z');
    expect(verdictOf(pending, adas({ timeZone: 'America/Los_Angeles' }), due)).toEqual({
      verdict: 'wait',
      until: later,
    });
    expect(verdictOf(pending, adas({ time: '16:00' }), due)).toEqual({ verdict: 'wait', until: later });
  });

  test('waits, whatever would have it skipped later', () => {
    const changes = { unlessAnswered: true, answers: [due - 1], pausedUntil: due + 1, reachable: false };
    expect(verdictOf(pending, adas(changes), due - 1)).toEqual({ verdict: 'wait', until: due });
  });

  test('does not wait for what will never come', () => {
    expect(verdictOf(pending, adas({ member: false }), due - 1)).toEqual({
      verdict: 'skip',
      reason: 'left-study',
    });
    expect(verdictOf(pending, adas({ start: '2026-03-11' }), due - 1)).toEqual({
      verdict: 'skip',
      reason: 'series-ended',
    });
  });
});

test('a user who went east finds the date overdue: sent when it has not expired, else skipped', () => {
  expect(verdictOf(pending, adas({ timeZone: 'Asia/Dubai' }), due - MINUTE)).toMatchObject({
    verdict: 'send',
  });
  expect(verdictOf(pending, adas({ timeZone: 'Pacific/Auckland' }), due - MINUTE)).toEqual({
    verdict: 'skip',
    reason: 'expired',
  });
});
