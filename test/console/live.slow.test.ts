import { expect, test } from 'vitest';
import { newCase } from '../support/studies.ts';
import { describeConsole, expectAccessible } from './support/console.ts';
import { nights, row } from './support/nights.ts';

describeConsole(
  'while somebody looks',
  (get) => {
    test('new and changed rows appear by themselves, marked; own changes are not', async () => {
      const { study, responses } = await nights(get());
      const page = await get().visit(study.editor, `/studies/${study.id}/data`);
      await row(page, 'Night 2').waitFor();
      // The look at the feed has begun: an earlier change would be no news.
      await page.waitForResponse('**/changes?*');
      await study.owner.post(`/investigation/${study.id}/lock-items`, {
        responses: [{ identifier: responses[1] }],
        status: 'locked',
      });
      await row(page, 'Night 2').getByText('Changed', { exact: true }).waitFor();
      expect(await row(page, 'Night 1').getByText('Changed', { exact: true }).count()).toBe(0);
      await expectAccessible(page);
      expect(page.complaints).toEqual([]);
    });

    test('rows under the pointer stay where they are until it leaves', async () => {
      const { study } = await nights(get());
      const page = await get().visit(study.editor, `/studies/${study.id}/activity`);
      await page.getByRole('row').nth(1).waitFor();
      await page.waitForResponse('**/changes?*');
      const first = page.getByRole('row').nth(1);
      const before = await first.innerText();
      await first.hover();
      await study.owner.post(`/investigation/${study.id}/lock-items`, {
        cases: [{ identifier: await newCase(study, study.owner) }],
        status: 'locked',
      });
      await page.getByRole('button', { name: /^Show \d+ new rows?$/ }).waitFor();
      expect(await first.innerText()).toBe(before);
      await page.mouse.move(2, 2);
      await first.filter({ hasText: 'Locked 1 case' }).waitFor();
      await first.getByText('New', { exact: true }).waitFor();
      expect(page.complaints).toEqual([]);
    });
  },
  { on: ['node'] },
);
