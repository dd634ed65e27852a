import { expect, test } from 'vitest';
import { choice, item, option } from '../support/items.ts';
import { csv, linesOf, ndjson, tableOf } from '../support/lists.ts';
import { created } from '../support/people.ts';
import { startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { changingNothing, expectProblem } from '../support/worker/expect-problem.ts';
import { sleepStudy } from '../support/worker/world.ts';
import { type ChangingStudy, changingStudy, hour, tooLong } from './support/changing-surveys.ts';
import { iso } from './support/late-answers.ts';

/* Every item that the surveys of a study have had, and when. */

const rated = choice(option('well'), option('badly'));
const at = (n: number) => iso(hour(n));
const first = iso(startOfTests);

const codebookOf = async ({ id, editor }: ChangingStudy, query = '') => {
  const { status, text, body } = await editor.get(`/investigation/${id}/codebook${query}`);
  expect(status, text).toBe(200);
  return body;
};

/** Item, from and to of each row. */
const spansOf = (items: Record<string, unknown>[]) => items.map(({ item, from, to }) => [item, from, to]);

test('an item has a row for each time in which its definition was the same', async () => {
  const study = await changingStudy([item('a'), item('b', rated)]);
  await study.change(2, [item('b', rated), item('a')]);
  await study.change(3, [item('b', { ...rated, required: true }), item('c', { kind: 'number', min: -1.5 })]);
  await study.change(4, [item('a'), item('b', { ...rated, required: true })]);
  const { items, investigation } = await codebookOf(study);
  expect(investigation).toBe(`investigation/${study.id}`);
  expect(spansOf(items)).toEqual([
    ['q1', first, at(1)],
    ['q2', first, at(1)],
    // Another order is no other definition.
    ['a', at(1), at(3)],
    ['b', at(1), at(3)],
    ['b', at(3), null],
    ['c', at(3), at(4)],
    ['a', at(4), null],
  ]);
  expect(items[4]).toEqual({
    survey: study.survey,
    surveyName: 'Diary',
    item: 'b',
    label: 'Question b',
    kind: 'choice',
    required: true,
    min: null,
    max: null,
    options: rated.options,
    sets: null,
    from: at(3),
    to: null,
  });
  expect(items[5]).toMatchObject({ kind: 'number', required: false, min: -1.5, max: null, options: null });
  expect(items[6]).toMatchObject({ kind: null, required: false });
});

test('an item that is written otherwise, and means the same, has one row', async () => {
  const study = await changingStudy([item('a', { kind: 'yes-no' })]);
  await study.change(2, [item('a', { required: false, kind: 'yes-no' })]);
  await study.change(3, [item('a', { kind: 'yes-no' })]);
  const { items } = await codebookOf(study);
  expect(items.filter(({ to }: { to: string | null }) => to === null)).toHaveLength(1);
  expect(items.filter(({ item: of }: { item: string }) => of === 'a')).toHaveLength(1);
});

test('surveys come in order of creation, archived ones too, and names and reminders change nothing', async () => {
  const study = await changingStudy([item('a', { kind: 'scale', min: 0, max: 10, options: [option('0')] })]);
  const dates = [item('z', { kind: 'date', sets: 'surgery' })];
  await study.owner.patch(`/investigation/${study.id}`, { dates: ['surgery'] });
  created(await study.editor.post(`/investigation/${study.id}/survey`, { name: 'Visit', items: dates }));
  await study.editor.patch(`/survey/${study.survey}`, { name: 'Evening' });
  const reminders = { type: 'rolling', recurrence: '30 21 * * *', notification: { subject: 'a', body: 'b' } };
  await study.editor.patch(`/survey/${study.survey}`, { reminders });
  await study.editor.patch(`/survey/${study.survey}`, { status: 'archived' });
  const { items } = await codebookOf(study);
  expect(
    items.map(({ surveyName, item }: { surveyName: string; item: string }) => [surveyName, item]),
  ).toEqual([
    ['Evening', 'q1'],
    ['Evening', 'q2'],
    ['Evening', 'a'],
    ['Visit', 'z'],
  ]);
  expect(items[2]).toMatchObject({ kind: 'scale', min: 0, max: 10, options: [option('0')], to: null });
  expect(items[3]).toMatchObject({ kind: 'date', sets: 'surgery' });
});

test('items and reminders that change at once are a change of items', async () => {
  const study = await changingStudy([item('a')]);
  const reminders = { type: 'rolling', recurrence: '30 21 * * *', notification: { subject: 'a', body: 'b' } };
  await study.editor.patch(`/survey/${study.survey}`, { items: [item('b')], reminders });
  expect(spansOf((await codebookOf(study)).items).slice(2)).toEqual([
    ['a', at(1), at(1)],
    ['b', at(1), null],
  ]);
});

test('items that were too long for the log are one row without an item', async () => {
  const study = await changingStudy([item('a')]);
  await study.change(2, tooLong());
  await study.change(3, tooLong(rated));
  await study.change(4, [item('a')]);
  const { items } = await codebookOf(study);
  expect(spansOf(items).slice(2)).toEqual([
    ['a', at(1), at(2)],
    [null, at(2), at(4)],
    ['a', at(4), null],
  ]);
  expect(items[3]).toMatchObject({ survey: study.survey, label: null, kind: null, options: null });
  // Those of now are in the survey itself.
  await study.change(5, tooLong());
  expect((await codebookOf(study)).items).toHaveLength(5 + 60);
});

test('CSV and NDJSON have the same rows', async () => {
  const study = await changingStudy([item('a', rated), item('b', { kind: 'number', max: 3 }, '=1+1')]);
  const path = `/investigation/${study.id}/codebook`;
  const { items } = await codebookOf(study);
  const lines = await study.editor.get(path, ndjson);
  expect(lines.headers.get('content-type')).toBe('application/x-ndjson');
  expect(linesOf(lines.text)).toEqual(items);
  const file = await study.editor.get(path, csv);
  expect(file.text.split('\r\n')[0]).toBe(
    'survey,surveyName,item,label,kind,required,min,max,options,sets,from,to',
  );
  const rows = tableOf(file.text);
  expect(rows[2]).toMatchObject({
    item: 'a',
    kind: 'choice',
    options: JSON.stringify(rated.options),
    to: '',
  });
  expect(rows[3]).toMatchObject({ item: 'b', label: "'=1+1", min: '', max: '3', from: at(1) });
  expect(rows).toHaveLength(items.length);
});

test('its pages have the rows of the whole, whose ends they know', async () => {
  const study = await changingStudy([item('a'), item('b')]);
  await study.change(2, [item('a'), item('b', rated), item('c')]);
  await study.change(3, tooLong());
  await study.change(4, [item('b', rated), item('a')]);
  created(
    await study.editor.post(`/investigation/${study.id}/survey`, {
      name: 'Visit',
      items: [item('z'), item('y')],
    }),
  );
  const whole = (await codebookOf(study)).items;
  for (const limit of [1, 2, 3, 1000]) {
    const found = [];
    for (let query: string | undefined = `?limit=${limit}`; query; ) {
      const { items, next } = await codebookOf(study, query);
      expect(items.length).toBeLessThanOrEqual(limit);
      found.push(...items);
      query = next && `?limit=${limit}&cursor=${next}`;
    }
    expect(found).toEqual(whole);
  }
});

test('a long history is read to the end, a page at a time', async () => {
  const study = await changingStudy([item('kept')]);
  const items = (n: number) => [
    item('kept'),
    ...Array.from({ length: 45 }, (_, of) => item(`q${of}`, undefined, `${n} `.padEnd(1_900, 'x'))),
  ];
  for (let n = 2; n < 42; n++) await study.change(n, items(n));
  const { text } = await study.editor.get(`/investigation/${study.id}/codebook`, ndjson);
  const rows = linesOf(text);
  expect(rows).toHaveLength(3 + 40 * 45);
  expect(rows[2]).toMatchObject({ item: 'kept', from: at(1), to: null });
  expect(rows[3]).toMatchObject({ item: 'q0', from: at(2), to: at(3) });
  expect(rows.at(-1)).toMatchObject({ item: 'q44', from: at(41), to: null });
  const page = await study.editor.get(`/investigation/${study.id}/codebook?limit=1000`);
  expect(page.text.length).toBeLessThan(1_300_000);
  expect(page.body.items[2]).toMatchObject({ item: 'kept', to: null });
});

test('it costs the revisions, however much else is in the log', async () => {
  const study = await changingStudy([item('a')]);
  for (let n = 0; n < 150; n++) await study.editor.patch(`/survey/${study.survey}`, { name: `Diary ${n}` });
  const { answer, ...cost } = await countedApp().measure(
    study.editor,
    'GET',
    `/investigation/${study.id}/codebook`,
  );
  expect(answer.body.items).toHaveLength(3);
  expect(cost).toMatchObject({ roundTrips: 3, rowsWritten: 0 });
  expect(cost.rowsRead).toBeLessThan(30);
});

test('it is for owners and editors, and no entry of the log', async () => {
  const study = await changingStudy([item('a')]);
  const path = `/investigation/${study.id}/codebook`;
  const zoe = (await sleepStudy()).owner;
  for (const by of [study.editor, study.chidi]) await by.get('/user/me');
  await changingNothing(async () => {
    for (const headers of [{}, csv, ndjson])
      expect((await study.editor.get(path, headers as Record<string, string>)).status).toBe(200);
    expectProblem(await study.chidi.get(path), 'action.forbidden');
    expectProblem(await zoe.get(path), 'resource.not-found');
    expectProblem(await study.editor.get(`${path}?cursor=WzFd`), 'request.invalid', ['?cursor']);
  });
});
