import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { openD1 } from '../../src/platform/cloudflare/d1.ts';
import type { Answer, Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { newApp } from '../support/worker/apps.ts';
import { send, signUp, sleepStudy, stranger } from '../support/worker/world.ts';
import { laggingD1 } from './support/lagging-d1.ts';

const shape = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;
const bookmark = (answer: Answer) => answer.headers.get('x-d1-bookmark') ?? '';

describe('D1 itself', () => {
  test('answers carry a bookmark, of reads and of writes, and it is taken back', async () => {
    const ada = await signUp('Ada');
    const answers = [
      await ada.get('/user/me'),
      await ada.post('/investigation', { name: 'Sleep' }),
      await ada.get('/nothing-here'),
    ];
    for (const answer of answers) expect(bookmark(answer)).toMatch(shape);
    const again = await ada.get('/investigation', { 'x-d1-bookmark': bookmark(answers[1] as Answer) });
    expect(again.body.investigations).toHaveLength(1);
    expect(bookmark(again) >= bookmark(answers[1] as Answer)).toBe(true);
  });

  test('a request that reads no database carries none', async () => {
    expect((await send('/health')).headers.get('x-d1-bookmark')).toBeNull();
    expect((await send('/user/me')).headers.get('x-d1-bookmark')).toBeNull();
  });

  test.each([
    'nonsense',
    'first-primary',
    '0'.repeat(5000),
    `${'f'.repeat(8)}-${'f'.repeat(8)}-${'f'.repeat(8)}-${'f'.repeat(32)}`,
    '0000007b-0000b26e-00001344-0C32669F4EC52C4F0FA9F0F46F5E4D6B',
    "' or 1=1; --",
    '',
  ])('the bookmark %j is no 5xx, for reads and writes', async (given) => {
    const ada = await signUp('Ada');
    const headers = { 'x-d1-bookmark': given };
    expect((await ada.get('/user/me', headers)).status).toBe(200);
    expect((await ada.patch('/user/me', { name: 'Ada L.' }, headers)).status).toBe(200);
  });
});

describe('a replica that is behind', () => {
  let study: Study;
  let far: Awaited<ReturnType<typeof laggingD1>>;
  let call: (
    by: Person,
    method: string,
    path: string,
    more?: { body?: unknown; bookmark?: string },
  ) => Promise<Answer>;

  beforeEach(async () => {
    study = await sleepStudy();
    far = await laggingD1();
    const { send: ask } = newApp({ db: openD1(far.database) });
    call = (by, method, path, { body, bookmark: given } = {}) =>
      ask(path, { method, token: by.token, body, headers: given ? { 'x-d1-bookmark': given } : {} });
  });

  test('without the bookmark a write may be missing, with it never', async () => {
    const created = await call(study.owner, 'POST', `/investigation/${study.id}/case`, {
      body: { label: 'N' },
    });
    expect(created.status).toBe(201);
    const path = `/case/${created.body.identifier}`;
    expect((await call(study.owner, 'GET', path)).status, 'the replica is behind').toBe(404);
    const read = await call(study.owner, 'GET', path, { bookmark: bookmark(created) });
    expect(read.status).toBe(200);
    expect(read.body).toEqual(created.body);

    const list = `/investigation/${study.id}/cases`;
    expect((await call(study.owner, 'GET', list)).body.cases).toEqual([]);
    for (const query of ['', '?limit=10'])
      expect(
        (await call(study.owner, 'GET', `${list}${query}`, { bookmark: bookmark(read) })).body.cases,
      ).toHaveLength(1);
    far.catchUp();
    expect((await call(study.owner, 'GET', path)).status).toBe(200);
  });

  test('a chain of writes and reads, each with the bookmark before, always sees all that came before', async () => {
    const path = `/investigation/${study.id}/case`;
    let carried = '';
    for (let n = 1; n <= 4; n++) {
      const written = await call(study.owner, 'POST', path, { body: { label: `${n}` }, bookmark: carried });
      expect(bookmark(written) > carried).toBe(true);
      carried = bookmark(written);
      const read = await call(study.owner, 'GET', `${path}s`, { bookmark: carried });
      expect(read.body.cases).toHaveLength(n);
      carried = bookmark(read);
    }
  });

  test('a change, a lock, and what follows a write are never missing', async () => {
    const created = await call(study.owner, 'POST', `/investigation/${study.id}/case`, {
      body: { label: 'N' },
    });
    const { identifier } = created.body;
    const locked = await call(study.owner, 'POST', `/investigation/${study.id}/lock-items`, {
      body: { cases: [{ identifier }], status: 'locked' },
      bookmark: bookmark(created),
    });
    expect(locked.status).toBe(204);
    const seen = await call(study.owner, 'GET', `/case/${identifier}`, { bookmark: bookmark(locked) });
    expect(seen.body.lockedAt).toBeDefined();
    const log = await call(study.owner, 'GET', `/investigation/${study.id}/activity`, {
      bookmark: bookmark(locked),
    });
    expect(log.body.activities[0].action).toBe('items.locked');

    const reminders = {
      type: 'rolling',
      recurrence: '0 9 * * *',
      notification: { subject: 'S', body: 'B' },
    };
    const survey = await call(study.owner, 'PATCH', `/survey/${study.survey}`, { body: { reminders } });
    expect(survey.status).toBe(200);
    const moved = await call(study.responder, 'PATCH', '/user/me', { body: { timeZone: 'Asia/Tokyo' } });
    const planned = await call(study.responder, 'GET', '/user/me/notifications', {
      bookmark: bookmark(moved),
    });
    expect(planned.body.notifications[0]).toMatchObject({ state: 'scheduled', timeZone: 'Asia/Tokyo' });
  });

  test('users who have just signed up are known at once, with or without a bookmark', async () => {
    const newcomer = await stranger('Newcomer');
    const { body } = await call(newcomer, 'POST', '/user', { body: { name: 'Newcomer' } });
    const { send: elsewhere } = newApp({ db: openD1(far.database) });
    const answer = await elsewhere('/investigation', { token: newcomer.token });
    expect(answer.status, answer.text).not.toBe(403);
    expect(body.identifier).toMatch(/^[0-9a-f]{32}$/);
  });

  test('a write reads at the primary: what the replica lacks is no reason to refuse or to lose', async () => {
    const created = await call(study.owner, 'POST', `/investigation/${study.id}/case`, {
      body: { label: 'N' },
    });
    const path = `/case/${created.body.identifier}`;
    for (const label of ['N1', 'N2', 'N3'])
      expect((await call(study.owner, 'PATCH', path, { body: { label } })).body.label).toBe(label);
  });

  test('a bookmark that the database never gave is answered by the primary', async () => {
    const created = await call(study.owner, 'POST', `/investigation/${study.id}/case`, {
      body: { label: 'N' },
    });
    const future = `ffffffff-00000000-00000000-${'0'.repeat(32)}`;
    const read = await call(study.owner, 'GET', `/case/${created.body.identifier}`, { bookmark: future });
    expect(read.status, read.text).toBe(200);
    expect(bookmark(read) < future).toBe(true);
    // Beside the note of who looked.
    expect(far.asked.slice(far.asked.indexOf(future))).toContain('first-primary');
  });
});

test('a database without replicas is used as it is, and no bookmark is told', async () => {
  const { send: ask } = newApp({
    db: openD1({ prepare: env.DB.prepare.bind(env.DB), batch: env.DB.batch.bind(env.DB) } as never),
  });
  const ada = await signUp('Ada');
  const answer = await ask('/user/me', { token: ada.token, headers: { 'x-d1-bookmark': 'x' } });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-d1-bookmark')).toBeNull();
});
