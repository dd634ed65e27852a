import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../support/people.ts';
import { diary, newCase } from '../support/studies.ts';
import { small } from '../support/worker/apps.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { signUp, sleepStudy, stranger } from '../support/worker/world.ts';

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();

describe('cases', () => {
  test('one more than the study may have is refused, and changes nothing; other studies go on', async () => {
    const post = small({ MAX_CASES: '3' });
    const [study, other] = await Promise.all([sleepStudy(), sleepStudy()]);
    const path = `/investigation/${study.id}/case`;
    for (let n = 0; n < 3; n++)
      expect((await post(study.responder, path, { label: `${n}` })).status).toBe(201);
    expectProblem(await post(study.owner, path, { label: 'one too many' }), 'limit.reached');
    const { body } = await study.owner.get(`/investigation/${study.id}/cases`);
    expect(body.cases).toHaveLength(3);
    expect((await post(other.owner, `/investigation/${other.id}/case`, { label: '1' })).status).toBe(201);
  });

  test('of many at once exactly as many as there is room for get in', async () => {
    const post = small({ MAX_CASES: '5' });
    const study = await sleepStudy();
    const path = `/investigation/${study.id}/case`;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => post(study.owner, path, { label: `${n}` })),
    );
    expect(statuses(answers)).toEqual([...Array(5).fill(201), ...Array(7).fill(409)]);
  });

  test('a repeated creation is found in a full study, and a taken identifier is still called so', async () => {
    const post = small({ MAX_CASES: '1' });
    const study = await sleepStudy();
    const path = `/investigation/${study.id}/case`;
    const mine = { label: 'Mine', identifier: '5'.repeat(32) };
    expect((await post(study.owner, path, mine)).status).toBe(201);
    expect((await post(study.owner, path, mine)).status).toBe(200);
    expectProblem(await post(study.owner, path, { ...mine, label: 'Yours' }), 'identifier.taken');
  });

  test('callers who may not see the study do not learn how full it is', async () => {
    const post = small({ MAX_CASES: '0', MAX_SURVEYS: '0', MAX_MEMBERS: '0' });
    const study = await sleepStudy();
    const eve = await signUp('Eve');
    const tries: [string, object][] = [
      ['case', { label: 'x' }],
      ['survey', { name: 'x', items: [] }],
      ['member', { email: 'x@example.org', role: 'owner' }],
    ];
    for (const [what, body] of tries)
      expectProblem(await post(eve, `/investigation/${study.id}/${what}`, body), 'resource.not-found');
  });

  test('purged items make room', async () => {
    const post = small({ MAX_CASES: '1' });
    const study = await sleepStudy();
    const night = await newCase(study, study.owner);
    await env.DB.prepare('delete from study_case where id = ?').bind(night).run();
    expect((await post(study.owner, `/investigation/${study.id}/case`, { label: 'New' })).status).toBe(201);
  });
});

describe('surveys', () => {
  test('one more than the study may have is refused, also of many at once', async () => {
    const post = small({ MAX_SURVEYS: '4' });
    const study = await sleepStudy();
    const path = `/investigation/${study.id}/survey`;
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => post(study.editor, path, { name: `${n}`, items: diary })),
    );
    expect(statuses(answers)).toEqual([201, 201, 201, 409, 409, 409]);
    expectProblem(await post(study.owner, path, { name: 'x', items: [] }), 'limit.reached');
    expectProblem(await post(study.responder, path, { name: 'x', items: [] }), 'action.forbidden');
  });
});

test('a survey grows as long as the study may store more, and may always shrink', async () => {
  const post = small({ MAX_STUDY_BYTES: '5000' });
  const { owner, survey } = await sleepStudy();
  const path = `/survey/${survey}`;
  const items = [{ identifier: 'q1', label: 'x'.repeat(1900) }];
  expect((await post(owner, path, { items }, 'PATCH')).status).toBe(200);
  const more = [
    ...items,
    { identifier: 'q2', label: 'x'.repeat(2000) },
    { identifier: 'q3', label: 'x'.repeat(2000) },
  ];
  const refused = await post(owner, path, { items: more }, 'PATCH');
  expectProblem(refused, 'limit.reached');
  expect(refused.body.bound).toBe('MAX_STUDY_BYTES');
  expect((await owner.get(path)).body.items).toEqual(items);
  const shrunk = small({ MAX_STUDY_BYTES: '10' });
  expect((await shrunk(owner, path, { items: [] }, 'PATCH')).status).toBe(200);
});

describe('members', () => {
  test('invitations that wait count, and become members in a full study', async () => {
    const study = await sleepStudy();
    const post = small({ MAX_MEMBERS: '6' });
    const path = `/investigation/${study.id}/member`;
    const [late, fay, gus] = await Promise.all([stranger('Late'), signUp('Fay'), signUp('Gus')]);
    expect((await post(study.owner, path, { email: late.email, role: 'responder' })).status).toBe(201);
    expect((await post(study.owner, path, { user: fay.id, role: 'responder' })).status).toBe(201);

    expectProblem(await post(study.owner, path, { user: gus.id, role: 'responder' }), 'limit.reached');
    expectProblem(await post(study.owner, path, { email: 'x@example.org', role: 'editor' }), 'limit.reached');
    expect((await post(study.owner, path, { user: fay.id, role: 'responder' })).status, 'members stay').toBe(
      200,
    );
    const again = await post(study.owner, path, { email: late.email, role: 'responder' });
    expect(again.status, 'an invitation may be repeated').toBe(200);

    expect((await late.post('/user', { name: 'Late' })).status).toBe(201);
    expect((await late.get(`/investigation/${study.id}`)).body.role).toBe('responder');
    expectProblem(await post(study.owner, path, { user: gus.id, role: 'responder' }), 'limit.reached');
    await study.owner.delete(`${path}/${fay.id}`);
    expect((await post(study.owner, path, { user: gus.id, role: 'responder' })).status).toBe(201);
  });

  test('of many invitations at once exactly as many as there is room for are sent', async () => {
    const study = await sleepStudy();
    const post = small({ MAX_MEMBERS: '7' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        post(study.owner, `/investigation/${study.id}/member`, {
          email: `${study.id}-${n}@example.org`,
          role: 'responder',
        }),
      ),
    );
    expect(statuses(answers)).toEqual([201, 201, 201, ...Array(5).fill(409)]);
  });

  test('users who delete themselves make room', async () => {
    const study = await sleepStudy();
    const post = small({ MAX_MEMBERS: '4' });
    await study.other.delete('/user/me');
    const gus = await signUp('Gus');
    const answer = await post(study.owner, `/investigation/${study.id}/member`, {
      user: gus.id,
      role: 'editor',
    });
    expect(answer.status).toBe(201);
  });
});

test('a user creates a limited number of studies, and belongs to any number of others', async () => {
  const post = small({ MAX_STUDIES: '2' });
  const [ada, bruno] = await Promise.all([signUp('Ada'), signUp('Bruno')]);
  const study = { name: 'Sleep' };
  const answers = await Promise.all(Array.from({ length: 4 }, () => post(ada, '/investigation', study)));
  expect(statuses(answers)).toEqual([201, 201, 409, 409]);
  expectProblem(await post(ada, '/investigation', study), 'limit.reached');
  expect((await ada.get('/investigation')).body.investigations).toHaveLength(2);
  const theirs = await post(bruno, '/investigation', study);
  const path = `/investigation/${theirs.body.identifier}/member`;
  expect((await post(bruno, path, { user: ada.id, role: 'owner' })).status).toBe(201);
});
