import { expect, test } from 'vitest';
import { diary } from '../support/studies.ts';
import { setClock } from '../support/worker/clock.ts';
import {
  armedFor,
  daily,
  dueAt,
  history,
  pendingOf,
  remind,
  scheduled,
} from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy, stranger } from '../support/worker/world.ts';

const inParis = '2027-03-01T20:30:00.000Z';

test('signing up with an invitation plans the reminders of its study', async () => {
  const study = await sleepStudy(daily);
  const emil = await stranger('Emil');
  await study.owner.post(`/investigation/${study.id}/member`, { email: emil.email, role: 'responder' });
  expect((await emil.post('/user', { name: 'Emil' })).status).toBe(201);
  expect(await scheduled(emil)).toMatchObject([
    { survey: study.survey, dueAt: inParis, timeZone: 'Europe/Paris' },
  ]);
});

test('joining plans, leaving takes the pending notification away, and coming back brings it again', async () => {
  const study = await sleepStudy(daily);
  const fatima = await signUp('Fatima', { timeZone: 'Africa/Cairo' });
  const join = () =>
    study.owner.post(`/investigation/${study.id}/member`, { user: fatima.id, role: 'responder' });
  await join();
  expect(await scheduled(fatima)).toMatchObject([
    { dueAt: '2027-03-01T19:30:00.000Z', timeZone: 'Africa/Cairo' },
  ]);

  await fatima.delete(`/investigation/${study.id}/member/me`);
  expect(await scheduled(fatima)).toEqual([]);
  await join();
  expect(await scheduled(fatima)).toHaveLength(1);
});

test('participants who join late are not reminded of earlier dates', async () => {
  const study = await sleepStudy(daily);
  setClock('2027-03-04T21:00:00.000Z');
  const fatima = await signUp('Fatima', { timeZone: 'Europe/Paris' });
  await study.owner.post(`/investigation/${study.id}/member`, { user: fatima.id, role: 'responder' });
  expect(await history(fatima)).toMatchObject([{ on: '2027-03-05', state: 'scheduled' }]);
});

test('a survey that is created with reminders is planned for every member who takes part', async () => {
  const study = await sleepStudy();
  await newPhone(study.editor);
  await study.editor.post(`/investigation/${study.id}/survey`, {
    name: 'Evening',
    items: diary,
    reminders: daily,
  });
  for (const member of [study.editor, study.responder, study.other]) await dueAt(member, inParis);
  expect(await scheduled(study.owner)).toEqual([]);
});

test('a download starts the fixed series of the one who downloaded, on their local date', async () => {
  const study = await sleepStudy({ ...daily, type: 'fixed', recurrence: '0 9 * * 1' });
  await newPhone(study.responder, 'Pacific/Auckland');
  // 21:30 on Monday in Auckland, 09:30 in Paris.
  setClock('2027-03-01T08:30:00.000Z');
  await study.responder.post(`/survey/${study.survey}/download`);
  expect(await scheduled(study.responder)).toMatchObject([
    { on: '2027-03-02', dueAt: '2027-03-01T20:00:00.000Z' },
  ]);
  expect(await scheduled(study.other)).toEqual([]);
});

test('a date that an earlier one comes before is put off without a trace in the history', async () => {
  const study = await sleepStudy(daily);
  const chidi = study.responder;
  await dueAt(chidi, inParis);
  await study.owner.patch(`/investigation/${study.id}`, { startsOn: '2027-03-08' });
  await dueAt(chidi, '2027-03-08T20:30:00.000Z');
  await study.owner.patch(`/investigation/${study.id}`, { startsOn: '2027-03-01' });
  await dueAt(chidi, inParis);
  expect(await history(chidi)).toMatchObject([{ on: '2027-03-01', state: 'scheduled' }]);
});

test('an archived survey reminds nobody until it is active again', async () => {
  const study = await sleepStudy(daily);
  await dueAt(study.responder, inParis);
  await study.editor.patch(`/survey/${study.survey}`, { status: 'archived' });
  await pendingOf(study.responder, 0);
  setClock('2027-03-05T20:00:00.000Z');
  await study.editor.patch(`/survey/${study.survey}`, { status: 'active' });
  // Nothing that was due while it was archived comes late.
  expect(await pendingOf(study.responder)).toMatchObject([{ on: '2027-03-05' }]);
});

test('a phone that is registered, updated or deleted moves the reminders to its zone', async () => {
  const study = await sleepStudy(daily);
  await study.responder.patch('/user/me', { timeZone: 'Europe/Lisbon' });
  await dueAt(study.responder, '2027-03-01T21:30:00.000Z');

  const phone = await newPhone(study.responder, 'Asia/Kolkata');
  await dueAt(study.responder, '2027-03-01T16:00:00.000Z');
  await armedFor(study.responder, '2027-03-01T16:00:00.000Z');

  setClock('2027-03-01T08:01:00.000Z');
  await study.responder.patch(`/device/${phone.id}`, { timeZone: 'Asia/Dubai' });
  await dueAt(study.responder, '2027-03-01T17:30:00.000Z');

  await study.responder.delete(`/device/${phone.id}`);
  await dueAt(study.responder, '2027-03-01T21:30:00.000Z');
});

test('a user of several studies has one pending notification for each survey', async () => {
  const sleep = await sleepStudy(daily);
  const food = await sleepStudy({ ...daily, recurrence: '0 12 * * *' });
  await food.owner.post(`/investigation/${food.id}/member`, { user: sleep.responder.id, role: 'responder' });
  await sleep.owner.post(`/investigation/${sleep.id}/survey`, {
    name: 'Morning',
    items: diary,
    reminders: { ...daily, recurrence: '0 11 * * *' },
  });
  const rows = await pendingOf(sleep.responder, 3);
  expect(rows.map((row) => row.dueAt).sort()).toEqual([
    '2027-03-01T10:00:00.000Z',
    '2027-03-01T11:00:00.000Z',
    inParis,
  ]);
  // One alarm, for the earliest.
  await armedFor(sleep.responder, '2027-03-01T10:00:00.000Z');

  await remind(sleep, null);
  await pendingOf(sleep.responder, 2);
});
