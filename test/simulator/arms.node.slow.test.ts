import { describe, expect, test } from 'vitest';
import { closed, type Leak, leaks, unhideable } from '../../simulator/arm-study.ts';
import { distinguish } from '../../simulator/distinguisher.ts';
import { draws, seed as first } from '../support/seed.ts';

test('nothing that a blinded editor reads tells arms better than a coin, in many studies', async () => {
  const found = await distinguish({ first, studies: draws(20) });
  expect(found.told, JSON.stringify(found)).toBe(false);
});

describe('arms are told by', () => {
  const all = Object.keys(leaks) as Leak[];

  test.each(all.filter((leak) => !unhideable.includes(leak) && !closed.includes(leak)))(
    'a fault: %s',
    async (leak) => {
      const found = await distinguish({ first, studies: 10 }, leak);
      expect(found.told, JSON.stringify(found)).toBe(true);
    },
  );

  // No service can hide it; documents say so.
  test.each(unhideable)('the way in which a study is run: %s', async (leak) => {
    const found = await distinguish({ first, studies: 10 }, leak);
    expect(found.told, JSON.stringify(found)).toBe(true);
  });
});

test.each(closed)('arms are not told by %s', async (leak) => {
  const found = await distinguish({ first, studies: 10 }, leak);
  expect(found.told, JSON.stringify(found)).toBe(false);
});
