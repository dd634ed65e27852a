import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { open } from '../../conformance/support/runtimes.ts';
import { browserArguments, findChromium } from '../../support/browser.ts';

const signingKey = 'MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC';

/** One browser and one service for all files of a project, on the project's runtime. */
export async function setup(project: TestProject) {
  const executablePath = findChromium(process.env);
  if (!executablePath) {
    project.provide('browser', '');
    return;
  }
  const { runtime } = project.getProvidedContext();
  const [service, browser] = await Promise.all([
    open(runtime, { AUDIT_SIGNING_KEY: signingKey, PARTICIPANT_SIGNING_KEY: signingKey, MAX_STUDIES: '200' }),
    chromium.launchServer({ executablePath, args: browserArguments, timeout: 0 }),
  ]);
  const { url, sns, folder } = service;
  project.provide('service', { url, folder, sns: { url: sns.url } });
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await service.dispose();
  };
}
