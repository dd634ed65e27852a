import { expect, test } from 'vitest';
import { later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

test('staff see the zone, times, pauses and phones of a member, and neither tokens nor endpoints', async () => {
  const study = await sleepStudy();
  const { owner, editor, responder } = study;
  const path = `/investigation/${study.id}/member/${responder.id}`;
  const shown = async () => (await editor.get(path)).body;
  const before = await shown();
  expect(before).toEqual({
    user: `/user/${responder.id}`,
    identifier: responder.id,
    name: 'Chidi',
    avatar: `/user/${responder.id}/avatar`,
    role: 'responder',
    joinedAt: expect.any(String),
    time: { from: '2027-03-01', until: null, state: 'in' },
    timeZone: expect.any(String),
    customRemindersTime: null,
    devices: [],
  });

  await responder.patch('/user/me', {
    timeZone: 'Asia/Kolkata',
    customRemindersTime: '19:15',
    quietHours: { from: '22:00', to: '07:00' },
  });
  expect(await shown()).toEqual({
    ...before,
    timeZone: 'Asia/Kolkata',
    customRemindersTime: '19:15',
    quietHours: { from: '22:00', to: '07:00' },
  });
  const registered = await responder.post('/user/me/device', {
    platform: 'ios',
    token: 'a-secret-token-of-the-phone',
    timeZone: 'Asia/Tokyo',
  });
  const answer = await owner.get(path);
  expect(answer.body).toMatchObject({
    timeZone: 'Asia/Tokyo',
    devices: [
      {
        identifier: registered.body.identifier,
        platform: 'ios',
        timeZone: 'Asia/Tokyo',
        enabled: true,
        createdAt: registered.body.createdAt,
        lastSeenAt: registered.body.updatedAt,
      },
    ],
  });
  expect(answer.text).not.toMatch(/a-secret-token|arn:|endpoint/i);
});

test('of pauses they see those that their study feels, and no other', async () => {
  const study = await sleepStudy();
  const { owner, responder } = study;
  const elsewhere = await sleepStudy();
  await elsewhere.owner.post(`/investigation/${elsewhere.id}/member`, {
    user: responder.id,
    role: 'responder',
  });
  const path = `/investigation/${study.id}/member/${responder.id}`;
  const pauses = async () => {
    const { pausedUntil, studyPausedUntil } = (await owner.get(path)).body;
    return [pausedUntil, studyPausedUntil];
  };
  await responder.put('/user/me/pause', { until: null, investigation: elsewhere.id });
  expect(await pauses()).toEqual([undefined, undefined]);
  const until = new Date(Date.now() + 10 * minutes).toISOString();
  await responder.put('/user/me/pause', { until });
  await responder.put('/user/me/pause', { until: null, investigation: study.id });
  expect(await pauses()).toEqual([until, null]);
  later(10 * minutes);
  expect(await pauses()).toEqual([undefined, null]);
  await responder.delete(`/user/me/pause?investigation=${study.id}`);
  expect(await pauses()).toEqual([undefined, undefined]);
  setClock(startOfTests);
});

test('nobody but staff, and of nobody but members', async () => {
  const study = await sleepStudy();
  const { owner, responder, other } = study;
  const eve = await signUp('Eve');
  await newPhone(responder);
  const path = (user: string) => `/investigation/${study.id}/member/${user}`;
  for (const person of [responder, other])
    expectProblem(await person.get(path(responder.id)), 'action.forbidden');
  for (const user of [eve.id, 'e'.repeat(32), 'dana@example.org'])
    expectProblem(await owner.get(path(user)), 'resource.not-found');
  expectProblem(await eve.get(path(eve.id)), 'resource.not-found');
  await responder.delete(path('me'));
  expectProblem(await owner.get(path(responder.id)), 'resource.not-found');
});

test('is one round trip, and few rows', async () => {
  const study = await sleepStudy();
  await newPhone(study.responder);
  const { measure } = countedApp();
  const { roundTrips, rowsRead } = await measure(
    study.owner,
    'GET',
    `/investigation/${study.id}/member/${study.responder.id}`,
  );
  expect(roundTrips).toBe(1);
  expect(rowsRead).toBeLessThanOrEqual(15);
});
