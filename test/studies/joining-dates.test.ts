import { expect, test } from 'vitest';
import { created, type Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { setClock } from '../support/worker/clock.ts';
import { pendingOf, remind, scheduled } from '../support/worker/reminders.ts';
import { send, signUp, sleepStudy, stranger } from '../support/worker/world.ts';

/* The day of joining is that of the clock on the wall: noon in London is the next day in Auckland. */

const welcome = {
  type: 'fixed',
  recurrence: '0 9 * * *',
  from: 'joined',
  days: [0, 1, 7],
  notification: { subject: 'Welcome', body: 'How is it going?' },
};
const auckland = { timeZone: 'Pacific/Auckland' };

async function joining() {
  setClock('2027-06-01T08:00:00.000Z');
  const study = await sleepStudy();
  await remind(study, welcome);
  setClock('2027-06-01T12:30:00.000Z');
  return study;
}

const joinedOn = async ({ owner, id }: Study, user: string) =>
  (await owner.get(`/investigation/${id}/member/${user}`)).body.time.from;

/** In Auckland the second of June is half an hour old. */
async function expectSecondOfJune(study: Study, person: Pick<Person, 'id'>) {
  expect(await joinedOn(study, person.id)).toBe('2027-06-02');
  const { occurrences } = (
    await study.owner.get(`/survey/${study.survey}/reminders/upcoming?user=${person.id}`)
  ).body;
  expect(occurrences.map(({ on, counter }: { on: string; counter: number }) => [on, counter])).toEqual([
    ['2027-06-02', 0],
    ['2027-06-03', 1],
    ['2027-06-09', 2],
  ]);
}

test('of somebody who enrols by a code', async () => {
  const study = await joining();
  const { code } = created(await study.editor.post(`/investigation/${study.id}/enrolment`, {}));
  const joined = await send('/enrol', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, ...auckland }),
  });
  await expectSecondOfJune(study, { id: joined.body.user.identifier });
});

test('of somebody who signs up with an invitation, or accepts it later', async () => {
  const study = await joining();
  const nia = await stranger('Nia');
  const moana = await signUp('Moana', auckland);
  for (const { email } of [nia, moana])
    await study.owner.post(`/investigation/${study.id}/member`, { email, role: 'responder' });
  const { body } = await nia.post('/user', { name: 'Nia', ...auckland });
  await expectSecondOfJune(study, { id: body.identifier });
  await moana.post(`/user/me/invitations/${study.id}/accept`);
  await expectSecondOfJune(study, moana);
});

test('of somebody who is added', async () => {
  const study = await joining();
  const moana = await signUp('Moana', auckland);
  await study.owner.post(`/investigation/${study.id}/member`, { user: moana.id, role: 'responder' });
  await expectSecondOfJune(study, moana);
  // A later journey does not move it.
  await moana.patch('/user/me', { timeZone: 'Europe/Paris' });
  expect(await joinedOn(study, moana.id)).toBe('2027-06-02');
  await pendingOf(moana);
  expect(await scheduled(moana)).toMatchObject([{ on: '2027-06-02', dueAt: '2027-06-02T07:00:00.000Z' }]);
});
