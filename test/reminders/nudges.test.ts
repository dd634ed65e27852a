import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import type { Outcome, PushService, Services } from '../../src/services.ts';
import { deliver } from '../support/engine.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { easyPush } from '../support/worker/apps.ts';
import { minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { daily, dropAlarm, history, pendingOf, remind, ring, tick } from '../support/worker/reminders.ts';
import { newPhone, sleepStudy } from '../support/worker/world.ts';
import { armedFor, ringAt } from './support/nudges.ts';

const due = Date.parse('2027-03-01T20:30:00.000Z');
const nudging = { ...daily, expiresAfter: 120, followUps: { every: 30, max: 3 } };

/** An evening whose reminder was sent to Chidi's phone. */
async function sentEvening(reminders: object = nudging) {
  setClock(startOfTests);
  const study = await sleepStudy(reminders);
  const user = study.responder;
  const phone = await newPhone(user);
  await pendingOf(user);
  setClock(due);
  await ring(user);
  expect(await phone.inbox()).toHaveLength(1);
  return { study, user, phone };
}

const answer = async (study: Study) =>
  newResponse(study, study.responder, await newCase(study, study.responder));

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
const evening = async (user: Study['responder']): Promise<any> =>
  (await history(user)).find(({ on }) => on === '2027-03-01');

const tries = async (user: Study['responder']) =>
  ((await evening(user)).followUps ?? []).map(
    ({ dueAt, state, reason }: { dueAt: string; state: string; reason?: string }) =>
      [dueAt.slice(11, 16), state, ...(reason ? [reason] : [])].join(' '),
  );

test('participants who do not answer are nudged, at most as often as set, with the same collapse id, and the history has each nudge', async () => {
  const { user, phone } = await sentEvening();
  for (const after of [30, 60, 90, 120]) await ringAt(user, due + after * minutes);
  const pushes = await phone.inbox();
  expect(pushes).toHaveLength(4);
  const collapseIds = pushes.map(({ data }) => data.notification);
  const { identifier, state, sentAt, followUps } = await evening(user);
  expect(new Set(collapseIds)).toEqual(new Set([identifier]));
  expect({ state, sentAt }).toEqual({ state: 'sent', sentAt: '2027-03-01T20:30:00.000Z' });
  expect(await tries(user)).toEqual(['21:00 sent', '21:30 sent', '22:00 sent']);
  expect(followUps[0].deliveries).toMatchObject([{ device: phone.id, messageId: pushes[1]?.messageId }]);
  expect(await evening(user)).not.toHaveProperty('nextAt');
});

test('an answer ends the nudges, and the history says so', async () => {
  const { study, user, phone } = await sentEvening();
  await ringAt(user, due + 30 * minutes);
  setClock(due + 40 * minutes);
  await answer(study);
  for (const after of [60, 90]) await ringAt(user, due + after * minutes);
  expect(await phone.inbox()).toHaveLength(2);
  expect(await tries(user)).toEqual(['21:00 sent', '21:30 skipped answered']);
});

test('an alarm that was lost, and a nudge that was missed: the sweep sends one, the last that is due', async () => {
  const { user, phone } = await sentEvening();
  await dropAlarm(user);
  setClock(due + 65 * minutes);
  await tick();
  expect(await phone.inbox()).toHaveLength(2);
  expect(await tries(user)).toEqual(['21:00 skipped superseded', '21:30 sent']);
});

test.each<[string, (study: Study) => Promise<unknown>, string]>([
  ['paused', ({ responder }) => responder.put('/user/me/pause', { until: null }), 'paused'],
  [
    'frozen',
    ({ owner, id }) => owner.post(`/investigation/${id}/freeze`, { status: 'frozen', reason: 'Audit' }),
    'study-frozen',
  ],
  [
    'archived',
    ({ owner, survey }) => owner.patch(`/survey/${survey}`, { status: 'archived' }),
    'survey-archived',
  ],
  ['given other reminders', (study) => remind(study, { ...nudging, recurrence: '0 9 * * *' }), 'stale'],
  ['without reminders', (study) => remind(study, null), 'stale'],
  [
    'left by the participant',
    ({ owner, id, responder }) => owner.delete(`/investigation/${id}/member/${responder.id}`),
    'left-study',
  ],
])('a survey that is %s is not nudged about', async (_, change, reason) => {
  const { study, user, phone } = await sentEvening();
  await change(study);
  await ringAt(user, due + 30 * minutes);
  expect(await phone.inbox()).toHaveLength(1);
  expect(await tries(user)).toEqual([`21:00 skipped ${reason}`]);
});

test('a nudge never follows a newer occurrence', async () => {
  setClock(startOfTests);
  const study = await sleepStudy({ ...nudging, expiresAfter: 1440, followUps: { every: 470, max: 3 } });
  const user = study.responder;
  const phone = await newPhone(user);
  await pendingOf(user);
  setClock(due);
  await ring(user);
  await ringAt(user, due + 470 * minutes);
  await dropAlarm(user);
  // The second nudge was missed, and the next evening is due.
  setClock(due + 1440 * minutes);
  await tick();
  const pushes = await phone.inbox();
  expect(pushes).toHaveLength(3);
  expect(pushes[2]?.data.notification).not.toBe(pushes[0]?.data.notification);
  expect((await tries(user)).at(-1)).toMatch(/skipped superseded$/);
  expect((await evening(user)).nextAt).toBeUndefined();
});

/** The evening with a relay that does what the test says. */
async function withRelay(send: (count: number) => Promise<Outcome> | Outcome) {
  const { study, user } = await sentEvening();
  await dropAlarm(user);
  let count = 0;
  const push = { ...easyPush, send: async () => send(++count) } as PushService;
  const alarms = { arm: async () => {}, deliver: async () => {} };
  const services: Services = { ...createServices(env), push, alarms, log: () => {} };
  return { study, user, services, pushes: () => count };
}

test('a nudge that the relay does not take is tried again until the next one', async () => {
  const { user, services } = await withRelay((count) =>
    count < 3 ? { state: 'retry', error: 'Throttled' } : { state: 'sent', messageId: 'm' },
  );
  let next: number | null = due + 30 * minutes;
  for (let run = 0; run < 3 && next !== null; run++) {
    setClock(next);
    next = await deliver(services, user.id);
  }
  expect(await tries(user)).toEqual(['21:00 sent']);
  expect((await evening(user)).followUps[0].attempts).toBe(3);
  expect(next).toBe(due + 60 * minutes);

  const throttled = await withRelay(() => ({ state: 'retry', error: 'Throttled' }));
  for (let at = due + 30 * minutes; at <= due + 121 * minutes; at += minutes) {
    setClock(at);
    await deliver(throttled.services, throttled.user.id);
  }
  const reasons = await tries(throttled.user);
  expect(reasons).toHaveLength(3);
  expect(reasons.join()).not.toMatch(/sent|retrying/);
});

describe('receipts', () => {
  test("of the caller's own notification are noted, the first of each kind, and end nudges where the study says so", async () => {
    const { study, user, phone } = await sentEvening({
      ...nudging,
      followUps: { ...nudging.followUps, stop: 'opened' },
    });
    const { identifier } = await evening(user);
    const tell = (body: object) => user.post(`/notification/${identifier}/receipt`, body);
    setClock(due + 10 * minutes);
    const at = '2027-03-01T20:31:00.000Z';
    expect((await tell({ event: 'shown', at })).status).toBe(204);
    expect((await tell({ event: 'opened', at })).status).toBe(204);
    expect((await tell({ event: 'opened' })).status).toBe(204);
    const one = await user.get(`/notification/${identifier}`);
    expect(one.body).toEqual(await evening(user));
    expect(one.body).toMatchObject({ shownAt: at, openedAt: at });
    for (const wrong of ['2027-03-01T20:29:00.000Z', '2027-03-01T20:46:00.000Z'])
      expectProblem(await tell({ event: 'dismissed', at: wrong }), 'request.invalid', ['/at']);
    expect((await study.editor.get(`/notification/${identifier}`)).body).toEqual(one.body);
    expectProblem(await study.other.get(`/notification/${identifier}`), 'resource.not-found');
    for (const other of [study.other, study.owner])
      expectProblem(
        await other.post(`/notification/${identifier}/receipt`, { event: 'shown' }),
        'resource.not-found',
      );
    await ringAt(user, due + 30 * minutes);
    expect(await phone.inbox()).toHaveLength(1);
    expect(await tries(user)).toEqual(['21:00 skipped opened']);
  });

  test('finding a notification costs one round trip and a few rows, however many there are', async () => {
    const { user } = await sentEvening();
    const { identifier } = await evening(user);
    const { measure } = countedApp();
    const cost = await measure(user, 'GET', `/notification/${identifier}`);
    expect(cost.answer.status).toBe(200);
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(cost.rowsRead).toBeLessThanOrEqual(16);
  });
});

describe('a snooze', () => {
  test('brings one more push, beside the nudges, which wait until then and are counted from it', async () => {
    const { user, phone } = await sentEvening();
    const { identifier } = await evening(user);
    setClock(due + 10 * minutes);
    const answer = await user.post(`/notification/${identifier}/snooze`, { minutes: 35 });
    expect(answer).toMatchObject({ status: 202, body: { nextAt: '2027-03-01T21:15:00.000Z' } });
    await user.post(`/notification/${identifier}/snooze`, { minutes: 35 });
    for (const after of [30, 45]) await ringAt(user, due + after * minutes);
    expect(await evening(user)).toMatchObject({ nextAt: '2027-03-01T21:45:00.000Z', nextKind: 'nudge' });
    await armedFor(user, due + 75 * minutes);
    for (const after of [60, 75, 90, 105, 121]) await ringAt(user, due + after * minutes);
    expect(await tries(user)).toEqual(['21:15 sent', '21:45 sent', '22:15 sent']);
    expect(await phone.inbox()).toHaveLength(4);
    expect(await evening(user)).not.toHaveProperty('nextAt');
  });

  test('between two nudges leaves the rest of them, and no more', async () => {
    const { user, phone } = await sentEvening({ ...nudging, followUps: { every: 20, max: 3 } });
    const { identifier } = await evening(user);
    await ringAt(user, due + 20 * minutes);
    setClock(due + 25 * minutes);
    await user.post(`/notification/${identifier}/snooze`, { minutes: 10 });
    for (const after of [35, 40, 55, 60, 75, 80, 95, 115]) await ringAt(user, due + after * minutes);
    expect(await tries(user)).toEqual(['20:50 sent', '21:05 sent', '21:25 sent', '21:45 sent']);
    expect(await phone.inbox()).toHaveLength(5);
  });

  test('takes the place of a nudge that is tried again, and ends with its own time when the reminders change', async () => {
    const { study, user, services } = await withRelay(() => ({ state: 'retry', error: 'Throttled' }));
    const { identifier } = await evening(user);
    setClock(due + 30 * minutes);
    await deliver(services, user.id);
    expect(await tries(user)).toEqual(['21:00 retrying']);
    await user.post(`/notification/${identifier}/snooze`, { minutes: 20 });
    await remind(study, { ...nudging, recurrence: '0 9 * * *' });
    setClock(due + 50 * minutes);
    await deliver(services, user.id);
    await tick();
    expect(await tries(user)).toEqual(['21:00 skipped superseded', '21:20 skipped stale']);
    expect((await evening(user)).followUps[1].kind).toBe('snooze');
  });

  test('that one phone has is counted from, while another phone is out of reach', async () => {
    const { user, services } = await withRelay(() => ({ state: 'sent', messageId: 'm' }));
    const { identifier } = await evening(user);
    await newPhone(user);
    let refused: string | undefined;
    const reached: string[] = [];
    services.push.send = async ({ endpoint }) => {
      refused ??= endpoint;
      if (endpoint === refused) return { state: 'retry', error: 'Throttled' };
      reached.push(endpoint);
      return { state: 'sent', messageId: 'm' };
    };
    await user.post(`/notification/${identifier}/snooze`, { minutes: 10 });
    for (let at = due + 10 * minutes; at < due + 40 * minutes; at += minutes) {
      setClock(at);
      await deliver(services, user.id);
    }
    expect(reached).toHaveLength(1);
    expect(await tries(user)).toEqual(['20:40 retrying']);
    setClock(due + 40 * minutes);
    await deliver(services, user.id);
    expect(reached).toHaveLength(2);
    expect(await tries(user)).toEqual(['20:40 sent superseded', '21:10 retrying']);
  });

  test('works without nudges, rings the alarm, and is not pushed after an answer', async () => {
    for (const answers of [false, true]) {
      const { study, user, phone } = await sentEvening(daily);
      const { identifier } = await evening(user);
      await user.post(`/notification/${identifier}/snooze`, { minutes: 30 });
      await armedFor(user, due + 30 * minutes);
      setClock(due + 20 * minutes);
      if (answers) await answer(study);
      await ringAt(user, due + 30 * minutes);
      expect(await phone.inbox()).toHaveLength(answers ? 1 : 2);
      expect(await tries(user)).toEqual([answers ? '21:00 skipped answered' : '21:00 sent']);
    }
  });

  test('is refused past the expiry, after an answer, for what was not sent, and to others', async () => {
    const { study, user } = await sentEvening();
    const { identifier } = await evening(user);
    const path = `/notification/${identifier}/snooze`;
    expectProblem(await user.post(path, { minutes: 120 }), 'notification.expired');
    expectProblem(await user.post(path, { minutes: 241 }), 'request.invalid', ['/minutes']);
    expectProblem(await user.post(path, { minutes: 4 }), 'request.invalid', ['/minutes']);
    expectProblem(await study.owner.post(path, { minutes: 5 }), 'resource.not-found');
    expectProblem(
      await user.post(`/notification/${'a'.repeat(32)}/snooze`, { minutes: 5 }),
      'resource.not-found',
    );
    const next = (await history(user)).find(({ state }) => state === 'scheduled');
    expectProblem(
      await user.post(`/notification/${next.identifier}/snooze`, { minutes: 5 }),
      'notification.expired',
    );
    await answer(study);
    expectProblem(await user.post(path, { minutes: 5 }), 'notification.answered');
  });

  test('that is refused says why', async () => {
    const { study, user } = await sentEvening();
    const refusal = async (on = '2027-03-01', wait = 5) => {
      const { identifier } = (await history(user)).find((one) => one.on === on);
      const refused = await user.post(`/notification/${identifier}/snooze`, { minutes: wait });
      expectProblem(refused, 'notification.expired');
      return refused.body.detail;
    };
    expect(await refusal('2027-03-01', 120)).toBe(
      'It expires at 2027-03-01T22:30:00.000Z, which is before then.',
    );
    const notYet = 'The reminder has not been pushed yet, so there is no push to follow.';
    expect(await refusal('2027-03-02')).toBe(notYet);
    await user.patch('/user/me', { quietHours: { from: '21:00', to: '22:00' } });
    await ringAt(user, due + 24 * 60 * minutes);
    expect((await history(user)).find(({ on }) => on === '2027-03-02').note).toMatch(/^Quiet hours/);
    expect(await refusal('2027-03-02')).toBe(notYet);
    await user.patch('/user/me', { quietHours: null });
    await user.put('/user/me/pause', { until: '2027-03-03T00:00:00.000Z' });
    await ringAt(user, due + 24 * 60 * minutes + minutes);
    expect(await refusal('2027-03-02')).toBe('The reminder was never pushed, so there is no push to follow.');
    expect(await refusal()).toBe('A newer reminder of the survey has been due since the push.');
    await remind(study, daily);
    expect(await refusal()).toBe('The reminders of the survey have changed since the push.');
    for (const place of [`/survey/${study.survey}`, `/investigation/${study.id}`]) {
      await study.owner.patch(place, { status: 'archived' });
      expect(await refusal()).toBe('The survey or its study is archived, so nothing is pushed.');
      await study.owner.patch(place, { status: 'active' });
    }
    await user.delete(`/investigation/${study.id}/member/me`);
    expect(await refusal()).toBe('You have left the study since.');
  });
});

describe('followUps', () => {
  test('are shown as they were given, with their default, and absent where there are none', async () => {
    const study = await sleepStudy(nudging);
    const shown = async () => (await study.owner.get(`/survey/${study.survey}`)).body.reminders;
    expect((await shown()).followUps).toEqual({ every: 30, max: 3, stop: 'answered' });
    await remind(study, daily);
    expect(await shown()).not.toHaveProperty('followUps');
  });

  test('may come until a minute before the expiry', async () => {
    const study = await sleepStudy({ ...daily, expiresAfter: 121, followUps: { every: 30, max: 4 } });
    const { reminders } = (await study.owner.get(`/survey/${study.survey}`)).body;
    const asked = { reminders, timeZone: 'UTC', startsOn: '2027-03-01', from: '2027-03-01T00:00:00.000Z' };
    const preview = await study.owner.post('/reminders/preview', { ...asked, count: 1 });
    expect(preview.body.occurrences[0].nudges).toEqual(
      ['22:00', '22:30', '23:00', '23:30'].map((time) => `2027-03-01T${time}:00.000Z`),
    );
    const atExpiry = { ...asked, reminders: { ...reminders, expiresAfter: 120 } };
    const refused = await study.owner.post('/reminders/preview', atExpiry);
    expectProblem(refused, 'request.invalid', ['/reminders/followUps']);
  });

  test.each<[string, object, string, RegExp]>([
    ['too often', { every: 4, max: 1 }, '/every', /from 5 to 10080/],
    ['too rarely', { every: 10_081, max: 1 }, '/every', /from 5 to 10080/],
    ['too many', { every: 5, max: 11 }, '/max', /from 1 to 10/],
    ['none', { every: 5, max: 0 }, '/max', /from 1 to 10/],
    ['until something else', { every: 5, max: 1, stop: 'seen' }, '/stop', /answered or opened/],
    ['beyond the expiry', { every: 60, max: 7 }, '', /below expiresAfter, 360 minutes/],
    ['at the very expiry', { every: 60, max: 6 }, '', /after 360 minutes: .* below expiresAfter, 360/],
    [
      'a minute beyond the expiry',
      { every: 361, max: 1 },
      '',
      /after 361 minutes: .* below expiresAfter, 360/,
    ],
  ])('%s are refused', async (_, followUps, pointer, detail) => {
    const study = await sleepStudy();
    const refused = await study.owner.patch(`/survey/${study.survey}`, {
      reminders: { ...daily, followUps },
    });
    expectProblem(refused, 'request.invalid', [`/reminders/followUps${pointer}`]);
    expect(refused.body.errors[0].detail).toMatch(detail);
  });
});
