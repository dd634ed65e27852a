import { describe, expect, test } from 'vitest';
import { Random } from '../support/random.ts';
import { draws, seed as first } from '../support/seed.ts';
import { type ActName, acts } from './crowd-acts.ts';
import { faults } from './crowd-faults.ts';
import { createJudge, type Finding } from './crowd-judge.ts';
import { crowdWorld, type Fault } from './crowd-world.ts';

const studies = draws(1);

/** The rights that hostile people take from honest ones by an act. */
async function findingsOf(seed: number, name: ActName, fault?: Fault): Promise<Finding[]> {
  const world = await crowdWorld(fault);
  try {
    const judge = await createJudge(world);
    await acts[name](world, judge, new Random(seed));
    await judge.goesOn(`after ${name}`);
    return judge.findings;
  } finally {
    await world.dispose();
  }
}

describe('hostile people, many at once, take nothing from honest ones:', () => {
  test.each(Object.keys(acts) as ActName[])('%s', async (name) => {
    for (let seed = first; seed < first + studies; seed++)
      expect(await findingsOf(seed, name), `seed ${seed}`).toEqual([]);
  });
});

test.each(faults)('it would show that %s', async (_, act, rule, fault) => {
  const findings = await findingsOf(first, act, fault);
  expect(findings.map((one) => one.rule)).toContain(rule);
});

test('every act has a fault that it shows', () => {
  expect([...new Set(faults.map(([, act]) => act))].toSorted()).toEqual(Object.keys(acts).toSorted());
});
