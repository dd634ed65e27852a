import { describe, expect, test } from 'vitest';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { daily, dueAt, history, pendingOf, ring, scheduled } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

const call = { ...daily, clock: 'study' };

/** A call at 21:30 in Paris, for Chidi, who is in Auckland and has chosen a time of his own. */
async function callFromParis(reminders: object = call, quietHours: object | null = null) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  await study.owner.patch(`/investigation/${study.id}`, { timeZone: 'Europe/Paris' });
  const chidi = study.responder;
  const phone = await newPhone(chidi, 'Pacific/Auckland');
  await chidi.patch('/user/me', { customRemindersTime: '08:00', quietHours });
  return { study, chidi, phone };
}

describe('reminders on the clock of the study', () => {
  test('come to everyone at one instant, whatever their zone and their chosen time', async () => {
    const { study, chidi, phone } = await callFromParis();
    await dueAt(chidi, '2027-03-01T20:30:00.000Z');
    await newPhone(study.other, 'America/New_York');
    await dueAt(study.other, '2027-03-01T20:30:00.000Z');
    setClock(Date.parse('2027-03-01T20:30:00.000Z'));
    await ring(chidi);
    expect(await phone.inbox()).toHaveLength(1);
    const [sent] = (await history(chidi)).filter(({ state }) => state === 'sent');
    expect(sent).toMatchObject({ on: '2027-03-01', timeZone: 'Pacific/Auckland' });
  });

  test('are shown on the clock of the participant', async () => {
    const { study, chidi } = await callFromParis();
    const { body } = await chidi.get(`/survey/${study.survey}/reminders/upcoming?count=1`);
    expect(body.occurrences).toEqual([
      {
        on: '2027-03-01',
        counter: 0,
        dueAt: '2027-03-01T20:30:00.000Z',
        local: '2027-03-02T09:30:00+13:00',
      },
    ]);
  });

  test('follow the study when it moves', async () => {
    const { study, chidi } = await callFromParis();
    await study.owner.patch(`/investigation/${study.id}`, { timeZone: 'America/New_York' });
    await dueAt(chidi, '2027-03-02T02:30:00.000Z');
  });

  test("wait for the participant's own quiet hours to end", async () => {
    const { chidi, phone } = await callFromParis(call, { from: '09:00', to: '10:00' });
    await pendingOf(chidi);
    setClock(Date.parse('2027-03-01T20:30:00.000Z'));
    await ring(chidi);
    expect(await phone.inbox()).toEqual([]);
    expect((await scheduled(chidi))[0].note).toBe('Quiet hours: waits until 2027-03-01T21:00:00.000Z');
  });

  test('take the clock of nobody else', async () => {
    const study = await sleepStudy();
    const answer = await study.owner.patch(`/survey/${study.survey}`, {
      reminders: { ...daily, clock: 'device' },
    });
    expectProblem(answer, 'request.invalid', ['/reminders/clock']);
  });
});

describe('a preview on the clock of the study', () => {
  const request = { reminders: call, timeZone: 'Pacific/Auckland', startsOn: '2027-03-01', count: 1 };

  test('shows the instant, and the time for the participant', async () => {
    const ada = await signUp('Ada');
    const { body } = await ada.post('/reminders/preview', {
      ...request,
      studyTimeZone: 'Europe/Paris',
      customRemindersTime: '08:00',
    });
    expect(body.occurrences).toMatchObject([
      { dueAt: '2027-03-01T20:30:00.000Z', local: '2027-03-02T09:30:00+13:00' },
    ]);
  });

  test('needs the zone of the study', async () => {
    const ada = await signUp('Ada');
    expectProblem(await ada.post('/reminders/preview', request), 'request.invalid', ['/studyTimeZone']);
  });
});
