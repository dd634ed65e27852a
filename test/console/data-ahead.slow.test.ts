import { expect, test } from 'vitest';
import { lock, newCase, newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible } from './support/console.ts';
import { holding } from './support/holding.ts';

describeConsole('a change that can be taken back', (get) => {
  let studies = 0;
  async function open(labels: string[]) {
    const study = await newStudy(get().world, { of: `ahead ${studies++}` });
    const ids: string[] = [];
    for (const label of labels) ids.push(await newCase(study, study.editor, label));
    const page = await get().visit(study.owner, `/studies/${study.id}/data?kind=cases`);
    const row = (label: string) => page.getByRole('row').filter({ hasText: label });
    async function choose(label: string, button: string) {
      await page.getByRole('checkbox', { name: label }).click();
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('button', { name: `${button} 1 case` }).click();
    }
    return { study, ids, page, row, choose };
  }

  test('shows itself before the service has answered', async () => {
    const { page, row, choose } = await open(['Night 1', 'Night 2']);
    const { arrived } = await holding(page, 'lock-items');
    await choose('Night 1', 'Lock');
    const request = await arrived;
    await row('Night 1').getByText('Locked').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByText('Locked 1 case.').count()).toBe(0);
    await row('Night 2').getByText('Active').waitFor();
    await request.continue();
    await page.getByText('Locked 1 case.').waitFor();
    await row('Night 1').getByText('Locked').waitFor();

    const undoing = await holding(page, 'lock-items');
    await page.getByRole('button', { name: 'Undo' }).click();
    const undo = await undoing.arrived;
    await row('Night 1').getByText('Active').waitFor();
    await undo.continue();
    await page.getByText('Undone.').waitFor();
    await row('Night 1').getByText('Active').waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('goes back when the service refuses it, and the page says why until it is read', async () => {
    const { study, ids, page, row, choose } = await open(['Night 1']);
    const { arrived } = await holding(page, 'archive-items');
    await choose('Night 1', 'Archive');
    const request = await arrived;
    await row('Night 1').getByText('Archived').waitFor();
    expect((await lock(study.editor, study, { cases: ids })).status).toBe(204);
    await request.continue();
    await page
      .getByText('One of the items is locked, so nothing was changed: “Night 1”. Unlock the item first.')
      .waitFor();
    await row('Night 1').getByText('Locked').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Night 1' }).isChecked()).toBe(true);
    await expectAccessible(page);
    await page.getByRole('status').getByRole('button', { name: 'Close' }).last().click();
    expect(page.complaints).toEqual([]);
  });

  test('goes back without a network', async () => {
    const { page, row, choose } = await open(['Night 1']);
    await page.route('**/lock-items', (route) => route.abort());
    await choose('Night 1', 'Lock');
    await page.getByText('The service cannot be reached. Check your connection and try again.').waitFor();
    await row('Night 1').getByText('Active').waitFor();
    await page.unroute('**/lock-items');
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await page.getByRole('button', { name: 'Lock 1 case' }).click();
    await page.getByText('Locked 1 case.').waitFor();
    expect(page.complaints).toEqual([]);
  });
});
