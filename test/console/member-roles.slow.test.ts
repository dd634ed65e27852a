import { expect, test } from 'vitest';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';

describeConsole('members of a role', (get) => {
  test('are shown alone, also by a link; a role that nobody has says so', async () => {
    const study = await newStudy(get().world, { of: 'roles' });
    const page = await get().visit(study.owner, `/studies/${study.id}/members`);
    const rows = page.getByRole('table', { name: 'Members of the study' }).getByRole('rowheader');
    await rows.nth(3).waitFor();
    await page.getByRole('combobox', { name: /^Show/ }).selectOption('Editor');
    await page.waitForURL('**/members?role=editor');
    await expect
      .poll(() => rows.allTextContents(), { timeout: 60_000 })
      .toEqual([expect.stringContaining(study.editor.name)]);
    await page.reload();
    await expect
      .poll(() => rows.allTextContents(), { timeout: 60_000 })
      .toEqual([expect.stringContaining(study.editor.name)]);
    await expectAccessible(page);
    await expectFitsPhone(page);
    await study.editor.delete(`/investigation/${study.id}/member/me`);
    await page.reload();
    await page.getByText('There is no editor').waitFor();
    await page.getByRole('button', { name: 'Show everyone' }).click();
    await rows.nth(2).waitFor();
    expect(page.complaints).toEqual([]);
  });
});
