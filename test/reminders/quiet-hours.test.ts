import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { readHealth } from '../../src/operations/metrics.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { countedD1 } from '../../tools/database/counted-d1.ts';
import { deliver } from '../support/engine.ts';
import { minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { clearReminders } from '../support/worker/reminder-tables.ts';
import { armedFor, daily, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { breakSns } from '../support/worker/sns.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');
const quietHours = { from: '21:00', to: '23:00' };
const end = '2027-03-01T22:00:00.000Z';

async function evening(reminders: object = daily, quiet: object | null = quietHours) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const user = study.responder;
  const phone = await newPhone(user);
  expect((await user.patch('/user/me', { quietHours: quiet })).status).toBe(200);
  await pendingOf(user);
  await pendingOf(study.other);
  return { study, user, phone };
}

const first = async (user: Parameters<typeof history>[0]) =>
  (await history(user)).find(({ on }) => on === '2027-03-01');

describe('a reminder that falls due within quiet hours', () => {
  test('waits until they end, and goes out then', async () => {
    const { user, phone } = await evening();
    setClock(due);
    await ring(user);
    expect(await phone.inbox()).toEqual([]);
    expect(await first(user)).toMatchObject({
      state: 'scheduled',
      dueAt: '2027-03-01T20:30:00.000Z',
      note: `Quiet hours: waits until ${end}`,
    });
    await armedFor(user, end);
    setClock(end);
    await ring(user);
    expect(await first(user)).toMatchObject({ state: 'sent', sentAt: expect.stringContaining('T22:00:0') });
    expect(await phone.inbox()).toHaveLength(1);
  });

  test('is skipped when it expires before they end', async () => {
    const { user, phone } = await evening({ ...daily, expiresAfter: 90 });
    setClock(due);
    await ring(user);
    expect(await first(user)).toMatchObject({ state: 'skipped', reason: 'quiet-hours', sentAt: null });
    expect(await phone.inbox()).toEqual([]);
  });

  test('goes out at once when the user ends them', async () => {
    const { user, phone } = await evening();
    setClock(due);
    await ring(user);
    await armedFor(user, end);
    await user.patch('/user/me', { quietHours: null });
    await armedFor(user, new Date(due).toISOString());
    await ring(user);
    expect(await phone.inbox()).toHaveLength(1);
  });

  test('is not overdue while it waits', async () => {
    const { user } = await evening();
    setClock(due);
    await ring(user);
    // Nobody else's reminders, which are overdue here.
    await clearReminders({ except: [user.id] });
    setClock(Date.parse(end) - minutes);
    const db = openD1(env.DB);
    expect(await readHealth({ db, now: Date.now() }, Date.now())).toMatchObject({ oldestOverdueAt: null });
    setClock(Date.parse(end) + minutes);
    const late = await readHealth({ db, now: Date.now() }, Date.now());
    expect(late).toMatchObject({ oldestOverdueAt: Date.parse(end), newestLateAt: Date.parse(end) });
  });

  test('costs two round trips and at most seven rows written to put off', async () => {
    const { user } = await evening();
    setClock(due);
    const { counts, database } = countedD1(env.DB);
    const alarms = { arm: async () => {}, deliver: async () => {} };
    const services = { ...createServices(env), db: openD1(database), alarms, log: () => {} };
    expect(await deliver(services, user.id)).toBe(Date.parse(end));
    expect(counts.roundTrips).toBe(2);
    expect(counts.rowsWritten).toBeLessThanOrEqual(7);
    expect(counts.rowsRead).toBeLessThanOrEqual(65);
  });
});

test('a push that the relay did not take is not tried again within quiet hours', async () => {
  const { user, phone } = await evening(daily, { from: '21:31', to: '23:00' });
  await breakSns(phone.token, 'Publish', { code: 'Throttled', status: 400, times: 1 });
  setClock(due + 59_000);
  await ring(user);
  setClock(due + 2 * minutes);
  await ring(user);
  expect(await phone.inbox()).toEqual([]);
  await armedFor(user, end);
  setClock(end);
  await ring(user);
  expect(await phone.inbox()).toHaveLength(1);
});

describe('the quiet hours of a user', () => {
  test('are set at sign-up or later, read, and cleared', async () => {
    const ada = await signUp('Ada', { quietHours });
    const read = await ada.get('/user/me');
    expect(read.body.quietHours).toEqual(quietHours);
    const changed = await ada.patch('/user/me', { quietHours: { from: '22:00', to: '07:00' } });
    expect(changed.body.quietHours).toEqual({ from: '22:00', to: '07:00' });
    expect(changed.headers.get('etag')).not.toBe(read.headers.get('etag'));
    const cleared = await ada.patch('/user/me', { quietHours: null });
    expect(cleared.body).not.toHaveProperty('quietHours');
  });

  test('have two times that differ', async () => {
    const ada = await signUp('Ada');
    for (const [given, field] of [
      [{ from: '22:00' }, '/quietHours/to'],
      [{ from: '22:00', to: '22:00' }, '/quietHours/to'],
      [{ from: '24:00', to: '07:00' }, '/quietHours/from'],
      ['22:00-07:00', '/quietHours'],
    ] as const)
      expectProblem(await ada.patch('/user/me', { quietHours: given }), 'request.invalid', [field]);
  });

  test('show in a preview', async () => {
    const ada = await signUp('Ada');
    const request = {
      reminders: { type: 'rolling', recurrence: '30 21 * * *' },
      timeZone: 'Europe/Paris',
      startsOn: '2027-03-01',
      count: 1,
    };
    const noteWith = async (more: object, reminders: object = {}) => {
      const answer = await ada.post('/reminders/preview', {
        ...request,
        ...more,
        reminders: { ...request.reminders, ...reminders },
      });
      return answer.body.occurrences[0].note;
    };
    expect(await noteWith({})).toBeUndefined();
    expect(await noteWith({ quietHours })).toBe(`Quiet hours: waits until ${end}`);
    expect(await noteWith({ quietHours: { from: '22:00', to: '07:00' } })).toBeUndefined();
    expect(await noteWith({ quietHours }, { expiresAfter: 90 })).toMatch(
      /skipped, since the reminder expires before/,
    );
    expectProblem(
      await ada.post('/reminders/preview', { ...request, quietHours: { from: '9' } }),
      'request.invalid',
      ['/quietHours/from', '/quietHours/to'],
    );
  });
});
