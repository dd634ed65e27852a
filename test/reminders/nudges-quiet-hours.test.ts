import { expect, test } from 'vitest';
import { minutes, setClock } from '../support/worker/clock.ts';
import { daily, dropAlarm, history, pendingOf, ring, tick } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';
import { armedFor, ringAt } from './support/nudges.ts';

/** Chidi is reminded at 21:30 in Paris, on the eve of the night in which clocks go forward. */
const due = Date.parse('2027-03-27T20:30:00.000Z');
const night = { from: '22:30', to: '07:00' };
const morning = Date.parse('2027-03-28T05:00:00.000Z');

async function sentEvening(reminders: object, quietHours: object = night) {
  setClock(due - 60 * minutes);
  const study = await sleepStudy({ ...daily, ...reminders });
  const user = study.responder;
  const phone = await newPhone(user);
  await user.patch('/user/me', { quietHours });
  // Dana is planned after the request, which may be after the user's own plan.
  for (const member of [study.other, user]) await pendingOf(member);
  setClock(due);
  await ring(user);
  expect(await phone.inbox()).toHaveLength(1);
  return { user, phone };
}

type Person = Awaited<ReturnType<typeof sentEvening>>['user'];

const evening = async (user: Person) => (await history(user)).find(({ on }) => on === '2027-03-27');

async function snooze(user: Person, minutes: number): Promise<number> {
  const { identifier } = await evening(user);
  const { status, body } = await user.post(`/notification/${identifier}/snooze`, { minutes });
  expect(status).toBe(202);
  return Date.parse(body.nextAt);
}

const tries = async (user: Person) =>
  ((await evening(user)).followUps ?? []).map(
    ({ kind, dueAt, state, reason }: { kind: string; dueAt: string; state: string; reason?: string }) =>
      [kind, dueAt.slice(11, 16), state, ...(reason ? [reason] : [])].join(' '),
  );

test('a snooze within quiet hours waits until they end, in the night in which clocks change too', async () => {
  const { user, phone } = await sentEvening({ expiresAfter: 1440 });
  const at = await snooze(user, 90);
  await ringAt(user, at);
  expect(await phone.inbox()).toHaveLength(1);
  const waiting = await evening(user);
  expect(waiting).toMatchObject({
    state: 'sent',
    nextAt: '2027-03-28T05:00:00.000Z',
    nextKind: 'snooze',
    note: 'Quiet hours: waits until 2027-03-28T05:00:00.000Z',
  });
  expect(waiting).not.toHaveProperty('followUps');
  await armedFor(user, morning);
  await ringAt(user, morning);
  expect(await phone.inbox()).toHaveLength(2);
  expect(await tries(user)).toEqual(['snooze 22:00 sent']);
  expect(await evening(user)).not.toHaveProperty('nextAt');
});

test('a snooze that has expired by the end of quiet hours is skipped, whenever that is found out', async () => {
  for (const late of [0, 9 * 60 * minutes]) {
    const { user, phone } = await sentEvening({ expiresAfter: 510 });
    const at = await snooze(user, 90);
    if (late > 0) await dropAlarm(user);
    setClock(at + late + 2 * minutes);
    await (late > 0 ? tick() : ringAt(user, at));
    expect(await phone.inbox()).toHaveLength(1);
    expect(await tries(user)).toEqual(['snooze 22:00 skipped quiet-hours']);
    expect(await evening(user)).not.toHaveProperty('nextAt');
  }
});

test('a snooze that waits goes out at once when the user ends their quiet hours, or at the end they have then', async () => {
  const { user, phone } = await sentEvening({ expiresAfter: 1440 });
  const at = await snooze(user, 90);
  await ringAt(user, at);
  setClock(at + 10 * minutes);
  await user.patch('/user/me', { quietHours: { from: '22:30', to: '00:00' } });
  await armedFor(user, at);
  await ringAt(user, at + 10 * minutes);
  expect(await evening(user)).toMatchObject({ nextAt: '2027-03-27T23:00:00.000Z' });
  await user.patch('/user/me', { quietHours: null });
  await armedFor(user, at);
  await ringAt(user, at + 11 * minutes);
  expect(await phone.inbox()).toHaveLength(2);
  expect(await tries(user)).toEqual(['snooze 22:00 sent']);
});

test('nudges within quiet hours are left out, and go on behind them by the clock of the summer', async () => {
  const followUps = { every: 100, max: 7 };
  const { user, phone } = await sentEvening({ expiresAfter: 800, followUps });
  for (let nudge = 1; nudge <= 8; nudge++) await ringAt(user, due + nudge * 100 * minutes);
  expect(await tries(user)).toEqual([
    'nudge 22:10 skipped quiet-hours',
    'nudge 23:50 skipped quiet-hours',
    'nudge 01:30 skipped quiet-hours',
    'nudge 03:10 skipped quiet-hours',
    'nudge 04:50 skipped quiet-hours',
    'nudge 06:30 sent',
    'nudge 08:10 sent',
  ]);
  expect(await phone.inbox()).toHaveLength(3);
});

test('a nudge that fell within quiet hours is not made up for when an alarm was lost', async () => {
  const { user, phone } = await sentEvening({ expiresAfter: 1440, followUps: { every: 500, max: 2 } });
  await dropAlarm(user);
  setClock(morning + 5 * minutes);
  await tick();
  expect(await tries(user)).toEqual(['nudge 04:50 skipped quiet-hours']);
  expect(await phone.inbox()).toHaveLength(1);
});
