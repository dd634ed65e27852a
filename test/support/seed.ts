import { inject } from 'vitest';

/** For what tests draw: another for each commit (`vitest.config.ts`), or `TEST_SEED` of the environment. */
export const seed = inject('seed');
if (!Number.isInteger(seed)) throw new Error(`expected a whole number in TEST_SEED, not ${seed}`);

declare module 'vitest' {
  interface ProvidedContext {
    seed: number;
  }
}
