import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { newCase, type Study } from '../support/studies.ts';
import { countedApp } from '../support/worker/counters.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';

/*
 * The cost of `since` in a study of 20,000 responses and as many cases, nearly all of which it leaves out: the items that
 * it finds and other edited ones, the role of the caller for each, and a few rows for the request.
 */
const count = 20_000;
const few = 7;
const edited = 1_900_000_000;
const created = (n: number) => 1_800_000_000 + n;
const { measure } = countedApp();
let study: Study;
const ids: Record<string, string> = {};

const change = (table: string, set: string, which: (string | undefined)[]) =>
  env.DB.prepare(`update ${table} set ${set} where id in (select value from json_each(?))`)
    .bind(JSON.stringify(which))
    .run();

/** A few cases and responses of Chidi are edited, half of them locked; others are of Dana, of one case, of one survey. */
beforeAll(async () => {
  study = await sleepStudy();
  ids.night = await newCase(study, study.owner, 'Night 1');
  ids.dana = study.other.id;
  const survey = await study.owner.post(`/investigation/${study.id}/survey`, { name: 'Mood', items: [] });
  ids.mood = survey.body.identifier;
  const responses = await seedResponses(study, count);
  const cases = await seedCases(study, count);
  await seedResponses(study, few, { by: study.other.id, of: 'cafe'.padEnd(32, '0') });
  const some = (list: string[], from: number) => Array.from({ length: few }, (_, n) => list[from + n * 1000]);
  await change('response', `case_id = '${ids.night}'`, some(responses, 100));
  await change('response', `survey_id = '${ids.mood}'`, some(responses, 200));
  for (const [table, list, at] of [
    ['response', responses, 'revised_at'],
    ['study_case', cases, 'edited_at'],
  ] as const) {
    await change(table, `${at} = ${edited}000`, [...some(list, 300), ...some(list, 400)]);
    await change(table, 'locked_at = 1', some(list, 400));
  }
});

describe.each(['locked', 'unlocked'])('%s', (status) => {
  test.each<[object, found: number, whenUnlocking?: number]>([
    [{ since: edited }, 2 * few],
    [{ since: edited + 1 }, 0],
    [{ since: created(count - 5) }, 2 * few + 10 + 1, 2 * few],
    [{ since: edited, before: '2027-01-15T08:30:00.000Z' }, 2 * 2],
    [{ since: edited, survey: ':mood' }, 0],
    [{ since: created(0), survey: ':mood' }, few, 0],
    [{ since: created(0), case: ':night' }, few + 1, 0],
    [{ since: created(0), responder: ':dana' }, few, 0],
  ])('%j costs what it finds', async (asked, found, whenUnlocking = found) => {
    const filter = JSON.parse(JSON.stringify(asked).replace(/:(\w+)"/g, (_, key) => `${ids[key]}"`));
    const path = `/investigation/${study.id}/lock-matching`;
    const body = { status, filter, dryRun: true };
    const { answer, ...cost } = await measure(study.owner, 'POST', path, body);
    const { cases, responses } = answer.body;
    expect(cases + responses).toBe(status === 'locked' ? found : whenUnlocking);
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(cost.rowsRead).toBeLessThanOrEqual(2 * (2 * few + found) + 20);
  });
});

test('the lock itself reads nothing else of the study, in three round trips', async () => {
  const { answer, ...cost } = await measure(study.owner, 'POST', `/investigation/${study.id}/lock-matching`, {
    status: 'locked',
    filter: { since: edited },
  });
  expect(answer.body).toMatchObject({ cases: few, responses: few });
  expect(cost.roundTrips).toBe(3);
  expect(cost.rowsRead).toBeLessThanOrEqual(20 * 2 * few);
});
