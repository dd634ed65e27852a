import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { newCase, type Study } from '../support/studies.ts';
import { startOfTests } from '../support/worker/clock.ts';
import { countedApp } from '../support/worker/counters.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';

/*
 * The cost of a filter in a study of 100,000 responses and as many cases, nearly all of which it leaves out: for each
 * returned row the row and a name, and a few more rows for the request and for each merged range.
 */
const count = 100_000;
const few = 7;
const { measure } = countedApp();
let study: Study;
let night: string;
let mood: string;
let responses: string[];
let cases: string[];
const ids: Record<string, string> = {};

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

beforeAll(async () => {
  study = await sleepStudy();
  night = await newCase(study, study.owner, 'Night 1');
  ids.night = night;
  ids.other = study.other.id;
  const survey = await study.owner.post(`/investigation/${study.id}/survey`, { name: 'Mood', items: [] });
  mood = survey.body.identifier;
  ids.mood = mood;
  responses = await seedResponses(study, count);
  cases = await seedCases(study, count);
  await seedResponses(study, few, { by: study.other.id, of: 'cafe'.padEnd(32, '0') });
  const some = (list: string[], from: number) =>
    JSON.stringify(Array.from({ length: few }, (_, n) => list[from + n * 1000]));
  const change = (table: string, set: string, which: string) =>
    run(`update ${table} set ${set} where id in (select value from json_each(?))`, which);
  await change('response', `case_id = '${night}'`, some(responses, 100));
  await change('response', `survey_id = '${mood}'`, some(responses, 200));
  for (const [table, list, at] of [
    ['response', responses, 'revised_at'],
    ['study_case', cases, 'edited_at'],
  ] as const) {
    await change(table, 'locked_at = 1', some(list, 300));
    await change(table, 'archived_at = 1', some(list, 400));
    await change(table, `deleted_at = ${startOfTests}`, some(list, 500));
    await change(table, `${at} = 1900000000000`, some(list, 600));
  }
});

const created = (n: number) => 1_800_000_000 + n;

describe.each([
  ['responses', 'case=:night', few],
  ['responses', 'survey=:mood', few],
  ['responses', 'responder=:other', few],
  ['responses', 'locked=true', few],
  ['responses', 'status=archived', 2 * few],
  ['responses', 'status=archived&locked=false', few],
  ['responses', 'status=deleted', few],
  ['responses', 'status=deleted&locked=true', 0],
  ['responses', 'status=deleted&locked=true&responder=:other&since=1900000000', 0],
  ['responses', `since=1900000000`, few],
  ['responses', `since=${created(count - 5)}`, 5 + few],
  ['responses', 'case=:night&since=1900000000', 0],
  ['responses', 'survey=:mood&locked=true', 0],
  ['responses', 'case=:night&survey=:mood', 0],
  ['responses', 'limit=100', 100],
  ['responses', 'limit=100&status=all', 100],
  ['responses', 'limit=100&locked=false', 100],
  ['cases', 'locked=true', few],
  ['cases', 'status=archived', 2 * few],
  ['cases', 'status=deleted', few],
  ['cases', `since=1900000000`, few],
  ['cases', 'limit=100&status=all', 100],
])('%s?%s', (name, query, returned) => {
  test('costs what it returns', async () => {
    const filter = query.replace(/:(\w+)/g, (_, key) => ids[key] ?? '');
    const path = `/investigation/${study.id}/${name}?${filter}`;
    const { answer, ...cost } = await measure(study.owner, 'GET', path);
    expect(answer.body[name]).toHaveLength(returned);
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(cost.rowsRead).toBeLessThanOrEqual(2 * returned + 4 * few + 20);
  });
});

test('a study that is locked nearly throughout is filtered as cheaply', async () => {
  await run(
    'update response set locked_at = 1 where investigation_id = ?1 and case_id <> ?2',
    study.id,
    night,
  );
  const path = `/investigation/${study.id}/responses?locked=false`;
  const { answer, ...cost } = await measure(study.owner, 'GET', path);
  expect(answer.body.responses.map((row: { case: string }) => row.case)).toEqual(Array(few).fill(night));
  expect(cost.rowsRead).toBeLessThanOrEqual(2 * few + 20);
});
