import { beforeEach, describe, expect, test } from 'vitest';
import { created } from '../support/people.ts';
import { newCase, type Study } from '../support/studies.ts';
import { small } from '../support/worker/apps.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { signUp, sleepStudy, stranger } from '../support/worker/world.ts';

let study: Study;
let night: string;

beforeEach(async () => {
  study = await sleepStudy();
  night = await newCase(study, study.owner);
});

const entries = async () => {
  const { body } = await study.owner.get(`/investigation/${study.id}/activity`);
  return body.activities as { action: string; position: number }[];
};

/** An app in which the log of the study has room for this many more entries. */
const roomFor = async (more: number) => small({ MAX_ACTIVITIES: `${(await entries()).length + more}` });

const items = (status: string) => ({ cases: [{ identifier: night }], status });
const all = { filter: {}, reason: 'Endless' };
const path = (what = '') => `/investigation/${study.id}${what}`;

function expectFull(answer: Awaited<ReturnType<ReturnType<typeof small>>>) {
  expectProblem(answer, 'limit.reached');
  expect(answer.body.bound).toBe('MAX_ACTIVITIES');
}

test('locking and unlocking without an end ends; the last unlock is possible', async () => {
  const post = await roomFor(3);
  const lock = (status: string) => post(study.responder, path('/lock-items'), items(status));
  await study.owner.post(path('/case'), { label: 'Shared' });
  const by = (status: string) => post(study.owner, path('/lock-items'), items(status));
  for (const status of ['locked', 'unlocked', 'locked']) expect((await by(status)).status).toBe(204);
  expect((await by('locked')).status, 'changes nothing').toBe(204);
  expect((await by('unlocked')).status, 'leads out').toBe(204);
  for (let n = 0; n < 3; n++) expectFull(await by('locked'));
  expectProblem(await lock('locked'), 'items.not-found');
  expect((await by('unlocked')).status, 'changes nothing').toBe(204);
  expect((await study.owner.get(`/case/${night}`)).body.status).not.toBe('locked');
  const verified = await study.owner.get(path('/activity/verify'));
  expect(verified.body).toMatchObject({ valid: true, entries: (await entries()).length });
});

test('of many at once exactly as many get in as there is room for', async () => {
  const post = await roomFor(2);
  const nights = await Promise.all(Array.from({ length: 5 }, () => newCase(study, study.owner)));
  const answers = await Promise.all(
    nights.map((identifier) =>
      post(study.owner, path('/lock-items'), { cases: [{ identifier }], status: 'locked' }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 204, 409, 409, 409]);
});

describe('a full log', () => {
  test('takes nothing that could be undone and done again', async () => {
    const eve = await signUp('Eve');
    const post = await roomFor(0);
    const { owner, responder, survey } = study;
    const refused: [string, object, string?][] = [
      [path('/lock-matching'), { ...all, status: 'locked' }],
      [path('/archive-items'), items('archived')],
      [path('/delete-items'), items('deleted')],
      [path('/member'), { user: eve.id, role: 'responder' }],
      [path(`/member/${responder.id}`), { role: 'editor' }, 'PATCH'],
      [path('/freeze'), { status: 'frozen', reason: 'Endless' }],
      [path(), { name: 'Sleep, again' }, 'PATCH'],
      [`/survey/${survey}`, { name: 'Diary, again' }, 'PATCH'],
    ];
    const before = await entries();
    for (const [to, body, method] of refused) expectFull(await post(owner, to, body, method));
    expect(await entries()).toEqual(before);
    expect((await post(owner, path('/case'), { label: 'Goes on' })).status).toBe(201);
    expectProblem(await post(eve, path('/lock-items'), items('locked')), 'resource.not-found');
  });

  test('takes what leads out: unlocking by a filter, the end of a freeze, the archive, leaving', async () => {
    const { owner, editor, responder, other } = study;
    await owner.post(path('/lock-matching'), { ...all, status: 'locked' });
    await owner.post(path('/freeze'), { status: 'frozen', reason: 'Database lock' });
    const post = await roomFor(0);
    const before = (await entries()).length;
    const done = [
      await post(owner, path('/freeze'), { status: 'active', reason: 'Stuck' }),
      await post(owner, path('/lock-matching'), { ...all, status: 'unlocked' }),
      await post(owner, path(), { status: 'archived' }, 'PATCH'),
      await post(editor, path('/member/me'), undefined, 'DELETE'),
      await post(owner, path(`/member/${responder.id}`), undefined, 'DELETE'),
      await post(other, '/user/me', undefined, 'DELETE'),
    ];
    expect(done.map(({ status }) => status)).toEqual([204, 200, 200, 204, 204, 204]);
    expect((await entries()).length).toBe(before + 6);
    expectFull(await post(owner, path(), { status: 'active' }, 'PATCH'));
  });

  test('keeps nobody from signing up: the invitation waits, and is answered by the limit', async () => {
    const gil = await stranger('Gil');
    created(await study.owner.post(path('/member'), { email: gil.email, role: 'responder' }));
    const post = await roomFor(0);
    expect((await post(gil, '/user', { name: 'Gil' })).status).toBe(201);
    expect((await gil.get('/investigation')).body.investigations).toEqual([]);
    expectFull(await post(gil, `/user/me/invitations/${study.id}/accept`));
    expect((await gil.post(`/user/me/invitations/${study.id}/accept`)).status, 'with more room').toBe(200);
  });
});
