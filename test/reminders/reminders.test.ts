import { describe, expect, test } from 'vitest';
import { setClock } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { daily, dueAt, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

const rolling = { reminders: daily, timeZone: 'Europe/Paris', startsOn: '2027-03-26' };

describe('the preview', () => {
  test('lists occurrences and says when clocks move the time', async () => {
    const ada = await signUp('Ada');
    const answer = await ada.post('/reminders/preview', {
      ...rolling,
      reminders: { type: 'rolling', recurrence: '30 2 * * *' },
      count: 3,
      from: '2027-03-27T00:00:00Z',
    });
    expect(answer.status).toBe(200);
    expect(answer.body.occurrences).toEqual([
      { on: '2027-03-27', counter: 1, dueAt: '2027-03-27T01:30:00.000Z', local: '2027-03-27T02:30:00+01:00' },
      {
        on: '2027-03-28',
        counter: 2,
        dueAt: '2027-03-28T01:30:00.000Z',
        local: '2027-03-28T03:30:00+02:00',
        note: expect.stringContaining('does not exist in Europe/Paris'),
      },
      { on: '2027-03-29', counter: 3, dueAt: '2027-03-29T00:30:00.000Z', local: '2027-03-29T02:30:00+02:00' },
    ]);
  });

  test('ends with the series, and takes the own time of a user', async () => {
    const ada = await signUp('Ada');
    const answer = await ada.post('/reminders/preview', {
      reminders: { type: 'fixed', recurrence: '0 8 * * 0,3,7' },
      timeZone: 'Asia/Kathmandu',
      downloadedOn: '2028-02-28',
      customRemindersTime: '07:15',
      count: 400,
    });
    expect(answer.body.occurrences.map((one: { local: string }) => one.local)).toEqual([
      '2028-02-28T07:15:00+05:45',
      '2028-03-02T07:15:00+05:45',
      '2028-03-06T07:15:00+05:45',
    ]);
  });

  test('of 400 occurrences asks the database nothing', async () => {
    const ada = await signUp('Ada');
    const { answer, roundTrips } = await countedApp().measure(ada, 'POST', '/reminders/preview', {
      ...rolling,
      count: 400,
    });
    expect(answer.body.occurrences).toHaveLength(400);
    expect(roundTrips).toBe(0);
  });

  test.each<[string, object, string]>([
    ['six fields', { reminders: { type: 'rolling', recurrence: '0 0 8 * * *' } }, '/reminders/recurrence'],
    ['a name', { reminders: { type: 'rolling', recurrence: '0 8 * * MON' } }, '/reminders/recurrence'],
    ['a day of month', { reminders: { type: 'rolling', recurrence: '0 8 1 * *' } }, '/reminders/recurrence'],
    ['ends of 0', { reminders: { ...daily, ends: 0 } }, '/reminders/ends'],
    ['ends of 1.5', { reminders: { ...daily, ends: 1.5 } }, '/reminders/ends'],
    ['a negative delay', { reminders: { ...daily, delay: -1 } }, '/reminders/delay'],
    [
      'a delay on fixed',
      { reminders: { ...daily, type: 'fixed', delay: 1 }, startsOn: undefined, downloadedOn: '2027-01-01' },
      '/reminders/delay',
    ],
    ['a zone that does not exist', { timeZone: 'Europe/Atlantis' }, '/timeZone'],
    ['an offset for a zone', { timeZone: '+05:30' }, '/timeZone'],
    ['29 February of another year', { startsOn: '2027-02-29' }, '/startsOn'],
    ['a time of 24:00', { customRemindersTime: '24:00' }, '/customRemindersTime'],
    ['no start', { startsOn: undefined }, '/startsOn'],
    ['both starts', { downloadedOn: '2027-03-01' }, '/downloadedOn'],
    ['401 occurrences', { count: 401 }, '/count'],
    ['no occurrence', { count: 0 }, '/count'],
    ['a date for an instant', { from: '2027-03-01' }, '/from'],
    ['an unknown field', { until: '2027-03-01' }, '/until'],
  ])('refuses %s, and says where', async (_, change, pointer) => {
    const ada = await signUp('Ada');
    const answer = await ada.post('/reminders/preview', { ...rolling, ...change });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body).toMatchObject({ code: 'request.invalid', errors: [{ pointer }] });
  });

  test.each(['1970-01-01', '2200-12-31'])('carries on with a start on %s', async (startsOn) => {
    const ada = await signUp('Ada');
    const answer = await ada.post('/reminders/preview', { ...rolling, startsOn, count: 400 });
    expect(answer.status).toBe(200);
    expect(answer.body.occurrences).toHaveLength(400);
    expect(answer.body.occurrences[0]).toMatchObject({ on: startsOn, counter: 0 });
  });
});

describe('reminders that a survey refuses', () => {
  test.each<[string, object, string]>([
    ['an empty subject', { notification: { subject: '', body: 'b' } }, '/reminders/notification/subject'],
    [
      '5,000 characters of body',
      { notification: { subject: 's', body: 'x'.repeat(5000) } },
      '/reminders/notification/body',
    ],
    [
      'text over 4 KB once encoded',
      { notification: { subject: 's', body: '🌙'.repeat(1200) } },
      '/reminders/notification',
    ],
    ['no notification', { notification: undefined }, '/reminders/notification'],
    ['a day without minutes', { expiresAfter: 0 }, '/reminders/expiresAfter'],
    ['more than sixty days', { expiresAfter: 86_401 }, '/reminders/expiresAfter'],
    ['an unknown field', { interval: 7 }, '/reminders/interval'],
    ['another type', { type: 'weekly' }, '/reminders/type'],
    ['ends on fixed', { type: 'fixed', ends: 3 }, '/reminders/ends'],
    ['60 minutes', { recurrence: '60 8 * * *' }, '/reminders/recurrence'],
  ])('%s', async (_, change, pointer) => {
    const study = await sleepStudy(daily);
    const before = await study.owner.get(`/survey/${study.survey}`);
    const answer = await study.owner.patch(`/survey/${study.survey}`, { reminders: { ...daily, ...change } });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.errors[0]).toMatchObject({ pointer, detail: expect.any(String) });
    expect((await study.owner.get(`/survey/${study.survey}`)).body).toEqual(before.body);
  });
});

test('upcoming shows a real user what comes, to themselves and to owners and editors', async () => {
  const study = await sleepStudy({ ...daily, ends: 2 });
  await newPhone(study.responder, 'Asia/Tokyo');
  await dueAt(study.responder, '2027-03-01T12:30:00.000Z');
  const expected = [
    { on: '2027-03-01', dueAt: '2027-03-01T12:30:00.000Z', local: '2027-03-01T21:30:00+09:00', counter: 0 },
    { on: '2027-03-02', dueAt: '2027-03-02T12:30:00.000Z', local: '2027-03-02T21:30:00+09:00', counter: 1 },
  ];
  const path = `/survey/${study.survey}/reminders/upcoming`;
  expect((await study.responder.get(path)).body.occurrences).toEqual(expected);
  const byEditor = await study.editor.get(`${path}?user=${study.responder.id}&count=1`);
  expect(byEditor.body.occurrences).toEqual(expected.slice(0, 1));
  expect((await study.other.get(`${path}?user=${study.responder.id}`)).status).toBe(403);

  setClock('2027-03-01T12:30:00.000Z');
  await ring(study.responder);
  expect((await study.responder.get(path)).body.occurrences).toEqual(expected.slice(1));
});

test('the history of a survey is for owners and editors, in pages, newest first', async () => {
  const study = await sleepStudy(daily);
  await newPhone(study.responder, 'Europe/Paris');
  await pendingOf(study.responder);
  for (const day of ['01', '02', '03']) {
    setClock(`2027-03-${day}T20:30:00.000Z`);
    await ring(study.responder);
  }
  const path = `/survey/${study.survey}/notifications?user=${study.responder.id}`;
  const first = await study.editor.get(`${path}&limit=2`);
  expect(first.body.notifications.map((row: { on: string }) => row.on)).toEqual(['2027-03-04', '2027-03-03']);
  const second = await study.editor.get(`${path}&limit=2&cursor=${first.body.next}`);
  expect(second.body.notifications.map((row: { on: string }) => row.on)).toEqual([
    '2027-03-02',
    '2027-03-01',
  ]);
  expect(second.body.next).toBeUndefined();
  expect(await history(study.responder)).toEqual([...first.body.notifications, ...second.body.notifications]);
  expect((await study.other.get(path)).status).toBe(403);
  const stranger = await signUp('Greta');
  expect((await stranger.get(path)).status).toBe(404);
});
