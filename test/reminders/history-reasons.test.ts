import { expect, test } from 'vitest';
import { minutes, setClock } from '../support/worker/clock.ts';
import { daily, dropAlarm, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { breakSns } from '../support/worker/sns.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';
import { ringAt } from './support/nudges.ts';

test('the history says of each push, nudge, wait and skip why', async () => {
  setClock('2027-03-01T08:00:00.000Z');
  const { responder: chidi } = await sleepStudy({
    ...daily,
    expiresAfter: 120,
    followUps: { every: 50, max: 2 },
  });
  const phone = await newPhone(chidi);
  const quiet = (from: string, to: string) => chidi.patch('/user/me', { quietHours: { from, to } });
  const on = async (date: string) => (await history(chidi)).find((row) => row.on === date);
  await pendingOf(chidi);

  // It waits for quiet hours to end, goes out, and is nudged about.
  await quiet('21:00', '22:00');
  setClock('2027-03-01T20:30:00.000Z');
  await ring(chidi);
  expect(await on('2027-03-01')).toMatchObject({
    state: 'scheduled',
    note: 'Quiet hours: waits until 2027-03-01T21:00:00.000Z',
  });
  setClock('2027-03-01T21:00:00.000Z');
  await ring(chidi);
  expect(await on('2027-03-01')).toMatchObject({ nextAt: '2027-03-01T21:50:00.000Z', nextKind: 'nudge' });
  await ringAt(chidi, Date.parse('2027-03-01T21:50:00.000Z'));
  expect(await on('2027-03-01')).toMatchObject({
    state: 'sent',
    sentAt: '2027-03-01T21:00:00.000Z',
    note: 'Quiet hours: waited until 2027-03-01T21:00:00.000Z',
    followUps: [{ kind: 'nudge', dueAt: '2027-03-01T21:50:00.000Z', state: 'sent' }],
  });

  // The push service does not take it at once, and the nudges fall within quiet hours.
  await quiet('22:00', '23:00');
  await breakSns(phone.token, 'Publish', { code: 'Throttled', status: 400, times: 1 });
  const second = Date.parse('2027-03-02T20:30:00.000Z');
  setClock(second);
  await ring(chidi);
  expect((await on('2027-03-02')).note).toMatch(
    /^Not yet accepted by the push service: next attempt at 2027-03-02T20:30:/,
  );
  setClock(second + minutes);
  await ring(chidi);
  await ringAt(chidi, second + 52 * minutes);
  expect(await on('2027-03-02')).toMatchObject({
    state: 'sent',
    note: 'Accepted by the push service at attempt 2',
    followUps: [{ kind: 'nudge', state: 'skipped', reason: 'quiet-hours' }],
  });

  // It expires before quiet hours end; and it is punctual.
  await quiet('21:00', '23:40');
  setClock('2027-03-03T20:30:00.000Z');
  await ring(chidi);
  expect(await on('2027-03-03')).toMatchObject({ state: 'skipped', reason: 'quiet-hours', sentAt: null });
  await chidi.patch('/user/me', { quietHours: null });
  setClock('2027-03-04T20:30:00.000Z');
  await ring(chidi);
  const punctual = await on('2027-03-04');
  expect(punctual).toMatchObject({ state: 'sent', sentAt: '2027-03-04T20:30:00.000Z' });
  expect(punctual).not.toHaveProperty('note');
  await dropAlarm(chidi);
});
