import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { created, type Person, signUp } from '../support/people.ts';
import { describeConsole, expectAccessible, expectFitsPhone, settled } from './support/console.ts';

const studyOf = async (person: Person, name: string): Promise<string> =>
  created(await person.post('/investigation', { name, timeZone: 'Europe/Paris' })).identifier;

describeConsole('the console', (get) => {
  test('lists the studies of the person, and opens one', async () => {
    const { world, visit } = get();
    const ada = await signUp(world, 'Ada');
    await studyOf(ada, 'Sleep');
    const page = await visit(ada);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Sleep' }).click();
    await page.getByRole('navigation', { name: 'Study' }).getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    await page.getByRole('rowheader', { name: 'Ada' }).waitFor();
    await expectAccessible(page);
    await page.goBack();
    await page.goBack();
    await page.getByRole('heading', { name: 'Your studies' }).waitFor();
    await page.goForward();
    await page.getByRole('navigation', { name: 'Study' }).waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('creates a study from the keyboard, and keeps the focus where it belongs', async () => {
    const { world, visit } = get();
    const page = await visit(await signUp(world, 'Bruno'));
    const button = page.getByRole('button', { name: 'New study' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create a study' });
    await dialog.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Starts on').fill('2027-03-01');
    await dialog.getByText('Mon, 1 Mar 2027').waitFor();
    await dialog.getByLabel('Name').fill('Dreams');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Study' }).getByText('Dreams').waitFor();
  });

  test('a screen opens whose file arrives after it was drawn, and before it asks for it', async () => {
    const { world, newPage, service } = get();
    const ada = await signUp(world, 'Ada, in a hurry');
    const page = await newPage();
    const held = Promise.withResolvers<void>();
    await page.route('**/assets/members-*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.clock.install();
    const asked = page.waitForRequest('**/assets/members-*.js');
    await page.goto(`${service.url}/console/studies/${await studyOf(ada, 'Quick')}/data#token=${ada.token}`);
    const file = (await asked).url();
    await settled(page);
    // Drawn parts request their file when the clock goes on.
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await page.evaluate(`document.querySelector('nav a[href$="/members"]').click()`);
    await page.locator('main .loading').waitFor({ state: 'attached' });
    held.resolve();
    await page.evaluate(`import('${file}').then(() => {})`);
    await page.clock.resume();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  });

  test('a page whose files a deployment has replaced offers to be loaded again', async () => {
    const { world, newPage, service } = get();
    const ada = await signUp(world, 'Ada, for days');
    const study = await studyOf(ada, 'Long open');
    const page = await newPage();
    await page.route('**/assets/members-*.js', (route) => route.fulfill({ status: 404 }));
    await page.goto(`${service.url}/console/studies/${study}/data#token=${ada.token}`);
    await settled(page);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();

    await page.route('**/console', (route) => route.fulfill({ body: '<script src="/assets/main-new.js">' }));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('There is a newer version of this page').waitFor();
    await expectAccessible(page);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  });

  test('a list is read page by page', async () => {
    const { world, visit } = get();
    const dana = await signUp(world, 'Dana');
    for (let n = 0; n < 101; n++) await studyOf(dana, `Study ${n}`);
    const page = await visit(dana);
    await page.getByText('100 so far').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: 'Study 100' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);

    // Back from one of them, it is as long as it was, and as far down.
    await page.getByRole('link', { name: 'Study 100' }).scrollIntoViewIfNeeded();
    const before = await page.evaluate<number>('scrollY');
    expect(before).toBeGreaterThan(1000);
    await page.getByRole('link', { name: 'Study 100' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goBack();
    const isAt = (y: number) => expect.poll(() => page.evaluate('scrollY'), { timeout: 120_000 }).toBe(y);
    await isAt(before);
    await page.getByRole('link', { name: 'Study 100' }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await isAt(0);
    await page.goBack();
    await isAt(before);
  });

  test('a field that the service refuses is named beside it, and has the focus', async () => {
    const { world, visit } = get();
    const page = await visit(await signUp(world, 'Greta'));
    await page.getByRole('button', { name: 'New study' }).click();
    await page.getByLabel('Name').fill('x'.repeat(1000));
    await page.getByRole('button', { name: 'Create study' }).click();
    await page.locator('.fault').waitFor();
    const field = page.getByLabel('Name');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await expectAccessible(page);
  });

  test('fits a phone', async () => {
    const { world, visit } = get();
    const ada = await signUp(world, 'Hana');
    const study = await studyOf(ada, 'A study with a name that is longer than a phone is wide');
    for (const path of ['', `/studies/${study}/members`, `/studies/${study}/activity`])
      await expectFitsPhone(await visit(ada, path));
  });

  test('the first view is below 120 KB compressed', async () => {
    const { world, newPage, service } = get();
    const ada = await signUp(world, 'Ines');
    const page = await newPage();
    const files = new Set<string>();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith('/console/assets/')) files.add(pathname);
    });
    await page.goto(`${service.url}/console/studies/${await studyOf(ada, 'Small')}#token=${ada.token}`);
    await settled(page);
    const zipped = [...files].map((path) => gzipSync(readFileSync(join('public', path))).length);
    expect(zipped.length).toBeGreaterThan(2);
    expect(zipped.reduce((sum, size) => sum + size, 0)).toBeLessThan(120_000);
  });
});
