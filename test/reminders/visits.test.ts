import { describe, expect, test } from 'vitest';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { history, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

/** Three weeks after surgery, and open for two weeks more. */
const visit = {
  type: 'fixed',
  recurrence: '0 9 * * *',
  from: { date: 'surgery' },
  days: [21],
  expiresAfter: 14 * 1440,
  answerWithin: 10 * 1440,
  followUps: { every: 2 * 1440, max: 3, stop: 'answered' },
  notification: { subject: 'Your visit', body: 'Please answer before you come.' },
};

/** Chidi's visit is due on Saturday, the day before the clocks go forward. */
async function visiting(reminders: object = visit) {
  setClock(startOfTests);
  const study = await sleepStudy();
  await study.owner.patch(`/investigation/${study.id}`, { dates: ['surgery'] });
  await remind(study, reminders);
  const chidi = study.responder;
  await newPhone(chidi);
  await surgery(study, '2027-03-06');
  await pendingOf(chidi);
  return { study, chidi };
}

const dated = async ({ id, editor, responder }: Study, change: object) => {
  const answer = await editor.patch(`/investigation/${id}/member/${responder.id}`, change);
  expect(answer.status, answer.text).toBe(200);
};

const surgery = (study: Study, date: string | null) => dated(study, { dates: { surgery: date } });

const visitOf = async ({ responder }: Study) => (await history(responder))[0];

const sentOf = async ({ responder }: Study) =>
  (await history(responder)).filter(({ state }: { state: string }) => state === 'sent');

async function ringAt(study: Study, instant: string) {
  setClock(instant);
  await ring(study.responder);
  return visitOf(study);
}

describe('a visit that stays open over days', () => {
  test('is one occurrence, and its nudges come at the time of day of the person', async () => {
    const { study, chidi } = await visiting();
    const { occurrences } = (await chidi.get(`/survey/${study.survey}/reminders/upcoming`)).body;
    expect(occurrences).toMatchObject([
      {
        on: '2027-03-27',
        dueAt: '2027-03-27T08:00:00.000Z',
        // Clocks go forward in between.
        nudges: ['2027-03-29T07:00:00.000Z', '2027-03-31T07:00:00.000Z', '2027-04-02T07:00:00.000Z'],
      },
    ]);
    // Three hours late: nudges are not late for that.
    await ringAt(study, '2027-03-27T11:00:00.000Z');
    expect(await ringAt(study, '2027-03-29T07:00:00.000Z')).toMatchObject({
      state: 'sent',
      followUps: [{ kind: 'nudge', dueAt: '2027-03-29T07:00:00.000Z', state: 'sent' }],
    });
    // A new time counts from the next nudge on, and so do quiet hours and journeys.
    await chidi.patch('/user/me', { customRemindersTime: '18:30' });
    expect(await visitOf(study)).toMatchObject({ nextAt: '2027-03-31T16:30:00.000Z' });
    await chidi.patch('/user/me', { quietHours: { from: '18:00', to: '20:00' } });
    expect(await visitOf(study)).toMatchObject({ nextAt: '2027-03-31T18:00:00.000Z' });
    await chidi.patch('/user/me', { quietHours: null, customRemindersTime: null });
    await newPhone(chidi, 'America/New_York');
    expect(await visitOf(study)).toMatchObject({ nextAt: '2027-03-31T13:00:00.000Z' });
    expect((await ringAt(study, '2027-03-31T13:00:00.000Z')).followUps).toHaveLength(2);
    expect((await ringAt(study, '2027-04-02T13:00:00.000Z')).followUps).toHaveLength(3);
  });

  test('takes an answer as long as it is open, which may be late, and then ends', async () => {
    const { study, chidi } = await visiting();
    await ringAt(study, '2027-03-27T08:00:00.000Z');
    setClock('2027-04-08T12:00:00.000Z');
    await newResponse(study, chidi, await newCase(study, chidi));
    expect(await visitOf(study)).toMatchObject({
      answeredAt: '2027-04-08T12:00:00.000Z',
      answeredLate: true,
    });
    const { responses } = (await study.owner.get(`/investigation/${study.id}/responses`)).body;
    expect(responses).toMatchObject([{ late: true, notification: (await visitOf(study)).identifier }]);
  });

  test('whose date moves by more than it is open is nudged no more', async () => {
    const { study, chidi } = await visiting();
    await ringAt(study, '2027-03-27T08:00:00.000Z');
    await surgery(study, '2027-03-20');
    setClock('2027-03-29T07:00:00.000Z');
    await ring(chidi);
    const [next, moved] = await history(chidi);
    expect(next).toMatchObject({ on: '2027-04-10', state: 'scheduled' });
    expect(moved).toMatchObject({ on: '2027-03-27', state: 'sent' });
    expect(moved.followUps).toMatchObject([{ state: 'skipped', reason: 'date-moved' }]);
  });

  test('is the same one when its date is corrected while it is open, forwards or back', async () => {
    const { study, chidi } = await visiting({ ...visit, days: [21, 60] });
    await ringAt(study, '2027-03-27T08:00:00.000Z');
    for (const date of ['2027-03-07', '2027-03-09', '2027-03-05', '2027-03-19']) {
      await surgery(study, date);
      for (let n = 0; n < 2; n++) await ring(chidi);
      expect(await sentOf(study), date).toMatchObject([{ on: '2027-03-27' }]);
      const second = new Date(Date.parse(date) + 60 * 86_400_000).toISOString().slice(0, 10);
      expect(await pendingOf(chidi), date).toMatchObject([{ on: second }]);
    }
    setClock('2027-03-29T07:00:00.000Z');
    await ring(chidi);
    expect((await sentOf(study))[0]?.followUps).toMatchObject([{ kind: 'nudge', state: 'sent' }]);
    await newResponse(study, chidi, await newCase(study, chidi));
    await surgery(study, '2027-03-08');
    setClock('2027-03-31T07:00:00.000Z');
    for (let n = 0; n < 2; n++) await ring(chidi);
    expect(await pendingOf(chidi)).toMatchObject([{ on: '2027-05-07' }]);
    const [visited, ...others] = await sentOf(study);
    expect(others).toEqual([]);
    expect(visited).toMatchObject({
      on: '2027-03-27',
      answeredAt: '2027-03-29T07:00:00.000Z',
      followUps: [{ state: 'sent' }, { state: 'skipped', reason: 'answered' }],
    });
  });

  test.each([
    [
      'date',
      (study: Study) => surgery(study, null),
      (study: Study) => surgery(study, '2027-03-06'),
      'date-moved',
    ],
    [
      'time',
      (study: Study) => dated(study, { participation: { until: '2027-03-28' } }),
      (study: Study) => dated(study, { participation: null }),
      'not-participating',
    ],
  ])('is nudged again once the %s of the person is as it was', async (_, takeAway, setBack, reason) => {
    const { study } = await visiting();
    await ringAt(study, '2027-03-27T08:00:00.000Z');
    await takeAway(study);
    const { followUps, nextAt } = await ringAt(study, '2027-03-29T07:00:00.000Z');
    expect(followUps).toMatchObject([{ state: 'skipped', reason }]);
    expect(nextAt).toBe('2027-03-31T07:00:00.000Z');
    await setBack(study);
    expect((await ringAt(study, '2027-03-31T07:00:00.000Z')).followUps).toMatchObject([
      { state: 'skipped', reason },
      { kind: 'nudge', dueAt: '2027-03-31T07:00:00.000Z', state: 'sent' },
    ]);
  });

  test('a push that came late is not repeated on its date because reminders changed', async () => {
    const { study, chidi } = await visiting();
    // Told in April that surgery was in the middle of March.
    setClock('2027-04-16T06:00:00.000Z');
    await surgery(study, '2027-03-14');
    // The one of the date before is taken back first.
    for (let n = 0; n < 2; n++) await ring(chidi);
    expect(await visitOf(study)).toMatchObject({ on: '2027-04-04', state: 'sent' });
    await remind(study, { ...visit, days: { every: 1, times: 60 } });
    expect(await pendingOf(chidi)).toMatchObject([{ on: '2027-04-17' }]);
  });
});
