import { describe, expect, test } from 'vitest';
import { judgeFollowUps, nextFollowUp } from '../../src/schedule/follow-ups.ts';
import type { ReminderState } from '../../src/schedule/occurrences.ts';
import { type Reason, verdictOf } from '../../src/schedule/verdicts.ts';
import { adas, at, MINUTE } from './fixtures.ts';

type Changes = Partial<ReminderState & { revision: number }>;

// 10 March 2026, 08:00 in Paris, pushed ten seconds late.
const due = at('2026-03-10T07:00:00Z');
const sentAt = due + 10_000;
const sent = {
  on: '2026-03-10',
  revision: 1,
  dueAt: due,
  countedFrom: sentAt,
  nudges: 0,
  earlierNudges: 0,
  snoozedUntil: null,
  snoozedAt: null,
  nextAt: sentAt + 30 * MINUTE,
  openedAt: null,
};
const followUps = { every: 30, max: 3, stop: 'answered' } as const;
const ada = (changes: Changes = {}) => adas({ followUps, settledThrough: '2026-03-10', ...changes });

describe('a first push, a nudge and what a snooze asked for are decided in one order', () => {
  const now = due + 31 * MINUTE;
  const reasons: [Reason, Changes][] = [
    ['stale', { revision: 2 }],
    ['left-study', { member: false }],
    ['survey-archived', { archived: true }],
    ['series-ended', { rule: null }],
    ['superseded', { settledThrough: '2026-03-11' }],
    ['study-frozen', { frozen: true }],
    ['answered', { unlessAnswered: true, answers: [due] }],
    ['opened', { followUps: { ...followUps, stop: 'opened' } }],
    ['paused', { pausedUntil: now }],
    ['expired', { expiresAfter: 31 }],
    ['quiet-hours', { quietHours: { from: '08:31', to: '09:00' }, expiresAfter: 45 }],
    ['no-device', { reachable: false }],
  ];
  const followed = { ...sent, openedAt: now, followUp: { kind: 'nudge', dueAt: sent.nextAt } } as const;

  test.each([
    ['first push', { on: sent.on, revision: 1 }, '2026-03-09'],
    ['nudge', followed, sent.on],
    ['snooze', { ...followed, followUp: { ...followed.followUp, kind: 'snooze' as const } }, sent.on],
    ['second phone', { ...followed, followUp: null }, sent.on],
  ])('a %s gives the first reason that holds', (kind, push, settledThrough) => {
    const its = reasons.filter(([reason]) => kind === 'nudge' || reason !== 'opened');
    const found = its.map((_, n) => {
      const rest = its.slice(n).map(([, changes]) => changes);
      return verdictOf(push, ada(Object.assign({ settledThrough }, ...rest.reverse())), now);
    });
    expect(found).toEqual(its.map(([reason]) => ({ verdict: 'skip', reason })));
    expect(verdictOf(push, ada({ settledThrough }), now)).toMatchObject({ verdict: 'send' });
    expect(verdictOf(push, ada({ settledThrough }), due - 1)).toMatchObject({ verdict: 'wait' });
  });
});

describe('the follow-ups of a push', () => {
  const nudge = (n: number) => ({ kind: 'nudge', dueAt: sentAt + n * 30 * MINUTE });
  const expiresAt = due + 360 * MINUTE;

  test('comes at its time, counted from the push, until there were enough', () => {
    expect(judgeFollowUps(sent, ada(), sent.nextAt - 1)).toEqual({
      skipped: [],
      next: sent.nextAt,
      expiresAt,
    });
    const late = sent.nextAt + 5 * MINUTE;
    expect(judgeFollowUps(sent, ada(), late)).toEqual({
      skipped: [],
      send: nudge(1),
      next: nudge(2).dueAt,
      expiresAt,
    });
    expect(judgeFollowUps({ ...sent, nudges: 2 }, ada(), nudge(3).dueAt)).toMatchObject({
      send: nudge(3),
      next: null,
    });
  });

  test('comes though the participant answered before the occurrence was due', () => {
    expect(judgeFollowUps(sent, ada({ answers: [due - 1] }), sent.nextAt)).toMatchObject({ send: nudge(1) });
  });

  test('is never due when the occurrence expires, or later', () => {
    const short = ada({ expiresAfter: 90 });
    expect(judgeFollowUps({ ...sent, nudges: 1 }, short, nudge(2).dueAt)).toMatchObject({
      send: nudge(2),
      next: null,
    });
  });

  test('is one push of those that were missed, the last', () => {
    expect(judgeFollowUps(sent, ada(), nudge(2).dueAt)).toMatchObject({
      skipped: [{ ...nudge(1), reason: 'superseded' }],
      send: nudge(2),
      next: nudge(3).dueAt,
    });
  });

  test.each<[Reason, Changes, number | null]>([
    ['stale', { revision: 2 }, null],
    ['answered', { answers: [due] }, null],
    ['series-ended', { start: '2026-03-11' }, null],
    ['superseded', { settledThrough: '2026-03-11' }, null],
    ['paused', { pausedUntil: sent.nextAt + 1 }, nudge(2).dueAt],
    ['study-frozen', { frozen: true }, nudge(2).dueAt],
    ['quiet-hours', { quietHours: { from: '08:15', to: '08:45' } }, nudge(2).dueAt],
    ['no-device', { reachable: false }, nudge(2).dueAt],
  ])('is left out as %s, and others follow if that may pass', (reason, changes, next) => {
    const decided = judgeFollowUps(sent, ada(changes), sent.nextAt);
    expect(decided).toEqual({ skipped: [{ ...nudge(1), reason }], next, expiresAt });
  });

  test('lets a nudge pass that is due in quiet hours, and a snooze wait for their end', () => {
    const quiet = ada({ quietHours: { from: '08:15', to: '08:45' } });
    const end = at('2026-03-10T07:45:00Z');
    expect(judgeFollowUps(sent, quiet, end)).toMatchObject({
      skipped: [{ ...nudge(1), reason: 'quiet-hours' }],
      next: nudge(2).dueAt,
    });
    const snoozedUntil = due + 20 * MINUTE;
    const snoozed = { ...sent, snoozedUntil, nextAt: snoozedUntil };
    expect(judgeFollowUps(snoozed, quiet, snoozedUntil)).toEqual({ skipped: [], next: end, expiresAt });
    expect(judgeFollowUps(snoozed, quiet, end)).toMatchObject({
      send: { kind: 'snooze', dueAt: snoozedUntil },
      next: end + 30 * MINUTE,
    });
  });
});

describe('behind a snooze', () => {
  const snoozedUntil = sentAt + 40 * MINUTE;
  const snoozed = { ...sent, snoozedUntil, nextAt: snoozedUntil };
  const expiresAt = due + 360 * MINUTE;

  test('a nudge takes its place that is due while other phones still wait for it', () => {
    const snoozedAt = snoozedUntil + 1_000;
    const nudgeAt = snoozedAt + 30 * MINUTE;
    expect(judgeFollowUps({ ...snoozed, snoozedAt }, ada(), nudgeAt)).toEqual({
      skipped: [{ kind: 'snooze', dueAt: snoozedUntil, reason: 'superseded' }],
      send: { kind: 'nudge', dueAt: nudgeAt },
      next: nudgeAt + 30 * MINUTE,
      expiresAt,
    });
    expect(judgeFollowUps({ ...snoozed, snoozedAt }, ada(), nudgeAt - 1)).toMatchObject({
      send: { kind: 'snooze', dueAt: snoozedUntil },
      next: nudgeAt,
    });
  });

  test('nudges go on from a snooze that a pause left out', () => {
    const paused = ada({ pausedUntil: snoozedUntil + 1 });
    expect(judgeFollowUps(snoozed, paused, snoozedUntil)).toEqual({
      skipped: [{ kind: 'snooze', dueAt: snoozedUntil, reason: 'paused' }],
      next: snoozedUntil + 30 * MINUTE,
      expiresAt,
    });
  });
});

test('a nudge that would be due at the very expiry does not come, and the one a minute earlier does', () => {
  const onTime = { ...sent, countedFrom: due, nudges: 2, nextAt: due + 90 * MINUTE };
  expect(nextFollowUp(onTime, ada({ expiresAfter: 90 }))).toBeNull();
  expect(nextFollowUp(onTime, ada({ expiresAfter: 91 }))).toEqual({
    kind: 'nudge',
    dueAt: due + 90 * MINUTE,
  });
});
