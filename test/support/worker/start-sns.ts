import type { TestProject } from 'vitest/node';
import { snsDefaults } from '../../../tools/fakes/sns/defaults.ts';
import { startSns } from '../../../tools/fakes/sns/server.ts';

/** One local SNS for all files; tests move their own clock, so signatures may be of any date. */
export async function setup(project: TestProject) {
  const sns = await startSns({ ...snsDefaults, port: 0, maxSkewMs: Number.POSITIVE_INFINITY });
  project.provide('sns', `${sns.url}/`);
  return () => sns.close();
}

declare module 'vitest' {
  interface ProvidedContext {
    sns: string;
  }
}
