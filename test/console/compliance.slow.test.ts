import { expect, test } from 'vitest';
import { newStudy, type Study } from '../support/studies.ts';
import {
  describeConsole,
  expectAccessible,
  expectFitsPhone,
  ownServiceOnNode,
  savedBy,
  settled,
} from './support/console.ts';
import { seedCrowd, seedDays } from './support/crowd.ts';

const people = 1_000;
const days = 40;
const focused = `(({ activeElement: one }) => [one.closest('[aria-rowindex]')?.ariaRowIndex, one.closest('[aria-colindex]')?.ariaColIndex].join())(document)`;

describeConsole(
  'the adherence map',
  (get) => {
    let study: Study;
    /** Before them are the two who take part in every study. */
    async function crowded() {
      if (study) return study;
      study = await newStudy(get().world);
      seedCrowd(get(), study, people - 2);
      seedDays(get(), study, days);
      return study;
    }

    test('shows each day of each participant by a sign, is one stop of the Tab key, and opens a day', async () => {
      const { id, editor } = await crowded();
      const page = await get().visit(editor, `/studies/${id}/overview`);
      await page.getByRole('link', { name: 'Adherence' }).click();
      const map = page.getByRole('grid', { name: /^Participants by days/ });
      const row = map
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name: 'Participant 1', exact: true }) });
      await row.waitFor();
      expect(await map.getAttribute('aria-colcount')).toBe('29');
      // The code of the last digit of Participant 1 is 14 above a multiple of 35.
      const cell = (ago: number) => row.getByRole('gridcell').nth(27 - ago);
      expect(await cell(0).innerText()).toBe('o');
      expect(await cell(1).innerText()).toBe('✓');
      expect(await cell(26).innerText()).toBe('×');
      await row.getByRole('gridcell', { name: 'Failed' }).first().waitFor();
      await cell(26).hover();
      await cell(26).getByRole('link', { name: 'Failed' }).waitFor();
      await expectAccessible(page);

      const { text } = await savedBy(page, () =>
        page.getByRole('button', { name: 'Save this map as CSV' }).click(),
      );
      const lines = text.replace('\uFEFF', '').trim().split('\r\n');
      expect(lines[0]?.split(',')).toHaveLength(30);
      const saved = lines.find((line) => line.startsWith('Participant 1,'))?.split(/,(?! )/);
      expect([saved?.at(-27), saved?.at(-2)]).toEqual(['Failed', 'Answered']);

      expect(await map.locator('[tabindex="0"]').count()).toBe(1);
      await map.locator('[tabindex="0"]').focus();
      await expect.poll(() => page.evaluate(focused)).toBe('2,29');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowLeft');
      await expect.poll(() => page.evaluate(focused)).toBe('3,28');
      await page.keyboard.press('Home');
      await expect.poll(() => page.evaluate(focused)).toBe('3,1');
      await page.keyboard.press('PageDown');
      await page.keyboard.press('End');
      await expect.poll(() => page.evaluate(focused)).toBe('13,29');
      expect(await map.locator('[tabindex="0"]').count()).toBe(1);
      await page.keyboard.press('Tab');
      await expect.poll(() => page.evaluate(focused)).toBe(',');

      await cell(26).click();
      await page.getByRole('heading', { level: 1, name: 'Participant 1' }).waitFor();
      const history = page.getByRole('region', { name: 'History' });
      await history.getByRole('row').filter({ hasText: 'Failed' }).waitFor();
      expect(await history.getByRole('row').count()).toBe(2);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Show all days' }).click();
      await history.getByRole('row').nth(30).waitFor();
      await page.goBack();
      await row.waitFor();
      await expectFitsPhone(page);
      // A screen reader clicks on a cell that no pointer has touched.
      await cell(26).dispatchEvent('click');
      await page.getByRole('heading', { level: 1, name: 'Participant 1' }).waitFor();
      expect(page.complaints).toEqual([]);
    });

    test('keeps period, survey and people in the address, up to a year', async () => {
      const { id, owner } = await crowded();
      const paused = await owner.get(`/investigation/${id}/compliance?attention=paused&limit=1000`);
      const { length } = paused.body.participants;
      expect(length).toBeGreaterThan(5);
      const page = await get().visit(owner, `/studies/${id}/adherence?attention=paused`);
      const map = page.getByRole('grid');
      const shown = page.getByText(`${length} participants`);
      await shown.waitFor();
      await page.getByLabel('Period').selectOption({ label: 'A year' });
      await page.locator('.map[aria-colcount="367"]').waitFor();
      const { searchParams } = new URL(page.url());
      const [from, to] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name) ?? ''));
      expect(Number(to) - Number(from)).toBe(365 * 86_400_000);
      // The latest days are drawn, and the first ones when somebody goes there.
      expect(await map.getByRole('columnheader').count()).toBeLessThan(70);
      await map.locator('[tabindex="0"]').focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => page.evaluate(focused)).toBe('2,2');
      await page.reload();
      await settled(page);
      await page.locator('.map[aria-colcount="367"]').waitFor();
      await shown.waitFor();
      await page.getByLabel('From').fill('2020-01-01');
      await page.getByRole('alert').getByText('Expected at most 366 days').waitFor();
      expect(page.complaints).toEqual([]);
    });

    test('reads a thousand participants as somebody scrolls, and draws those in view', async () => {
      const { id, owner } = await crowded();
      const page = await get().visit(owner, `/studies/${id}/adherence`);
      await page.getByText('100 participants so far').waitFor();
      const map = page.getByRole('grid');
      const rowOf = (name: string) =>
        map.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
      await map.locator('[tabindex="0"]').focus();
      for (let n = 200; n <= people; n += 100) {
        await page.keyboard.press('Control+End');
        await page.getByText(n < people ? `${n} participants so far` : '1,000 participants').waitFor();
      }
      await page.keyboard.press('Control+End');
      await rowOf('Participant 998').waitFor();
      expect(await map.getAttribute('aria-rowcount')).toBe('1001');
      expect(await map.getByRole('row').count()).toBeLessThan(60);
      await expect.poll(() => page.evaluate(focused)).toBe('1001,29');
      // A focused cell that is scrolled away is found again by an arrow.
      await page.locator('.map-frame').evaluate((frame) => frame.scrollTo(0, 0));
      await rowOf('Participant 1').waitFor();
      await page.locator('.map[tabindex="0"]:focus').waitFor();
      await page.keyboard.press('ArrowUp');
      await rowOf('Participant 998').waitFor();
      await expect.poll(() => page.evaluate(focused)).toBe('1001,29');
      expect(page.complaints).toEqual([]);
    });
  },
  ownServiceOnNode,
);
