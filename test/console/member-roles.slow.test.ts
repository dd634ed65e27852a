import { expect, test } from 'vitest';
import { eventuallyPasses } from '../support/eventually.ts';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';

describeConsole('members of a role', (get) => {
  test('are shown alone, also by a link; a role that nobody has says so', async () => {
    const study = await newStudy(get().world, { of: 'roles' });
    const page = await get().visit(study.owner, `/studies/${study.id}/members`);
    const rows = page.getByRole('table', { name: 'Members of the study' }).getByRole('rowheader');
    const expectEditor = async () =>
      expect(await rows.allTextContents()).toEqual([expect.stringContaining(study.editor.name)]);
    await rows.nth(3).waitFor();
    await page.getByRole('combobox', { name: /^Show/ }).selectOption('Editor');
    await page.waitForURL('**/members?role=editor');
    await eventuallyPasses(expectEditor);
    await page.reload();
    await eventuallyPasses(expectEditor);
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
