import type { Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { newStudy } from '../support/studies.ts';
import { describeConsole, ownServiceOnNode } from './support/console.ts';
import { seedCrowd } from './support/crowd.ts';

const people = 100_000;

describeConsole(
  'the first screen of a study of 100,000 participants',
  (get) => {
    test('asks a few questions, whose answers are small, and shows exceptions and the plot', async () => {
      const study = await newStudy(get().world);
      seedCrowd(get(), study, people);
      const page = await get().visit(study.owner);
      const answers: Response[] = [];
      page.on('response', (response) => {
        if (/^(?:xhr|fetch)$/.test(response.request().resourceType())) answers.push(response);
      });

      await page.goto(`${get().service.url}/console/studies/${study.id}/overview`);
      // The first 6,000 participants are looked at: 30,000 / (2 + 3 surveys).
      await page.getByText('301 or more cannot be reached').waitFor();
      await page.getByText('599 or more went silent').waitFor();
      await page.getByText('119 or more paused their reminders').waitFor();
      await page.locator('.plot svg').waitFor();
      // Nobody has answered: a flat line has no height of its own.
      await page.locator('.plot .series-answered').waitFor({ state: 'attached' });
      const shownMs = await page.evaluate<number>('performance.now()');

      const asked = answers
        .map((response) => new URL(response.url()).pathname.replace(study.id, ':id'))
        .sort();
      const sizes = await Promise.all(answers.map(async (response) => (await response.body()).length));
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      console.log(
        `${asked.length} requests, ${bytes} bytes; exceptions and plot shown after ${Math.round(shownMs)} ms`,
      );
      // The end of the feed is asked for again every few seconds.
      expect([...new Set(asked)]).toEqual([
        '/console/config',
        '/health/ready',
        '/investigation/:id',
        '/investigation/:id/changes',
        '/investigation/:id/compliance/attention',
        '/investigation/:id/compliance/daily',
        '/investigation/:id/members',
        '/investigation/:id/set-aside',
        '/investigation/:id/surveys',
        '/user/me',
      ]);
      expect(bytes).toBeLessThan(40_000);
      expect(page.complaints).toEqual([]);
    });
  },
  ownServiceOnNode,
);
