import { describe, expect, test } from 'vitest';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { addSurveys } from '../support/worker/bulk.ts';
import { minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { daily, history, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';
import { ringAt } from './support/nudges.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');

/** Chidi got the reminder of the evening, which is nudged about each half hour. */
async function sentEvening(reminders: object = { followUps: { every: 30, max: 2 } }) {
  setClock(startOfTests);
  const study = await sleepStudy({ ...daily, expiresAfter: 120, ...reminders });
  const chidi = study.responder;
  await newPhone(chidi);
  await pendingOf(chidi);
  setClock(due);
  await ring(chidi);
  const [{ identifier }] = (await history(chidi)).filter(({ on }) => on === '2027-03-01');
  return { study, chidi, identifier };
}

const upcoming = async ({ survey, responder }: Study, by = responder) =>
  (await by.get(`/survey/${survey}/reminders/upcoming?count=1&user=${responder.id}`)).body;

const answer = async (study: Study) =>
  newResponse(study, study.responder, await newCase(study, study.responder));

describe('upcoming reminders have the follow-up that comes next', () => {
  test('a nudge, beside the next occurrence with its nudges', async () => {
    const { study, chidi, identifier } = await sentEvening();
    const tomorrow = {
      on: '2027-03-02',
      nudges: ['2027-03-02T21:00:00.000Z', '2027-03-02T21:30:00.000Z'],
    };
    const nudge = { notification: identifier, on: '2027-03-01', kind: 'nudge' };
    const first = { occurrences: [tomorrow], followUp: { ...nudge, dueAt: '2027-03-01T21:00:00.000Z' } };
    expect(await upcoming(study)).toMatchObject(first);
    expect(await upcoming(study, study.owner)).toMatchObject(first);
    expect((await upcoming(study)).followUp).not.toHaveProperty('note');
    await ringAt(chidi, due + 30 * minutes);
    expect((await upcoming(study)).followUp).toEqual({ ...nudge, dueAt: '2027-03-01T21:30:00.000Z' });
    await ringAt(chidi, due + 60 * minutes);
    expect(await upcoming(study)).not.toHaveProperty('followUp');
  });

  test('a snooze, with when it will wait for quiet hours to end', async () => {
    const { study, chidi, identifier } = await sentEvening({ expiresAfter: 1440 });
    expect(await upcoming(study)).not.toHaveProperty('followUp');
    await chidi.post(`/notification/${identifier}/snooze`, { minutes: 20 });
    const snooze = { notification: identifier, on: '2027-03-01', kind: 'snooze' };
    const dueAt = '2027-03-01T20:50:00.000Z';
    expect((await upcoming(study)).followUp).toEqual({ ...snooze, dueAt });
    await chidi.patch('/user/me', { quietHours: { from: '21:45', to: '22:45' } });
    const end = '2027-03-01T21:45:00.000Z';
    const note = `Quiet hours: waits until ${end}`;
    expect((await upcoming(study)).followUp).toEqual({ ...snooze, dueAt, note });
    await ringAt(chidi, Date.parse(dueAt));
    expect((await upcoming(study)).followUp).toEqual({ ...snooze, dueAt: end });
  });

  test.each<[string, (study: Study) => Promise<unknown>]>([
    ['answered', answer],
    ['paused', ({ responder }) => responder.put('/user/me/pause', { until: null })],
    [
      'quiet-hours',
      ({ responder }) => responder.patch('/user/me', { quietHours: { from: '21:55', to: '23:00' } }),
    ],
    ['stale', (study) => remind(study, { ...daily, recurrence: '0 9 * * *' })],
  ])('and the reason for which a nudge is left out as things stand: %s', async (reason, change) => {
    const { study } = await sentEvening();
    await change(study);
    expect((await upcoming(study)).followUp).toMatchObject({
      kind: 'nudge',
      note: `As things stand, skipped: ${reason}`,
    });
  });

  test('an answer also where there are no nudges', async () => {
    const { study, chidi, identifier } = await sentEvening({});
    await chidi.post(`/notification/${identifier}/snooze`, { minutes: 20 });
    await answer(study);
    expect((await upcoming(study)).followUp.note).toBe('As things stand, skipped: answered');
  });

  test('without a look at other surveys of the user', async () => {
    const { study, chidi } = await sentEvening();
    const path = `/survey/${study.survey}/reminders/upcoming`;
    const app = countedApp();
    const { rowsRead, answer: alone } = await app.measure(chidi, 'GET', path);
    await addSurveys(study, 150, daily);
    const among = await app.measure(chidi, 'GET', path);
    expect(among.answer.body).toEqual(alone.body);
    expect(among.rowsRead).toBeLessThanOrEqual(rowsRead);
  });
});
