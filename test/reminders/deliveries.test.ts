import { expect, test } from 'vitest';
import { setClock } from '../support/worker/clock.ts';
import {
  alarmTime,
  armedFor,
  daily,
  dropAlarm,
  history,
  pendingOf,
  remind,
  ring,
  scheduled,
  tick,
} from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

test('a rolling reminder reaches the phone at its local time, once, and the next day is planned', async () => {
  const study = await sleepStudy();
  const phone = await newPhone(study.responder, 'Asia/Tokyo');
  await remind(study, daily);
  const [pending] = await pendingOf(study.responder);
  // 21:30 in Tokyo.
  expect(pending).toMatchObject({
    on: '2027-03-01',
    dueAt: '2027-03-01T12:30:00.000Z',
    sentAt: null,
    counter: 0,
  });
  await armedFor(study.responder, '2027-03-01T12:30:00.000Z');

  setClock('2027-03-01T12:30:00.500Z');
  await ring(study.responder);

  expect(await phone.inbox()).toMatchObject([
    {
      token: phone.token,
      title: 'Sleep diary',
      body: 'How was your night?',
      data: { survey: study.survey, investigation: study.id, notification: pending.identifier },
    },
  ]);
  const [next, sent] = await history(study.responder);
  expect(sent).toMatchObject({
    state: 'sent',
    sentAt: '2027-03-01T12:30:00.500Z',
    identifier: pending.identifier,
  });
  expect(sent.deliveries).toMatchObject([
    { device: phone.id, platform: 'android', messageId: expect.any(String) },
  ]);
  expect(next).toMatchObject({
    state: 'scheduled',
    on: '2027-03-02',
    dueAt: '2027-03-02T12:30:00.000Z',
    counter: 1,
  });

  await ring(study.responder);
  expect(await phone.inbox()).toHaveLength(1);
});

test('a fixed reminder counts its days from the download', async () => {
  const study = await sleepStudy({ ...daily, type: 'fixed', recurrence: '0 10 * * 0,2' });
  const phone = await newPhone(study.responder, 'Europe/Paris');
  expect(await scheduled(study.responder)).toEqual([]);

  const download = await study.responder.post(`/survey/${study.survey}/download`);
  expect(download.body.downloadedAt).toBe('2027-03-01T08:00:00.000Z');
  const [pending] = await scheduled(study.responder);
  expect(pending).toMatchObject({ on: '2027-03-01', dueAt: '2027-03-01T09:00:00.000Z', counter: 0 });

  setClock('2027-03-01T09:00:01.000Z');
  await ring(study.responder);
  expect(await phone.inbox()).toHaveLength(1);
  expect(await scheduled(study.responder)).toMatchObject([{ on: '2027-03-03', counter: 1 }]);

  const again = await study.responder.post(`/survey/${study.survey}/download`);
  expect(again.body.downloadedAt).toBe('2027-03-01T08:00:00.000Z');

  setClock('2027-03-03T09:00:01.000Z');
  await ring(study.responder);
  expect(await phone.inbox()).toHaveLength(2);
  expect(await scheduled(study.responder)).toEqual([]);
});

test('the sweep delivers what a lost alarm left behind', async () => {
  const study = await sleepStudy();
  const phone = await newPhone(study.responder, 'Europe/Paris');
  await remind(study, daily);
  await pendingOf(study.responder);
  await dropAlarm(study.responder);

  setClock('2027-03-01T20:30:59.000Z');
  await tick();
  expect(await phone.inbox()).toEqual([]);

  setClock('2027-03-01T20:31:01.000Z');
  await tick();
  expect(await phone.inbox()).toHaveLength(1);
  expect(await scheduled(study.responder)).toMatchObject([{ on: '2027-03-02' }]);
  expect(await alarmTime(study.responder)).toBeGreaterThan(Date.now());
});

test('changed reminders replace the pending notification and begin a new revision', async () => {
  const study = await sleepStudy();
  await newPhone(study.responder);
  await remind(study, daily);
  const [before] = await pendingOf(study.responder);
  await remind(study, { ...daily, recurrence: '0 22 * * *' });
  const old = (await history(study.responder)).find((row) => row.identifier === before.identifier);
  expect(old.state).toBe('invalidated');
  const [after] = await pendingOf(study.responder);
  expect(after).toMatchObject({ on: '2027-03-01', dueAt: '2027-03-01T21:00:00.000Z' });
  expect(after.identifier).not.toBe(before.identifier);

  await remind(study, null);
  await pendingOf(study.responder, 0);
});

test('the same reminders sent again change nothing', async () => {
  const study = await sleepStudy(daily);
  const [before] = await pendingOf(study.responder);
  const log = await study.owner.get(`/investigation/${study.id}/activity?action=survey.reminders-changed`);
  await remind(study, daily);
  expect(await scheduled(study.responder)).toEqual([before]);
  const again = await study.owner.get(`/investigation/${study.id}/activity?action=survey.reminders-changed`);
  expect(again.body).toEqual(log.body);
});

test("the user's own time, and the phone's zone, move the pending notification and its alarm", async () => {
  const study = await sleepStudy();
  const phone = await newPhone(study.responder, 'Europe/Paris');
  await remind(study, daily);
  await pendingOf(study.responder);

  await study.responder.patch('/user/me', { customRemindersTime: '18:15' });
  expect(await scheduled(study.responder)).toMatchObject([
    { on: '2027-03-01', dueAt: '2027-03-01T17:15:00.000Z', timeZone: 'Europe/Paris' },
  ]);
  await armedFor(study.responder, '2027-03-01T17:15:00.000Z');

  await study.responder.patch(`/device/${phone.id}`, { timeZone: 'America/New_York' });
  expect(await scheduled(study.responder)).toMatchObject([
    { on: '2027-03-01', dueAt: '2027-03-01T23:15:00.000Z', timeZone: 'America/New_York' },
  ]);

  await study.responder.patch('/user/me', { customRemindersTime: null });
  expect(await scheduled(study.responder)).toMatchObject([
    { on: '2027-03-01', dueAt: '2027-03-02T02:30:00.000Z' },
  ]);
});
