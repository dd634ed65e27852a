import { beforeAll, describe, expect, test } from 'vitest';
import { newCase, newResponse, type Study } from '../support/studies.ts';
import { later, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy } from '../support/worker/world.ts';

let study: Study;
beforeAll(async () => {
  study = await sleepStudy();
});

const tagOf = (answer: { headers: Headers }) => answer.headers.get('etag') ?? '';

test('each change of a response is a revision with its author; the history is newest first', async () => {
  const { owner, editor, responder } = study;
  const night = await newCase(study, owner);
  const id = await newResponse(study, responder, night, { q1: 'well' });
  later(61_000);
  const second = await editor.patch(`/response/${id}`, { items: { q2: 'seven' }, reasons: { q1: 2 } });
  expect(second.body).toMatchObject({
    items: { q1: 'well', q2: 'seven' },
    reasons: { q1: 2 },
    revisionDate: startOfTests / 1000 + 61,
  });
  const third = await responder.patch(`/response/${id}`, {
    items: { q1: null, q2: '' },
    reasons: { q1: null },
  });
  expect(third.body).toMatchObject({ items: { q2: '' }, reasons: {} });

  const history = await owner.get(`/response/${id}/revisions`);
  expect(history.body).toEqual({
    response: `/response/${id}`,
    revisions: [
      { author: responder.id, items: { q2: '' }, reasons: {} },
      { author: editor.id, items: { q1: 'well', q2: 'seven' }, reasons: { q1: 2 } },
      { author: responder.id, items: { q1: 'well' }, reasons: {} },
    ].map((revision, n) => ({
      ...revision,
      identifier: expect.stringMatching(/^[0-9a-f]{32}$/),
      revisionDate: startOfTests / 1000 + (n < 2 ? 61 : 0),
    })),
  });
  const [newest, middle] = history.body.revisions;
  expect(tagOf(third)).toBe(`"${newest.identifier}"`);
  expect(tagOf(second)).toBe(`"${middle.identifier}"`);

  const page = await owner.get(`/response/${id}/revisions?limit=2`);
  expect(page.body.revisions).toEqual([newest, middle]);
  const rest = await owner.get(`/response/${id}/revisions?limit=2&cursor=${page.body.next}`);
  expect(rest.body.revisions).toEqual(history.body.revisions.slice(2));
  expect(rest.body).not.toHaveProperty('next');
  expectProblem(await study.other.get(`/response/${id}/revisions`), 'resource.not-found');
});

test('an edit keeps its reason in words with its revision', async () => {
  const { owner, editor, responder } = study;
  const night = await newCase(study, owner);
  const id = await newResponse(study, responder, night, { q1: 'well' });
  const reason = 'She called: it was the night before.';
  const edited = await editor.patch(`/response/${id}`, { items: { q1: 'badly' }, reason });
  expect(edited.status, edited.text).toBe(200);
  expect(edited.body).not.toHaveProperty('reason');
  await responder.patch(`/response/${id}`, { items: { q2: 'seven' } });
  // No revision, so nothing keeps it.
  await editor.patch(`/response/${id}`, { items: { q2: 'seven' }, reason: 'Nothing changes' });
  const { revisions } = (await responder.get(`/response/${id}/revisions`)).body;
  expect(revisions.map((one: { reason?: string }) => one.reason)).toEqual([undefined, reason, undefined]);
  expect(revisions.map((one: object) => 'reason' in one)).toEqual([false, true, false]);
  await changingNothing(async () => {
    for (const wrong of ['', 'x'.repeat(501), 7, null])
      expectProblem(
        await editor.patch(`/response/${id}`, { items: { q1: 'well' }, reason: wrong }),
        'request.invalid',
        ['/reason'],
      );
  });
});

test('a change of nothing makes no revision', async () => {
  const { owner, responder } = study;
  const night = await newCase(study, owner, 'Night 1');
  const id = await newResponse(study, responder, night, { q1: 'well' });
  await changingNothing(async () => {
    for (const body of [{}, { items: {} }, { items: { q1: 'well' }, reasons: {} }, { items: { q2: null } }]) {
      const answer = await responder.patch(`/response/${id}`, body);
      expect(answer.status, answer.text).toBe(200);
    }
    expect((await owner.patch(`/case/${night}`, { label: 'Night 1', hidden: false })).status).toBe(200);
  });
});

test('an answer to an item that the survey dropped stays, and new ones are refused', async () => {
  const own = await sleepStudy();
  const night = await newCase(own, own.owner);
  const id = await newResponse(own, own.responder, night, { q1: 'well' });
  await own.owner.patch(`/survey/${own.survey}`, { items: [{ identifier: 'q2', label: 'Woke up?' }] });
  const answer = await own.responder.patch(`/response/${id}`, { items: { q2: 'seven' } });
  expect(answer.body.items).toEqual({ q1: 'well', q2: 'seven' });
  expectProblem(await own.responder.patch(`/response/${id}`, { reasons: { q1: 1 } }), 'request.invalid', [
    '/reasons/q1',
  ]);
  expectProblem(await own.responder.patch(`/response/${id}`, { items: { q3: null } }), 'request.invalid', [
    '/items/q3',
  ]);
});

test('a change of a case is a revision, and tells when', async () => {
  const night = await newCase(study, study.owner, 'Night 1');
  const before = await study.owner.get(`/case/${night}`);
  later(5000);
  const after = await study.editor.patch(`/case/${night}`, { label: 'Night 2' });
  expect(after.body).toEqual({
    ...before.body,
    label: 'Night 2',
    editedAt: before.body.editedAt + 5,
    revisionIdentifier: expect.not.stringMatching(before.body.revisionIdentifier),
  });
  expect(tagOf(after)).toBe(`"${after.body.revisionIdentifier}"`);
});

describe.each(['case', 'response'] as const)('If-Match on a %s', (noun) => {
  let path: string;
  let stale: string;
  let fresh: string;
  const change = () =>
    noun === 'case' ? { label: crypto.randomUUID() } : { items: { q2: crypto.randomUUID() } };
  const patch = (ifMatch: string) => study.owner.patch(path, change(), { 'if-match': ifMatch });

  beforeAll(async () => {
    const night = await newCase(study, study.owner);
    path = noun === 'case' ? `/case/${night}` : `/response/${await newResponse(study, study.owner, night)}`;
  });

  test('a fresh tag lets the change through, a stale one is 412 and changes nothing', async () => {
    stale = tagOf(await study.owner.get(path));
    fresh = tagOf(await patch(stale));
    expect(fresh).not.toBe(stale);
    await changingNothing(async () => expectProblem(await patch(stale), 'revision.stale'));
    // Also when there is nothing to change.
    await changingNothing(async () =>
      expectProblem(await study.owner.patch(path, {}, { 'if-match': stale }), 'revision.stale'),
    );
  });

  test.each(['nope', '"a', 'w/"a"', '*, "a"', '"a" "b"'])('%j is not a list of tags', async (header) => {
    await changingNothing(async () => {
      const answer = await patch(header);
      expectProblem(answer, 'request.invalid', ['?If-Match']);
    });
  });
});
