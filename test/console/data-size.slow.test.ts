import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { newStudy, type Study } from '../support/studies.ts';
import { type Console, describeConsole, expectAccessible, ownServiceOnNode } from './support/console.ts';

const many = 100_000;

/** Cases written into the service's database past its front door, one a second. */
function seedCases({ service }: Console, { id, owner }: Study) {
  const db = new DatabaseSync(join(service.folder, 'fieldbell.db'));
  db.prepare(
    `with recursive counter(n) as (select 1 union all select n + 1 from counter where n < ?1)
    insert into study_case (id, investigation_id, creator_id, label, hidden, created_with, edited_at, created_at, revision_id)
    select 'ca5e' || printf('%028x', n), ?2, ?3, 'Night ' || n, 0, '{}', 1700000000000 + n * 1000, 1700000000000 + n * 1000,
      'eeee' || printf('%028x', n)
    from counter`,
  ).run(many, id, owner.id);
  db.close();
}

describeConsole(
  'a study of 100,000 cases',
  (get) => {
    test('is locked in one step and unlocked again, with progress meanwhile, and its list is read a page at a time', async () => {
      const study = await newStudy(get().world);
      seedCases(get(), study);
      const page = await get().visit(study.owner, `/studies/${study.id}/data?kind=cases`);
      await page.getByText('50 so far').waitFor();
      await page.getByRole('button', { name: 'Show more' }).click();
      await page.getByText('100 so far').waitFor();
      const isPart = page.getByText(
        'The change means these 100. More items match the filters. “Lock by filter” means all of them.',
      );
      await page.getByRole('checkbox', { name: 'Select all rows that are shown' }).check();
      await isPart.waitFor();
      await expectAccessible(page);
      await page.locator('[data-row]').first().uncheck();
      await isPart.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Clear the selection' }).click();
      await page.getByRole('button', { name: 'Lock by filter' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Count matching items' }).click();
      await dialog.getByText('100,000 cases will be locked.').waitFor();
      await dialog.getByLabel('Reason').fill('Database lock');
      await dialog.getByRole('button', { name: 'Lock 100,000 cases' }).click();
      await dialog.getByRole('progressbar', { name: /Working on 100,000 cases/ }).waitFor();
      await page.getByText('Locked 100,000 cases.').waitFor();
      await page.getByRole('row').filter({ hasText: 'Night 50' }).getByText('Locked').waitFor();

      // Nobody is sent to a button that they do not have.
      await study.owner.patch(`/investigation/${study.id}`, { lockPolicy: { unlock: 'owners' } });
      const locked = await get().visit(study.editor, `/studies/${study.id}/data?kind=cases&state=locked`);
      await locked.getByRole('checkbox', { name: 'Select all rows that are shown' }).check();
      await locked.getByText('The change means these 50. More items match the filters.').waitFor();
      expect(await locked.getByText('means all of them').count()).toBe(0);

      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('progressbar', { name: 'Undoing the change of 100,000 cases.' }).waitFor();
      await expectAccessible(page);
      await page.getByText('Undone.').waitFor();
      await page.getByRole('row').filter({ hasText: 'Night 50' }).getByText('Active').waitFor();

      await page.getByRole('link', { name: 'Activity' }).click();
      await page.getByRole('row').filter({ hasText: 'Unlocked 1,000 cases' }).first().waitFor();
      await page.getByLabel('Show').selectOption({ label: 'Locked' });
      const entry = page.getByRole('row').filter({ hasText: 'Locked 100,000 cases' });
      await entry.getByRole('button', { expanded: false }).click();
      const details = entry.locator('xpath=following-sibling::tr[1]');
      await details.getByRole('button', { name: 'Show the items' }).click();
      await details.getByRole('link', { name: 'Case 100' }).waitFor();
      expect(await details.getByRole('link').count()).toBe(100);
      await details.getByRole('button', { name: 'Show more' }).click();
      await details.getByRole('link', { name: 'Case 200' }).waitFor();
      expect(page.complaints).toEqual([]);
    });
  },
  ownServiceOnNode,
);
