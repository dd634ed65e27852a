import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { Person } from '../support/people.ts';
import { newMember, type Study } from '../support/studies.ts';
import { addMembers } from '../support/worker/bulk.ts';
import { countedApp } from '../support/worker/counters.ts';
import { seedCases, seedResponses } from '../support/worker/seeds.ts';
import { sleepStudy, world } from '../support/worker/world.ts';

/*
 * A page of somebody who sees a part of a study costs the same in a large study and in a small one, for a part that is half of
 * either, and no more than its bound where the part is nobody.
 */

const { measure } = countedApp();
/** With its staff the larger study is as large as one may be. */
const [few, many] = [1_000, 99_990];
/** Most rows that a page of a part looks at, and what may be read beside each of them. */
const [looked, beside] = [5_000, 8];

interface Sized {
  study: Study;
  half: Person;
  nobody: Person;
}
const studies = new Map<number, Sized>();

beforeAll(async () => {
  for (const size of [few, many]) {
    const study = await sleepStudy();
    const at = `/investigation/${study.id}`;
    const declared = { properties: [{ name: 'site', values: ['lyon', 'paris', 'oslo'] }] };
    expect((await study.owner.patch(at, declared)).status).toBe(200);
    const monitor = (name: string, site: string) =>
      newMember(world, study, name, 'monitor', { scope: { site: [site] } });
    studies.set(size, { study, half: await monitor('Hana', 'lyon'), nobody: await monitor('Nora', 'oslo') });
    await addMembers(study, size);
    const [first = ''] = await seedCases(study, size);
    await seedResponses(study, 400, { of: first });
    for (const [table, id] of [
      ['member', 'user_id'],
      ['study_case', 'id'],
    ])
      await env.DB.prepare(
        `update ${table} set properties = iif(instr('02468ace', substr(${id}, -1)), '{"site":["lyon",0]}', '{"site":["paris",0]}')
          where investigation_id = ?`,
      )
        .bind(study.id)
        .run();
  }
});

test.each([
  ['members', 'members', 'limit=100'],
  ['cases', 'cases', 'limit=100'],
  ['responses', 'responses', 'limit=100'],
  ['set-aside', 'setAside', 'limit=100'],
  ['compliance', 'participants', 'limit=100&from=2027-02-28&to=2027-02-28'],
  ['compliance/daily/participants', 'participants', 'limit=100&from=2027-02-28&to=2027-02-28'],
  ['occurrences', 'occurrences', 'limit=100'],
  ['activity', 'activities', 'limit=100'],
  ['changes', 'changes', 'limit=100&after=0'],
] as const)('a page of %s', async (list, key, query) => {
  const costs: Record<string, number>[] = [];
  for (const { study, half, nobody } of studies.values()) {
    const path = `/investigation/${study.id}/${list}?${query}${list.includes('participants') ? `&survey=${study.survey}` : ''}`;
    const { answer, ...cost } = await measure(half, 'GET', path);
    expect(answer.status, answer.text).toBe(200);
    costs.push({ ...cost, rows: answer.body[key].length });
    const empty = await measure(nobody, 'GET', path);
    expect(empty.answer.status, empty.answer.text).toBe(200);
    expect(empty.rowsRead, `${list}, of nobody`).toBeLessThan(beside * looked);
  }
  const [small, large] = costs;
  expect(large?.roundTrips).toBe(small?.roundTrips);
  expect(large?.rows).toBe(small?.rows);
  // Nobody was reminded: each of the people of the page is looked at in vain.
  const most = list === 'occurrences' ? beside * looked : 1.05 * (small?.rowsRead ?? 0) + 10;
  expect(large?.rowsRead, JSON.stringify(costs)).toBeLessThanOrEqual(most);
});
