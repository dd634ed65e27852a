import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { occurrenceIdentifier } from '../../src/identifiers.ts';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { countedD1 } from '../../tools/database/counted-d1.ts';
import { deliver } from '../support/engine.ts';
import type { Person } from '../support/people.ts';
import { newCase, newResponse } from '../support/studies.ts';
import { minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { seedPast } from '../support/worker/reminder-tables.ts';
import { daily, dropAlarm, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';

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

  test('costs no round trip, and for the first the notification with its index of answers, its count and the plan', async () => {
    const { study, user, night } = await sentEvening();
    setClock(due + minutes);
    const { measure } = countedApp();
    const post = () =>
      measure(user, 'POST', `/survey/${study.survey}/response`, { case: night, items: { q1: 'well' } });
    const [first, second] = [await post(), await post()];
    expect(first).toMatchObject({ roundTrips: 2, rowsWritten: second.rowsWritten + 4 });
    expect(second).toMatchObject({ roundTrips: 2, rowsWritten: 12 });
    // The first one looks for later reminders that it breaks a silence of.
    expect(first.rowsRead).toBeLessThanOrEqual(45);
    // Four of them are the bytes of a day: theirs and everybody’s, where the answer is checked and where it is counted.
    expect(second.rowsRead).toBeLessThanOrEqual(34);
    const { counts, database } = countedD1(env.DB);
    setClock(due + days);
    const alarms = { arm: async () => {}, deliver: async () => {} };
    const services = {
      ...createServices(env),
      db: openD1(database),
      alarms,
      log: () => {},
    };
    await deliver(services, user.id);
    expect(counts).toMatchObject({ roundTrips: 2, rowsWritten: 8 });
  });
});

describe('receipts of a phone that was offline', () => {
  /** Three evenings that were sent. */
  async function threeEvenings() {
    const evening = await sentEvening();
    for (const n of [1, 2]) {
      setClock(due + n * days);
      await ring(evening.user);
    }
    setClock(due + 3 * days - minutes);
    const [next, ...sent] = await history(evening.user);
    const ids = sent.toReversed().map(({ identifier }) => identifier as string) as [string, string, string];
    return { ...evening, ids, next: next.identifier as string };
  }
  const at = (ms: number) => new Date(ms).toISOString();
  const tell = (user: Person, receipts: object[]) => user.post('/user/me/receipts', { receipts });

  test('are all stored that can be, and the answer names the others, which change nothing', async () => {
    const { user, study, ids, next } = await threeEvenings();
    const before = await history(user);
    const foreign = await threeEvenings();
    const receipts = [
      { notification: ids[0], event: 'shown', at: at(due + minutes) },
      { notification: foreign.ids[0], event: 'shown', at: at(due + minutes) },
      { notification: 'ab'.repeat(16), event: 'shown', at: at(due + minutes) },
      { notification: `${user.id.slice(20)}${'0'.repeat(20)}`, event: 'shown', at: at(due + minutes) },
      { notification: 'Night 1', event: 'shown', at: at(due + minutes) },
      { notification: ids[1], event: 'opened', at: at(due + days - minutes) },
      { notification: ids[1], event: 'dismissed', at: at(due + 3 * days + 5 * minutes) },
      { notification: next, event: 'shown', at: at(due + 3 * days - minutes) },
      { notification: ids[2], event: 'opened', at: at(due + 2 * days) },
    ];
    const answer = await tell(user, receipts);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.stored).toBe(2);
    expect(
      answer.body.refused.map(({ pointer, reason }: Record<string, string>) => `${pointer} ${reason}`),
    ).toEqual([
      '/receipts/1 unknown',
      '/receipts/2 unknown',
      '/receipts/3 unknown',
      '/receipts/4 unknown',
      '/receipts/5 before-push',
      '/receipts/6 after-now',
      '/receipts/7 not-pushed',
    ]);
    const [first, second] = answer.body.refused;
    expect({ ...first, pointer: '', notification: '' }).toEqual({ ...second, pointer: '', notification: '' });
    const after = await history(user);
    const changed = after.filter((one, n) => JSON.stringify(one) !== JSON.stringify(before[n]));
    expect(changed).toEqual([
      { ...before[1], openedAt: at(due + 2 * days) },
      { ...before[3], shownAt: at(due + minutes) },
    ]);
    expect(JSON.stringify(await history(foreign.user))).not.toContain('shownAt');
    // Nobody sends receipts for others, not even the owner of the study.
    const others = await tell(study.owner, [receipts[0] as object]);
    expect(others.body).toMatchObject({ stored: 0, refused: [{ reason: 'unknown' }] });
  });

  test('count by their time: the first of each kind, in whatever order they arrive', async () => {
    const { user, ids } = await threeEvenings();
    const shown = (ms: number) => ({ notification: ids[0], event: 'shown', at: at(due + ms) });
    const shownAt = async () => (await user.get(`/notification/${ids[0]}`)).body.shownAt;
    await tell(user, [shown(5 * minutes), shown(3 * minutes), shown(4 * minutes)]);
    expect(await shownAt()).toBe(at(due + 3 * minutes));
    await tell(user, [shown(2 * minutes)]);
    await user.post(`/notification/${ids[0]}/receipt`, { event: 'shown' });
    expect(await shownAt()).toBe(at(due + 2 * minutes));
  });

  test('may be told twice, and of at most 500 notifications', async () => {
    const { user, ids } = await threeEvenings();
    const receipts = ['shown', 'opened'].flatMap((event) =>
      ids.map((notification, n) => ({ notification, event, at: at(due + n * days) })),
    );
    const first = await tell(user, receipts);
    const seen = await history(user);
    expect(await tell(user, receipts)).toMatchObject({ status: 200, body: first.body });
    expect(await history(user)).toEqual(seen);
    const one = { notification: 'x', event: 'shown', at: at(due) };
    expectProblem(await tell(user, []), 'request.invalid', ['/receipts']);
    expectProblem(await tell(user, Array(501).fill(one)), 'request.invalid', ['/receipts']);
    expectProblem(await tell(user, [one, { ...one, at: 'then' }]), 'request.invalid', ['/receipts/1/at']);
    expectProblem(await tell(user, [{ ...one, event: 'seen' }]), 'request.invalid', ['/receipts/0/event']);
  });

  test('are not of a study that was deleted, nor is one by itself', async () => {
    const { user, study, ids } = await threeEvenings();
    await study.owner.patch(`/investigation/${study.id}`, { status: 'archived' });
    expect((await study.owner.delete(`/investigation/${study.id}`)).status).toBe(204);
    const answer = await tell(user, [{ notification: ids[0], event: 'shown', at: at(due) }]);
    expect(answer.body).toMatchObject({ stored: 0, refused: [{ reason: 'unknown' }] });
    expectProblem(await user.get(`/notification/${ids[0]}`), 'resource.not-found');
    expectProblem(
      await user.post(`/notification/${ids[0]}/receipt`, { event: 'shown' }),
      'resource.not-found',
    );
  });

  test('of 500 notifications among a thousand cost two round trips, and two rows for each', async () => {
    const { user, study } = await threeEvenings();
    const dateOf = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
    await seedPast(
      Array.from({ length: 1001 }, (_, n) => ({
        ...{ user: user.id, survey: study.survey, on: dateOf(1 + n), state: 'sent' as const },
        ...{ timeZone: 'Europe/Paris', dueAt: 1 + n },
      })),
    );
    const receipts = Array.from({ length: 500 }, (_, n) => ({
      notification: occurrenceIdentifier(user.id, study.survey, 0, dateOf(1 + n)),
      event: n % 2 ? 'shown' : 'opened',
      at: at(due),
    }));
    const { measure } = countedApp();
    const cost = await measure(user, 'POST', '/user/me/receipts', { receipts });
    expect(cost.answer.body).toEqual({ stored: 500, refused: [] });
    // The row, and the study's count.
    expect(cost).toMatchObject({ roundTrips: 2, rowsWritten: 1000 });
    expect(cost.rowsRead).toBeLessThanOrEqual(8 * 500 + 20);
    const again = await measure(user, 'POST', '/user/me/receipts', { receipts });
    expect(again).toMatchObject({ roundTrips: 2, rowsWritten: 0 });
    const none = await measure(user, 'POST', '/user/me/receipts', {
      receipts: receipts.map((one) => ({ ...one, notification: 'ab'.repeat(16) })),
    });
    expect(none).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  });
});

test('a receipt may be earlier than the recorded push, which is later than the real one, not than when it was due', async () => {
  const { user } = await sentEvening();
  const [, { identifier, sentAt }] = await history(user);
  expect(Date.parse(sentAt)).toBe(due);
  const tell = (at: number) =>
    user.post(`/notification/${identifier}/receipt`, { event: 'shown', at: new Date(at).toISOString() });
  expectProblem(await tell(due - 1), 'request.invalid', ['/at']);
  expect((await tell(due)).status).toBe(204);
});
