import process from 'node:process';
import type { TestProject } from 'vitest/node';
import { startContract } from '../../contract/server.ts';

/** One checker of answers for all files. */
export async function setup(project: TestProject) {
  const contract = await startContract();
  project.provide('contract', contract.url);
  const { FUZZ_SEED, FUZZ_COUNT } = process.env;
  // Each run has another seed, which a failure names.
  const drawn = Math.floor(Math.random() * 2 ** 31);
  project.provide('fuzz', { seed: Number(FUZZ_SEED ?? drawn), count: Number(FUZZ_COUNT ?? 5_000) });
  return () => contract.close();
}

declare module 'vitest' {
  interface ProvidedContext {
    contract: string;
    fuzz: { seed: number; count: number };
  }
}
