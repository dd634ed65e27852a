import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventuallyPasses } from '../support/eventually.ts';
import { newCase, newResponse, newStudy } from '../support/studies.ts';
import { describeConsole, settled, type Visit } from './support/console.ts';

const titleOf = (page: Visit) => page.getByRole('heading', { level: 1 }).textContent();

describeConsole('every address', (get) => {
  const open = async (page: Visit, path: string) => {
    await page.goto(`${get().service.url}/console${path}`);
    await settled(page);
  };

  test('opens directly and after a reload, with a title of its own', async () => {
    const study = await newStudy(get().world, { of: 'addresses' });
    const response = await newResponse(study, study.responder, await newCase(study, study.editor));
    const values = { user: study.responder.id, response, survey: study.survey };
    const screens = readFileSync('console/screens.ts', 'utf8');
    const paths = [...screens.matchAll(/path: '([^']+)'/g)].map(([, path = '']) =>
      path.replaceAll(/:(\w+)/g, (_, name: keyof typeof values) => values[name]),
    );
    expect(paths.length).toBeGreaterThan(10);

    const page = await get().visit(study.owner);
    const titles = new Set<string>();
    for (const path of paths) {
      const address = `/studies/${study.id}${path}`;
      await open(page, address);
      let title: string | null = '';
      await eventuallyPasses(async () => {
        title = await titleOf(page);
        expect(await page.title()).toBe(`${title} · Fieldbell`);
      });
      titles.add(await page.title());
      await page.reload();
      await settled(page);
      expect(new URL(page.url()).pathname).toBe(`/console${address}`);
      // The name of the case may come after the first look.
      await eventuallyPasses(async () => expect(await titleOf(page)).toContain(title));
    }
    expect(titles.size).toBe(paths.length);
    expect(page.complaints).toEqual([]);
  });

  test('says in a sentence that there is nothing, or nothing that one may see', async () => {
    const study = await newStudy(get().world, { of: 'nowhere' });
    const page = await get().visit(study.owner);
    const unknown = `${'0'.repeat(31)}1`;
    const below = ['participants/', 'data/responses/', 'surveys/'].map((path) => path + unknown);
    for (const path of [
      '/nowhere',
      `/studies/${unknown}`,
      `/studies/${unknown}/members`,
      `/studies/${study.id}/nowhere`,
      ...[...below, `surveys/${unknown}/items`, 'participants/none'].map(
        (path) => `/studies/${study.id}/${path}`,
      ),
    ]) {
      await open(page, path);
      await page.getByRole('heading', { level: 1, name: 'There is nothing here' }).waitFor();
      await page.getByText('The page does not exist, or you do not have access to it.').waitFor();
    }
  });

  test('is walked back and forward', async () => {
    const study = await newStudy(get().world, { of: 'walk' });
    const page = await get().visit(study.owner, `/studies/${study.id}/overview`);
    const names = ['Participants', 'Data', 'Surveys', 'Members', 'Activity', 'Settings'];
    const isAt = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
    await isAt('Overview');
    for (const name of names) {
      await page.getByRole('navigation', { name: 'Study' }).getByRole('link', { name }).click();
      await isAt(name);
      expect(await page.locator('nav [aria-current=page]').textContent()).toBe(name);
    }
    for (const name of ['Overview', ...names].toReversed().slice(1)) {
      await page.goBack();
      await isAt(name);
    }
    for (const name of names) {
      await page.goForward();
      await isAt(name);
    }
    await page.getByRole('link', { name: 'Data' }).click();
    await page.getByLabel('State').selectOption({ label: 'Locked' });
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('link', { name: 'Members' }).click();
    await isAt('Members');
    await page.goBack();
    await page.getByText('Nothing matches these filters').waitFor();
    expect(await page.getByLabel('State').inputValue()).toBe('locked');
  });

  test('shows the open entry of the navigation on a phone', async () => {
    const study = await newStudy(get().world, { of: 'narrow' });
    const page = await get().visit(study.owner, `/studies/${study.id}/settings`, {
      viewport: { width: 360, height: 740 },
    });
    const box = await page.locator('nav [aria-current=page]').boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360);
  });
});
