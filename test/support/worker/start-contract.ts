import type { TestProject } from 'vitest/node';
import { startContract } from '../../contract/server.ts';

/** One checker of answers for all files. */
export async function setup(project: TestProject) {
  const contract = await startContract();
  project.provide('contract', contract.url);
  return () => contract.close();
}

declare module 'vitest' {
  interface ProvidedContext {
    contract: string;
  }
}
