import { expect, test } from 'vitest';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { daily, pendingOf, remind } from '../support/worker/reminders.ts';
import { signUp, sleepStudy } from '../support/worker/world.ts';

test('owners and editors see how many people reminders concern: members, downloads, and what waits', async () => {
  const study = await sleepStudy();
  const reach = async () => (await study.editor.get(`/survey/${study.survey}/reminders/reach`)).body;
  expect(await reach()).toEqual({ members: 4, counted: 4, participants: 2, downloaded: 0, pending: 0 });

  await remind(study, { ...daily, type: 'fixed', recurrence: '0 8 * * *' });
  await study.responder.post(`/survey/${study.survey}/download`);
  await pendingOf(study.responder);
  expect(await reach()).toEqual({ members: 4, counted: 4, participants: 2, downloaded: 1, pending: 1 });

  await remind(study, daily);
  for (const person of [study.responder, study.other]) await pendingOf(person);
  expect(await reach()).toEqual({ members: 4, counted: 4, participants: 2, downloaded: 1, pending: 2 });

  await study.owner.delete(`/investigation/${study.id}/member/${study.responder.id}`);
  expect(await reach()).toEqual({ members: 3, counted: 3, participants: 1, downloaded: 0, pending: 1 });
});

test('invitations that wait are no members', async () => {
  const ada = await signUp('Ada');
  const { identifier: id } = (await ada.post('/investigation', { name: 'Sleep' })).body;
  const survey = await ada.post(`/investigation/${id}/survey`, { name: 'Diary', items: [] });
  for (const email of ['gil@example.org', 'zoe@example.org'])
    expect((await ada.post(`/investigation/${id}/member`, { email, role: 'responder' })).status).toBe(201);
  const reach = await ada.get(`/survey/${survey.body.identifier}/reminders/reach`);
  expect(reach.body).toEqual({ members: 1, counted: 1, participants: 0, downloaded: 0, pending: 0 });
});

test('participants may not ask, and strangers learn nothing', async () => {
  const study = await sleepStudy(daily);
  const path = `/survey/${study.survey}/reminders/reach`;
  expectProblem(await study.responder.get(path), 'action.forbidden');
  expectProblem(await (await signUp('Eve')).get(path), 'resource.not-found');
});

test('it reads three rows for a member, however many reminders each has had', async () => {
  const study = await sleepStudy(daily);
  for (const person of [study.responder, study.other]) await pendingOf(person);
  const { measure } = countedApp();
  const cost = await measure(study.owner, 'GET', `/survey/${study.survey}/reminders/reach`);
  expect(cost.answer.body).toMatchObject({ counted: 4, pending: 2 });
  expect(cost.roundTrips).toBe(1);
  expect(cost.rowsWritten).toBe(0);
  expect(cost.rowsRead).toBeLessThanOrEqual(3 * 4 + 10);
});
