import { expect, test } from 'vitest';
import { grouped } from '../../../src/jobs/grouped.ts';

/** Work that notes its groups; a group with an odd one out fails. */
function worker() {
  const groups: number[][] = [];
  const work = async (inputs: number[]) => {
    groups.push(inputs);
    if (inputs.includes(13)) throw new Error('not 13');
    return inputs.map((input) => input * 2);
  };
  return { groups, work };
}

test('calls of one moment are done together, and each gets its own result', async () => {
  const { groups, work } = worker();
  const double = grouped(work, { most: 100, gatherMs: 1 });
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(await double(4)).toBe(8);
  expect(groups).toEqual([[1, 2, 3], [4]]);
});

test('a full group does not wait', async () => {
  const { groups, work } = worker();
  const double = grouped(work, { most: 2, gatherMs: 3_600_000 });
  expect(await Promise.all([1, 2, 3, 4].map(double))).toEqual([2, 4, 6, 8]);
  expect(groups).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('the trouble of one is not that of the others', async () => {
  const { groups, work } = worker();
  const double = grouped(work, { most: 3, gatherMs: 3_600_000 });
  const results = await Promise.allSettled([12, 13, 14].map(double));
  expect(results).toEqual([
    { status: 'fulfilled', value: 24 },
    { status: 'rejected', reason: new Error('not 13') },
    { status: 'fulfilled', value: 28 },
  ]);
  expect(groups).toEqual([[12, 13, 14], [12], [13], [14]]);
});
