import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Person } from '../support/people.ts';
import { lock, newCase, newResponse, type Study } from '../support/studies.ts';
import { send, sleepStudy } from '../support/worker/world.ts';

let study: Study;

beforeAll(async () => {
  study = await sleepStudy();
});

const tagOf = (answer: Answer) => answer.headers.get('etag') ?? '';
const again = (by: Person, path: string, tag: string) => by.get(path, { 'if-none-match': tag });
const act = (route: string, body: object) => study.owner.post(`/investigation/${study.id}/${route}`, body);

describe.each(['case', 'response'] as const)('a single %s', (kind) => {
  async function make() {
    const night = await newCase(study, study.responder);
    const id = kind === 'case' ? night : await newResponse(study, study.responder, night);
    const path = `/${kind}/${id}`;
    return { path, first: await study.owner.get(path), items: { [`${kind}s`]: [{ identifier: id }] }, id };
  }
  const edit = (path: string, n: number) =>
    study.owner.patch(path, kind === 'case' ? { label: `Edit ${n}` } : { items: { q2: `${n}` } });

  test('is 304 without a body for whoever has its revision, in any list of tags', async () => {
    const { path, first } = await make();
    for (const tag of [tagOf(first), `W/${tagOf(first)}`, `"other", ${tagOf(first)}`]) {
      const answer = await again(study.owner, path, tag);
      expect(answer.status, tag).toBe(304);
      expect(answer.text).toBe('');
      expect(tagOf(answer)).toBe(tagOf(first));
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
      expect(answer.headers.get('vary')).toContain('Authorization');
    }
    for (const tag of ['"other"', '*', 'nonsense', '""'])
      expect((await again(study.owner, path, tag)).status, tag).toBe(200);
  });

  test('is sent whole after an edit, and its new revision is 304 again', async () => {
    const { path, first } = await make();
    const edited = await edit(path, 1);
    expect(await again(study.owner, path, tagOf(first))).toMatchObject({ status: 200, body: edited.body });
    expect((await again(study.owner, path, tagOf(edited))).status).toBe(304);
  });

  test.each([
    ['locked', [['lock-items', 'locked']]],
    [
      'locked and unlocked',
      [
        ['lock-items', 'locked'],
        ['lock-items', 'unlocked'],
      ],
    ],
    ['archived', [['archive-items', 'archived']]],
    [
      'archived and brought back',
      [
        ['archive-items', 'archived'],
        ['archive-items', 'active'],
      ],
    ],
    [
      'deleted and brought back',
      [
        ['delete-items', 'deleted'],
        ['delete-items', 'active'],
      ],
    ],
  ])('that was %s is sent whole at each step, though its ETag is the same', async (_, steps) => {
    const { path, first, items } = await make();
    let shown = first;
    for (const [route = '', status] of steps) {
      expect((await act(route, { ...items, status })).status).toBe(204);
      if (status === 'deleted') continue;
      const answer = await again(study.owner, path, tagOf(shown));
      expect(answer.status, status).toBe(200);
      expect(tagOf(answer), 'the revision stays').toBe(tagOf(first));
      shown = answer;
    }
    expect((await again(study.owner, path, tagOf(first))).status, 'nor later').toBe(200);
  });

  test('is 304 again from the first edit after an unlock', async () => {
    const { path, items } = await make();
    await act('lock-items', { ...items, status: 'locked' });
    await act('lock-items', { ...items, status: 'unlocked' });
    const edited = await edit(path, 2);
    expect((await again(study.owner, path, tagOf(edited))).status).toBe(304);
  });

  test('is 404, not 304, for whoever may no longer see it', async () => {
    const { path, first, items } = await make();
    await act('delete-items', { ...items, status: 'deleted' });
    expect((await again(study.owner, path, tagOf(first))).status).toBe(404);
    expect((await again(study.other, path, tagOf(first))).status).toBe(404);
  });

  test('still takes its ETag in If-Match after all this', async () => {
    const { path, items, first } = await make();
    await act('lock-items', { ...items, status: 'locked' });
    await act('lock-items', { ...items, status: 'unlocked' });
    const body = kind === 'case' ? { label: 'Matched' } : { items: { q2: 'matched' } };
    expect((await study.owner.patch(path, body, { 'if-match': tagOf(first) })).status).toBe(200);
    expect((await study.owner.patch(path, body, { 'if-match': tagOf(first) })).status).toBe(412);
  });
});

test('a case is sent whole once its creator has another name', async () => {
  const night = await newCase(study, study.other);
  const first = await study.owner.get(`/case/${night}`);
  expect((await again(study.owner, `/case/${night}`, tagOf(first))).status).toBe(304);
  await study.other.patch('/user/me', { name: 'Dana Renamed' });
  const answer = await again(study.owner, `/case/${night}`, tagOf(first));
  expect(answer).toMatchObject({ status: 200, body: { creatorNames: 'Dana Renamed' } });
});

describe('everything else that is read', () => {
  const paths = () => [
    '/user/me/devices',
    '/user/me/avatar',
    '/investigation',
    `/investigation/${study.id}/members`,
    `/investigation/${study.id}/surveys?limit=10`,
    `/investigation/${study.id}/activity`,
    `/investigation/${study.id}/cases?limit=10`,
    `/investigation/${study.id}/responses?limit=10`,
  ];

  test('has a weak ETag of its bytes, and is 304 as long as they are the same', async () => {
    for (const path of paths()) {
      const first = await study.owner.get(path);
      expect(first.status, path).toBe(200);
      expect(tagOf(first), path).toMatch(/^W\/"[0-9a-f]{40}"$/);
      expect(first.headers.get('cache-control'), path).toMatch(/^private/);
      const second = await again(study.owner, path, tagOf(first));
      expect([second.status, second.text], path).toEqual([304, '']);
      expect(second.headers.get('x-request-id'), path).toMatch(/^[0-9a-f]{32}$/);
    }
  });

  test('a page is sent whole after a lock, and an unlock brings the first bytes back', async () => {
    const night = await newCase(study, study.owner);
    const path = `/investigation/${study.id}/cases?limit=1000`;
    const first = await study.owner.get(path);
    await lock(study.owner, study, { cases: [night] });
    const second = await again(study.owner, path, tagOf(first));
    expect(second.status).toBe(200);
    expect(tagOf(second)).not.toBe(tagOf(first));
  });

  test('JSON and CSV of a page are told apart, and so are callers', async () => {
    const path = `/investigation/${study.id}/responses?limit=10`;
    const json = await study.owner.get(path);
    const csv = await study.owner.get(path, { accept: 'text/csv', 'if-none-match': tagOf(json) });
    expect(csv.status).toBe(200);
    expect(csv.headers.get('vary')).toMatch(/accept.*authorization|authorization.*accept/i);
    const mine = await study.owner.get('/user/me');
    expect((await again(study.editor, '/user/me', tagOf(mine))).status).toBe(200);
  });

  test('a streamed answer has none, and is still private', async () => {
    const answer = await study.owner.get(`/investigation/${study.id}/cases`);
    expect(answer.headers.get('etag')).toBeNull();
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  });

  test('refusals have none: they are never 304', async () => {
    for (const path of ['/case/nothing', '/nothing']) {
      const answer = await again(study.owner, path, '*');
      expect(answer.status).toBe(404);
      expect(answer.headers.get('etag')).toBeNull();
    }
    expect((await send('/user/me', { headers: { 'if-none-match': '*' } })).status).toBe(401);
  });
});
