import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { newStudy } from '../support/studies.ts';
import {
  describeConsole,
  expectAccessible,
  expectFitsPhone,
  ownServiceOnNode,
  savedBy,
} from './support/console.ts';
import { seedCrowd } from './support/crowd.ts';

/** Left and right edge of each cell of a row, in whole pixels. */
const edgesOf = (row: Locator): Promise<string[]> =>
  row.evaluate(({ cells }: HTMLTableRowElement) =>
    [...cells].map((cell) => {
      const { left, right } = cell.getBoundingClientRect();
      return `${Math.round(left)}-${Math.round(right)}`;
    }),
  );

describeConsole(
  'a long table',
  (get) => {
    test('keeps its columns from the first row to the last, and is saved to its end', async () => {
      const study = await newStudy(get().world);
      // With the two who take part in every study, two pages.
      seedCrowd(get(), study, 148);
      const page = await get().visit(study.owner, `/studies/${study.id}/participants`);
      await page.getByText('100 so far').waitFor();
      await page.getByRole('button', { name: 'Show more' }).click();
      const last = page.getByRole('rowheader', { name: 'Participant 148', exact: true });
      await last.waitFor();
      const rows = page.getByRole('table').getByRole('row');
      await expect.poll(() => rows.count()).toBe(151);
      const columns = () => edgesOf(rows.first());
      const ofRow = (n: number) => edgesOf(rows.nth(n));
      expect(await columns()).toHaveLength(10);
      expect(await ofRow(1)).toEqual(await columns());
      expect(await ofRow(60)).toEqual(await columns());
      await last.scrollIntoViewIfNeeded();
      expect(await ofRow(150)).toEqual(await columns());
      await expectAccessible(page);

      const { text } = await savedBy(page, () =>
        page.getByRole('button', { name: 'Save this table as CSV' }).click(),
      );
      const lines = text.trim().split('\r\n');
      expect(lines).toHaveLength(151);
      expect(lines.at(-1)).toMatch(/^Participant 148,/);

      // A phone has one line for each value, and the columns are back on a wider screen.
      await expectFitsPhone(page);
      await page.setViewportSize({ width: 1_100, height: 720 });
      await expect.poll(async () => (await columns()).length).toBe(10);
      await expect.poll(() => ofRow(2)).toEqual(await columns());

      const [from = 0, to = 0] = (await columns())[0]?.split('-').map(Number) ?? [];
      expect(to - from).toBeGreaterThan(100);
      expect(page.complaints).toEqual([]);
    });
  },
  ownServiceOnNode,
);
