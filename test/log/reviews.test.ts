import { expect, test } from 'vitest';
import type { Answer, Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { small } from '../support/worker/apps.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { readLog, seedEntries } from '../support/worker/logs.ts';
import { send, sleepStudy, tokenOf } from '../support/worker/world.ts';

const comment = 'Audit trail review of March: nothing unexpected.';
const path = ({ id }: Study) => `/investigation/${id}/activity`;
const review = (study: Study, by: Person, body: object): Promise<Answer> =>
  by.post(`${path(study)}/review`, { comment, ...body });
const reviewedOf = async (study: Study, by = study.owner) => (await by.get(path(study))).body.reviewed;

/** A study whose log has this many entries. */
async function loggedStudy(entries: number) {
  const study = await sleepStudy();
  await seedEntries(study, entries - 3);
  return study;
}

test('an editor marks the log as reviewed up to an entry: an entry with range and comment, and everybody sees how far', async () => {
  const study = await loggedStudy(10);
  const { owner, editor } = study;
  expect(await reviewedOf(study)).toBeUndefined();
  const answer = await review(study, editor, { to: 8 });
  expect(answer.status, answer.text).toBe(200);
  const reviewed = {
    through: 8,
    ranges: [{ from: 1, to: 8 }],
    at: '2027-03-01T08:00:00.000Z',
    actor: editor.id,
    actorName: 'Bruno',
  };
  expect(answer.body).toEqual({ investigation: `investigation/${study.id}`, reviewed });
  expect(await reviewedOf(study)).toEqual(reviewed);
  expect((await readLog(study, owner)).at(-1)).toMatchObject({
    position: 11,
    actor: editor.id,
    action: 'log.reviewed',
    reason: comment,
    details: { from: 1, to: 8 },
  });

  // The next review begins where this one ended, and covers the entry of this one.
  expect((await review(study, owner, { to: 11 })).body.reviewed).toMatchObject({
    through: 11,
    ranges: [{ from: 1, to: 11 }],
    actorName: 'Ada',
  });
  expect((await readLog(study, owner)).at(-1).details).toMatchObject({ from: 9, to: 11 });
  expect((await owner.get(`${path(study)}/verify`)).body).toMatchObject({ valid: true, entries: 12 });
});

test('parts are reviewed in any order, and again; through counts from the beginning', async () => {
  const study = await loggedStudy(20);
  const { owner } = study;
  const after = async (from: number, to: number) => {
    const { through, ranges } = (await review(study, owner, { from, to })).body.reviewed;
    return [through, ...ranges.map((range: { from: number; to: number }) => [range.from, range.to])];
  };
  expect(await after(5, 8)).toEqual([0, [5, 8]]);
  expect(await after(11, 12)).toEqual([0, [5, 8], [11, 12]]);
  expect(await after(1, 3)).toEqual([3, [1, 3], [5, 8], [11, 12]]);
  expect(await after(4, 4)).toEqual([8, [1, 8], [11, 12]]);
  expect(await after(2, 6)).toEqual([8, [1, 8], [11, 12]]);
  expect(await after(7, 20)).toEqual([20, [1, 20]]);
});

test('a repeated review, such as after a lost answer, is one entry; another comment or person makes another', async () => {
  const study = await loggedStudy(10);
  const { owner, editor } = study;
  const first = await review(study, owner, { to: 10 });
  await changingNothing(async () => {
    expect((await review(study, owner, { to: 10 })).body).toEqual(first.body);
    expect((await review(study, owner, { from: 1, to: 10 })).body).toEqual(first.body);
  });
  expect((await review(study, editor, { from: 1, to: 10 })).status).toBe(200);
  expect((await review(study, editor, { from: 1, to: 10, comment: 'Again' })).status).toBe(200);
  expect(await readLog(study, owner, '&action=log.reviewed')).toHaveLength(3);
});

test('an impossible range, a missing comment and strangers are refused, and nothing changes', async () => {
  const study = await loggedStudy(10);
  const { owner, responder } = study;
  const elsewhere = await sleepStudy();
  await review(study, owner, { to: 5 });
  await changingNothing(async () => {
    expectProblem(await review(study, owner, { to: 12 }), 'request.invalid', ['/to']);
    expectProblem(await review(study, owner, { to: 4 }), 'request.invalid', ['/to']);
    expectProblem(await review(study, owner, { from: 9, to: 8 }), 'request.invalid', ['/from']);
    expectProblem(await review(study, owner, { from: 0, to: 8 }), 'request.invalid', ['/from']);
    expectProblem(await review(study, owner, { to: 8, comment: '' }), 'request.invalid', ['/comment']);
    expectProblem(await review(study, responder, { to: 8 }), 'action.forbidden');
    expectProblem(await review(study, elsewhere.owner, { to: 8 }), 'resource.not-found');
    const full = small({ MAX_ACTIVITIES: '11' });
    expectProblem(await full(owner, `${path(study)}/review`, { to: 8, comment }), 'limit.reached');
  });
});

test('at most a hundred parts lie apart', async () => {
  const study = await loggedStudy(300);
  for (let n = 1; n <= 100; n++) await review(study, study.owner, { from: 2 * n, to: 2 * n });
  expectProblem(await review(study, study.owner, { from: 202, to: 202 }), 'limit.reached');
  expect((await review(study, study.owner, { from: 1, to: 202 })).body.reviewed.ranges).toHaveLength(1);
});

test('a review is signed after a fresh sign-in, as the policy asks', async () => {
  const study = await loggedStudy(10);
  const { owner } = study;
  await owner.patch(`/investigation/${study.id}`, { lockPolicy: { signature: true } });
  const signed = { to: 10, signature: { meaning: 'I have reviewed this log' } };
  await changingNothing(async () => {
    expectProblem(await review(study, owner, { to: 10 }), 'request.invalid', ['/signature']);
    expectProblem(await review(study, owner, signed), 'auth.sign-in-stale');
  });
  const auth_time = Math.floor(Date.now() / 1000) - 10;
  const token = await tokenOf(owner.email.split('@')[0] ?? '', { auth_time });
  const answer = await send(`${path(study)}/review`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ comment, ...signed }),
  });
  expect(answer.status, answer.text).toBe(200);
  expect((await readLog(study, owner)).at(-1)).toMatchObject({
    action: 'log.reviewed',
    signature: { name: 'Ada', meaning: signed.signature.meaning },
  });
});

test('also of a frozen and of an archived study', async () => {
  const study = await loggedStudy(10);
  const { owner } = study;
  await owner.post(`/investigation/${study.id}/freeze`, { status: 'frozen', reason: 'Database lock' });
  expect((await review(study, owner, { to: 9 })).status).toBe(200);
  await owner.patch(`/investigation/${study.id}`, { status: 'archived' });
  expect((await review(study, owner, { to: 10 })).status).toBe(200);
});

test('two reviewers at once: both entries stand, and both ranges are reviewed', async () => {
  const study = await loggedStudy(10);
  const { owner, editor } = study;
  const answers = await Promise.all([
    review(study, owner, { from: 1, to: 5 }),
    review(study, editor, { from: 6, to: 10 }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await reviewedOf(study)).toMatchObject({ through: 10, ranges: [{ from: 1, to: 10 }] });
});

test('the newest review is found without a look at the log', async () => {
  const study = await loggedStudy(3_000);
  await review(study, study.owner, { to: 2_000 });
  await seedEntries(study, 3_000);
  const { measure } = countedApp();
  const read = await measure(study.owner, 'GET', `${path(study)}?limit=1`);
  expect(read.answer.body.reviewed.through).toBe(2_000);
  expect(read.roundTrips).toBe(1);
  expect(read.rowsRead).toBeLessThanOrEqual(12);
  const written = await measure(study.owner, 'POST', `${path(study)}/review`, { to: 3_000, comment });
  expect(written.roundTrips).toBe(2);
  expect(written.rowsRead).toBeLessThanOrEqual(20);
  expect(written.rowsWritten).toBeLessThanOrEqual(4);
});
