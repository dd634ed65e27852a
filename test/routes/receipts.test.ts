import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { countedD1 } from '../../dev/counted-d1.ts';
import { deliver } from '../../src/jobs/deliver.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Person } from '../support/people.ts';
import { newCase, newResponse } from '../support/studies.ts';
import { minutes, setClock, startOfTests } from './support/clock.ts';
import { countedApp } from './support/counters.ts';
import { daily, dropAlarm, history, pendingOf, ring } from './support/reminders.ts';
import { newPhone, sleepStudy } from './support/world.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');
const days = 24 * 60 * minutes;

/** A study whose reminder of the evening was sent to Chidi's phone, who has a case to answer for. */
async function sentEvening(reminders: object = daily) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const user = study.responder;
  const phone = await newPhone(user);
  await pendingOf(user);
  const night = await newCase(study, user);
  setClock(due);
  await ring(user);
  expect(await phone.inbox()).toHaveLength(1);
  const answer = (at: number) => {
    setClock(at);
    return newResponse(study, user, night);
  };
  return { study, user, phone, night, answer };
}

const evenings = async (user: Person): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await history(user))
      .toReversed()
      .map(({ on, state, reason, answeredAt }) => [
        on.slice(5),
        [reason ?? state, answeredAt?.slice(5, 16) ?? 'no answer'].join(' '),
      ]),
  );

const deliverTo = (user: Person) =>
  deliver(
    { ...createServices(env), alarms: { arm: async () => {}, deliver: async () => {} }, log: () => {} },
    user.id,
  );

describe('an answer', () => {
  test('is the first response after the reminder was due, and before the next one', async () => {
    const { study, user, answer } = await sentEvening();
    await answer(due + 10 * minutes);
    await answer(due + 20 * minutes);
    expect(await evenings(user)).toMatchObject({
      '03-01': 'sent 03-01T20:40',
      '03-02': 'scheduled no answer',
    });
    const [, sent] = await history(user);
    expect((await user.get(`/notification/${sent.identifier}`)).body).toEqual(sent);
    const seen = await study.editor.get(`/survey/${study.survey}/notifications?user=${user.id}`);
    expect(seen.body.notifications[1]).toEqual(sent);
    // The next evening is due a minute later, and the morning's answer is too late for it.
    setClock(due + days);
    await ring(user);
    await answer(due + days);
    expect(await evenings(user)).toMatchObject({ '03-01': 'sent 03-01T20:40', '03-02': 'sent 03-02T20:30' });
  });

  test('from before the reminder was due, of somebody else, or to another survey is none', async () => {
    setClock(startOfTests);
    const study = await sleepStudy(daily);
    const { responder: user, other, owner } = study;
    await newPhone(user);
    await pendingOf(user);
    const night = await newCase(study, user);
    await newResponse(study, user, night);
    setClock(due);
    await ring(user);
    setClock(due + minutes);
    await newResponse(study, other, night);
    const mood = await owner.post(`/investigation/${study.id}/survey`, {
      name: 'Mood',
      items: [{ identifier: 'q1', label: 'How do you feel?' }],
    });
    await newResponse({ survey: mood.body.identifier }, user, night);
    expect((await evenings(user))['03-01']).toBe('sent no answer');
  });

  test('counts for what is due and not decided yet, and for what was skipped', async () => {
    const { user, answer } = await sentEvening({ ...daily, unlessAnswered: true });
    await dropAlarm(user);
    await answer(due + days + minutes);
    expect((await evenings(user))['03-02']).toBe('scheduled 03-02T20:31');
    await deliverTo(user);
    expect((await evenings(user))['03-02']).toBe('answered 03-02T20:31');
    await user.put('/user/me/pause', { until: null });
    setClock(due + 2 * days);
    await deliverTo(user);
    await answer(due + 2 * days + 5 * minutes);
    expect((await evenings(user))['03-03']).toBe('paused 03-03T20:35');
  });

  test('during an outage counts for the evening that it was given on, each once', async () => {
    const { user, answer } = await sentEvening();
    await dropAlarm(user);
    await answer(due + 2 * days + minutes);
    await answer(due + 4 * days + minutes);
    await answer(due + 4 * days + 2 * minutes);
    await deliverTo(user);
    expect(await evenings(user)).toEqual({
      '03-01': 'sent no answer',
      '03-02': 'expired no answer',
      '03-03': 'expired 03-03T20:31',
      '03-04': 'expired no answer',
      '03-05': 'sent 03-05T20:31',
      '03-06': 'scheduled no answer',
    });
  });

  test('counts once, also when the user moves the next reminder to before it', async () => {
    const { user, answer } = await sentEvening();
    await answer(due + days - 60 * minutes);
    await user.patch('/user/me', { customRemindersTime: '20:00' });
    expect((await history(user))[0].dueAt).toBe('2027-03-02T19:00:00.000Z');
    await deliverTo(user);
    expect(await evenings(user)).toMatchObject({ '03-01': 'sent 03-02T19:30', '03-02': 'sent no answer' });
  });

  test('is not one again when its creation is repeated, and stays when the response is deleted', async () => {
    const { study, user, night } = await sentEvening();
    const identifier = 'a1'.repeat(16);
    const body = { case: night, items: { q1: 'well' }, identifier };
    const path = `/survey/${study.survey}/response`;
    setClock(due + minutes);
    expect((await user.post(path, body)).status).toBe(201);
    setClock(due + days);
    await ring(user);
    setClock(due + days + minutes);
    expect((await user.post(path, body)).status).toBe(200);
    await study.owner.post(`/investigation/${study.id}/delete-items`, {
      responses: [{ identifier }],
      status: 'deleted',
    });
    expect(await evenings(user)).toMatchObject({ '03-01': 'sent 03-01T20:31', '03-02': 'sent no answer' });
  });

  test('costs no round trip, and a row only for the first', async () => {
    const { study, user, night } = await sentEvening();
    setClock(due + minutes);
    const { measure } = countedApp();
    const post = () =>
      measure(user, 'POST', `/survey/${study.survey}/response`, { case: night, items: { q1: 'well' } });
    const [first, second] = [await post(), await post()];
    expect(first).toMatchObject({ roundTrips: 2, rowsWritten: second.rowsWritten + 1 });
    expect(second).toMatchObject({ roundTrips: 2, rowsWritten: 9 });
    for (const { rowsRead } of [first, second]) expect(rowsRead).toBeLessThanOrEqual(25);
    const { counts, database } = countedD1(env.DB);
    setClock(due + days);
    const alarms = { arm: async () => {}, deliver: async () => {} };
    await deliver({ ...createServices(env), db: openD1(database), alarms, log: () => {} }, user.id);
    expect(counts).toMatchObject({ roundTrips: 2, rowsWritten: 3 });
  });
});
