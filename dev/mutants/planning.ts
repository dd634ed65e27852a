import type { Mutant } from './mutant.ts';

export const planning: readonly Mutant[] = [];
