import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { createServices, servicesOf } from '../../src/platform/cloudflare/services.ts';
import { deliver } from '../../src/reminders/deliver.ts';
import type { Push, Services } from '../../src/services.ts';
import { D1BatchObject } from '../../src/worker.ts';
import { inboxOf } from '../support/phones.ts';
import { easyPush } from '../support/worker/apps.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { alarmOf, alarmTime, daily, dropAlarm, history, pendingOf } from '../support/worker/reminders.ts';
import { breakSns } from '../support/worker/sns.ts';
import { newPhone, sleepStudy, world } from '../support/worker/world.ts';

const due = '2027-03-01T20:30:00.000Z';

/** A study whose reminder is about to be due for Chidi in Paris. */
async function evening() {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  const phone = await newPhone(study.responder, 'Europe/Paris');
  await pendingOf(study.responder);
  await dropAlarm(study.responder);
  return { user: study.responder, survey: study.survey, phone };
}

test('deliveries of one user that are asked for at once run one after the other, and push once', async () => {
  const { user, phone } = await evening();
  // So long that the others would begin before this push is recorded.
  await breakSns(phone.token, 'Publish', { delayMs: 1_000 });
  setClock(due);
  const { alarms } = servicesOf(env);
  await Promise.all(Array.from({ length: 5 }, () => alarms.deliver(user.id)));
  expect(await inboxOf(world, phone.token)).toHaveLength(1);
  expect((await history(user)).map(({ on, state }) => [on, state])).toEqual([
    ['2027-03-02', 'scheduled'],
    ['2027-03-01', 'sent'],
  ]);
});

test('a date that was planned while a later one was being sent is superseded, not left pending', async () => {
  const { user, survey } = await evening();
  const send = async () => {
    // Somebody who has just moved west: an earlier date is ahead of them again.
    await env.DB.batch([
      env.DB.prepare('update user set plan_stamp = plan_stamp + 1 where id = ?').bind(user.id),
      env.DB.prepare(
        `insert into scheduled_notification (user_id, survey_id, revision, occurrence, counter, due_at, next_attempt_at, time_zone)
         select user_id, survey_id, revision, '2027-02-28', counter, due_at, next_attempt_at, time_zone
         from scheduled_notification where user_id = ? and survey_id = ?`,
      ).bind(user.id, survey),
    ]);
    return { state: 'sent', messageId: 'm' } as const;
  };
  const services: Services = { ...createServices(env), push: { ...easyPush, send } as Push, log: () => {} };
  setClock(due);
  await deliver(services, user.id);
  expect((await history(user)).map(({ on, state, reason }) => [on, state, reason])).toEqual([
    ['2027-03-02', 'scheduled', undefined],
    ['2027-03-01', 'sent', undefined],
    ['2027-02-28', 'skipped', 'superseded'],
  ]);
});

test('an alarm whose delivery failed rings again', async () => {
  const { user } = await evening();
  setClock(due);
  const alarm = alarmOf(user);
  await runInDurableObject(alarm, (_, state) => state.storage.setAlarm(Date.now()));
  vi.spyOn(D1BatchObject.prototype, 'batch').mockRejectedValueOnce(new Error('D1 is overloaded'));
  await runDurableObjectAlarm(alarm);
  expect((await history(user))[0]).toMatchObject({ on: '2027-03-01', state: 'scheduled' });
  expect(await alarmTime(user)).toBeGreaterThan(Date.now());
  await runDurableObjectAlarm(alarm);
  expect((await history(user))[1]).toMatchObject({ on: '2027-03-01', state: 'sent' });
});
