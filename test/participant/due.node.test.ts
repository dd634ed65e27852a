import { describe, expect, test } from 'vitest';
import { today } from '../../participant/due.ts';
import { formStatusOf } from '../../participant/form-status.ts';
import type { Notification, Occurrence, Snapshot, Survey } from '../../participant/snapshot.ts';
import type { Submission } from '../../participant/submissions.ts';

const at = (time: string) => Date.parse(`2027-03-01T${time}:00Z`);
const iso = (time: string) => new Date(at(time)).toISOString();

const reminders = { expiresAfter: 60 } as Survey['reminders'];
const diary = { identifier: 'diary', name: 'Diary', reminders } as Survey;
const mood = { identifier: 'mood', name: 'Mood', reminders: { ...reminders, windows: [{}] } } as Survey;
const any = { identifier: 'any', name: 'Any time', reminders: null } as Survey;

const sent = (notification: string, dueAt: string, more: object = {}) =>
  ({ identifier: notification, survey: 'diary', dueAt: iso(dueAt), state: 'sent', ...more }) as Notification;
const planned = (notification: string, dueAt: string, expiresAt: string, survey = 'diary') =>
  ({ notification, survey, on: '2027-03-01', dueAt: iso(dueAt), expiresAt: iso(expiresAt) }) as Occurrence;
const given = (time: string, state: Submission['state'], more: Partial<Submission> = {}) =>
  ({ survey: 'diary', at: iso(time), ahead: 0, state, ...more }) as Submission;

const see = (
  now: string,
  { notifications = [], agenda = [] }: Partial<Snapshot>,
  {
    outbox = [],
    arrived = [],
    clock = 0,
  }: {
    outbox?: Submission[];
    arrived?: { notification: string; survey: string; at: number }[];
    clock?: number;
  } = {},
) =>
  today({ studies: [], surveys: [diary, mood, any], notifications, agenda } as unknown as Snapshot, {
    outbox,
    arrived,
    clock,
    now: at(now),
  });
const dueIn = (...given: Parameters<typeof see>) => see(...given).due.map(({ notification }) => notification);

test('a reminder is due from its time until it expires, told by the service or by the agenda alone', () => {
  expect(dueIn('12:30', { notifications: [sent('a', '12:00')] })).toEqual(['a']);
  expect(dueIn('13:00', { notifications: [sent('a', '12:00')] })).toEqual([]);
  const agenda = [planned('b', '12:00', '13:00')];
  expect([dueIn('11:59', { agenda }), dueIn('12:00', { agenda }), dueIn('13:00', { agenda })]).toEqual([
    [],
    ['b'],
    [],
  ]);
  // The service has planned it, and says no more about it.
  const notifications = [sent('b', '12:00', { state: 'scheduled', sentAt: null })];
  expect([dueIn('11:59', { agenda, notifications }), dueIn('12:00', { agenda, notifications })]).toEqual([
    [],
    ['b'],
  ]);
  expect(see('11:59', { agenda }).coming).toMatchObject([{ at: at('12:00'), isSurprise: false }]);
});

test('a push that arrived is due before the service was asked', () => {
  const arrived = [{ notification: 'c', survey: 'diary', at: at('12:00') }];
  expect(dueIn('12:01', {}, { arrived })).toEqual(['c']);
  expect(
    dueIn('12:01', { notifications: [sent('c', '12:00', { answeredAt: iso('12:01') })] }, { arrived }),
  ).toEqual([]);
});

test('a push says less than the history about the same reminder, such as when it comes again', () => {
  const notifications = [sent('c', '12:00', { nextAt: iso('12:30') })];
  const arrived = [{ notification: 'c', survey: 'diary', at: at('12:01') }];
  expect(see('12:10', { notifications }, { arrived }).due).toMatchObject([
    { notification: 'c', dueAt: at('12:00'), nextAt: at('12:30') },
  ]);
});

test('an answer that waits on the phone has answered it; one from before, or a refused one, has not', () => {
  const notifications = [sent('a', '12:00')];
  expect(dueIn('12:30', { notifications }, { outbox: [given('12:10', 'waiting')] })).toEqual([]);
  expect(dueIn('12:30', { notifications }, { outbox: [given('12:10', 'sent')] })).toEqual([]);
  expect(dueIn('12:30', { notifications }, { outbox: [given('11:50', 'sent')] })).toEqual(['a']);
  expect(dueIn('12:30', { notifications }, { outbox: [given('12:10', 'refused')] })).toEqual(['a']);
  expect(dueIn('12:30', { notifications }, { outbox: [given('12:10', 'changing')] })).toEqual(['a']);
  expect(dueIn('12:30', { notifications }, { outbox: [given('12:10', 'aside')] })).toEqual([]);
});

test('an answer answers the reminder that it names, whatever the time says', () => {
  const notifications = [sent('tuesday', '12:00')];
  const late = given('12:10', 'sent', { notification: 'monday' });
  expect(dueIn('12:30', { notifications }, { outbox: [late] })).toEqual(['tuesday']);
  const early = given('11:50', 'waiting', { notification: 'tuesday' });
  expect(dueIn('12:30', { notifications }, { outbox: [early] })).toEqual([]);
});

test("times of the phone's own clock are moved to the service's", () => {
  const clock = -2 * 3600_000;
  const arrived = [{ notification: 'c', survey: 'diary', at: at('14:00') }];
  expect(dueIn('12:30', {}, { arrived, clock })).toEqual(['c']);
  expect(dueIn('12:30', {}, { arrived })).toEqual([]);
  const notifications = [sent('a', '12:00')];
  expect(dueIn('12:30', { notifications }, { outbox: [given('14:10', 'sent', { ahead: clock })] })).toEqual(
    [],
  );
  expect(dueIn('12:30', { notifications }, { outbox: [given('13:50', 'sent', { ahead: clock })] })).toEqual([
    'a',
  ]);
});

describe('the form of a reminder', () => {
  const status = (now: string, more: Partial<Snapshot> = {}, outbox: Submission[] = [], survey = diary) =>
    formStatusOf({ survey: 'diary', notification: 'a' }, survey, {
      snapshot: { surveys: [diary], notifications: [sent('a', '12:00')], agenda: [], ...more } as Snapshot,
      outbox,
      arrived: [],
      now: at(now),
      since: at(now),
    });

  test('knows that it was answered, here or elsewhere, and that its time is over', () => {
    expect(status('12:30')).toEqual({ isClosed: false });
    expect(status('13:00')).toMatchObject({ expiredAt: at('13:00') });
    const elsewhere = [sent('a', '12:00', { answeredAt: iso('12:05') })];
    expect(status('12:30', { notifications: elsewhere })).toMatchObject({ answeredAt: at('12:05') });
    const here = given('12:10', 'waiting', { notification: 'a', identifier: 'x' } as Partial<Submission>);
    expect(status('12:30', {}, [here])).toMatchObject({ answeredAt: at('12:10'), submission: here });
    const others = [
      given('12:10', 'sent', { notification: 'b' }),
      given('12:10', 'refused', { notification: 'a' }),
    ];
    expect(status('12:30', {}, others)).toEqual({ isClosed: false });
  });

  test('knows the later reminder of its survey, and whether the study still takes an answer', () => {
    const notifications = [sent('b', '13:30'), sent('a', '12:00')];
    expect(status('13:40', { notifications }).newer).toMatchObject({ notification: 'b' });
    const strict = {
      ...diary,
      reminders: { ...reminders, answerWithin: 15, lateAnswers: 'refuse' },
    } as Survey;
    expect(status('12:15', {}, [], strict).isClosed).toBe(false);
    expect(status('12:16', {}, [], strict)).toMatchObject({ isClosed: true, expiredAt: at('12:15') });
  });
});

test('a reminder whose late answers the study refuses is due as long as the study takes an answer', () => {
  const strict = { ...reminders, answerWithin: 15, lateAnswers: 'refuse' } as Survey['reminders'];
  const surveys = [{ ...diary, reminders: strict }];
  const dueAt = (time: string, known: Partial<Snapshot>) =>
    today({ surveys, notifications: [], agenda: [], ...known } as unknown as Snapshot, {
      outbox: [],
      arrived: [],
      now: at(time),
    }).due.map(({ expiresAt }) => expiresAt);
  for (const known of [{ notifications: [sent('a', '12:00')] }, { agenda: [planned('a', '12:00', '13:00')] }])
    expect([dueAt('12:14', known), dueAt('12:16', known)]).toEqual([[at('12:15')], []]);
});

test('of several reminders of a survey the newest is due, and what was skipped is not', () => {
  expect(dueIn('12:50', { notifications: [sent('new', '12:30'), sent('old', '12:00')] })).toEqual(['new']);
  for (const [state, reason, due] of [
    ['skipped', 'paused', []],
    ['invalidated', 'left-study', []],
    // Nobody was reminded, but the time has come.
    ['skipped', 'no-device', ['a']],
    ['failed', 'HTTP 503', ['a']],
  ] as const)
    expect(dueIn('12:50', { notifications: [sent('a', '12:30', { state, reason })] })).toEqual(due);
  // None comes again of one that no phone got.
  const unpushed = [sent('a', '12:30', { state: 'skipped', reason: 'no-device' })];
  expect(see('12:50', { notifications: unpushed }).due).toMatchObject([{ isLast: true }]);
});

test('moments within windows stay a surprise: one for each date, without its time', () => {
  const agenda = [planned('a', '14:00', '15:00', 'mood'), planned('b', '16:00', '17:00', 'mood')];
  expect(see('12:00', { agenda }).coming).toMatchObject([{ survey: mood, isSurprise: true }]);
});

test('a survey without reminders may be answered at any time', () => {
  expect(see('12:00', {}).others).toEqual([any]);
});
