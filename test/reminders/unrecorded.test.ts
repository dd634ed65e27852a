import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { servicesOf } from '../../src/platform/cloudflare/services.ts';
import type { Person } from '../support/people.ts';
import { lock, newCase, newResponse } from '../support/studies.ts';
import { days, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { refuseWrites } from '../support/worker/refused-writes.ts';
import { alarmOf, daily, history, pendingOf, ring, tick } from '../support/worker/reminders.ts';
import { newPhone, send, sleepStudy } from '../support/worker/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');

afterEach(() => {
  vi.restoreAllMocks();
});

/** Between the tries of a record nobody waits here; the bounds of whole steps stay. */
function beImpatient() {
  const { setTimeout } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms = 0) =>
    setTimeout(work, ms > 100 && ms < 15_000 ? 0 : ms)) as typeof setTimeout);
}

/** Chidi and Dana are reminded at the same minute, by an isolate that has written before. */
async function evening(reminders: object = daily) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const { responder: chidi, other: dana } = study;
  const phones = [await newPhone(chidi, 'Europe/Paris'), await newPhone(dana, 'Europe/Paris')] as const;
  for (const member of [chidi, dana]) await pendingOf(member);
  const { writes, push } = servicesOf(env);
  writes.provedAt = Date.now();
  const pushed: string[] = [];
  vi.spyOn(push, 'send').mockImplementation(async ({ endpoint }) => {
    pushed.push(endpoint);
    return { state: 'sent', messageId: `message ${pushed.length}` };
  });
  const { results } = await env.DB.prepare('select token, endpoint from device').all<
    Record<string, string>
  >();
  const endpoints = phones.map(({ token }) => results.find((one) => one.token === token)?.endpoint);
  beImpatient();
  setClock(due);
  /** Pushes to each of the two. */
  const inboxes = () => endpoints.map((endpoint) => pushed.filter((one) => one === endpoint).length);
  return { study, chidi, dana, writes, inboxes };
}

const today = async (of: Person) => (await history(of)).find(({ on }) => on === '2027-03-01');
const ready = async () => {
  // Everybody may ask, so that a proof holds for ten seconds.
  later(11_000);
  const { status, body } = await send('/health/ready');
  return { status, isWritable: !body.causes.includes('database') };
};

/** The platform ends an object whenever it likes. */
const endObject = (of: Person) =>
  runInDurableObject(alarmOf(of), (_, state) => state.abort('ended by the test')).catch(() => {});

test('a push that D1 does not record comes once, however often the alarm rings and the object ends, and is recorded first', async () => {
  const { chidi, inboxes } = await evening();
  const takeWrites = refuseWrites();
  await ring(chidi);
  expect(inboxes()).toEqual([1, 0]);
  for (let n = 0; n < 4; n++) {
    later(20 * minutes);
    if (n % 2 === 1) await endObject(chidi);
    await ring(chidi);
    await tick();
  }
  expect(inboxes()).toEqual([1, 0]);
  expect(await today(chidi)).toMatchObject({ state: 'scheduled', sentAt: null });
  expect(await ready()).toEqual({ status: 503, isWritable: false });

  takeWrites();
  await ring(chidi);
  expect(inboxes()).toEqual([1, 0]);
  expect(await today(chidi)).toMatchObject({
    state: 'sent',
    sentAt: '2027-03-01T20:30:00.000Z',
    deliveries: [{ messageId: expect.any(String) }],
  });
  expect((await history(chidi))[0]).toMatchObject({ on: '2027-03-02', state: 'scheduled' });
  expect(await ready()).toMatchObject({ isWritable: true });

  setClock(due + days);
  await ring(chidi);
  expect(inboxes()).toEqual([2, 0]);
});

test('the sweep of the next minute records it, and delivers to everybody who waited', async () => {
  const { chidi, dana, inboxes } = await evening();
  const takeWrites = refuseWrites();
  await ring(chidi);
  await ring(dana);
  // The isolate knows by then that it cannot write.
  expect(inboxes()).toEqual([1, 0]);
  later(3 * 60 * minutes);
  await tick();
  expect(inboxes()).toEqual([1, 0]);
  takeWrites();
  later(minutes);
  await tick();
  expect(inboxes()).toEqual([1, 1]);
  expect(await today(chidi)).toMatchObject({ state: 'sent', sentAt: '2027-03-01T20:30:00.000Z' });
  expect(await today(dana)).toMatchObject({ state: 'sent', sentAt: '2027-03-01T23:31:00.000Z' });
});

test('an isolate that starts pushes nothing before it has written', async () => {
  const { chidi, writes, inboxes } = await evening();
  writes.provedAt = null;
  const takeWrites = refuseWrites();
  for (let n = 0; n < 3; n++) {
    await ring(chidi);
    later(10 * minutes);
  }
  expect(inboxes()).toEqual([0, 0]);
  takeWrites();
  await ring(chidi);
  expect(inboxes()).toEqual([1, 0]);
  expect(await today(chidi)).toMatchObject({ state: 'sent' });
});

test('a nudge that is not recorded is kept as well', async () => {
  const { chidi, inboxes } = await evening({ ...daily, followUps: { every: 30, max: 2 } });
  await ring(chidi);
  later(30 * minutes);
  const takeWrites = refuseWrites();
  for (let n = 0; n < 3; n++) {
    await ring(chidi);
    later(5 * minutes);
  }
  expect(inboxes()).toEqual([2, 0]);
  takeWrites();
  await ring(chidi);
  expect(inboxes()).toEqual([2, 0]);
  expect((await today(chidi)).followUps).toMatchObject([{ kind: 'nudge', at: '2027-03-01T21:00:00.000Z' }]);
  setClock(due + 60 * minutes);
  await ring(chidi);
  expect(inboxes()).toEqual([3, 0]);
});

test('reminders that are changed before the record is written do not make the push unsent, nor come again for it', async () => {
  const { study, chidi, inboxes } = await evening();
  const takeWrites = refuseWrites();
  await ring(chidi);
  takeWrites();
  const { status } = await study.owner.patch(`/survey/${study.survey}`, {
    reminders: { ...daily, recurrence: '0 23 * * *' },
  });
  expect(status).toBe(200);
  later(minutes);
  await ring(chidi);
  expect(inboxes()).toEqual([1, 0]);
  expect((await history(chidi)).filter(({ state }) => state === 'sent')).toMatchObject([
    { on: '2027-03-01', sentAt: '2027-03-01T20:30:00.000Z' },
  ]);
});

test('while D1 takes no writes, each request that writes is 503 with Retry-After and changes nothing; reads go on', async () => {
  const { study, chidi } = await evening();
  const { owner, id } = study;
  await ring(chidi);
  vi.mocked(globalThis.setTimeout).mockRestore();
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
