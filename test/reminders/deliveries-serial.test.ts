import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { servicesOf } from '../../src/platform/cloudflare/services.ts';
import { DeliveryObject } from '../../src/worker.ts';
import { inboxOf } from '../support/phones.ts';
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
  return { user: study.responder, phone };
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

test('an alarm whose delivery failed rings again', async () => {
  const { user } = await evening();
  setClock(due);
  const alarm = alarmOf(user);
  await runInDurableObject(alarm, (_, state) => state.storage.setAlarm(Date.now()));
  vi.spyOn(DeliveryObject.prototype, 'claim').mockRejectedValueOnce(new Error('D1 is overloaded'));
  await runDurableObjectAlarm(alarm);
  expect((await history(user))[0]).toMatchObject({ on: '2027-03-01', state: 'scheduled' });
  expect(await alarmTime(user)).toBeGreaterThan(Date.now());
  await runDurableObjectAlarm(alarm);
  expect((await history(user))[1]).toMatchObject({ on: '2027-03-01', state: 'sent' });
});
