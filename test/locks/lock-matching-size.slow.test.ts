import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { newCase, type Study } from '../support/studies.ts';
import { countedApp } from '../support/worker/counters.ts';
import { expectProblem } from '../support/worker/expect-problem.ts';
import { readLog } from '../support/worker/logs.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy } from '../support/worker/world.ts';

const countLocked = async ({ id }: Study) =>
  env.DB.prepare(
    `select (select count(*) from study_case where investigation_id = ?1 and locked_at is not null)
      + (select count(*) from response where investigation_id = ?1 and locked_at is not null) as n`,
  )
    .bind(id)
    .first('n');

test('100,000 items change in one call as its dry run counted, within what D1 takes; one more is refused', async () => {
  const study = await sleepStudy();
  const { owner } = study;
  await seedCases(study, 20_000);
  await seedResponses(study, 80_000);
  const { measure } = countedApp();
  const path = `/investigation/${study.id}/lock-matching`;
  for (const [status, filter] of [
    ['locked', {}],
    ['unlocked', { since: 1 }],
  ] as const) {
    const change = { status, filter };
    const counted = (await owner.post(path, { ...change, dryRun: true })).body;
    const { answer, ...cost } = await measure(owner, 'POST', path, change);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toEqual({ ...counted, activity: expect.any(String) });
    expect(counted).toEqual({ cases: 20_000, responses: 80_000 });
    expect(cost.roundTrips).toBe(3);
    // Each item, the indexes that have its state, and its change; a row for a thousand of them, the entry and its index.
    expect(cost.rowsWritten).toBeLessThanOrEqual(20_000 * 4 + 80_000 * 6 + 100 + 3);
    expect(await countLocked(study)).toBe(status === 'locked' ? 100_000 : 0);
  }
  await newCase(study, owner);
  const entries = (await readLog(study, owner)).length;
  const all = { status: 'locked', filter: {} };
  const refused = await owner.post(path, all);
  expectProblem(refused, 'limit.reached');
  expect(refused.body.bound).toBe('MAX_MATCHING_ITEMS');
  expect((await owner.post(path, { ...all, dryRun: true })).body).toEqual({
    cases: 20_001,
    responses: 80_000,
  });
  expect(await countLocked(study)).toBe(0);
  expect(await readLog(study, owner)).toHaveLength(entries);
  const cases = await owner.post(path, { status: 'locked', filter: { kinds: ['cases'] } });
  expect(cases.body).toMatchObject({ cases: 20_001, responses: 0 });
});
