import { expect, test } from 'vitest';
import { created } from '../support/people.ts';
import { addSurveys } from './support/bulk.ts';
import { setClock, startOfTests } from './support/clock.ts';
import { countedApp } from './support/counters.ts';
import { expectProblem } from './support/expect-problem.ts';
import { daily, history, pendingOf, remind, ring } from './support/reminders.ts';
import { newPhone, signUp, sleepStudy } from './support/world.ts';

const french = { subject: 'Journal du sommeil', body: 'Comment était votre nuit ?' };

test('a phone learns what comes next in all surveys, in its language, under the identifiers that the pushes carry', async () => {
  const study = await sleepStudy({ ...daily, translations: { fr: french } });
  const user = study.responder;
  const phone = await newPhone(user);
  await user.patch(`/device/${phone.id}`, { language: 'fr-CA' });
  const naps = created(
    await study.owner.post(`/investigation/${study.id}/survey`, {
      name: 'Naps',
      items: [],
      reminders: { ...daily, recurrence: '0 14 * * *', expiresAfter: 60 },
    }),
  ).identifier;
  await pendingOf(user, 2);
  const { status, body } = await user.get(`/user/me/agenda?count=3&device=${phone.id}`);
  expect(status).toBe(200);
  const common = { investigation: study.id };
  expect(body).toMatchObject({
    user: `/user/${user.id}`,
    occurrences: [
      {
        ...common,
        survey: naps,
        on: '2027-03-01',
        dueAt: '2027-03-01T13:00:00.000Z',
        expiresAt: '2027-03-01T14:00:00.000Z',
        ...daily.notification,
      },
      {
        ...common,
        survey: study.survey,
        dueAt: '2027-03-01T20:30:00.000Z',
        expiresAt: '2027-03-02T02:30:00.000Z',
        ...french,
        language: 'fr',
      },
      { ...common, survey: naps, on: '2027-03-02' },
    ],
  });
  const plain = (await user.get('/user/me/agenda?count=3')).body.occurrences;
  expect(plain[1]).toMatchObject(daily.notification);
  expect(plain[1]).not.toHaveProperty('language');

  const [first, second] = body.occurrences;
  for (const { dueAt } of [first, second]) {
    setClock(dueAt);
    await ring(user);
  }
  const pushes = await phone.inbox();
  expect(pushes.map(({ data }) => data.notification)).toEqual([first.notification, second.notification]);
  expect((await history(user)).map((row) => row.identifier)).toContain(first.notification);
});

test('an agenda has 32 occurrences, or as many as asked for, up to 64', async () => {
  const { responder } = await sleepStudy(daily);
  const lengthOf = async (query: string) =>
    (await responder.get(`/user/me/agenda${query}`)).body.occurrences.length;
  expect(await lengthOf('')).toBe(32);
  expect(await lengthOf('?count=1')).toBe(1);
  expect(await lengthOf('?count=64')).toBe(64);
  for (const count of ['65', '0', 'all']) {
    const answer = await responder.get(`/user/me/agenda?count=${count}`);
    expectProblem(answer, 'request.invalid', ['?count']);
    expect(answer.body.errors[0].detail).toBe('Expected a whole number from 1 to 64.');
  }
});

test('an agenda that has not changed is 304', async () => {
  const study = await sleepStudy(daily);
  const first = await study.responder.get('/user/me/agenda');
  const tag = first.headers.get('etag') ?? '';
  const ask = () => study.responder.get('/user/me/agenda', { 'if-none-match': tag });
  expect(tag).not.toBe('');
  expect((await ask()).status).toBe(304);
  await remind(study, { ...daily, recurrence: '0 22 * * *' });
  expect((await ask()).status).toBe(200);
});

test('what would be skipped as things stand is not in it: pauses, a frozen and an archived study', async () => {
  const study = await sleepStudy(daily);
  const { responder, owner } = study;
  const next = async () => (await responder.get('/user/me/agenda')).body.occurrences[0]?.on;
  expect(await next()).toBe('2027-03-01');
  const today = { until: '2027-03-02T00:00:00.000Z', investigation: study.id };
  await responder.put('/user/me/pause', today);
  expect(await next()).toBe('2027-03-02');
  await responder.delete(`/user/me/pause?investigation=${study.id}`);
  await responder.put('/user/me/pause', { until: null });
  expect(await next()).toBeUndefined();
  await responder.delete('/user/me/pause');

  const freeze = (status: string) =>
    owner.post(`/investigation/${study.id}/freeze`, { status, reason: 'Audit' });
  await freeze('frozen');
  expect(await next()).toBeUndefined();
  await freeze('active');
  expect(await next()).toBe('2027-03-01');
  await owner.patch(`/investigation/${study.id}`, { status: 'archived' });
  expect(await next()).toBeUndefined();
});

test("nobody reads another's agenda, or one for another's phone", async () => {
  const study = await sleepStudy(daily);
  const theirs = await newPhone(study.other);
  expectProblem(await study.owner.get(`/user/${study.responder.id}/agenda`), 'action.forbidden');
  const grace = await signUp('Grace');
  expectProblem(await grace.get(`/user/${study.responder.id}/agenda`), 'resource.not-found');
  for (const device of [theirs.id, 'f'.repeat(32)])
    expectProblem(await study.responder.get(`/user/me/agenda?device=${device}`), 'resource.not-found');
  expectProblem(await study.responder.get('/user/me/agenda?device=mine'), 'request.invalid', ['?device']);
});

test('an agenda costs one round trip, and with hundreds of surveys two, and the rows of a hundred', async () => {
  const study = await sleepStudy(daily);
  await newPhone(study.responder);
  await pendingOf(study.responder);
  const { measure } = countedApp();
  const small = await measure(study.responder, 'GET', '/user/me/agenda');
  expect(small.answer.body.occurrences).toHaveLength(32);
  expect(small).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
  expect(small.rowsRead).toBeLessThanOrEqual(15);

  setClock(startOfTests);
  await addSurveys(study, 400, daily);
  const large = await measure(study.responder, 'GET', '/user/me/agenda?count=64');
  expect(large.answer.body.occurrences).toHaveLength(64);
  expect(large.roundTrips).toBe(2);
  expect(large.rowsRead).toBeLessThanOrEqual(401 * 8);
});
