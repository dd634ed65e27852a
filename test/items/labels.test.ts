import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { choice, choices, item, option } from '../support/items.ts';
import { csv, linesOf, linkedPages, ndjson, tableOf } from '../support/lists.ts';
import { newResponse } from '../support/studies.ts';
import { setClock } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { readLog } from '../support/worker/logs.ts';
import { seedResponses } from '../support/worker/seeds.ts';
import { type ChangingStudy, changingStudy, hour, tooLong } from './support/changing-surveys.ts';
import { iso } from './support/late-answers.ts';

/* An answer means what its item said when it was given. */

const listOf = async ({ id, owner }: ChangingStudy, query = 'labels=true') => {
  const { status, text, body } = await owner.get(`/investigation/${id}/responses?${query}`);
  expect(status, text).toBe(200);
  return body.responses;
};

const labelsOf = async (study: ChangingStudy, id: string) =>
  (await listOf(study)).find(({ identifier }: { identifier: string }) => identifier === id).labels;

const tableFrom = async ({ id, owner }: ChangingStudy, query: string) => {
  const { status, text } = await owner.get(`/investigation/${id}/responses?${query}`, csv);
  expect(status, text).toBe(200);
  return { text, rows: tableOf(text) };
};

test('labels are those of choices, of labelled points of scales, and of yes and no', async () => {
  const study = await changingStudy([
    item('one', choice(option('a', 'First'), option('b', 'Second'))),
    item('many', choices(option('a', 'First'), option('b', 'Second'))),
    item('points', { kind: 'scale', min: 0, max: 2, options: [option('0', 'Never'), option('2', 'Always')] }),
    item('agrees', { kind: 'yes-no' }),
    item('text'),
    item('constructor', choice(option('a', 'Built'))),
  ]);
  const all = { one: 'b', many: 'b a', points: '2', agrees: 'yes', text: 'a', constructor: 'a' };
  const first = await study.answer(2, all);
  const second = await study.answer(3, { one: '', points: '1', agrees: 'no' });
  expect(await labelsOf(study, first)).toEqual({
    one: 'Second',
    many: 'Second; First',
    points: 'Always',
    agrees: 'Yes',
    constructor: 'Built',
  });
  expect(await labelsOf(study, second)).toEqual({ agrees: 'No' });
  // Answers stay as they are; without the question there are no labels.
  const [, plain] = await listOf(study, 'limit=10');
  expect(plain).toMatchObject({ items: all });
  expect(plain).not.toHaveProperty('labels');
  expect((await listOf(study, 'labels=false'))[1]).not.toHaveProperty('labels');
});

test('each answer has the wording that it was given to', async () => {
  const study = await changingStudy([item('a', choice(option('1', 'Good')))]);
  const first = await study.answer(2, { a: '1' });
  await study.change(3, [item('a', choice(option('1', 'Bad')))]);
  const second = await study.answer(4, { a: '1' });
  await study.change(5, [item('a', choice(option('1', 'Ugly')))]);
  const third = await study.answer(6, { a: '1' });
  const labels = (await listOf(study)).slice(1).map((row: { labels: object }) => row.labels);
  expect(labels).toEqual([{ a: 'Good' }, { a: 'Bad' }, { a: 'Ugly' }]);
  const { rows } = await tableFrom(study, 'labels=true');
  expect(rows.map((row) => [row.identifier, row['items.a']]).slice(1)).toEqual([
    [first, 'Good'],
    [second, 'Bad'],
    [third, 'Ugly'],
  ]);
  const lines = linesOf(
    (await study.owner.get(`/investigation/${study.id}/responses?labels=true`, ndjson)).text,
  );
  expect(lines.slice(1).map(({ labels }) => labels)).toEqual(labels);
});

test('an answer from a phone that was offline has the wording of then', async () => {
  const study = await changingStudy([item('a', choice(option('1', 'Good')))]);
  await study.answer(2, { a: '1' });
  await study.change(4, [item('a', choice(option('1', 'Bad')))]);
  const late = await study.answer(6, { a: '1' }, { at: iso(hour(3)), clock: iso(hour(6)) });
  expect(await labelsOf(study, late)).toEqual({ a: 'Good' });
  const now = await study.answer(7, { a: '1' }, { at: iso(hour(5)), clock: iso(hour(7)) });
  expect(await labelsOf(study, now)).toEqual({ a: 'Bad' });
});

test('a value that came later has the wording of then', async () => {
  const study = await changingStudy([
    item('a', choice(option('1', 'Good'), option('2', 'Fair'))),
    item('b', choices(option('x', 'Old x'), option('y', 'Old y'))),
  ]);
  const id = await study.answer(2, { a: '1', b: 'x' });
  await study.change(3, [
    item('a', choice(option('3', 'New'))),
    item('b', choices(option('x', 'New x'), option('z', 'New z'))),
    item('c', { kind: 'yes-no' }),
  ]);
  setClock(hour(4));
  const { status, text } = await study.chidi.patch(`/response/${id}`, {
    items: { a: '3', b: 'x z', c: 'yes' },
  });
  expect(status, text).toBe(200);
  await study.change(5, [item('a', choice(option('3', 'Newest'))), item('c')]);
  expect(await labelsOf(study, id)).toEqual({ a: 'New', b: 'New x; New z', c: 'Yes' });
});

test('an answer that was edited without a change keeps the wording of when it was given', async () => {
  const study = await changingStudy([item('a', choice(option('1', 'Good'))), item('text')]);
  const id = await study.answer(2, { a: '1' });
  await study.change(3, [item('a', choice(option('1', 'Bad'))), item('text')]);
  setClock(hour(4));
  await study.chidi.patch(`/response/${id}`, { items: { text: 'more' } });
  expect(await labelsOf(study, id)).toEqual({ a: 'Good' });
});

test('an edited answer has the wording that its editor read, edit by edit', async () => {
  const scale = (...labels: string[]) => choice(...labels.map((label, n) => option(String(n + 1), label)));
  const asked = (...labels: string[]) => [
    item('a', scale(...labels)),
    item('b', scale(...labels)),
    item('text'),
  ];
  const study = await changingStudy(asked('Good', 'Bad'));
  const [first, second] = [
    await study.answer(2, { a: '1', b: '1' }),
    await study.answer(2, { a: '1', b: '1' }),
  ];
  const edit = async (n: number, id: string, items: object) => {
    setClock(hour(n));
    expect((await study.chidi.patch(`/response/${id}`, { items })).status).toBe(200);
  };
  await study.change(3, asked('Bad', 'Good'));
  await edit(4, first, { a: '2' });
  await study.change(5, asked('Never', 'Always'));
  await edit(6, first, { text: 'more' });
  await edit(6, second, { a: '2' });
  await edit(7, second, { a: '1' });
  await study.change(8, asked('Not', 'Shown'));
  expect(await labelsOf(study, first)).toEqual({ a: 'Good', b: 'Good' });
  expect(await labelsOf(study, second)).toEqual({ a: 'Never', b: 'Good' });
});

test('an answer that was edited a hundred times among long ones has its label, and costs its revisions', async () => {
  const texts = Array.from({ length: 8 }, (_, n) => item(`t${n}`));
  const study = await changingStudy([item('a', choice(option('1', 'Good'), option('2', 'Bad'))), ...texts]);
  const long = Object.fromEntries(texts.map(({ identifier }) => [identifier, 'x'.repeat(9_000)]));
  const id = await study.answer(2, { a: '1', ...long });
  await study.change(3, [item('a', choice(option('1', 'Bad'), option('2', 'Good'))), ...texts]);
  for (let n = 0; n < 100; n++) {
    setClock(hour(4) + n);
    await study.chidi.patch(`/response/${id}`, { items: { t0: 'y'.repeat(9_000) + n } });
  }
  await study.chidi.patch(`/response/${id}`, { items: { a: '2', t1: '' } });
  expect(await labelsOf(study, id)).toMatchObject({ a: 'Good' });
});

test('items that were renamed or removed keep their labels in JSON, and stay in other in CSV', async () => {
  const study = await changingStudy([item('a', choice(option('1', 'Good')))]);
  const id = await study.answer(2, { a: '1' });
  await study.change(3, [item('b', choice(option('1', 'Good')))]);
  expect(await labelsOf(study, id)).toEqual({ a: 'Good' });
  const { rows } = await tableFrom(study, `labels=true&survey=${study.survey}`);
  expect(rows.at(-1)).toMatchObject({ 'items.b': '', other: '{"a":"1"}' });
});

test('a value whose wording is not known stays as it is', async () => {
  const study = await changingStudy([item('a', choice(option('1', 'Good')))]);
  await study.change(2, tooLong(choice(option('1', 'Long'))));
  const id = await study.answer(3, { q0: '1' });
  await study.change(4, [item('q0', choice(option('1', 'Short')))]);
  expect(await labelsOf(study, id)).toEqual({});
  const { rows } = await tableFrom(study, 'labels=true');
  expect(rows.at(-1)).toMatchObject({ 'items.q0': '1' });
  setClock(hour(5));
  await study.chidi.patch(`/response/${id}`, { reasons: { q0: 7 } });
  expect(await labelsOf(study, id)).toEqual({ q0: 'Short' });
});

test('items that are too long for the log have labels while they are asked', async () => {
  const study = await changingStudy(tooLong(choice(option('1', 'Long'))));
  expect(await labelsOf(study, await study.answer(2, { q0: '1' }))).toEqual({ q0: 'Long' });
});

test('a label that a spreadsheet would run is no formula in CSV', async () => {
  const study = await changingStudy([item('a', choice(option('1', '=1+1')))]);
  await study.answer(2, { a: '1' });
  const { rows } = await tableFrom(study, 'labels=true');
  expect(rows.at(-1)).toMatchObject({ 'items.a': "'=1+1" });
});

test('with choices=columns each value of an item has a column, former ones behind those of now', async () => {
  const study = await changingStudy([
    item('a', choices(option('old'), option('x'))),
    item('b', choice(option('1', 'Good'))),
  ]);
  await study.answer(2, { a: 'x old', b: '1' });
  await study.change(3, [
    item('a', choices(option('y'), option('x'))),
    item('b', choice(option('1', 'Bad'))),
  ]);
  await study.change(4, [item('a'), item('b', choice(option('1', 'Bad')))]);
  await study.answer(5, { a: 'free text' });
  await study.change(6, [
    item('a', choices(option('z'), option('x'))),
    item('b', choice(option('1', 'Bad'))),
    item('c', choices(option('k'))),
  ]);
  await study.answer(7, { a: 'z', c: 'k' });
  await study.answer(8, { a: '', b: '1' });
  const query = `survey=${study.survey}&choices=columns`;
  const { text, rows } = await tableFrom(study, query);
  expect(text.split('\r\n')[0]).toMatch(
    /,outdated,items\.a\/z,items\.a\/x,items\.a\/old,items\.a\/y,items\.b,items\.c\/k,other,reasons$/,
  );
  const cells = rows.map((row) => [
    ...['z', 'x', 'old', 'y'].map((value) => row[`items.a/${value}`]),
    row['items.b'],
    row['items.c/k'],
    row.other,
  ]);
  expect(cells.slice(1)).toEqual([
    ['0', '1', '1', '0', '1', '', ''],
    ['0', '0', '0', '0', '', '', '{"a":"free text"}'],
    ['1', '0', '0', '0', '', '1', ''],
    ['', '', '', '', '1', '', ''],
  ]);
  const labelled = await tableFrom(study, `${query}&labels=true`);
  expect(labelled.rows[1]).toMatchObject({ 'items.a/x': '1', 'items.b': 'Good' });
  expect(labelled.rows[4]).toMatchObject({ 'items.a/x': '', 'items.b': 'Bad' });
  // JSON is as it was.
  expect(await listOf(study, query)).toEqual(await listOf(study, `survey=${study.survey}`));
});

test('a page of very many columns holds fewer rows', async () => {
  const values = (n: number) => choices(...Array.from({ length: 100 }, (_, k) => option(`v${n}-${k}`, 'x')));
  const study = await changingStudy(Array.from({ length: 20 }, (_, n) => item(`q${n}`, values(n))));
  await study.change(
    2,
    Array.from({ length: 20 }, (_, n) => item(`q${n}`, values(n + 20))),
  );
  await seedResponses(study, 400);
  let lines = 0;
  const path = `/investigation/${study.id}/responses?survey=${study.survey}&choices=columns&limit=1000`;
  for await (const { text } of linkedPages(study.owner, path, csv)) {
    expect(text.length).toBeLessThan(1_500_000);
    lines += text.split('\r\n').length - 2;
  }
  expect(lines).toBe(401);
});

test('choices=columns needs a survey, and both take no other values', async () => {
  const study = await changingStudy([item('a')]);
  const path = `/investigation/${study.id}/responses`;
  for (const headers of [csv, {}])
    expectProblem(
      await study.owner.get(`${path}?choices=columns`, headers as Record<string, string>),
      'request.invalid',
      ['?choices'],
    );
  const wrong = `${path}?choices=rows&labels=yes&survey=${study.survey}`;
  expectProblem(await study.owner.get(wrong), 'request.invalid', ['?labels', '?choices']);
});

test('a survey that had too many values for columns is refused', async () => {
  const study = await changingStudy([item('a')]);
  for (let n = 0; n < 3; n++)
    await study.change(
      2 + n,
      Array.from({ length: 20 }, (_, of) =>
        item(`q${of}`, choices(...Array.from({ length: 100 }, (_, k) => option(`v${n}-${k}`, 'x')))),
      ),
    );
  const path = `/investigation/${study.id}/responses?survey=${study.survey}`;
  expectProblem(await study.owner.get(`${path}&choices=columns`, csv), 'csv.too-wide', ['?choices']);
  expect((await study.owner.get(path, csv)).status).toBe(200);
});

test('nobody sees the values of a survey of another study', async () => {
  const study = await changingStudy([item('a', choices(option('secret')))]);
  const other = await changingStudy([item('b')]);
  const query = `survey=${study.survey}&choices=columns&labels=true`;
  const { text } = await tableFrom(other, query);
  expect(text).not.toContain('secret');
  const zoe = other.owner;
  expectProblem(await zoe.get(`/investigation/${study.id}/responses?${query}`, csv), 'resource.not-found');
});

test('responders have labels of their own answers', async () => {
  const study = await changingStudy([item('a', choice(option('1', 'Good')))]);
  await study.answer(2, { a: '1' });
  const { body } = await study.chidi.get(`/investigation/${study.id}/responses?labels=true`);
  expect(body.responses.at(-1)).toMatchObject({ items: { a: '1' }, labels: { a: 'Good' } });
});

test('the log has a download as it was asked for, whatever begins the file', async () => {
  const study = await changingStudy([item('a')]);
  const query = `survey=${study.survey}&labels=true&choices=columns&mark=true`;
  await study.owner.get(`/investigation/${study.id}/responses?${query}`, csv);
  const [entry] = await readLog(study, study.owner, '&action=data.exported');
  expect(entry.details).toEqual({
    data: 'responses',
    format: 'csv',
    filter: { status: 'active', survey: study.survey, labels: true, choices: 'columns' },
    count: 1,
  });
});

test('a page holds about a million characters, labels included', async () => {
  const long = Array.from({ length: 40 }, (_, n) => option(`v${n}`, `${n} `.padEnd(500, 'x')));
  const study = await changingStudy([item('a', choices(...long))]);
  setClock(hour(2));
  const all = long.map(({ value }) => value).join(' ');
  for (let n = 0; n < 70; n++) await newResponse(study, study.chidi, study.night, { a: all });
  const found = [];
  const path = `/investigation/${study.id}/responses?labels=true&limit=1000`;
  for await (const { text, body } of linkedPages(study.owner, path)) {
    expect(text.length).toBeLessThan(1_300_000);
    found.push(...body.responses);
  }
  expect(new Set(found.map(({ identifier }) => identifier)).size).toBe(71);
  expect(found.at(-1).labels.a.split('; ')).toEqual(long.map(({ label }) => label));
  expect(await listOf(study)).toEqual(found);
});

test('labels cost the revisions of a page, however long the log is', async () => {
  const study = await changingStudy([item('q1', choice(option('well', 'Good')))]);
  await study.change(1.5, [item('q1', choice(option('well', 'Fine')))]);
  await seedResponses(study, 3_000);
  await env.DB.prepare(`update response set items = '{"q1":"well"}', given_at = ?2 where survey_id = ?1`)
    .bind(study.survey, hour(1.6))
    .run();
  await study.change(2, [item('q1', choice(option('well', 'Better')))]);
  for (let n = 0; n < 100; n++) await study.editor.patch(`/survey/${study.survey}`, { name: `Diary ${n}` });
  const path = `/investigation/${study.id}/responses?limit=500`;
  const { measure } = countedApp();
  const plain = await measure(study.owner, 'GET', path);
  const labelled = await measure(study.owner, 'GET', `${path}&labels=true`);
  const { responses } = labelled.answer.body;
  expect(responses).toHaveLength(500);
  expect(responses.every((row: { labels: object }) => 'q1' in row.labels)).toBe(true);
  expect(labelled).toMatchObject({ roundTrips: plain.roundTrips + 2, rowsWritten: 0 });
  expect(labelled.rowsRead).toBeLessThanOrEqual(plain.rowsRead + 20);
  // Further pages of a stream read the revisions no more.
  const whole = await measure(study.owner, 'GET', `/investigation/${study.id}/responses?labels=true`);
  const without = await measure(study.owner, 'GET', `/investigation/${study.id}/responses`);
  expect(whole.rowsRead).toBeLessThanOrEqual(without.rowsRead + 30);
});

test('a survey may have changed more often than one statement reads', async () => {
  const study = await changingStudy([item('q1')]);
  const changes = 20_010;
  // The n-th change comes n milliseconds after the second hour, and ends the label n.
  await env.DB.prepare(
    `with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?1)
    insert into activity (investigation_id, position, id, at, actor_id, action, cases, responses, details, hash)
    select ?2, 1000 + n, printf('%032x', n), ?3 + n, '', 'survey.changed', '[]', '[]', json_object('survey', ?4, 'before',
      json_object('items', json_array(json_object('identifier', 'q1', 'label', '', 'answer', json_object('kind', 'choice',
        'options', json_array(json_object('value', '1', 'label', 'Label ' || n))))))), '' from counter`,
  )
    .bind(changes, study.id, hour(2), study.survey)
    .run();
  for (const n of [0, 19_999, 20_000, changes - 1]) {
    const id = await study.answer(3, { q1: '1' });
    await env.DB.prepare('update response set given_at = ?1 where id = ?2')
      .bind(hour(2) + n, id)
      .run();
    expect(await labelsOf(study, id)).toEqual({ q1: `Label ${n + 1}` });
  }
});
