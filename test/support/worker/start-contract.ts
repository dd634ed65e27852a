import process from 'node:process';
import type { TestProject } from 'vitest/node';
import { startContract } from '../../contract/server.ts';

/** One checker of answers for all files. */
export async function setup(project: TestProject) {
  const contract = await startContract();
  project.provide('contract', contract.url);
  project.provide('fuzzCount', Number(process.env.FUZZ_COUNT ?? 5_000));
  return () => contract.close();
}

declare module 'vitest' {
  interface ProvidedContext {
    contract: string;
    fuzzCount: number;
  }
}
