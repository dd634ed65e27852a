import { expect, test } from 'vitest';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, expectFocused } from './support/console.ts';
import { nights } from './support/nights.ts';

describeConsole(
  'the palette',
  (get) => {
    test('finds people, cases, surveys, studies and screens by their words, and opens them by keyboard', async () => {
      const { study } = await nights(get());
      const { id, editor, responder } = study;
      const code = await study.owner.patch(`/investigation/${id}/member/${responder.id}`, { code: 'ZX-17' });
      expect(code.status, code.text).toBe(200);
      const page = await get().visit(editor, `/studies/${id}/overview`);
      const field = page.getByRole('dialog').getByRole('combobox');
      const options = page.getByRole('dialog').getByRole('option');

      await page.keyboard.press('Control+k');
      await field.fill('zx-17');
      await options.filter({ hasText: responder.name }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: responder.name }).waitFor();

      await page.keyboard.press('/');
      await field.fill('2 night');
      await options.filter({ hasText: 'Night 2' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Night 2' }).waitFor();

      await page.getByRole('button', { name: 'Find' }).click();
      await field.fill('diary');
      await options.filter({ hasText: 'Diary' }).first().waitFor();
      await field.fill('acti');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowUp');
      const chosen = page.locator('[role="option"][aria-selected="true"]');
      expect(await chosen.innerText()).toBe('Activity');
      expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'));
      await chosen.click();
      await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();

      await page.keyboard.press('Control+k');
      await field.fill('nobody has this name');
      await page.getByText('Nothing matches').waitFor();
      await expectFitsPhone(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(page.complaints).toEqual([]);
    });

    test('actions open on their own screens, and those that cannot be done are not there', async () => {
      const study = await newStudy(get().world, { of: 'actions' });
      const page = await get().visit(study.owner, `/studies/${study.id}/activity`);
      const dialog = page.getByRole('dialog');
      const find = async (text: string) => {
        await page.keyboard.press('Control+k');
        await dialog.getByRole('combobox').fill(text);
      };
      const option = (name: string) => dialog.getByRole('option', { name, exact: true });
      for (const [text, name, opened] of [
        ['invite', 'Invite', 'Invite somebody'],
        ['new case', 'New case', 'Create a case'],
        ['lock', 'Lock by filter', 'Lock or unlock by filter'],
        ['new survey', 'New survey', 'Create a survey'],
        ['new study', 'New study', 'Create a study'],
        ['freeze', 'Freeze study', 'Freeze this study?'],
      ] as const) {
        if (name === 'Freeze study') {
          await page.goBack();
          await page.getByRole('heading', { level: 1, name: 'Surveys' }).waitFor();
        }
        // Twice: from another screen, and from its own.
        for (let n = 0; n < 2; n++) {
          await find(text);
          await option(name).waitFor();
          await page.keyboard.press('Enter');
          const wanted = page.getByRole('dialog', { name: opened });
          await wanted.waitFor();
          await page.keyboard.press('Escape');
          await wanted.waitFor({ state: 'detached' });
        }
      }
      await study.owner.post(`/investigation/${study.id}/freeze`, { status: 'frozen', reason: 'Analysis' });
      await page.reload();
      await page.getByText('This study has been frozen since').waitFor();
      await find('freeze');
      await option('End the freeze').waitFor();
      await dialog.getByRole('combobox').fill('new');
      await option('New study').waitFor();
      expect(await option('New case').count()).toBe(0);
      expect(page.complaints).toEqual([]);
    });

    test('leaves the page as it is, and closes as soon as somebody goes on', async () => {
      const study = await newStudy(get().world, { of: 'leaving' });
      const page = await get().visit(study.owner, `/studies/${study.id}/participants`);
      const dialog = page.getByRole('dialog');
      const find = page.getByRole('button', { name: 'Find' });
      await page.getByRole('rowheader', { name: study.other.name }).waitFor();
      const open = async () => {
        await find.click();
        await dialog.getByRole('combobox').waitFor();
        // The browser looks at each element of a page below a modal dialog, of which there may be thousands.
        expect(await page.locator('dialog:modal').count()).toBe(0);
      };
      await open();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expectFocused(find);
      await open();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await expectFocused(find);
      // A click beside it only closes it.
      await open();
      await page.mouse.click(5, 400);
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('heading', { level: 1, name: 'Participants' }).waitFor();
      // The Tab key leads back to the page.
      await open();
      await page.keyboard.press('Tab');
      await dialog.waitFor({ state: 'detached' });
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.closest('.top-bar') !== null))
        .toBe(true);
      expect(page.complaints).toEqual([]);
    });

    test('keys of one letter do nothing in fields, are listed, and can be switched off', async () => {
      const study = await newStudy(get().world, { of: 'keys' });
      const page = await get().visit(study.owner, `/studies/${study.id}/participants`);
      const code = page.getByLabel('Code');
      await code.focus();
      await page.keyboard.type('/?');
      expect(await code.inputValue()).toBe('/?');
      expect(await page.getByRole('dialog').count()).toBe(0);
      await code.fill('');
      await page.getByRole('heading', { level: 1 }).focus();
      // Browsers and screen readers have these.
      for (const key of ['Alt+/', 'Control+/', 'Control+Shift+k']) await page.keyboard.press(key);
      expect(await page.getByRole('dialog').count()).toBe(0);
      await page.keyboard.press('?');
      const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await list.getByText('Find anything').first().waitFor();
      await expectAccessible(page);
      await list.getByLabel('Shortcuts of a single key are on').uncheck();
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('rowheader', { name: study.other.name }).waitFor();
      await page.keyboard.press('?');
      await page.keyboard.press('/');
      expect(await page.getByRole('dialog').count()).toBe(0);
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('shortcuts');
      await page.keyboard.press('Enter');
      await list.getByLabel('Shortcuts of a single key are on').check();
      expect(page.complaints).toEqual([]);
    });

    test('records of a list are read one after another, also by keys', async () => {
      const study = await newStudy(get().world, { of: 'records' });
      const page = await get().visit(study.owner, `/studies/${study.id}/participants`);
      const names = await page.getByRole('rowheader').getByRole('link').allInnerTexts();
      const [first = '', second = ''] = names;
      await page.getByRole('link', { name: first }).click();
      await page.getByRole('heading', { level: 1, name: first }).waitFor();
      await page.getByText('1 of 2').waitFor();
      await page.keyboard.press('j');
      await page.getByRole('heading', { level: 1, name: second }).waitFor();
      await page.getByText('2 of 2').waitFor();
      await page.reload();
      await page.getByRole('link', { name: 'Previous record' }).click();
      await page.getByRole('heading', { level: 1, name: first }).waitFor();
      await expectAccessible(page);
      expect(page.complaints).toEqual([]);
    });
  },
  { on: ['node'] },
);
