import { seeded } from './determinism.ts';

/** The draws of a seed. Each call takes the next number, so moving one changes every scenario. */
export type Draws = ReturnType<typeof createDraws>;

export function createDraws(seed: number) {
  const random = seeded(seed);
  const below = (n: number) => Math.floor(random() * n);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  return {
    /** A whole number from 0 up to `n`. */
    below,
    one,
    chance: (share: number) => random() < share,
    /** At most so many. */
    some: <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make),
    wallTime: () => `${String(below(24)).padStart(2, '0')}:${one(['00', '30'])}`,
  };
}
