import { expect, test } from 'vitest';
import { lock, newCase, newResponse } from '../support/studies.ts';
import { startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy } from '../support/worker/world.ts';

test('a response reads in list form and in single form, as the interface shows them', async () => {
  const study = await sleepStudy();
  const night = await newCase(study, study.owner);
  const id = await newResponse(study, study.responder, night, { q1: 'well', q2: '' });

  const list = await study.owner.get(`/investigation/${study.id}/responses`);
  expect(list.status).toBe(200);
  expect(list.body).toEqual({
    investigation: `investigation/${study.id}`,
    responses: [
      {
        uri: `response/${id}`,
        identifier: id,
        b64Identifier: expect.stringMatching(/^[A-Za-z0-9+/]{22}==$/),
        creation: new Date(startOfTests).toISOString(),
        case: night,
        responder: study.responder.id,
        name: 'Chidi',
        avatar: `/user/${study.responder.id}/avatar`,
        items: { q1: 'well', q2: '' },
        reasons: {},
        survey: study.survey,
        status: 'active',
        revisionUNIX: startOfTests / 1000,
        revisionIdentifier: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ],
  });

  const single = await study.owner.get(`/response/${id}`);
  expect(single.status).toBe(200);
  expect(single.body).toEqual({
    uri: `/response/${id}`,
    survey: `/survey/${study.survey}`,
    responder: `/user/${study.responder.id}`,
    case: `case/${night}`,
    items: { q1: 'well', q2: '' },
    reasons: {},
    revisionDate: startOfTests / 1000,
    status: 'active',
  });
  expect(single.headers.get('etag')).toBe(`"${list.body.responses[0].revisionIdentifier}"`);
});

test('a case reads alike in the list and alone, as the interface shows it', async () => {
  const study = await sleepStudy();
  const night = await newCase(study, study.editor, 'Night 1');
  const alone = await study.owner.get(`/case/${night}`);
  expect(alone.body).toEqual({
    identifier: night,
    uri: `case/${night}`,
    creation: new Date(startOfTests).toISOString(),
    label: 'Night 1',
    hidden: false,
    revisionIdentifier: expect.stringMatching(/^[0-9a-f]{32}$/),
    editedAt: startOfTests / 1000,
    creatorIdentifier: study.editor.id,
    creatorNames: 'Bruno',
    creatorAvatar: `/user/${study.editor.id}/avatar`,
    status: 'active',
  });
  expect(alone.headers.get('etag')).toBe(`"${alone.body.revisionIdentifier}"`);
  const list = await study.owner.get(`/investigation/${study.id}/cases`);
  expect(list.body).toEqual({ uri: `investigation/${study.id}`, cases: [alone.body] });
});

test('b64Identifier is standard base64 of the identifier', async () => {
  const study = await sleepStudy();
  const night = await newCase(study, study.owner);
  const identifier = 'fbefbeff00112233445566778899aabb';
  const given = { case: night, items: {}, identifier };
  expect((await study.responder.post(`/survey/${study.survey}/response`, given)).status).toBe(201);
  const [listed] = (await study.owner.get(`/investigation/${study.id}/responses`)).body.responses;
  expect(listed).toMatchObject({ identifier, b64Identifier: '++++/wARIjNEVWZ3iJmquw==' });
});

test('a creation may be sent again: the same content finds the item, other content is refused', async () => {
  const study = await sleepStudy();
  const { owner, editor, responder, other } = study;
  const identifier = '0123456789abcdef0123456789abcdef';
  const path = `/investigation/${study.id}/case`;
  const first = await responder.post(path, { label: 'Night 1', identifier });
  expect(first.status).toBe(201);
  expect(first.body.identifier).toBe(identifier);
  expect((await owner.patch(`/case/${identifier}`, { label: 'Night one' })).status).toBe(200);

  await changingNothing(async () => {
    const again = await responder.post(path, { label: 'Night 1', hidden: false, identifier });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ identifier, label: 'Night one' });
    expect(again.headers.get('etag')).toBe(`"${again.body.revisionIdentifier}"`);
    expectProblem(await responder.post(path, { label: 'Night one', identifier }), 'identifier.taken');
    expectProblem(
      await responder.post(path, { label: 'Night 1', hidden: true, identifier }),
      'action.forbidden',
    );
    expectProblem(await editor.post(path, { label: 'Night 1', identifier }), 'identifier.taken');
  });

  const survey = `/survey/${study.survey}/response`;
  const content = { case: identifier, items: { q1: 'well', q2: '' }, reasons: { q2: 7 }, identifier };
  expect((await responder.post(survey, content)).status).toBe(201);
  await responder.patch(`/response/${identifier}`, { items: { q1: 'badly' } });
  await lock(owner, study, { cases: [identifier], responses: [identifier] });
  await changingNothing(async () => {
    // Also when the case was locked since.
    const again = await responder.post(survey, { ...content, items: { q2: '', q1: 'well' } });
    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({ uri: `/response/${identifier}`, items: { q1: 'badly', q2: '' } });
    for (const difference of [{ items: { q1: 'well' } }, { reasons: { q2: 8 } }, { reasons: {} }])
      expectProblem(await responder.post(survey, { ...content, ...difference }), 'identifier.taken');
    expectProblem(await other.post(survey, content), 'identifier.taken');
    expectProblem(await owner.post(survey, content), 'identifier.taken');
  });
});

test('a response needs a case of the study, and items of the survey', async () => {
  const study = await sleepStudy();
  const elsewhere = await sleepStudy();
  const [night, foreign] = [await newCase(study, study.owner), await newCase(elsewhere, elsewhere.owner)];
  const hidden = await newCase(study, study.owner, 'Hidden', true);
  const path = `/survey/${study.survey}/response`;
  await changingNothing(async () => {
    for (const unknown of [foreign, hidden, '0'.repeat(32)])
      expectProblem(await study.responder.post(path, { case: unknown, items: {} }), 'items.not-found', [
        '/case',
      ]);
    expectProblem(
      await study.responder.post(path, { case: night, items: { q1: '', nope: 'x' } }),
      'request.invalid',
      ['/items/nope'],
    );
    expectProblem(
      await study.responder.post(path, { case: night, items: {}, reasons: { nope: 1 } }),
      'request.invalid',
      ['/reasons/nope'],
    );
    expectProblem(await elsewhere.owner.post(path, { case: foreign, items: {} }), 'resource.not-found');
  });
  const answered = await newResponse(study, study.editor, hidden);
  expect((await study.owner.get(`/response/${answered}`)).status).toBe(200);
});
