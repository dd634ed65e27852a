import { expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { days, later, minutes, setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { readLog } from '../support/worker/logs.ts';
import { daily, history, pendingOf, tick } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy, stranger } from '../support/worker/world.ts';

/* That every route finds nothing of a deleted study is in `visibility`. */

const path = ({ id }: Pick<Study, 'id'>) => `/investigation/${id}`;

async function archive(study: Study) {
  expect((await study.owner.patch(path(study), { status: 'archived' })).status).toBe(200);
}

async function remove(study: Study) {
  await archive(study);
  expect(await study.owner.delete(path(study))).toMatchObject({ status: 204, text: '' });
}

test('an owner deletes an archived study and brings it back; both are logged', async () => {
  const study = await sleepStudy();
  const { owner, editor, responder } = study;
  const night = await newCase(study, responder);
  const answer = await newResponse(study, responder, night);
  await archive(study);
  const before = await readLog(study, owner);
  const shown = (await owner.get(path(study))).body;
  expect(await owner.delete(path(study))).toMatchObject({ status: 204, text: '' });
  for (const person of [owner, editor, responder])
    for (const gone of [path(study), `/case/${night}`, `/response/${answer}`, `/survey/${study.survey}`])
      expectProblem(await person.get(gone), 'resource.not-found');
  expect((await owner.get('/investigation')).body.investigations).toEqual([]);
  expectProblem(await responder.get(`/user/${owner.id}`), 'resource.not-found');
  expectProblem(await owner.delete(path(study)), 'resource.not-found');

  later(30 * days);
  const restored = await owner.post(`${path(study)}/restore`);
  expect(restored).toMatchObject({ status: 200, body: shown });
  for (const there of [`/case/${night}`, `/response/${answer}`, `/survey/${study.survey}`])
    expect((await responder.get(there)).status, there).toBe(200);
  expect((await readLog(study, owner)).slice(before.length)).toMatchObject([
    { actor: owner.id, action: 'study.deleted' },
    { actor: owner.id, action: 'study.restored' },
  ]);
  expect((await owner.get(`${path(study)}/activity/verify`)).body.valid).toBe(true);
  setClock(startOfTests);
});

test('only owners delete and restore, only archived studies, never frozen ones', async () => {
  const study = await sleepStudy();
  const { owner, editor, responder } = study;
  const eve = await signUp('Eve');
  const freeze = (status: string) => owner.post(`${path(study)}/freeze`, { status, reason: 'Analysis' });
  const refused = (person: typeof owner, code: Parameters<typeof expectProblem>[1]) =>
    changingNothing(async () => expectProblem(await person.delete(path(study)), code));
  await refused(owner, 'study.active');
  await archive(study);
  await freeze('frozen');
  await refused(owner, 'study.frozen');
  await freeze('active');
  for (const person of [editor, responder]) await refused(person, 'action.forbidden');
  await refused(eve, 'resource.not-found');
  await remove(study);
  await changingNothing(async () => {
    for (const person of [editor, responder, eve])
      expectProblem(await person.post(`${path(study)}/restore`), 'resource.not-found');
  });
  expect((await owner.post(`${path(study)}/restore`)).status).toBe(200);
  await changingNothing(async () => {
    expect((await owner.post(`${path(study)}/restore`)).status).toBe(200);
    for (const person of [editor, responder])
      expectProblem(await person.post(`${path(study)}/restore`), 'action.forbidden');
  });
});

test('after 30 days it cannot be brought back', async () => {
  const study = await sleepStudy();
  await remove(study);
  later(30 * days + 1);
  await changingNothing(async () =>
    expectProblem(await study.owner.post(`${path(study)}/restore`), 'resource.not-found'),
  );
  setClock(startOfTests);
});

test('nothing is delivered any more, nobody is invited, and no pause or history tells of it', async () => {
  const study = await sleepStudy(daily);
  const { owner, responder } = study;
  const gil = await stranger('Gil');
  const hana = await signUp('Hana');
  for (const { email } of [gil, hana])
    await owner.post(`${path(study)}/member`, { email, role: 'responder' });
  const phone = await newPhone(responder);
  const until = new Date(startOfTests + 10 * days).toISOString();
  await study.other.put('/user/me/pause', { until, investigation: study.id });
  const [pending] = await pendingOf(responder);
  await remove(study);
  setClock(Date.parse(pending.dueAt) + 2 * minutes);
  await tick();
  expect(await phone.inbox()).toEqual([]);
  expect(await history(responder)).toEqual([]);
  expect((await responder.get('/user/me/agenda')).text).not.toContain(study.survey);
  expect((await hana.get('/user/me/invitations')).body.invitations).toEqual([]);
  expect((await study.other.get('/user/me')).body).not.toHaveProperty('pausedStudies.0');
  expectProblem(
    await study.other.put('/user/me/pause', { until, investigation: study.id }),
    'resource.not-found',
  );
  // Gil signs up without becoming a member of what is gone.
  await gil.post('/user', { name: 'Gil' });
  expect((await gil.get('/investigation')).body.investigations).toEqual([]);
  // The only owner of nothing but a deleted study may leave.
  expect((await owner.delete('/user/me')).status).toBe(204);
  setClock(startOfTests);
});

test('owners find what they can still bring back, others and later nobody does', async () => {
  const study = await sleepStudy();
  const second = await sleepStudy();
  const eve = await signUp('Eve');
  const { owner, editor, responder } = study;
  const deleted = async (person: Person, query = '') =>
    (await person.get(`/investigation?status=deleted${query}`)).body;
  const shown = { ...(await owner.get(path(study))).body, status: 'archived' };
  expect(await deleted(owner)).toEqual({ investigations: [] });
  await remove(study);
  const at = new Date().toISOString();
  expect(await deleted(owner)).toEqual({ investigations: [{ ...shown, deletedAt: at }] });
  for (const person of [editor, responder, second.owner, eve])
    expect(await deleted(person)).toEqual({ investigations: [] });

  await second.owner.post(`${path(second)}/member`, { user: owner.id, role: 'owner' });
  await remove(second);
  const first = await deleted(owner, '&limit=1');
  const rest = await deleted(owner, `&limit=1&cursor=${first.next}`);
  expect([...first.investigations, ...rest.investigations].map(({ identifier }) => identifier)).toEqual(
    [study.id, second.id].toSorted(),
  );
  expect(rest).not.toHaveProperty('next');
  await owner.post(`${path(second)}/restore`);
  expect((await deleted(owner)).investigations).toHaveLength(1);

  later(30 * days);
  expect((await deleted(owner)).investigations).toHaveLength(1);
  later(1);
  expect(await deleted(owner)).toEqual({ investigations: [] });
  expectProblem(await owner.post(`${path(study)}/restore`), 'resource.not-found');
  expectProblem(await owner.get('/investigation?status=archived'), 'request.invalid');
  setClock(startOfTests);
});

test('deleting costs the same whatever the size of the study', async () => {
  const study = await sleepStudy();
  const night = await newCase(study, study.owner);
  const { measure } = countedApp();
  const once = async () => {
    await archive(study);
    const { roundTrips, rowsWritten } = await measure(study.owner, 'DELETE', path(study));
    await study.owner.post(`${path(study)}/restore`);
    await study.owner.patch(path(study), { status: 'active' });
    return { roundTrips, rowsWritten };
  };
  const before = await once();
  for (let n = 0; n < 20; n++) await newResponse(study, study.responder, night);
  expect(await once()).toEqual(before);
});
