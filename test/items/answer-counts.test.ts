import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { choice, choices, item, option } from '../support/items.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { type ChangingStudy, changingStudy } from './support/changing-surveys.ts';
import { stateItems } from './support/late-answers.ts';

/* How many answers a change of options would concern. */

const countsOf = async ({ survey, editor }: Pick<ChangingStudy, 'survey' | 'editor'>) => {
  const { status, text, body } = await editor.get(`/survey/${survey}/answer-counts`);
  expect(status, text).toBe(200);
  return body;
};

test('answers are counted by their values, of items with options and of yes and no', async () => {
  const study = await changingStudy([
    item('one', choice(option('a'), option('b'), option('c'))),
    item('many', choices(option('a'), option('b'))),
    item('points', { kind: 'scale', min: -1, max: 1, options: [option('-1')] }),
    item('plain', { kind: 'scale', min: 0, max: 1 }),
    item('agrees', { kind: 'yes-no' }),
    item('text'),
    item('constructor', { kind: 'yes-no' }),
  ]);
  const { survey } = study;
  const none = { one: {}, many: {}, points: {}, agrees: {}, constructor: {} };
  expect(await countsOf(study)).toEqual({
    survey: `/survey/${survey}`,
    responses: 1,
    items: none,
    complete: true,
  });
  await study.answer(2, { one: 'a', many: 'b a', points: '-1', plain: '1', agrees: 'yes', text: 'a' });
  await study.answer(3, { one: 'a', many: 'b', points: '0', agrees: 'no' });
  await study.answer(4, { one: 'b', many: '', points: '0' });
  expect(await countsOf(study)).toEqual({
    survey: `/survey/${survey}`,
    responses: 4,
    items: {
      one: { a: 2, b: 1 },
      many: { a: 1, b: 2 },
      points: { '-1': 1, '0': 2 },
      agrees: { yes: 1, no: 1 },
      constructor: {},
    },
    complete: true,
  });
});

test('locked and archived responses count, and deleted ones do not', async () => {
  const study = await changingStudy([item('a', { kind: 'yes-no' })]);
  const [kept, locked, archived, deleted] = [
    await study.answer(2, { a: 'yes' }),
    await study.answer(3, { a: 'yes' }),
    await study.answer(4, { a: 'yes' }),
    await study.answer(5, { a: 'yes' }),
  ];
  await stateItems(study, 'lock', { responses: [locked] }, 'locked');
  await stateItems(study, 'archive', { responses: [archived] }, 'archived');
  await stateItems(study, 'delete', { responses: [deleted] }, 'deleted');
  expect(kept).toBeDefined();
  expect(await countsOf(study)).toMatchObject({ responses: 4, items: { a: { yes: 3 } } });
});

test('the values are those that the items have now', async () => {
  const study = await changingStudy([item('a', choice(option('x'), option('y')))]);
  await study.answer(2, { a: 'x' });
  await study.answer(3, { a: 'y' });
  await study.change(4, [item('a', choice(option('y'), option('z')))]);
  expect((await countsOf(study)).items).toEqual({ a: { y: 1 } });
});

test('the newest 10,000 responses are looked at', async () => {
  const study = await changingStudy([item('q1', choice(option('new'), option('old')))]);
  await seedResponses(study, 10_000);
  const set = (answer: string, where: string) =>
    env.DB.prepare(`update response set items = json_object('q1', ?1) where survey_id = ?2 and ${where}`)
      .bind(answer, study.survey)
      .run();
  await set('new', '1');
  await set('old', 'created_at = (select min(created_at) from response r where r.survey_id = ?2)');
  const { measure } = countedApp();
  const path = `/survey/${study.survey}/answer-counts`;
  const { answer, ...cost } = await measure(study.editor, 'GET', path);
  expect(answer.body).toMatchObject({ responses: 10_000, items: { q1: { new: 10_000 } }, complete: false });
  // Each one by the index, and once more for its answers.
  expect(cost.rowsRead).toBeLessThan(45_000);
  await env.DB.prepare(
    'delete from response where created_at = (select min(created_at) from response r where r.survey_id = ?1)',
  )
    .bind(study.survey)
    .run();
  expect(await countsOf(study)).toMatchObject({ responses: 10_000, complete: true });
});

test('long answers are read a megabyte at a time, and end the count', async () => {
  const study = await changingStudy([item('q1', { kind: 'yes-no' })]);
  await seedResponses(study, 30, { answer: 'x'.repeat(900_000) });
  const { responses, complete } = await countsOf(study);
  expect(complete).toBe(false);
  expect(responses).toBeGreaterThan(20);
  expect(responses).toBeLessThan(25);
});

test('they are for owners and editors', async () => {
  const study = await changingStudy([item('a', { kind: 'yes-no' })]);
  const path = `/survey/${study.survey}/answer-counts`;
  const zoe = (await sleepStudy()).owner;
  for (const by of [study.owner, study.editor, study.chidi]) await by.get('/user/me');
  await changingNothing(async () => {
    for (const by of [study.owner, study.editor]) expect((await by.get(path)).status).toBe(200);
    expectProblem(await study.chidi.get(path), 'action.forbidden');
    expectProblem(await zoe.get(path), 'resource.not-found');
  });
});
