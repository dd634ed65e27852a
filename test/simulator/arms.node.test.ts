import { describe, expect, test } from 'vitest';
import { beyondChance, guessed, type Labelled, learnt } from '../../simulator/arm-features.ts';
import { distinguish } from '../../simulator/distinguisher.ts';
import { Random } from '../support/random.ts';
import { seed as first } from '../support/seed.ts';

/*
 * A program that reads all that a blinded editor may read, and guesses who is in which arm. More studies, and every planted leak:
 * `arms.node.slow.test.ts`, and `npm run simulate -- --arms 40`.
 */

test('nothing that a blinded editor reads tells arms better than a coin', async () => {
  const found = await distinguish({ first, studies: 5 });
  expect(found.told, JSON.stringify(found)).toBe(false);
});

test('but it does once the survey of an arm is shown', async () => {
  const found = await distinguish({ first, studies: 5 }, 'the survey is shown');
  expect(found.told, JSON.stringify(found)).toBe(true);
});

describe('the guesses', () => {
  /** Studies of ten people, of which a number says the arm as often as asked, and fifty say nothing. */
  const drawn = (random: Random, telling: number): Labelled[] =>
    Array.from({ length: 8 }, () => {
      const isB = new Map(Array.from({ length: 10 }, (_, n) => [`${n}`, random.chance(0.5)]));
      const features = [...isB].map(([id, b]): [string, Map<string, number>] => [
        id,
        new Map([
          ['telling', random.chance(telling) ? Number(b) : random.int(2)],
          ...Array.from({ length: 50 }, (_, n): [string, number] => [`noise ${n}`, random.int(5)]),
        ]),
      ]);
      return { features: new Map(features), isB };
    });

  const rightOf = (telling: number) => {
    const random = new Random(first);
    const rule = learnt(drawn(random, telling));
    return { rule, ...guessed(drawn(random, telling), rule, () => random.chance(0.5)) };
  };

  test('are right by what tells, and chance where nothing does', () => {
    const bound = beyondChance(80, 1e-4);
    const told = rightOf(1);
    expect(told.rule).toMatchObject({ feature: 'telling', more: true });
    expect(told.right).toBeGreaterThanOrEqual(bound);
    expect(rightOf(0).right).toBeLessThan(bound);
  });

  test('are more than chance from a number on that a coin reaches one time in ten thousand', () => {
    expect(beyondChance(10, 1 / 1024)).toBe(10);
    expect(beyondChance(10, 11 / 1024)).toBe(9);
    expect(beyondChance(100, 1e-4)).toBe(69);
  });
});
