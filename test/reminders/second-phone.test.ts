import { afterEach, expect, test } from 'vitest';
import { plantFault } from '../support/phones.ts';
import { newCase, newResponse } from '../support/studies.ts';
import { minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { daily, history, pendingOf } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy, world } from '../support/worker/world.ts';
import { ringAt } from './support/nudges.ts';

/* The push service takes an evening's reminder for one of Chidi's phones, and not for the other. */

const due = Date.parse('2027-03-01T20:30:00.000Z');
const nudging = { ...daily, expiresAfter: 120, followUps: { every: 30, max: 3 } };

/** The token of the tablet, since tests of other files plant faults of their own meanwhile. */
let failing = '';
const relayWorks = () => fetch(`${world.snsUrl}/faults?token=${failing}`, { method: 'DELETE' });
afterEach(relayWorks);

async function halfSent(reminders: object = nudging) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const user = study.responder;
  const [phone, tablet] = [await newPhone(user), await newPhone(user)];
  await pendingOf(user);
  failing = tablet.token;
  await plantFault(world, {
    action: 'Publish',
    code: 'Throttled',
    status: 429,
    times: null,
    token: tablet.token,
  });
  await ringAt(user, due);
  expect([await phone.inbox(), await tablet.inbox()]).toMatchObject([[{ title: 'Sleep diary' }], []]);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  const evening = async (): Promise<any> => (await history(user)).find(({ on }) => on === '2027-03-01');
  return {
    study,
    user,
    phone,
    evening,
    pushes: async () => [(await phone.inbox()).length, (await tablet.inbox()).length],
    tries: async () =>
      ((await evening()).followUps ?? []).map(({ dueAt, state, reason }: Record<string, string>) =>
        [dueAt?.slice(11, 16), state, ...(reason ? [reason] : [])].join(' '),
      ),
  };
}

test('the one that has it is nudged at its times, and the other gets those too', async () => {
  const { user, evening, pushes, tries } = await halfSent();
  expect(await evening()).toMatchObject({
    state: 'sent',
    sentAt: '2027-03-01T20:30:00.000Z',
    nextAt: '2027-03-01T21:00:00.000Z',
    nextKind: 'nudge',
    deliveries: [{ messageId: expect.any(String) }, { error: expect.stringContaining('Throttled') }],
    note: expect.stringMatching(/^Not yet accepted by the push service for every phone: next attempt at/),
  });
  expect(await evening()).not.toHaveProperty('followUps');
  for (const after of [10, 20, 29]) await ringAt(user, due + after * minutes);
  expect(await pushes()).toEqual([1, 0]);
  await ringAt(user, due + 30 * minutes);
  expect(await pushes()).toEqual([2, 0]);
  await relayWorks();
  for (const after of [60, 90, 120]) await ringAt(user, due + after * minutes);
  expect(await pushes()).toEqual([4, 2]);
  expect(await tries()).toEqual(['21:00 sent superseded', '21:30 sent', '22:00 sent']);
});

test('the next occurrence is planned, and the other gets this one as soon as it can', async () => {
  const { user, evening, pushes, tries } = await halfSent(daily);
  expect((await history(user)).map(({ on, state }) => `${on} ${state}`)).toEqual([
    '2027-03-02 scheduled',
    '2027-03-01 sent',
  ]);
  await ringAt(user, due + 10 * minutes);
  await relayWorks();
  await ringAt(user, due + 20 * minutes);
  await ringAt(user, due + 40 * minutes);
  expect(await pushes()).toEqual([1, 1]);
  const { deliveries, note, ...row } = await evening();
  expect(deliveries).toMatchObject([{ messageId: expect.any(String) }, { messageId: expect.any(String) }]);
  expect(note).toBeUndefined();
  expect(row).not.toHaveProperty('nextAt');
  expect(await tries()).toEqual([]);
});

test('an answer ends the nudges of both, and the other still gets the reminder', async () => {
  const { study, user, pushes, tries } = await halfSent();
  setClock(due + 5 * minutes);
  await newResponse(study, user, await newCase(study, user));
  await relayWorks();
  for (const after of [10, 30, 60]) await ringAt(user, due + after * minutes);
  expect(await pushes()).toEqual([1, 1]);
  expect(await tries()).toEqual(['21:00 skipped answered']);
});

test('it can be snoozed, and the push of then goes to both', async () => {
  const { user, evening, pushes, tries } = await halfSent();
  const { identifier } = await evening();
  expect((await user.post(`/notification/${identifier}/snooze`, { minutes: 10 })).status).toBe(202);
  expect(await evening()).toMatchObject({ nextAt: '2027-03-01T20:40:00.000Z', nextKind: 'snooze' });
  await relayWorks();
  for (const after of [10, 30, 40]) await ringAt(user, due + after * minutes);
  expect(await pushes()).toEqual([3, 2]);
  expect(await tries()).toEqual(['20:40 sent', '21:10 sent']);
});

test('a state that forbids sending ends the retries for the other phone, but not the nudges that follow', async () => {
  const { user, pushes, tries } = await halfSent();
  const until = new Date(due + 40 * minutes).toISOString();
  await user.put('/user/me/pause', { until });
  await relayWorks();
  for (const after of [10, 30, 60, 90]) await ringAt(user, due + after * minutes);
  expect(await pushes()).toEqual([3, 2]);
  expect(await tries()).toEqual(['21:00 skipped paused', '21:30 sent', '22:00 sent']);
});

test('a nudge within quiet hours is left out while the other is still tried, which gets the reminder at their end', async () => {
  const { user, evening, pushes, tries } = await halfSent();
  await user.patch('/user/me', { quietHours: { from: '21:55', to: '22:05' } });
  await ringAt(user, due + 10 * minutes);
  await ringAt(user, due + 30 * minutes);
  expect(await pushes()).toEqual([1, 0]);
  expect(await tries()).toEqual(['21:00 skipped quiet-hours']);
  expect(await evening()).toMatchObject({
    nextAt: '2027-03-01T21:30:00.000Z',
    nextKind: 'nudge',
    note: expect.stringContaining('next attempt at 2027-03-01T21:05:00.000Z'),
  });
  await relayWorks();
  await ringAt(user, due + 35 * minutes);
  expect(await pushes()).toEqual([1, 1]);
  for (const after of [60, 90]) await ringAt(user, due + after * minutes);
  expect(await pushes()).toEqual([3, 3]);
  expect(await tries()).toEqual(['21:00 skipped quiet-hours', '21:30 sent', '22:00 sent']);
});
