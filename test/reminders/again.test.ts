import { describe, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { hours, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { daily, dueAt, history, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

const at = (time: string) => ({
  ...daily,
  recurrence: `${Number(time.slice(3))} ${Number(time.slice(0, 2))} * * *`,
});

/** 12:00 in Paris on the first day. Chidi got a push at that time; Dana has no phone, so hers was skipped. */
const noon = Date.parse('2027-03-01T11:00:00.000Z');

async function atNoon(reminders: object = at('12:00')) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const { responder: chidi, other: dana } = study;
  const phone = await newPhone(chidi);
  for (const person of [chidi, dana]) await pendingOf(person);
  setClock(noon);
  for (const person of [chidi, dana]) await ring(person);
  expect(await states(chidi)).toContainEqual(['2027-03-01', 'sent']);
  expect(await states(dana)).toContainEqual(['2027-03-01', 'skipped']);
  later(minutes);
  return { study, chidi, dana, phone };
}

const states = async (person: Person) => (await history(person)).map(({ on, state }) => [on, state]);

const change = (study: Study, body: object) => study.owner.patch(`/survey/${study.survey}`, body);

describe('a change of reminders', () => {
  test('never reminds twice on one date, and a date that was settled without a push may still come', async () => {
    const { study, chidi, dana, phone } = await atNoon();
    await remind(study, at('18:00'));
    await dueAt(chidi, '2027-03-02T17:00:00.000Z');
    await dueAt(dana, '2027-03-01T17:00:00.000Z');
    const upcoming = await chidi.get(`/survey/${study.survey}/reminders/upcoming?count=1`);
    expect(upcoming.body.occurrences).toMatchObject([{ on: '2027-03-02' }]);
    const agenda = await chidi.get('/user/me/agenda?count=1');
    expect(agenda.body.occurrences).toMatchObject([{ on: '2027-03-02' }]);
    setClock('2027-03-02T17:00:00.000Z');
    await ring(chidi);
    expect(await phone.inbox()).toHaveLength(2);
  });

  test('reminds everyone again where it says so', async () => {
    const { study, chidi, phone } = await atNoon();
    const answer = await change(study, { reminders: at('18:00'), again: true });
    expect(answer.status, answer.text).toBe(200);
    await dueAt(chidi, '2027-03-01T17:00:00.000Z');
    setClock('2027-03-01T17:00:00.000Z');
    await ring(chidi);
    expect(await phone.inbox()).toHaveLength(2);
    const { body } = await study.owner.get(`/investigation/${study.id}/activity?limit=1`);
    expect(body.activities[0].details).toMatchObject({ again: true });

    // The next one does not say so, and knows of both pushes.
    await remind(study, at('20:00'));
    await dueAt(chidi, '2027-03-02T19:00:00.000Z');
  });

  test('does not forget the push when it is changed again, or removed and set again', async () => {
    const { study, chidi } = await atNoon();
    await remind(study, at('18:00'));
    await remind(study, null);
    await remind(study, at('19:00'));
    await dueAt(chidi, '2027-03-02T18:00:00.000Z');
  });

  test('keeps the rest of the date free of windows, which it draws again', async () => {
    const windows = [
      { from: '12:00', to: '12:01' },
      { from: '12:02', to: '12:03' },
      { from: '18:00', to: '19:00' },
    ];
    const sampling = { ...daily, recurrence: '* * * * *', minGap: 1, unlessAnswered: true, windows };
    const { study, chidi } = await atNoon(sampling);
    const night = await chidi.post(`/investigation/${study.id}/case`, { label: 'Night' });
    // The first one belongs to the reminder of noon, the other to the next one.
    for (const q1 of ['well', 'badly'])
      await chidi.post(`/survey/${study.survey}/response`, { case: night.body.identifier, items: { q1 } });
    later(2 * minutes);
    await ring(chidi);
    expect((await states(chidi)).filter(([, state]) => state === 'skipped')).toHaveLength(1);
    await remind(study, { ...sampling, unlessAnswered: false });
    const [next] = await pendingOf(chidi);
    expect(next).toMatchObject({ on: '2027-03-02', slot: 0 });
  });

  test('goes by the date where the user is: a traveller gets no second push on a date that they live through twice', async () => {
    const { study, chidi } = await atNoon();
    await remind(study, at('18:00'));
    await dueAt(chidi, '2027-03-02T17:00:00.000Z');
    const [device] = (await chidi.get('/user/me/devices')).body.devices;
    await chidi.patch(`/device/${device.identifier}`, { timeZone: 'Pacific/Honolulu' });
    await dueAt(chidi, '2027-03-03T04:00:00.000Z');
  });

  test('counts a push that went out after midnight for both dates', async () => {
    setClock(startOfTests);
    const study = await sleepStudy(at('23:30'));
    const chidi = study.responder;
    await newPhone(chidi);
    await chidi.patch('/user/me', { quietHours: { from: '23:00', to: '05:00' } });
    await pendingOf(chidi);
    setClock('2027-03-01T22:30:00.000Z');
    await ring(chidi);
    setClock('2027-03-02T04:00:00.000Z');
    await ring(chidi);
    expect(await states(chidi)).toContainEqual(['2027-03-01', 'sent']);
    await remind(study, at('12:00'));
    await dueAt(chidi, '2027-03-03T11:00:00.000Z');
  });

  test('matters to nobody days later', async () => {
    const { study, chidi } = await atNoon();
    setClock(noon + 100 * hours);
    await remind(study, at('18:00'));
    await dueAt(chidi, '2027-03-05T17:00:00.000Z');
  });
});

test('again stands beside reminders, and is true or false', async () => {
  const study = await sleepStudy(daily);
  await pendingOf(study.responder);
  await pendingOf(study.other);
  await changingNothing(async () => {
    expectProblem(await change(study, { again: true }), 'request.invalid', ['/again']);
    expectProblem(await change(study, { reminders: daily, again: 'yes' }), 'request.invalid', ['/again']);
  });
});
