import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { purgeItems } from '../../src/items/purge.ts';
import { createServices } from '../../src/platform/cloudflare/services.ts';
import { expectTaken, inFours } from '../support/in-fours.ts';
import type { Answer, Person } from '../support/people.ts';
import { newCase, newResponse, responseIn, type Study } from '../support/studies.ts';
import { interruptedDb, small } from '../support/worker/apps.ts';
import { days, later, setClock, startOfTests } from '../support/worker/clock.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { studyOfManyItems } from './support/long-responses.ts';

let study: Study;
let night: string;
beforeEach(async () => {
  setClock(startOfTests);
  study = await sleepStudy();
  night = await newCase(study, study.owner);
});

/** 1,000 bytes in its row, and as many in its revision. */
const page = { q1: 'x'.repeat(789) };
const pageBytes = 2_000;

type Send = ReturnType<typeof small>;

const answer = (send: Send, by: Person, items: object = page, { survey } = study, of = night) =>
  send(by, `/survey/${survey}/response`, { case: of, items });

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).toSorted();

function expectFull(refused: Answer, bound: string) {
  expectProblem(refused, 'limit.reached');
  expect(refused.body.bound).toBe(bound);
}

const column = async (name: 'stored_bytes' | 'deleted_bytes' | 'case_count', { id } = study) =>
  (await env.DB.prepare(`select ${name} as n from investigation where id = ?`).bind(id).first<number>('n')) ??
  0;

describe('the day of one participant', () => {
  test('is bounded, but for requests that were under way together, and costs nobody else an answer', async () => {
    const { owner, editor, responder: chidi, other: dana } = study;
    const send = small({ MAX_PERSON_BYTES: '10000' });
    const answers = await inFours(12, () => answer(send, chidi));
    expectTaken(answers, 5);
    const [kept] = answers.filter(({ status }) => status === 201);
    await changingNothing(async () => {
      const refused = await answer(send, chidi, { q1: 'x' });
      expectFull(refused, 'MAX_PERSON_BYTES');
      expect(refused.body.detail).toContain('2027-03-02T00:00:00.000Z');
      expectFull(
        await send(chidi, `/investigation/${study.id}/case`, { label: 'Night 2' }),
        'MAX_PERSON_BYTES',
      );
      expectFull(await send(chidi, kept?.body.uri, { items: { q2: 'seven' } }, 'PATCH'), 'MAX_PERSON_BYTES');
    });
    for (const person of [dana, editor, owner]) expect((await answer(send, person)).status).toBe(201);
    // Owners and editors import.
    for (let n = 0; n < 8; n++) expect((await answer(send, editor)).status).toBe(201);
  });

  test('is of one study, and of one day, which deletion does not give back', async () => {
    const { owner, responder: chidi } = study;
    const send = small({ MAX_PERSON_BYTES: '10000' });
    const given = await Promise.all(Array.from({ length: 5 }, () => answer(send, chidi)));
    const responses = given.map((one) => ({ identifier: responseIn(one) }));
    const gone = await chidi.post(`/investigation/${study.id}/delete-items`, {
      responses,
      status: 'deleted',
    });
    expect(gone.status, gone.text).toBe(204);
    expectFull(await answer(send, chidi), 'MAX_PERSON_BYTES');

    const elsewhere = await sleepStudy();
    await elsewhere.owner.post(`/investigation/${elsewhere.id}/member`, {
      user: chidi.id,
      role: 'responder',
    });
    const nap = await newCase(elsewhere, elsewhere.owner);
    expect((await answer(send, chidi, page, elsewhere, nap)).status).toBe(201);

    setClock('2027-03-01T23:59:59.999Z');
    expectFull(await answer(send, chidi), 'MAX_PERSON_BYTES');
    setClock('2027-03-02T00:00:00.000Z');
    expect((await answer(send, chidi)).status).toBe(201);
    expect((await answer(send, owner)).status).toBe(201);
  });

  test('counts cases, and each once however often it is sent', async () => {
    const { responder: chidi } = study;
    const send = small({ MAX_PERSON_BYTES: '10000' });
    const path = `/investigation/${study.id}/case`;
    const first = { label: 'Night 2', identifier: '6'.repeat(32) };
    for (const status of [201, 200, 200]) expect((await send(chidi, path, first)).status).toBe(status);
    for (let n = 3; n < 6; n++) expect((await send(chidi, path, { label: `Night ${n}` })).status).toBe(201);
    expectFull(await send(chidi, path, { label: 'Night 6' }), 'MAX_PERSON_BYTES');
    expect((await send(chidi, path, first)).status).toBe(200);
  });

  test('counts edits by what they change', async () => {
    const { responder: chidi } = study;
    const send = small({ MAX_PERSON_BYTES: '10000' });
    const [, { body }] = [await answer(send, chidi), await answer(send, chidi)];
    const edit = (n: number) => send(chidi, body.uri, { items: { q2: `${n}` } }, 'PATCH');
    // 6,000 are left; an edit has 2 * (200 + 12).
    const answers: Answer[] = [];
    for (let n = 10; n < 30; n++) answers.push(await edit(n));
    const taken = answers.filter(({ status }) => status === 200).length;
    expect(taken).toBeGreaterThan(5);
    expect(taken).toBeLessThan(15);
    expectFull(answers.at(-1) as Answer, 'MAX_PERSON_BYTES');
  });

  test('leaves room in the log: locks count, and unlocking is always possible', async () => {
    const { owner, responder: chidi } = study;
    const send = small({ MAX_PERSON_BYTES: '10000' });
    const response = await newResponse(study, chidi, night);
    const set = (status: string, by = chidi) =>
      send(by, `/investigation/${study.id}/lock-items`, { responses: [{ identifier: response }], status });
    const answers: Answer[] = [];
    for (let n = 0; n < 6; n++) answers.push(await set('locked'), await set('unlocked'));
    expect(statuses(answers)).toContain(204);
    expectFull(answers.at(-2) as Answer, 'MAX_PERSON_BYTES');
    const matching = { filter: { responder: chidi.id }, status: 'locked' };
    expectFull(await send(chidi, `/investigation/${study.id}/lock-matching`, matching), 'MAX_PERSON_BYTES');
    expect((await set('locked', owner)).status).toBe(204);
    expect((await set('unlocked')).status).toBe(204);
    const path = `/investigation/${study.id}/delete-items`;
    const gone = await send(chidi, path, { responses: [{ identifier: response }], status: 'deleted' });
    expect(gone.status, gone.text).toBe(204);
  });
});

test('the day of all participants is bounded, and a hundredth of one share is always everybody’s own', async () => {
  const { owner, responder: chidi, other: dana } = study;
  const send = small({ MAX_PERSON_BYTES: '100000', MAX_PARTICIPANTS_BYTES: '20000' });
  const crowd = await inFours(16, () => answer(send, chidi));
  expectTaken(crowd, 10);
  await changingNothing(async () => {
    expectFull(await answer(send, chidi, { q1: 'x' }), 'MAX_PARTICIPANTS_BYTES');
    expectFull(await answer(send, dana), 'MAX_PARTICIPANTS_BYTES');
  });
  expect((await answer(send, dana, { q1: 'well' })).status).toBe(201);
  expect((await answer(send, owner)).status).toBe(201);
  later(days);
  expect((await answer(send, dana)).status).toBe(201);
});

describe('a deleted item', () => {
  const set = (responses: string[], status: string, { send = small({}), cases = [] as string[] } = {}) =>
    send(study.owner, `/investigation/${study.id}/delete-items`, {
      responses: responses.map((identifier) => ({ identifier })),
      cases: cases.map((identifier) => ({ identifier })),
      status,
    });

  test('frees its room at once, with its revisions; it comes back only to a study that has room', async () => {
    const { owner, responder: chidi } = study;
    const before = await column('stored_bytes');
    const response = await newResponse(study, chidi, night, page);
    for (const q2 of ['six', 'seven'])
      await chidi.patch(`/response/${response}`, { items: { q1: 'y'.repeat(789), q2 }, reason: 'Because' });
    const held = (await column('stored_bytes')) - before;
    const send = small({ MAX_STUDY_BYTES: `${before + held}` });
    expectFull(await answer(send, owner), 'MAX_STUDY_BYTES');
    expect((await set([response], 'deleted')).status).toBe(204);
    expect(await column('stored_bytes')).toBe(before);
    expect((await answer(send, owner)).status).toBe(201);
    await changingNothing(async () =>
      expectFull(await set([response], 'active', { send }), 'MAX_STUDY_BYTES'),
    );
    expect((await set([response], 'active')).status).toBe(204);
    expect(await column('stored_bytes')).toBe(before + held + pageBytes);
    expect(await column('deleted_bytes')).toBe(0);
  });

  test('comes back though another answer takes the room meanwhile, and the next is refused', async () => {
    const response = await newResponse(study, study.responder, night, page);
    expect((await set([response], 'deleted')).status).toBe(204);
    const max = { MAX_STUDY_BYTES: `${(await column('stored_bytes')) + pageBytes}` };
    const db = interruptedDb(() => newResponse(study, study.editor, night));
    const send = small(max, { db });
    expect((await set([response], 'active', { send })).status).toBe(204);
    expect((await study.owner.get(`/response/${response}`)).status).toBe(200);
    expectFull(await answer(send, study.owner), 'MAX_STUDY_BYTES');
  });

  test('is not subtracted again when it is purged: a line in the feed stays', async () => {
    const before = await column('stored_bytes');
    const nap = await newCase(study, study.owner, 'Nap');
    const response = await newResponse(study, study.responder, night, page);
    expect((await set([response], 'deleted', { cases: [nap] })).status).toBe(204);
    expect(await column('stored_bytes')).toBe(before);
    expect(await column('deleted_bytes')).toBeGreaterThan(pageBytes);
    expect(await column('case_count')).toBe(1);
    later(31 * days);
    await purgeItems({ db: createServices(env).db, now: Date.now() });
    expect(await column('stored_bytes')).toBe(before + 2 * 100);
    expect(await column('deleted_bytes')).toBe(0);
    expect(await column('case_count')).toBe(1);
  });

  test('makes room for another case, and two do not come back to one place', async () => {
    const { owner } = study;
    const send = small({ MAX_CASES: '1' });
    const path = `/investigation/${study.id}/case`;
    expectFull(await send(owner, path, { label: 'Night 2' }), 'MAX_CASES');
    expect((await set([], 'deleted', { cases: [night] })).status).toBe(204);
    expect((await send(owner, path, { label: 'Night 2' })).status).toBe(201);
    expectFull(await set([], 'active', { send, cases: [night] }), 'MAX_CASES');
  });

  test('may be as much again as the study stores: nobody fills a disk by storing and deleting', async () => {
    const { owner } = study;
    const max = (await column('stored_bytes')) + 2 * pageBytes;
    const send = small({ MAX_STUDY_BYTES: `${max}` });
    const tries: number[] = [];
    for (let n = 0; n < 10; n++) {
      const given = await answer(send, owner);
      tries.push(given.status);
      if (given.status === 201) await set([responseIn(given)], 'deleted');
    }
    expect(tries.at(0)).toBe(201);
    expect(tries.at(-1)).toBe(409);
    expect(await column('deleted_bytes')).toBeLessThan(2 * max);
  });
});

test('a full study takes nothing more, and no half of it, but what makes a case shorter', async () => {
  const { owner, id, survey } = study;
  const response = await newResponse(study, owner, night);
  const before = await column('stored_bytes');
  const send = small({ MAX_STUDY_BYTES: `${before}` });
  const items = [{ identifier: 'q1', label: 'How long?' }];
  await changingNothing(async () => {
    for (const [method, path, body] of [
      ['PATCH', `/case/${night}`, { label: 'A longer label' }],
      ['PATCH', `/response/${response}`, { items: page }],
      ['PATCH', `/survey/${survey}`, { items: [{ identifier: 'q1', label: 'x'.repeat(1_900) }] }],
      ['POST', `/investigation/${id}/case`, { label: 'x' }],
      ['POST', `/survey/${survey}/response`, { case: night, items: {} }],
      ['POST', `/investigation/${id}/survey`, { name: 'Naps', items }],
    ] as const)
      expectFull(await send(owner, path, body, method), 'MAX_STUDY_BYTES');
  });
  expect((await send(owner, `/case/${night}`, { label: 'Nap' }, 'PATCH')).status).toBe(200);
  expect(await column('stored_bytes')).toBeLessThan(before);
});

test('a small edit of a long response is small on disk, and its history is whole', async () => {
  const own = await studyOfManyItems();
  const nap = await newCase(own, own.owner);
  const long = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`q${n}`, `${n} `.repeat(20_000)]));
  const response = await newResponse(own, own.responder, nap, long);
  const before = await column('stored_bytes', own);
  const edits = 20;
  for (let n = 1; n <= edits; n++)
    expect((await own.editor.patch(`/response/${response}`, { items: { q16: `edit ${n}` } })).status).toBe(
      200,
    );
  expect((await column('stored_bytes', own)) - before).toBeLessThan(edits * 300);
  const newest = await own.owner.get(`/response/${response}/revisions?limit=1`);
  expect(newest.body.revisions[0].items).toEqual({ ...long, q16: `edit ${edits}` });
  const { body } = await own.owner.get(`/response/${response}/revisions?limit=1&cursor=${newest.body.next}`);
  expect(body.revisions[0].items).toEqual({ ...long, q16: `edit ${edits - 1}` });
  await own.editor.patch(`/response/${response}`, { items: { q16: null } });
  const removed = await own.owner.get(`/response/${response}/revisions?limit=1`);
  expect(removed.body.revisions[0].items).toEqual(long);
});
