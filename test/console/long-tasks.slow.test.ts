import { expect, test } from 'vitest';
import { newStudy } from '../support/studies.ts';
import { describeConsole, ownServiceOnNode, type Visit } from './support/console.ts';
import { seedCrowd, seedDays } from './support/crowd.ts';

/*
 * The longest task of the browser's main thread on each way through a study of 1,000 participants, on a processor that is
 * four times slower. A task of more than 50 ms is felt. The times are printed (`npx vitest run --silent=false
 * long-tasks`) rather than bounded, since a busy machine adds to them. The elements that the page draws at one go are
 * bounded: their number is the same on any machine, and they are most of the work of a task.
 */

const people = 1_000;
/** Most elements that are drawn at one go. */
const mostDrawn = 200;

/** Counts the elements that each run of the page's script adds: the observer is called once after each. */
const countDrawn = `window.drawn = 0; new MutationObserver((changes) => {
  const added = changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node instanceof Element);
  drawn = Math.max(drawn, added.reduce((sum, one) => sum + 1 + one.querySelectorAll('*').length, 0));
}).observe(document, { childList: true, subtree: true })`;

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
      await page.evaluate(countDrawn);
      const { report, longest, drawn } = reporter(page);

      // Locators by role compute in the page itself, for longer than the tasks that are measured.
      const press = (selector: string) => page.evaluate(`document.querySelector('${selector}').click()`);
      const has = (selector: string, text = '') =>
        page.locator(selector).filter({ hasText: text }).first().waitFor();
      const find = async () => {
        await page.keyboard.press('Control+k');
        await has('[role="option"]', 'Participant');
        await page.keyboard.type('participant 99');
        await has('[aria-selected="true"]', 'Participant 99');
      };
      await report('overview', async () => {
        await press('nav a[href$="/overview"]');
        await has('.plot canvas');
      });
      await report('queue', async () => {
        await press('.attention-head a');
        await has('.queue-one .table, .queue-one .empty');
        for (let n = 0; n < 5; n++) await page.keyboard.press('j');
        await has('.queue-one .muted', '6 of');
      });
      await report('participants', async () => {
        await press('nav a[href$="/participants"]');
        await has('.table-more', '100 so far');
        for (let n = 2; n <= 10; n++) {
          await press('.table-more button');
          await has('.table-tools', 'CSV');
          await page.locator(`.table > tbody:nth-of-type(${n * 4})`).waitFor({ state: 'attached' });
        }
      });
      // The browser passes over rows out of view.
      const isLookedAt = (row: string) =>
        page.evaluate<boolean>(
          `document.querySelector('.table > tbody:${row}').checkVisibility({ contentVisibilityAuto: true })`,
        );
      expect(await isLookedAt('last-of-type > tr')).toBe(false);
      expect(await isLookedAt('first-of-type > tr')).toBe(true);
      await report('palette over participants', find);
      await page.keyboard.press('Escape');
      await report('adherence', async () => {
        await press('nav a[href$="/adherence"]');
        await has('.map-period', '100 participants so far');
        await page.evaluate('document.querySelector(".map [tabindex=\\"0\\"]").focus()');
        for (let n = 2; n <= 10; n++) {
          await page.keyboard.press('Control+End');
          await has('.map-period', n < 10 ? `${n}00 participants so far` : '1,000 participants');
        }
        for (let n = 0; n < 40; n++) await page.keyboard.press('PageUp');
        await page.mouse.move(700, 500);
        for (let n = 0; n < 20; n++) await page.mouse.wheel(0, 400);
      });
      expect(await page.evaluate<number>('document.querySelectorAll(".map-cell").length')).toBeLessThan(
        2_500,
      );
      await report('palette over the map', find);
      expect(await page.evaluate<number>('document.querySelectorAll("[role=option]").length')).toBeLessThan(
        40,
      );
      console.log(longest.join('\n'));
      expect(drawn).toHaveLength(6);
      expect(drawn.filter(([, most]) => most > mostDrawn)).toEqual([]);
      // A list that is drawn as a whole would be noticed.
      await page.evaluate(
        'document.body.append(...Array.from({ length: 201 }, () => document.createElement("p")))',
      );
      expect(await page.evaluate<number>('drawn')).toBeGreaterThan(mostDrawn);
      expect(page.complaints).toEqual([]);
    });
  },
  ownServiceOnNode,
);

function reporter(page: Visit) {
  const longest: string[] = [];
  const drawn: [way: string, elements: number][] = [];
  const report = async (what: string, act: () => Promise<void>) => {
    await page.evaluate('tasks.length = drawn = 0');
    await act();
    const tasks = await page.evaluate<number[]>('new Promise((done) => setTimeout(() => done(tasks), 200))');
    const most = await page.evaluate<number>('drawn');
    drawn.push([what, most]);
    longest.push(
      `${what}: longest task ${Math.max(0, ...tasks)} ms, ${tasks.length} of 50 ms or more, ${most} elements at one go`,
    );
  };
  return { report, longest, drawn };
}
