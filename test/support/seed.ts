import { inject } from 'vitest';

/** For what tests draw: another for each commit (`vitest.config.ts`), or `TEST_SEED` of the environment. */
export const seed = inject('seed');
if (!Number.isInteger(seed)) throw new Error(`expected a whole number in TEST_SEED, not ${seed}`);

/** As many random draws, or people, as a test has by default; `FIELDBELL_DRAWS=10` of the environment makes them ten times as many. */
export const draws = (count: number): number => Math.ceil(count * inject('draws'));

declare module 'vitest' {
  interface ProvidedContext {
    seed: number;
    draws: number;
  }
}
