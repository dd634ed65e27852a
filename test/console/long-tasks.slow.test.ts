import { expect, test } from 'vitest';
import { newStudy } from '../support/studies.ts';
import { describeConsole, ownServiceOnNode, settled, type Visit } from './support/console.ts';
import { seedCrowd, seedDays } from './support/crowd.ts';

/*
 * The longest task of the browser's main thread on each way through a study of 1,000 participants, on a processor that is
 * four times slower. A task of more than 50 ms is felt. The numbers are printed (`npx vitest run --silent=false
 * long-tasks`) rather than bounded, since a busy machine adds to them.
 */

const people = 1_000;

describeConsole(
  'a study of 1,000 participants on a slow machine',
  (get) => {
    test('draws little at once, and reports its longest tasks', async () => {
      const study = await newStudy(get().world);
      seedCrowd(get(), study, people);
      seedDays(get(), study, 28);
      const page = await get().visit(study.owner, `/studies/${study.id}/members`);
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await page.evaluate(`window.tasks = []; new PerformanceObserver((list) => tasks.push(...list.getEntries()
        .map(({ duration }) => Math.round(duration)))).observe({ type: 'longtask' })`);
      const { report, longest } = reporter(page);

      const open = (name: string) => page.getByRole('link', { name, exact: true }).click();
      await report('overview', async () => {
        await open('Overview');
        await page.locator('.plot canvas').waitFor();
      });
      await report('queue', async () => {
        await page.getByRole('link', { name: 'Work through' }).click();
        await page.locator('.queue-one').waitFor();
        for (let n = 0; n < 5; n++) await page.keyboard.press('j');
        await settled(page);
      });
      await report('participants', async () => {
        await open('Participants');
        await page.getByText('100 so far').waitFor();
        await page.getByRole('button', { name: 'Show more' }).click();
        await page.getByText('200 so far').waitFor();
      });
      await report('adherence', async () => {
        await open('Adherence');
        await page.getByText('100 participants so far').waitFor();
        const map = page.getByRole('grid');
        await map.locator('[tabindex="0"]').focus();
        for (let n = 2; n <= 10; n++) {
          await page.keyboard.press('Control+End');
          await page.getByText(n < 10 ? `${n}00 participants so far` : `1,00`).waitFor();
        }
        for (let n = 0; n < 40; n++) await page.keyboard.press('PageUp');
        await page.mouse.move(700, 500);
        for (let n = 0; n < 20; n++) await page.mouse.wheel(0, 400);
        expect(await map.getByRole('gridcell').count()).toBeLessThan(2_500);
      });
      await report('palette', async () => {
        await page.keyboard.press('Control+k');
        const field = page.getByRole('dialog').getByRole('combobox');
        await field.pressSequentially('participant 99');
        await page.getByRole('option', { name: 'Participant 99', exact: true }).waitFor();
        expect(await page.getByRole('option').count()).toBeLessThan(40);
        await page.keyboard.press('Escape');
      });
      console.log(longest.join('\n'));
      expect(longest).toHaveLength(5);
      expect(page.complaints).toEqual([]);
    });
  },
  ownServiceOnNode,
);

function reporter(page: Visit) {
  const longest: string[] = [];
  const report = async (what: string, act: () => Promise<void>) => {
    await page.evaluate('tasks.length = 0');
    await act();
    const tasks = await page.evaluate<number[]>('new Promise((done) => setTimeout(() => done(tasks), 200))');
    longest.push(`${what}: longest task ${Math.max(0, ...tasks)} ms, ${tasks.length} of 50 ms or more`);
  };
  return { report, longest };
}
