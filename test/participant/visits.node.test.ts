import { describe, expect, test } from 'vitest';
import { type Arrived, today, withArrival } from '../../participant/due.ts';
import { formStatusOf } from '../../participant/form-status.ts';
import { isTimeOver, ownTimeOf } from '../../participant/own-time.ts';
import type { Notification, Occurrence, Snapshot, Study, Survey } from '../../participant/snapshot.ts';
import type { Submission } from '../../participant/submissions.ts';
import { isLate, isVisit, openMsOf } from '../../participant/visits.ts';

const dayMinutes = 24 * 60;
const at = (date: string, time = '09:00') => Date.parse(`2027-04-${date}T${time}:00Z`);
const iso = (date: string, time?: string) => new Date(at(date, time)).toISOString();

const surveyOf = (reminders: object) =>
  ({
    identifier: 'visit',
    name: 'Visit',
    investigation: 'investigation/heart',
    reminders,
  }) as unknown as Survey;
/** Two weeks long. */
const visit = surveyOf({ expiresAfter: 14 * dayMinutes });

const sent = (identifier: string, date: string, more: object = {}) =>
  ({ identifier, survey: 'visit', dueAt: iso(date), state: 'sent', ...more }) as Notification;
const planned = (notification: string, date: string) =>
  ({ notification, survey: 'visit', dueAt: iso(date), expiresAt: iso(date) }) as Occurrence;
const study = (participation?: object) =>
  ({
    identifier: 'heart',
    name: 'Heart',
    status: 'active',
    ...(participation && { participation }),
  }) as Study;

interface Known extends Partial<Snapshot> {
  outbox?: Submission[];
  arrived?: Arrived[];
  survey?: Survey;
}

const see = (now: number, known: Known) => {
  const { outbox = [], arrived = [], survey = visit, ...snapshot } = known;
  const whole = { studies: [study()], surveys: [survey], notifications: [], agenda: [], ...snapshot };
  return today(whole as unknown as Snapshot, { outbox, arrived, now }).due;
};

const cards = (now: number, known: Known) => see(now, known).map(({ notification }) => notification);

describe('the time for which a reminder is open', () => {
  const days = (reminders: object) => openMsOf(surveyOf(reminders)) / (24 * 3600 * 1000);

  test.each([
    ['as long as it comes again', { expiresAfter: 3 * dayMinutes }, 3],
    ['six hours without settings', {}, 0.25],
    ['as long as no answer to a visit is late', { answerWithin: 10 * dayMinutes }, 10],
    ['longer than that', { expiresAfter: 14 * dayMinutes, answerWithin: 10 * dayMinutes }, 14],
    [
      'no longer where late answers are refused',
      { expiresAfter: 14 * dayMinutes, answerWithin: 10 * dayMinutes, lateAnswers: 'refuse' },
      10,
    ],
    ['as before within a day', { expiresAfter: 360, answerWithin: 720 }, 0.25],
    [
      'as before within a day, refused',
      { expiresAfter: 360, answerWithin: 720, lateAnswers: 'refuse' },
      0.25,
    ],
  ])('is %s', (_, reminders, length) => {
    expect(days(reminders)).toBe(length);
    expect(isVisit(surveyOf(reminders))).toBe(length > 1);
  });

  test('goes on when an answer is late', () => {
    const late = surveyOf({ expiresAfter: 14 * dayMinutes, answerWithin: 10 * dayMinutes });
    expect([at('11'), at('11', '09:01')].map((now) => isLate(late, at('01'), now))).toEqual([false, true]);
    expect(isLate(visit, at('01'), at('20'))).toBe(false);
  });
});

describe('a visit', () => {
  test('is one card until its end, told by the service, by the agenda or by a push alone', () => {
    const nudged = sent('a', '01', { nextAt: iso('09'), followUps: [{ kind: 'nudge' }] });
    const ways: Known[] = [
      { notifications: [nudged] },
      { agenda: [planned('a', '01')] },
      { arrived: [{ notification: 'a', survey: 'visit', at: at('01') }] },
      {
        notifications: [nudged],
        agenda: [planned('a', '01')],
        arrived: [{ notification: 'a', survey: 'visit', at: at('05') }],
      },
    ];
    for (const known of ways) {
      expect([cards(at('08'), known), cards(at('14', '23:00'), known)]).toEqual([['a'], ['a']]);
      expect(see(at('08'), known)).toMatchObject([{ dueAt: at('01'), expiresAt: at('15') }]);
      expect(cards(at('15'), known)).toEqual([]);
    }
  });

  test('is a card of its own beside others, with its own answer', () => {
    const notifications = [sent('c', '10'), sent('b', '05'), sent('a', '01')];
    expect(cards(at('11'), { notifications })).toEqual(['a', 'b', 'c']);
    const answer = { survey: 'visit', at: iso('11'), ahead: 0, state: 'waiting', notification: 'b' };
    expect(cards(at('11'), { notifications, outbox: [answer as Submission] })).toEqual(['a', 'c']);
    const answered = [sent('c', '10', { answeredAt: iso('10') }), sent('a', '01')];
    expect(cards(at('11'), { notifications: answered })).toEqual(['a']);
    expect(cards(at('16'), { notifications })).toEqual(['b', 'c']);
  });

  test('comes again only while none of its survey has come since', () => {
    const next = { nextAt: iso('12') };
    const [first, second] = [sent('a', '01', next), sent('b', '10', next)];
    expect(see(at('11'), { notifications: [second, first] })).toEqual([
      expect.not.objectContaining({ nextAt: expect.anything() }),
      expect.objectContaining({ notification: 'b', nextAt: at('12') }),
    ]);
    expect(see(at('11'), { notifications: [second, first] }).map(({ isLast = false }) => isLast)).toEqual([
      true,
      false,
    ]);
    const answered = sent('b', '10', { answeredAt: iso('10') });
    expect(see(at('11'), { notifications: [answered, first] })).toMatchObject([
      { notification: 'a', isLast: true },
    ]);
    // A push of the first that the phone heard of late.
    const arrived = [{ notification: 'a', survey: 'visit', at: at('11') }];
    expect(see(at('11'), { notifications: [second, first], arrived })[1]).toMatchObject({ nextAt: at('12') });
  });

  test('comes no more after the time of the person, and can still be answered', () => {
    const studies = [study({ from: '2027-03-01', until: '2027-04-10' })];
    const nudged = (date: string) =>
      see(at('08'), { studies, notifications: [sent('a', '01', { nextAt: iso(date) })] });
    expect(nudged('10')).toMatchObject([{ notification: 'a', nextAt: at('10') }]);
    expect(nudged('12')).toEqual([expect.not.objectContaining({ nextAt: expect.anything() })]);
    expect(cards(at('12'), { studies, notifications: [sent('a', '01')] })).toEqual(['a']);
  });

  test('of a daily survey there is still one card: that of the newest', () => {
    const survey = surveyOf({ expiresAfter: dayMinutes });
    const notifications = [sent('b', '02'), sent('a', '01', { dueAt: iso('01', '21:00') })];
    expect(cards(at('02', '10:00'), { survey, notifications })).toEqual(['b']);
  });
});

describe('the form of a visit', () => {
  const status = (notification: string, now: number) =>
    formStatusOf({ survey: 'visit', notification }, visit, {
      snapshot: {
        studies: [study()],
        surveys: [visit],
        notifications: [sent('c', '10'), sent('b', '05', { answeredAt: iso('06') }), sent('a', '01')],
        agenda: [],
      } as unknown as Snapshot,
      ...{ outbox: [], arrived: [], now, since: now },
    });

  test('leads to a later one that is open, never to an earlier one', () => {
    expect(status('a', at('11')).newer).toMatchObject({ notification: 'c' });
    expect(status('b', at('11'))).toMatchObject({ answeredAt: at('06'), newer: { notification: 'c' } });
    expect(status('c', at('11')).newer).toBeUndefined();
    expect(status('a', at('14'))).not.toHaveProperty('expiredAt');
    expect(status('a', at('16'))).toMatchObject({ expiredAt: at('15') });
  });
});

describe('pushes that arrived', () => {
  const push = (notification: string, date: string, survey = 'visit'): Arrived => ({
    ...{ notification, survey, at: at(date) },
  });

  test('a nudge makes its reminder no younger', () => {
    expect(withArrival([push('a', '01'), push('b', '02')], push('a', '07'))).toEqual([
      push('b', '02'),
      push('a', '01'),
    ]);
  });

  test('a visit is not forgotten for the pushes of a diary', () => {
    const pushes = Array.from({ length: 100 }, (_, n) => push(`d${n}`, '03', 'diary'));
    const known = pushes.reduce<Arrived[]>(withArrival, [push('a', '01')]);
    expect(known).toHaveLength(21);
    expect(known[0]).toEqual(push('a', '01'));
    expect(known.at(-1)).toEqual(pushes.at(-1));
  });
});

describe("a person's own time", () => {
  /** At noon on the phone's clock. */
  const on = (date: string) => new Date(`${date}T12:00`).getTime();
  const own = (date: string, participation?: object) => ownTimeOf(study(participation), on(date));
  const bounded = { from: '2027-03-28', until: '2027-05-08' };

  test('is before, in and after, both bounds included', () => {
    expect(own('2027-03-27', bounded)).toEqual({ is: 'before', begins: on('2027-03-28') });
    expect(own('2027-03-28', bounded)).toEqual({ is: 'in', day: 1, days: 42 });
    expect(own('2027-04-08', bounded)).toEqual({ is: 'in', day: 12, days: 42 });
    expect(own('2027-05-08', bounded)).toEqual({ is: 'in', day: 42, days: 42 });
    expect(own('2027-05-09', bounded)).toEqual({ is: 'after' });
  });

  test('changes at midnight on the clock of the phone, also where clocks change', () => {
    const [last, first] = ['2027-05-08T23:59', '2027-05-09T00:00'].map((time) => new Date(time).getTime());
    expect(ownTimeOf(study(bounded), last as number)).toMatchObject({ is: 'in' });
    expect(ownTimeOf(study(bounded), first as number)).toEqual({ is: 'after' });
  });

  test('without an end nothing is behind, but it may not have begun', () => {
    expect(own('2027-04-08')).toBeUndefined();
    expect(own('2027-04-08', { from: '2027-04-01' })).toBeUndefined();
    expect(own('2027-03-08', { from: '2027-04-01' })).toMatchObject({ is: 'before' });
    const archived = { ...study(bounded), status: 'archived' } as Study;
    expect(ownTimeOf(archived, on('2027-06-01'))).toBeUndefined();
  });

  test('is over only when it is over in every study', () => {
    const over = study({ from: '2027-03-01', until: '2027-03-31' });
    expect(isTimeOver([over], on('2027-04-08'))).toBe(true);
    expect(isTimeOver([over, study()], on('2027-04-08'))).toBe(false);
    expect(isTimeOver([], on('2027-04-08'))).toBe(false);
  });
});
