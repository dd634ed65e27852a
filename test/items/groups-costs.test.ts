import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { countedApp } from '../support/worker/counters.ts';
import { bound, declare, regroup, site } from '../support/worker/groups.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { signUp, sleepStudy } from '../support/worker/world.ts';

/*
 * A study of 100,000 responses and as many cases, every 20th of which is of Lyon, which Bruno edits. Each row that he gets costs
 * what lies between it and the one before.
 */
const count = 100_000;
const share = 20;
const maxLooked = 5_000;
const { measure } = countedApp();
let study: Study;
let erik: Person;

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

beforeAll(async () => {
  study = await sleepStudy();
  await declare(study, { ...site, values: ['lyon', 'paris', 'rome'] });
  await regroup(study, study.responder, { site: 'lyon' });
  await bound(study, study.editor, { site: ['lyon'] });
  erik = await signUp('Erik');
  await study.owner.post(`/investigation/${study.id}/member`, { user: erik.id, role: 'editor' });
  const cases = await seedCases(study, count, { by: study.responder.id });
  const responses = await seedResponses(study, count);
  await run(
    `update study_case set properties = iif(rowid % ${share} = 0, '{"site":["lyon",1]}', '{"site":["paris",1]}')
      where investigation_id = ?`,
    study.id,
  );
  // Both have numbers in their last digits.
  const [ofCases, ofResponses] = [cases[0]?.slice(0, 8), responses[0]?.slice(0, 8)];
  await run(
    `update response set case_id = ?1 || substr(id, 9) where investigation_id = ?2 and id >= ?3`,
    ofCases,
    study.id,
    ofResponses,
  );
});

const get = (by: Person, name: string, query: string) =>
  measure(by, 'GET', `/investigation/${study.id}/${name}?${query}`);

describe.each([
  // A case is looked at by its key and its row, a response by its case, too; each of these has a rule to fit.
  ['cases', 4],
  ['responses', 5],
])('%s', (name, each) => {
  test('of a part cost what is looked at for them', async () => {
    for (const limit of [1, 100]) {
      const { answer, ...cost } = await get(study.editor, name, `limit=${limit}`);
      expect(answer.body[name]).toHaveLength(limit);
      expect(answer.body.next).toBeDefined();
      expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      expect(cost.rowsRead).toBeLessThanOrEqual(each * share * (limit + 1) + 16 * limit + 40);
    }
  });

  test('of a part come in pages that look at 5,000 at most', async () => {
    for (const by of [study.editor, study.owner]) {
      const { answer, ...cost } = await get(by, name, 'limit=100&property=site:rome');
      expect(answer.body[name]).toEqual([]);
      expect(answer.body.next).toBeDefined();
      expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      expect(cost.rowsRead).toBeLessThanOrEqual((each + 3) * maxLooked);
    }
  });

  test('cost an editor of the whole study what they return, and the properties of their case', async () => {
    for (const by of [erik, study.owner]) {
      const { answer, ...cost } = await get(by, name, 'limit=100');
      expect(answer.body[name]).toHaveLength(100);
      expect(answer.body[name][0].properties).toBeDefined();
      expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
      expect(cost.rowsRead).toBeLessThanOrEqual(6 * 100 + 40);
    }
  });

  test('of a part are complete, page by page', async () => {
    const { answer } = await get(study.editor, name, 'since=1800000000');
    expect(answer.body[name]).toHaveLength(count / share);
  });
});
