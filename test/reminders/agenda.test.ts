import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { plan } from '../support/engine.ts';
import { created, type Person } from '../support/people.ts';
import { newCase, type Study } from '../support/studies.ts';
import { addSurveys } from '../support/worker/bulk.ts';
import { setClock, startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { daily, history, pendingOf, remind, ring } from '../support/worker/reminders.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

/** With its default, as the database has it. */
const stored = { ...daily, expiresAfter: 360 };
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

test('an agenda says so when it has looked at as many occurrences as a request may, and costs no more', async () => {
  const windows = Array.from({ length: 12 }, (_, n) => {
    const hour = (minute: string) => `${String(2 * n).padStart(2, '0')}:${minute}`;
    return { from: hour('00'), to: hour('59'), count: 8 };
  });
  const { responder } = await sleepStudy({
    ...daily,
    recurrence: '* * * * *',
    windows,
    minGap: 1,
    expiresAfter: 5,
  });
  await responder.patch('/user/me', { quietHours: { from: '00:00', to: '23:59' } });
  const { status, body } = await responder.get('/user/me/agenda?count=64');
  expect(status).toBe(200);
  expect(body.more).toBe(true);
  expect(body.occurrences.length).toBeLessThan(64);
  await responder.patch('/user/me', { quietHours: null });
  expect((await responder.get('/user/me/agenda?count=64')).body).not.toHaveProperty('more');
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

test('reminders that would be skipped as things stand are not in it: pauses, a frozen and an archived study', async () => {
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

test('a reminder that waits for quiet hours to end is in it until it is pushed, and comes next', async () => {
  setClock(startOfTests);
  const study = await sleepStudy({ ...daily, expiresAfter: 1440 });
  const user = study.responder;
  const phone = await newPhone(user);
  await user.patch('/user/me', { quietHours: { from: '21:00', to: '07:00' } });
  await pendingOf(user);
  const agenda = async () => (await user.get('/user/me/agenda?count=2')).body.occurrences;
  const upcoming = async () =>
    (await user.get(`/survey/${study.survey}/reminders/upcoming?count=1`)).body.occurrences;
  const [tonight] = await agenda();
  const next = await upcoming();
  expect(tonight).toMatchObject({ on: '2027-03-01', dueAt: '2027-03-02T06:00:00.000Z' });
  expect(next).toMatchObject([
    { on: '2027-03-01', note: 'Quiet hours: waits until 2027-03-02T06:00:00.000Z' },
  ]);
  setClock('2027-03-01T20:30:00.000Z');
  await ring(user);
  setClock('2027-03-01T23:00:00.000Z');
  expect(await agenda()).toMatchObject([tonight, { on: '2027-03-02' }]);
  expect(await upcoming()).toEqual(next);
  setClock('2027-03-02T06:00:00.000Z');
  await ring(user);
  expect((await phone.inbox()).map(({ data }) => data.notification)).toEqual([tonight.notification]);
  expect(await agenda()).toMatchObject([{ on: '2027-03-02' }, { on: '2027-03-03' }]);
  expect(await upcoming()).toMatchObject([{ on: '2027-03-02' }]);
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

describe('of somebody with hundreds of surveys', () => {
  type Entry = { survey: string; dueAt: string };
  const agendaOf = async (person: Person): Promise<Entry[]> =>
    (await person.get('/user/me/agenda?count=64')).body.occurrences;

  /** Chidi has 150 surveys from 20:00 UTC on in a study, and 60 an hour later in another. */
  async function twoStudies(first: object = stored) {
    setClock(startOfTests);
    const [sleep, mood] = [await sleepStudy(), await sleepStudy()];
    const chidi = sleep.responder;
    const invited = await mood.owner.post(`/investigation/${mood.id}/member`, {
      user: chidi.id,
      role: 'responder',
    });
    expect(invited.status).toBe(201);
    await addSurveys(sleep, 150, first);
    await addSurveys(mood, 60, stored);
    await env.DB.prepare(
      `update survey set reminders = json_set(reminders, '$.recurrence',
        replace(reminders ->> 'recurrence', ' 20 ', ' 21 ')) where investigation_id = ? and reminders is not null`,
    )
      .bind(mood.id)
      .run();
    await plan({ ...createServices(env), alarms: { arm: async () => {}, deliver: async () => {} } }, [
      chidi.id,
    ]);
    const ofStudy = async ({ id }: Study) =>
      (
        await env.DB.prepare('select id from survey where investigation_id = ? and reminders is not null')
          .bind(id)
          .all<{ id: string }>()
      ).results.map((row) => row.id);
    return { sleep, mood, chidi, ofStudy };
  }
  const tonight = (entries: Entry[]) => entries.filter(({ dueAt }) => dueAt < '2027-03-02').length;

  test('an agenda has what comes first over all of them', async () => {
    const { sleep, chidi, ofStudy } = await twoStudies();
    const entries = await agendaOf(chidi);
    expect(entries).toHaveLength(64);
    expect(entries.map(({ dueAt }) => dueAt)).toEqual(entries.map(({ dueAt }) => dueAt).toSorted());
    const surveys = await ofStudy(sleep);
    expect(entries.every(({ survey, dueAt }) => surveys.includes(survey) && dueAt < '2027-03-01T19:22')).toBe(
      true,
    );
  });

  test.each<[string, (sleep: Study) => Promise<unknown>]>([
    ['paused', ({ id, responder }) => responder.put('/user/me/pause', { until: null, investigation: id })],
    [
      'frozen',
      ({ id, owner }) => owner.post(`/investigation/${id}/freeze`, { status: 'frozen', reason: 'Audit' }),
    ],
  ])('those of a study that is %s do not hide the others', async (_, change) => {
    const { sleep, mood, chidi, ofStudy } = await twoStudies();
    await change(sleep);
    const entries = await agendaOf(chidi);
    const surveys = await ofStudy(mood);
    expect(entries).toHaveLength(64);
    expect(entries.every(({ survey }) => surveys.includes(survey))).toBe(true);
    expect(tonight(entries)).toBe(60);
  });

  test('nor do those that are answered for today', async () => {
    const { sleep, mood, chidi, ofStudy } = await twoStudies({ ...stored, unlessAnswered: true });
    const night = await newCase(sleep, sleep.owner);
    await env.DB.prepare(
      `insert into response (id, investigation_id, survey_id, case_id, responder_id, items, reasons, revision_id, revised_at, created_at)
        select printf('%032x', row_number() over () + ?1), ?2, s.id, ?3, ?4, '{}', '{}', printf('%032x', row_number() over ()), ?5, ?5
        from survey s where s.investigation_id = ?2 and s.reminders is not null`,
    )
      .bind(Date.now(), sleep.id, night, chidi.id, Date.now())
      .run();
    const entries = await agendaOf(chidi);
    const surveys = await ofStudy(mood);
    expect(entries).toHaveLength(64);
    expect(entries.slice(0, 60).every(({ survey }) => surveys.includes(survey))).toBe(true);
    expect(tonight(entries)).toBe(60);
    // Three portions of at most a hundred, behind the first read.
    const { roundTrips } = await countedApp().measure(chidi, 'GET', '/user/me/agenda?count=64');
    expect(roundTrips).toBeLessThanOrEqual(4);
  });
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
  await addSurveys(study, 400, stored);
  const large = await measure(study.responder, 'GET', '/user/me/agenda?count=64');
  expect(large.answer.body.occurrences).toHaveLength(64);
  expect(large.roundTrips).toBe(2);
  expect(large.rowsRead).toBeLessThanOrEqual(401 * 8);
});
