import { expect, test } from 'vitest';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { interruptedDb, newApp, wrappedDb } from '../support/worker/apps.ts';
import { later, minutes, setClock } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { readLog } from '../support/worker/logs.ts';
import { daily, history, pendingOf, ring } from '../support/worker/reminders.ts';
import { seedResponses } from '../support/worker/seeds.ts';
import { newPhone, signUp, sleepStudy } from '../support/worker/world.ts';

const freeze = ({ id }: Study, by: Study['owner'], status = 'frozen', reason = 'Final analysis') =>
  by.post(`/investigation/${id}/freeze`, { status, reason });

test('an owner freezes a study and ends the freeze; it shows, and is logged once', async () => {
  const study = await sleepStudy();
  const { owner, editor, responder } = study;
  const before = await readLog(study, owner);
  expect(await freeze(study, owner)).toMatchObject({ status: 204, text: '' });
  for (const person of [owner, editor, responder])
    expect((await person.get(`/investigation/${study.id}`)).body.frozenAt).toBe('2027-03-01T08:00:00.000Z');
  expect((await owner.get('/investigation')).body.investigations[0].frozenAt).toBeDefined();
  later(minutes);
  expect((await freeze(study, owner, 'frozen', 'again')).status).toBe(204);
  expect((await owner.get(`/investigation/${study.id}`)).body.frozenAt).toBe('2027-03-01T08:00:00.000Z');

  expect((await freeze(study, owner, 'active', 'A query')).status).toBe(204);
  expect((await owner.get(`/investigation/${study.id}`)).body).not.toHaveProperty('frozenAt');
  const frozenAt = '2027-03-01T08:00:00.000Z';
  expect((await readLog(study, owner)).slice(before.length)).toMatchObject([
    {
      actor: owner.id,
      action: 'study.frozen',
      reason: 'Final analysis',
      details: { before: { frozenAt: null }, after: { frozenAt } },
    },
    {
      action: 'study.unfrozen',
      reason: 'A query',
      details: { before: { frozenAt }, after: { frozenAt: null } },
    },
  ]);
});

test('nobody else may, and a status and a reason are needed', async () => {
  const study = await sleepStudy();
  const eve = await signUp('Eve');
  await changingNothing(async () => {
    for (const person of [study.editor, study.responder])
      expectProblem(await freeze(study, person), 'action.forbidden');
    expectProblem(await freeze(study, eve), 'resource.not-found');
    const path = `/investigation/${study.id}/freeze`;
    for (const [body, pointer] of [
      [{ status: 'frozen' }, '/reason'],
      [{ status: 'cold', reason: 'x' }, '/status'],
      [{ status: 'frozen', reason: '' }, '/reason'],
    ] as const)
      expectProblem(await study.owner.post(path, body), 'request.invalid', [pointer]);
  });
});

test('it changes one row and its entry, whatever the size of the study', async () => {
  const study = await sleepStudy();
  await seedResponses(study, 5000);
  const { measure } = countedApp();
  for (const status of ['frozen', 'active']) {
    const { answer, ...cost } = await measure(study.owner, 'POST', `/investigation/${study.id}/freeze`, {
      status,
      reason: 'Final analysis',
    });
    expect(answer.status).toBe(204);
    expect(cost).toMatchObject({ roundTrips: 2, rowsWritten: 5 });
    expect(cost.rowsRead).toBeLessThanOrEqual(10);
  }
});

test('a lock of items that another person has locked meanwhile, before the freeze, is not refused', async () => {
  const study = await sleepStudy();
  const { owner } = study;
  const night = await newCase(study, owner);
  const { send } = newApp({
    db: interruptedDb(async () => {
      await lock(owner, study, { cases: [night] });
      await freeze(study, owner);
    }),
  });
  const body = { cases: [{ identifier: night }], status: 'locked' };
  const call = { method: 'POST', token: owner.token, body };
  expect((await send(`/investigation/${study.id}/lock-items`, call)).status).toBe(204);
});

test('members, devices, the own name of the study and reading go on', async () => {
  const study = await sleepStudy();
  const { owner, responder } = study;
  const night = await newCase(study, owner);
  await freeze(study, owner);
  const zoe = await signUp('Zoe');
  const answers = [
    await owner.post(`/investigation/${study.id}/member`, { user: zoe.id, role: 'responder' }),
    await owner.patch(`/investigation/${study.id}`, { name: 'Sleep, final' }),
    await owner.get(`/case/${night}`),
    await owner.get(`/investigation/${study.id}/responses`),
    await responder.post(`/survey/${study.survey}/download`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
  await newPhone(responder);
});

test('a repeated creation finds what there is, and a new one is refused', async () => {
  const study = await sleepStudy();
  const path = `/investigation/${study.id}/case`;
  const night = { label: 'Night 1', identifier: 'ab'.repeat(16) };
  await study.owner.post(path, night);
  const item = { case: night.identifier, items: { q1: 'well' }, identifier: 'cd'.repeat(16) };
  await study.responder.post(`/survey/${study.survey}/response`, item);
  await freeze(study, study.owner);
  expect((await study.owner.post(path, night)).status).toBe(200);
  expect((await study.responder.post(`/survey/${study.survey}/response`, item)).status).toBe(200);
  expectProblem(await study.owner.post(path, { label: 'Night 2' }), 'study.frozen');
});

test('reminders that fall due are skipped, the preview of a user says so, and they return afterwards', async () => {
  const study = await sleepStudy(daily);
  const { owner, responder } = study;
  await newPhone(responder);
  await pendingOf(responder);
  await freeze(study, owner);
  const upcoming = async () =>
    (await responder.get(`/survey/${study.survey}/reminders/upcoming?count=1`)).body.occurrences[0];
  expect((await upcoming()).note).toMatch(/frozen/);
  setClock('2027-03-01T20:30:01.000Z');
  await ring(responder);
  expect(await history(responder)).toMatchObject([
    { on: '2027-03-02', state: 'scheduled' },
    { on: '2027-03-01', state: 'skipped', reason: 'study-frozen', sentAt: null, deliveries: [] },
  ]);
  await freeze(study, owner, 'active');
  expect(await upcoming()).not.toHaveProperty('note');
  setClock('2027-03-02T20:30:01.000Z');
  await ring(responder);
  expect((await history(responder))[1]).toMatchObject({ on: '2027-03-02', state: 'sent' });
});

test('locks stay as they are, and a lock on a frozen study waits for its end', async () => {
  const study = await sleepStudy();
  const night = await newCase(study, study.owner);
  const answer = await newResponse(study, study.responder, night);
  await lock(study.owner, study, { cases: [night] });
  await freeze(study, study.owner);
  await changingNothing(async () => {
    expectProblem(await lock(study.owner, study, { cases: [night] }, 'unlocked'), 'study.frozen');
    expectProblem(await lock(study.owner, study, { responses: [answer] }), 'study.frozen');
  });
  await freeze(study, study.owner, 'active');
  expect((await lock(study.owner, study, { responses: [answer] })).status).toBe(204);
});

test('a survey of a frozen study is neither archived nor brought back', async () => {
  const { owner, id, survey } = await sleepStudy(daily);
  const freeze = (status: string) => owner.post(`/investigation/${id}/freeze`, { status, reason: 'Final' });
  for (const status of ['archived', 'active']) {
    await freeze('frozen');
    expectProblem(await owner.patch(`/survey/${survey}`, { status }), 'study.frozen');
    await freeze('active');
    expect((await owner.patch(`/survey/${survey}`, { status })).status).toBe(200);
  }
});

test('a write that a freeze refuses is not tried again; one of a study frozen for long is not tried at all', async () => {
  const study = await sleepStudy();
  const { id, owner, survey } = study;
  const night = await newCase(study, owner);
  const answer = await newResponse(study, owner, night);
  const list = { cases: [{ identifier: night }], responses: [{ identifier: answer }] };
  const reminders = { ...daily, recurrence: '15 9 * * *' };
  const writes: [method: string, path: string, body: object, attempts: number][] = [
    // Each of these reads whether the study is frozen, and reads again when it has frozen since.
    ['POST', `/investigation/${id}/lock-items`, { cases: list.cases, status: 'locked' }, 1],
    ['POST', `/investigation/${id}/lock-items`, { ...list, status: 'locked' }, 1],
    ['POST', `/investigation/${id}/archive-items`, { ...list, status: 'archived' }, 1],
    ['POST', `/investigation/${id}/lock-matching`, { status: 'locked', filter: {} }, 1],
    ['PATCH', `/survey/${survey}`, { reminders }, 1],
    ['POST', `/investigation/${id}/survey`, { name: 'Diary', items: [], reminders }, 1],
    // These write what is as it was read or nothing, so there is nothing to read again.
    ['PATCH', `/case/${night}`, { label: 'Night 2' }, 1],
    ['PATCH', `/response/${answer}`, { items: { q1: 'badly' } }, 1],
    ['POST', `/survey/${survey}/response`, { case: night, items: { q1: 'well' } }, 1],
    ['POST', `/investigation/${id}/case`, { label: 'Night 2' }, 1],
  ];
  const refused = async (meanwhile: () => Promise<unknown>, method: string, path: string, body: object) => {
    let tries = 0;
    const db = wrappedDb(async (queries, answer) => {
      if (queries.some((query) => /^(?:insert|update|delete)/i.test(query)) && ++tries === 1)
        await meanwhile();
      return answer();
    });
    expectProblem(await newApp({ db }).send(path, { method, token: owner.token, body }), 'study.frozen');
    return tries;
  };
  const nothing = async () => {};
  for (const [method, path, body, attempts] of writes) {
    expect(await refused(() => freeze(study, owner), method, path, body), path).toBe(attempts);
    expect(await refused(nothing, method, path, body), path).toBeLessThanOrEqual(1);
    await freeze(study, owner, 'active');
  }
});
