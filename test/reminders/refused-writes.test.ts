import { expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { lock, newCase, newResponse } from '../support/studies.ts';
import { later, setClock, startOfTests } from '../support/worker/clock.ts';
import { refuseWrites } from '../support/worker/refused-writes.ts';
import { daily, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, send, sleepStudy } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');

/** Chidi is about to be reminded. */
async function evening() {
  setClock(startOfTests);
  const study = await sleepStudy(daily);
  const { responder: chidi } = study;
  await newPhone(chidi, 'Europe/Paris');
  await pendingOf(chidi);
  setClock(due);
  return { study, chidi };
}

const today = async (of: Person) => (await history(of)).find(({ on }) => on === '2027-03-01');
const ready = async () => {
  // Everybody may ask, so that a proof holds for ten seconds.
  later(11_000);
  const { status, body } = await send('/health/ready');
  return { status, isWritable: !body.causes.includes('database') };
};

test('while D1 takes no records the service says that it is not ready, until one is taken', async () => {
  const { chidi } = await evening();
  const takeWrites = refuseWrites();
  await ring(chidi);
  expect(await today(chidi)).toMatchObject({ state: 'scheduled', sentAt: null });
  expect(await ready()).toEqual({ status: 503, isWritable: false });

  takeWrites();
  await ring(chidi);
  expect(await today(chidi)).toMatchObject({ state: 'sent' });
  expect(await ready()).toMatchObject({ isWritable: true });
});

test('while D1 takes no writes, each request that writes is 503 with Retry-After and changes nothing; reads go on', async () => {
  const { study, chidi } = await evening();
  const { owner, id } = study;
  await ring(chidi);
  const { identifier: notification } = await today(chidi);
  const night = await newCase(study, owner);
  const token = `phone-${crypto.randomUUID()}`;
  const writes = {
    receipt: () => chidi.post(`/notification/${notification}/receipt`, { event: 'opened' }),
    receipts: () =>
      chidi.post('/user/me/receipts', {
        receipts: [{ notification, event: 'shown', at: new Date().toISOString() }],
      }),
    registration: () =>
      chidi.post('/user/me/device', { platform: 'android', token, timeZone: 'Europe/Paris' }),
    lock: () =>
      owner.post(`/investigation/${id}/lock-items`, { cases: [{ identifier: night }], status: 'locked' }),
    lockMatching: () => owner.post(`/investigation/${id}/lock-matching`, { status: 'locked', filter: {} }),
    response: () => chidi.post(`/survey/${study.survey}/response`, { case: night, items: { q1: 'well' } }),
    pause: () => chidi.put('/user/me/pause', { until: null }),
  };
  const reads = () =>
    Promise.all([
      chidi.get('/user/me'),
      chidi.get(`/user/me/devices`),
      chidi.get('/user/me/notifications'),
      owner.get(`/investigation/${id}/cases`),
      owner.get(`/investigation/${id}/responses`),
      owner.get(`/investigation/${id}/activity`),
    ]);
  const texts = async () => (await reads()).map(({ status, text }) => [status, text]);
  const before = await texts();
  expect(before.map(([status]) => status)).toEqual(Array(6).fill(200));

  const takeWrites = refuseWrites();
  for (const [name, write] of Object.entries(writes)) {
    const { status, body, headers } = await write();
    expect([name, status, body.code], name).toEqual([name, 503, 'database.overloaded']);
    expect(Number(headers.get('retry-after')), name).toBeGreaterThan(0);
  }
  expect(await texts()).toEqual(before);
  takeWrites();
  expect(await texts()).toEqual(before);
  for (const [name, write] of Object.entries(writes)) {
    if (name === 'response') await lock(owner, study, { cases: [night] }, 'unlocked');
    expect((await write()).status, name).toBeLessThan(300);
  }
  expect((await owner.get(`/investigation/${id}/activity/verify`)).body).toMatchObject({ valid: true });
  await newResponse(study, chidi, night);
});
