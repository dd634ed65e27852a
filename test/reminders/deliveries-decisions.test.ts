import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import type { Phone } from '../support/phones.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { clearReminders } from '../support/worker/reminder-tables.ts';
import {
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

const due = Date.parse('2027-03-01T20:30:00.000Z');

/** A study whose reminder is about to be due for Chidi in Paris. */
async function evening(reminders: object = daily) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const phone = await newPhone(study.responder, 'Europe/Paris');
  await pendingOf(study.responder);
  // Dana is planned after the request: nobody is planned behind the test's back.
  await pendingOf(study.other);
  return { study, phone, user: study.responder };
}

const settledRow = async (user: Person) => (await history(user)).find((row) => row.on === '2027-03-01');

async function expectSent(user: Person, phone: Phone) {
  expect(await settledRow(user)).toMatchObject({ state: 'sent' });
  expect(await phone.inbox()).toHaveLength(1);
}

async function expectSkipped(user: Person, phone: Phone, reason: string) {
  expect(await settledRow(user)).toMatchObject({ state: 'skipped', reason, sentAt: null });
  expect(await phone.inbox()).toEqual([]);
}

describe('due reminders are decided from the state at that moment', () => {
  test('paused: skipped; the pause ended: sent', async () => {
    const { phone, user } = await evening();
    expect((await user.put('/user/me/pause', { until: '2027-03-02T00:00:00Z' })).status).toBe(200);
    setClock(due);
    await ring(user);
    await expectSkipped(user, phone, 'paused');
    expect(await scheduled(user)).toMatchObject([{ on: '2027-03-02' }]);

    const other = await evening();
    await other.user.put('/user/me/pause', { until: null });
    await other.user.delete('/user/me/pause');
    setClock(due);
    await ring(other.user);
    await expectSent(other.user, other.phone);
  });

  test('answered, but the reminders do not ask: sent', async () => {
    const { study, phone, user } = await evening();
    await newResponse(study, study.responder, await newCase(study, study.responder));
    setClock(due);
    await ring(user);
    await expectSent(user, phone);
  });

  test('expired: skipped; a minute earlier: sent', async () => {
    const { phone, user } = await evening({ ...daily, expiresAfter: 30 });
    setClock(due + 30 * 60_000);
    await ring(user);
    await expectSkipped(user, phone, 'expired');

    const other = await evening({ ...daily, expiresAfter: 30 });
    setClock(due + 29 * 60_000);
    await ring(other.user);
    await expectSent(other.user, other.phone);
  });

  test('no device: skipped', async () => {
    const study = await sleepStudy(daily);
    await pendingOf(study.responder);
    setClock(due);
    await ring(study.responder);
    expect(await settledRow(study.responder)).toMatchObject({ state: 'skipped', reason: 'no-device' });
  });

  test('archived, with the follow-up work lost: skipped', async () => {
    const { study, phone, user } = await evening();
    await env.DB.prepare('update survey set archived_at = 1 where id = ?').bind(study.survey).run();
    setClock(due);
    await ring(user);
    await expectSkipped(user, phone, 'survey-archived');
  });

  test('the series ended, with the follow-up work lost: skipped', async () => {
    const { study, phone, user } = await evening();
    await env.DB.prepare("update investigation set starts_on = '2027-06-01' where id = ?")
      .bind(study.id)
      .run();
    setClock(due);
    await ring(user);
    await expectSkipped(user, phone, 'series-ended');
    expect(await scheduled(user)).toMatchObject([{ on: '2027-06-01' }]);
  });

  test('the reminders changed, with the follow-up work lost: the old is invalid and the new is planned', async () => {
    const { study, phone, user } = await evening();
    await env.DB.prepare(
      "update survey set reminders_revision = 1, reminders = json_set(reminders, '$.recurrence', '0 22 * * *') where id = ?",
    )
      .bind(study.survey)
      .run();
    setClock(due);
    await ring(user);
    expect(await phone.inbox()).toEqual([]);
    const rows = await history(user);
    expect(rows).toMatchObject([
      { state: 'scheduled', dueAt: '2027-03-01T21:00:00.000Z' },
      { state: 'invalidated', dueAt: '2027-03-01T20:30:00.000Z' },
    ]);
  });

  test('no longer a member, with a pending row left over: the sweep settles it as left-study', async () => {
    const { study, phone, user } = await evening();
    await env.DB.prepare('delete from member where user_id = ?').bind(user.id).run();
    setClock(due + 2 * 60_000);
    await ring(user);
    await tick();
    await expectSkipped(user, phone, 'left-study');
    expect(study.id).toBeTruthy();
  });
});

test('after an outage of three days one push goes out, and each day says what became of it', async () => {
  const { phone, user } = await evening({ ...daily, expiresAfter: 1440 });
  await dropAlarm(user);
  // An hour before the reminder of 4 March: that of 3 March is 23 hours old.
  setClock('2027-03-04T19:30:00.000Z');
  await tick();
  expect(await phone.inbox()).toHaveLength(1);
  const states = (await history(user)).map((row) => [row.on, row.state, row.reason]);
  expect(states).toEqual([
    ['2027-03-04', 'scheduled', undefined],
    ['2027-03-03', 'sent', undefined],
    ['2027-03-02', 'skipped', 'expired'],
    ['2027-03-01', 'skipped', 'expired'],
  ]);
});

test('of two that could still be sent the newer goes out and the older is superseded', async () => {
  const { study, phone, user } = await evening({ ...daily, expiresAfter: 1440 });
  await dropAlarm(user);
  // Half an hour after the second one is due; the user's own later time keeps the first one valid too.
  await user.patch('/user/me', { customRemindersTime: '21:45' });
  await env.DB.prepare(
    "update survey set reminders = json_set(reminders, '$.expiresAfter', 3000) where id = ?",
  )
    .bind(study.survey)
    .run();
  await dropAlarm(user);
  setClock('2027-03-02T21:00:00.000Z');
  await tick();
  expect(await phone.inbox()).toHaveLength(1);
  expect((await history(user)).map((row) => [row.on, row.state, row.reason])).toEqual([
    ['2027-03-03', 'scheduled', undefined],
    ['2027-03-02', 'sent', undefined],
    ['2027-03-01', 'skipped', 'superseded'],
  ]);
});

test('travelling neither repeats nor loses a date', async () => {
  const { phone, user } = await evening();
  setClock(due);
  await ring(user);
  // Back to a zone where 21:30 of the same date is still to come.
  await user.patch(`/device/${phone.id}`, { timeZone: 'America/Los_Angeles' });
  expect(await scheduled(user)).toMatchObject([{ on: '2027-03-02', dueAt: '2027-03-03T05:30:00.000Z' }]);

  // Ahead to one where 21:30 of the next date was an hour ago: it goes out at once.
  setClock('2027-03-02T13:30:00.000Z');
  await user.patch(`/device/${phone.id}`, { timeZone: 'Asia/Tokyo' });
  await ring(user);
  expect(await phone.inbox()).toHaveLength(2);
  expect(await scheduled(user)).toMatchObject([{ on: '2027-03-03', dueAt: '2027-03-03T12:30:00.000Z' }]);
});

test('a lost plan is found and made again by the hourly work', async () => {
  const study: Study = await sleepStudy();
  await newPhone(study.responder, 'Europe/Paris');
  await remind(study, daily);
  await pendingOf(study.responder);
  await clearReminders();
  setClock('2027-03-01T09:00:00.000Z');
  await tick();
  expect(await scheduled(study.responder)).toMatchObject([
    { on: '2027-03-01', dueAt: '2027-03-01T20:30:00.000Z' },
  ]);
});
