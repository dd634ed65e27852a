import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { diary, lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { interruptedDb, newApp } from '../support/worker/apps.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { signUp, sleepStudy } from '../support/worker/world.ts';

const archive = (study: Study, items: { cases?: string[]; responses?: string[] }, status = 'archived') =>
  study.owner.post(`/investigation/${study.id}/archive-items`, {
    cases: items.cases?.map((identifier) => ({ identifier })) ?? [],
    responses: items.responses?.map((identifier) => ({ identifier })) ?? [],
    status,
  });

describe('an archived item', () => {
  let study: Study;
  beforeAll(async () => {
    study = await sleepStudy();
  });

  test('is not changed by anyone, until it is brought back', async () => {
    const night = await newCase(study, study.responder);
    const id = await newResponse(study, study.responder, night);
    await archive(study, { cases: [night], responses: [id] });
    await changingNothing(async () => {
      for (const by of [study.owner, study.editor, study.responder]) {
        for (const body of [{ label: 'Changed' }, {}])
          expectProblem(await by.patch(`/case/${night}`, body), 'item.archived', ['']);
        for (const body of [{ items: { q1: 'changed' } }, { reasons: {} }])
          expectProblem(await by.patch(`/response/${id}`, body), 'item.archived', ['']);
      }
    });
    await archive(study, { cases: [night], responses: [id] }, 'active');
    expect((await study.responder.patch(`/case/${night}`, { label: 'Changed' })).status).toBe(200);
    expect((await study.responder.patch(`/response/${id}`, { items: { q1: 'changed' } })).status).toBe(200);
  });

  test('takes no new response; one that was given before is found again', async () => {
    const night = await newCase(study, study.owner);
    const path = `/survey/${study.survey}/response`;
    const given = { case: night, items: { q1: 'well' }, identifier: 'a4'.repeat(16) };
    expect((await study.responder.post(path, given)).status).toBe(201);
    await archive(study, { cases: [night] });
    await changingNothing(async () => {
      const answer = await study.owner.post(path, { case: night, items: { q1: 'late' } });
      expectProblem(answer, 'item.archived', ['/case']);
      expect((await study.responder.post(path, given)).status).toBe(200);
    });
    await lock(study.owner, study, { cases: [night] });
    expectProblem(await study.owner.post(path, { case: night, items: {} }), 'item.locked', ['/case']);
  });

  test('also when it is archived between the check and the write', async () => {
    const night = await newCase(study, study.owner);
    const id = await newResponse(study, study.owner, night);
    const tries = [
      [`/case/${night}`, 'PATCH', { label: 'Changed' }],
      [`/response/${id}`, 'PATCH', { items: { q1: 'changed' } }],
      [`/survey/${study.survey}/response`, 'POST', { case: night, items: {} }],
    ] as const;
    for (const [path, method, body] of tries) {
      await archive(study, { cases: [night], responses: [id] }, 'active');
      const meanwhile = () => archive(study, { cases: [night], responses: [id] });
      const { send } = newApp({ ...createServices(env), db: interruptedDb(meanwhile) });
      const answer = await send(path, { method, body, token: study.owner.token });
      expectProblem(answer, 'item.archived');
    }
    expect((await study.owner.get(`/case/${night}`)).body.label).toBe('Night 1');
    expect((await study.owner.get(`/response/${id}`)).body.items).toEqual({ q1: 'well' });
    const listed = await study.owner.get(`/investigation/${study.id}/responses?case=${night}&status=all`);
    expect(listed.body.responses).toHaveLength(1);
  });
});

test('an archived survey takes no new response', async () => {
  const study = await sleepStudy();
  const night = await newCase(study, study.owner);
  const path = `/survey/${study.survey}/response`;
  await study.editor.patch(`/survey/${study.survey}`, { status: 'archived' });
  await changingNothing(async () =>
    expectProblem(await study.responder.post(path, { case: night, items: {} }), 'item.archived', ['']),
  );
  await study.editor.patch(`/survey/${study.survey}`, { status: 'active' });
  expect((await study.responder.post(path, { case: night, items: {} })).status).toBe(201);
});

describe('an archived study', () => {
  test('takes nothing new, from anyone; what it holds may still change', async () => {
    const study = await sleepStudy();
    const [night, eve] = [await newCase(study, study.owner), await signUp('Eve')];
    const creations = (n: number) =>
      [
        [study.responder, `/investigation/${study.id}/case`, { label: 'New' }],
        [study.editor, `/investigation/${study.id}/survey`, { name: 'Naps', items: diary }],
        [study.responder, `/survey/${study.survey}/response`, { case: night, items: {} }],
        [study.owner, `/investigation/${study.id}/member`, { user: eve.id, role: 'editor' }],
        [study.owner, `/investigation/${study.id}/member`, { email: `x${n}@example.org`, role: 'editor' }],
      ] as const;
    await study.owner.patch(`/investigation/${study.id}`, { status: 'archived' });
    await changingNothing(async () => {
      for (const [by, path, body] of creations(1)) expectProblem(await by.post(path, body), 'study.archived');
    });
    expect((await study.owner.patch(`/case/${night}`, { label: 'Changed' })).status).toBe(200);
    await study.owner.patch(`/investigation/${study.id}`, { status: 'active' });
    for (const [by, path, body] of creations(2)) expect((await by.post(path, body)).status, path).toBe(201);
  });

  test('also when it is archived between the check and the write', async () => {
    const study = await sleepStudy();
    const night = await newCase(study, study.owner);
    const tries = [
      [`/investigation/${study.id}/case`, { label: 'New' }],
      [`/investigation/${study.id}/survey`, { name: 'Naps', items: diary }],
      [`/survey/${study.survey}/response`, { case: night, items: {} }],
      [`/investigation/${study.id}/member`, { email: 'x@example.org', role: 'editor' }],
    ] as const;
    for (const [path, body] of tries) {
      await study.owner.patch(`/investigation/${study.id}`, { status: 'active' });
      const meanwhile = () => study.owner.patch(`/investigation/${study.id}`, { status: 'archived' });
      const { send } = newApp({ ...createServices(env), db: interruptedDb(meanwhile) });
      const answer = await send(path, { method: 'POST', body, token: study.owner.token });
      expectProblem(answer, 'study.archived');
    }
  });
});

test('only owners and editors create hidden cases', async () => {
  const study = await sleepStudy();
  const path = `/investigation/${study.id}/case`;
  await changingNothing(async () =>
    expectProblem(await study.responder.post(path, { label: 'Mine', hidden: true }), 'action.forbidden'),
  );
  for (const by of [study.owner, study.editor])
    expect((await by.post(path, { label: 'Secret', hidden: true })).status).toBe(201);
});

test('only owners and editors hide a case, also its creator does not', async () => {
  const study = await sleepStudy();
  const night = await newCase(study, study.responder);
  await changingNothing(async () =>
    expectProblem(
      await study.responder.patch(`/case/${night}`, { label: 'Mine', hidden: true }),
      'action.forbidden',
    ),
  );
  expect((await study.responder.patch(`/case/${night}`, { label: 'Mine', hidden: false })).status).toBe(200);
  for (const by of [study.owner, study.editor])
    expect((await by.patch(`/case/${night}`, { hidden: true })).status).toBe(200);
});

test('a repeated creation does not show what became of a case that was hidden or deleted meanwhile', async () => {
  const study = await sleepStudy();
  const path = `/investigation/${study.id}/case`;
  for (const [n, withdraw] of [
    (id: string) => study.editor.patch(`/case/${id}`, { label: 'Withdrawn consent', hidden: true }),
    (id: string) =>
      study.owner.post(`/investigation/${study.id}/delete-items`, {
        cases: [{ identifier: id }],
        status: 'deleted',
      }),
  ].entries()) {
    const mine = { label: 'Mine', identifier: `${n}b`.repeat(16) };
    expect((await study.responder.post(path, mine)).status).toBe(201);
    expect((await study.responder.post(path, mine)).status).toBe(200);
    await withdraw(mine.identifier);
    const again = await study.responder.post(path, mine);
    expectProblem(again, 'identifier.taken');
    expect(again.text).not.toContain('Withdrawn');
  }
});
