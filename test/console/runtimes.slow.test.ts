import { describe, expect, test } from 'vitest';
import { created, signUp } from '../support/people.ts';
import { newCase, newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible } from './support/console.ts';

const sent = ['content-security-policy', 'referrer-policy', 'x-content-type-options', 'cache-control'];

describe.each(['workerd', 'deno'] as const)('on %s', (runtime) => {
  describeConsole(
    'the console',
    (get) => {
      test('opens at any path, signs in by a link, and shows a study', async () => {
        const { world, visit } = get();
        const ada = await signUp(world, 'Ada');
        const study = created(await ada.post('/investigation', { name: 'Sleep' })).identifier;
        const page = await visit(ada, `/studies/${study}/members`);
        await page.getByRole('rowheader', { name: 'Ada' }).waitFor();
        await expectAccessible(page);
        await page.getByRole('link', { name: 'All studies' }).click();
        await page.getByRole('link', { name: 'Sleep' }).waitFor();
        expect(page.complaints).toEqual([]);
      });

      test('locks by selection and by filter, shows what others do, and verifies the log', async () => {
        const { world, visit } = get();
        const study = await newStudy(world, { of: 'all' });
        for (const label of ['Night 1', 'Night 2']) await newCase(study, study.editor, label);
        const path = `/studies/${study.id}/data?kind=cases`;
        const [page, other] = [await visit(study.owner, path), await visit(study.editor, path)];
        await page.getByRole('checkbox', { name: 'Night 1' }).click();
        await page.getByRole('button', { name: 'Lock', exact: true }).click();
        await page.getByRole('button', { name: 'Lock 1 case' }).click();
        await page.getByText('Locked 1 case.').waitFor();
        await other.getByRole('row').filter({ hasText: 'Night 1' }).getByText('Locked').waitFor();
        await page.getByRole('button', { name: 'Lock by filter' }).click();
        await page.getByRole('button', { name: 'Count what it finds' }).click();
        await page.getByRole('button', { name: 'Lock 1 case' }).click();
        await page.getByRole('row').filter({ hasText: 'Night 2' }).getByText('Locked').waitFor();
        await page.getByRole('link', { name: 'Activity' }).click();
        await page.getByText('Verified: all 5 entries').waitFor();
        expect([...page.complaints, ...other.complaints]).toEqual([]);
      });

      test('its files have the same headers as on Node', async () => {
        const { service } = get();
        const page = await fetch(`${service.url}/console/studies/any`);
        const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
        const answers = [page, await fetch(service.url + script), await fetch(`${service.url}/console`)];
        expect(
          answers.map(({ status, headers }) => [status, ...sent.map((name) => headers.get(name))]),
        ).toEqual([
          [200, expect.stringContaining("default-src 'none'"), 'no-referrer', 'nosniff', 'no-cache'],
          [200, null, 'no-referrer', 'nosniff', 'public, max-age=31536000, immutable'],
          [200, expect.stringContaining("default-src 'none'"), 'no-referrer', 'nosniff', 'no-cache'],
        ]);
        expect((await fetch(`${service.url}/console/assets/gone-12345678.js`)).status).toBe(404);
        expect((await fetch(`${service.url}/console/any`, { method: 'POST' })).status).toBe(401);
      });
    },
    { runtime },
  );
});
