import { expect, test } from 'vitest';
import { newStudy, type Study } from '../support/studies.ts';
import {
  describeConsole,
  expectAccessible,
  expectFitsPhone,
  expectFocused,
  ownServiceOnNode,
  savedBy,
  settled,
} from './support/console.ts';
import { seedCrowd, seedDays } from './support/crowd.ts';

const people = 120;

describeConsole(
  'compliance by days',
  (get) => {
    let study: Study;
    /** Before them are the two who take part in every study. */
    async function crowded() {
      if (study) return study;
      study = await newStudy(get().world);
      seedCrowd(get(), study, people - 2);
      seedDays(get(), study, 40);
      return study;
    }

    test('shows each day of each participant by a sign, a page at a time, and opens a day', async () => {
      const { id, editor } = await crowded();
      const page = await get().visit(editor, `/studies/${id}/overview`);
      await page.getByRole('link', { name: 'Compliance' }).click();
      const table = page.getByRole('table', { name: /^Participants by days/ });
      const row = table
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name: 'Participant 1', exact: true }) });
      await row.waitFor();
      expect(await table.getByRole('columnheader').count()).toBe(29);
      expect(await table.getByRole('row').count()).toBe(51);
      // The code of the last digit of Participant 1 is 14 above a multiple of 35.
      const cell = (ago: number) => row.getByRole('cell').nth(27 - ago);
      expect(await cell(0).innerText()).toBe('o');
      expect(await cell(1).innerText()).toBe('✓');
      expect(await cell(26).innerText()).toBe('×');
      await expectAccessible(page);
      await row.getByRole('rowheader').getByRole('link').focus();
      await page.keyboard.press('Tab');
      await expectFocused(row.locator('+ tr').getByRole('rowheader').getByRole('link'));

      const { text } = await savedBy(page, () => page.getByRole('button', { name: 'Save as CSV' }).click());
      const lines = text.replace('\uFEFF', '').trim().split('\r\n');
      expect(lines).toHaveLength(people + 1);
      expect(lines[0]?.split(',')).toHaveLength(30);
      const saved = lines.find((line) => line.startsWith('Participant 1,'))?.split(/,(?! )/);
      expect([saved?.at(-27), saved?.at(-2)]).toEqual(['Failed', 'Answered']);

      await page.getByText('Participants 1 to 50').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('Participants 51 to 100').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText(`Participants 101 to ${people}`).waitFor();
      expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
      await page.getByRole('button', { name: 'Previous' }).click();
      await page.getByRole('button', { name: 'Previous' }).click();

      await cell(26).getByRole('link', { name: 'Failed' }).click();
      await page.getByRole('heading', { level: 1, name: 'Participant 1' }).waitFor();
      const history = page.getByRole('region', { name: 'History' });
      await history.getByRole('row').filter({ hasText: 'Failed' }).waitFor();
      expect(await history.getByRole('row').count()).toBe(2);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show all days' }).click();
      await history.getByRole('row').nth(30).waitFor();
      await page.goBack();
      await table.waitFor();
      await expectFitsPhone(page);
      expect(page.complaints).toEqual([]);
    });

    test('keeps period, survey and people in the address, up to a year', async () => {
      const { id, owner } = await crowded();
      const page = await get().visit(owner, `/studies/${id}/compliance?attention=paused`);
      const shown = page.getByText('Participants 1 to 2', { exact: true });
      await shown.waitFor();
      await page.getByLabel('Period').selectOption({ label: 'A year' });
      const heads = page.getByRole('columnheader');
      await expect.poll(() => heads.count()).toBe(367);
      const { searchParams } = new URL(page.url());
      const [from, to] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name) ?? ''));
      expect(Number(to) - Number(from)).toBe(365 * 86_400_000);
      await page.reload();
      await settled(page);
      await shown.waitFor();
      expect(await heads.count()).toBe(367);
      await page.getByLabel('From').fill('2020-01-01');
      await page.getByRole('alert').getByText('Expected at most 366 days').waitFor();
      expect(page.complaints).toEqual([]);
    });
  },
  ownServiceOnNode,
);
