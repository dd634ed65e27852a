import { expect, test } from 'vitest';
import { eventuallyPasses } from '../support/eventually.ts';
import { newCase, newResponse, newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFocused, type Visit } from './support/console.ts';
import { weekdays } from './support/reminders.ts';

/** The focused element, and whether its focus is visible. */
const focused = (page: Visit) =>
  page.evaluate<{
    name: string;
    inDialog: boolean;
    inMain: boolean;
    outline: string;
    isThere: boolean;
  }>(`(() => {
    const element = document.activeElement;
    const shown = element.closest('.pill') ?? element;
    const { width, height } = shown.getBoundingClientRect();
    return {
      name: element.tagName + ' ' + (element.getAttribute('aria-label') ?? element.textContent).slice(0, 40),
      inDialog: element.closest('dialog') !== null,
      inMain: element.closest('main') !== null,
      outline: getComputedStyle(shown).outlineStyle,
      isThere: width > 1 && height > 1,
    };
  })()`);

describeConsole('the keyboard', (get) => {
  let studies = 0;
  const filled = async () => {
    const study = await newStudy(get().world, { of: `keys ${studies++}`, reminders: weekdays });
    for (const label of ['Night 1', 'Night 2', 'Night 3'])
      await newResponse(study, study.responder, await newCase(study, study.editor, label));
    return study;
  };

  test('reaches everything of every screen, and one sees where one is', async () => {
    const study = await filled();
    const page = await get().visit(study.owner);
    const survey = `surveys/${study.survey}`;
    for (const path of [
      ...['overview', 'participants', `participants/${study.responder.id}`, 'data', 'surveys', survey],
      ...[`${survey}/items`, `${survey}/reminders`, 'members', 'activity', 'webhooks', 'settings'],
    ]) {
      await page.goto(`${get().service.url}/console/studies/${study.id}/${path}`);
      await page.locator('h1:focus').waitFor();
      await page.locator('body:not(:has(.loading))').waitFor();
      const controls = page.locator(
        'main :is(a:not(.back), button:not([disabled]), input:not([type=radio]), select, textarea, summary):not([inert] *):visible',
      );
      const wanted = await controls.count();
      const seen: string[] = [];
      // The way back stands before the heading, where the focus is. Fields of dates and times have several stops each.
      for (let n = 0; n < wanted * 5; n++) {
        await page.keyboard.press('Tab');
        const stop = await focused(page);
        if (!stop.inMain) break;
        expect(stop, path).toMatchObject({ outline: 'solid', isThere: true });
        seen.push(stop.name);
      }
      expect(seen.length, `${path}: ${seen.join(', ')}`).toBeGreaterThanOrEqual(wanted);
    }
  });

  test('skips the navigation', async () => {
    const study = await filled();
    const page = await get().visit(study.owner, `/studies/${study.id}/members`);
    await page.getByLabel(`Role of ${study.owner.name}`).waitFor();
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    await skip.focus();
    await expect.poll(() => skip.evaluate((link) => getComputedStyle(link).clipPath)).toBe('none');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatchObject({
      inMain: true,
      name: expect.stringContaining('Codes for participants'),
    });
  });

  test('opens each dialog, stays in it, and is back where it was after Escape', async () => {
    const study = await filled();
    const page = await get().visit(study.owner);
    const data = async () => {
      await page.getByRole('checkbox', { name: /Night 1/ }).focus();
      await page.keyboard.press('Space');
    };
    const dialogs: [string, string, (() => Promise<void>)?][] = [
      ['/console', 'New study'],
      ['data', 'Lock', data],
      ['data', 'Archive', data],
      ['data', 'Delete', data],
      ['data', 'Lock by filter'],
      ['data', 'Freeze study'],
      ['surveys', 'New survey'],
      ['members', 'Invite'],
      ['members', `Remove ${study.other.name}`],
      ['members', 'Leave the study'],
      [`surveys/${study.survey}/reminders`, 'Stop reminding'],
    ];
    for (const [path, name, before] of dialogs) {
      const address = path.startsWith('/') ? path : `/console/studies/${study.id}/${path}`;
      await page.goto(get().service.url + address);
      await before?.();
      const button = page.getByRole('button', { name, exact: true });
      await button.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Close' }).waitFor();
      await expect.poll(async () => (await focused(page)).inDialog, { message: name }).toBe(true);
      await expectAccessible(page);
      for (let n = 0; n < 12; n++) {
        await page.keyboard.press('Tab');
        const { inDialog, name: stop } = await focused(page);
        // Between the last and the first the browser itself has the focus.
        expect(inDialog || stop.startsWith('BODY'), `${name}: ${stop}`).toBe(true);
      }
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expectFocused(button, name);
    }
  });

  test('works the table: arrows move, Space selects, Shift extends, and what is done is announced', async () => {
    const study = await filled();
    const page = await get().visit(study.editor, `/studies/${study.id}/data?kind=cases`);
    const box = (n: number) => page.getByRole('checkbox', { name: `Night ${n}` });
    const [first, second, third] = [await box(1), await box(2), await box(3)];
    await first.focus();
    for (const key of ['ArrowDown', 'Space', 'Shift+ArrowDown']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    expect([await first.isChecked(), await second.isChecked(), await third.isChecked()]).toEqual([
      false,
      true,
      true,
    ]);
    for (const key of ['ArrowUp', 'ArrowUp', 'Space']) await page.keyboard.press(key);
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Lock', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Reason').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Locked 3 cases.' }).waitFor();
    // The button that opened the dialog went with the selection.
    await eventuallyPasses(async () => expect((await focused(page)).name).toMatch(/^H1 Data/));
  });

  test('nothing moves for those who asked for that', async () => {
    const study = await filled();
    const page = await get().newPage({ reducedMotion: 'reduce' });
    const held = Promise.withResolvers<void>();
    await page.route('**/members?*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${get().service.url}/console/studies/${study.id}/members#token=${study.owner.token}`);
    await page.locator('.loading .spinner').waitFor();
    const names = await page.evaluate<string[]>('document.getAnimations().map((one) => one.animationName)');
    held.resolve();
    expect(names).toContain('fade');
    expect(names.filter((name) => !['fade', 'appear'].includes(name))).toEqual([]);
  });
});
