import { expect, test } from 'vitest';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';
import { hostile } from './support/hostile.ts';

describeConsole('deleted studies', (get) => {
  test('are listed for their owner, who brings one back', async () => {
    const study = await newStudy(get().world, { of: 'deleted studies' });
    const { owner, editor } = study;
    const path = `/investigation/${study.id}`;
    await owner.patch(path, { name: hostile });
    await owner.patch(path, { status: 'archived' });
    expect((await owner.delete(path)).status).toBe(204);

    const page = await get().visit(owner);
    await page.getByText('You are not in a study yet').waitFor();
    await page.getByRole('link', { name: 'Deleted studies' }).click();
    await page.getByRole('heading', { level: 1, name: 'Deleted studies' }).waitFor();
    await page.getByRole('row').filter({ hasText: '(in 30 days)' }).waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.getByRole('button', { name: /^Bring back/ }).click();
    await page.getByText(/is back, archived as before\.$/).waitFor();
    await page.getByText('None of your studies was deleted recently').waitFor();
    await expectAccessible(page);
    expect((await owner.get(path)).body).toMatchObject({ status: 'archived' });
    expect(page.complaints).toEqual([]);

    await owner.delete(path);
    const other = await get().visit(editor, '/deleted');
    await other.getByText('None of your studies was deleted recently').waitFor();
  });
});
