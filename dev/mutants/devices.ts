import type { Mutant } from './mutant.ts';

export const devices: readonly Mutant[] = [];
