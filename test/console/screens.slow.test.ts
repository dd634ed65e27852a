import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { created, type Person, signUp } from '../support/people.ts';
import {
  describeConsole,
  expectAccessible,
  expectFitsPhone,
  expectFocused,
  savedBy,
  settled,
} from './support/console.ts';

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
    const bruno = await signUp(world, 'Bruno');
    const page = await visit(bruno);
    const button = page.getByRole('button', { name: 'New study' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Create a study' });
    await dialog.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expectFocused(button);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Starts on').fill('2027-03-01');
    await dialog.getByText('Mon, 1 Mar 2027').waitFor();
    await dialog.getByLabel('Name').fill('Dreams');
    await page.keyboard.press('Enter');
    // The question about unlocking has no answer of its own.
    const owners = dialog.getByLabel('Owners only');
    expect(await owners.evaluate((element) => (element as HTMLInputElement).validity.valueMissing)).toBe(
      true,
    );
    await dialog.getByText('they can unlock their own answers and cases').waitFor();
    await dialog.getByLabel('Everyone who may see an item').focus();
    await page.keyboard.press('ArrowDown');
    expect(await owners.isChecked()).toBe(true);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Study' }).getByText('Dreams').waitFor();
    const [made] = (await bruno.get('/investigation')).body.investigations;
    expect(made).toMatchObject({ name: 'Dreams', lockPolicy: { unlock: 'owners', signature: false } });
  });

  test('there is text at any moment: before the script, before the person is known, and while a study loads', async () => {
    const { world, newPage, service } = get();
    const ada = await signUp(world, 'Ada, on a train');
    const study = await studyOf(ada, 'Slow');
    expect(await (await fetch(`${service.url}/console`)).text()).toContain('Loading the study console');
    const page = await newPage();
    const held = async (path: string) => {
      const arrived = Promise.withResolvers<() => Promise<void>>();
      await page.route(path, (route) => arrived.resolve(() => route.continue()), { times: 1 });
      return arrived.promise;
    };
    const waits = ['**/console/config', '**/user/me', `**/investigation/${study}`].map(held);
    await page.goto(`${service.url}/console/studies/${study}/data#token=${ada.token}`);
    for (const [n, wait] of waits.entries()) {
      const letThrough = await wait;
      await page.locator('main .loading').getByText('Loading').waitFor();
      await page.getByRole('banner').getByText('Fieldbell').waitFor();
      if (n === 2) await page.locator('.skeleton').waitFor();
      await letThrough();
    }
    await settled(page);
    expect(await page.locator('.skeleton').count()).toBe(0);
  });

  test('a list is read page by page', async () => {
    const { world, visit } = get();
    const dana = await signUp(world, 'Dana');
    for (let n = 0; n < 51; n++) await studyOf(dana, `Study ${n}`);
    const page = await visit(dana);
    await page.getByText('50 so far').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: 'Study 50' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    // Columns are those of the first row to the last, and the file has them all.
    const edges = await page.evaluate<string[]>(`[...document.querySelectorAll('tr')].map(({ cells }) =>
      [...cells].map((cell) => cell.getBoundingClientRect()).map(({ left, right }) => [left, right]).join())`);
    expect([edges.length, new Set(edges).size]).toEqual([52, 1]);
    const save = () => page.getByRole('button', { name: 'Save this table as CSV' }).click();
    expect((await savedBy(page, save)).text.trim().split('\r\n')).toHaveLength(52);

    // Back from one of them, it is as long as it was, and as far down.
    await page.getByRole('link', { name: 'Study 50' }).scrollIntoViewIfNeeded();
    const before = await page.evaluate<number>('scrollY');
    expect(before).toBeGreaterThan(1000);
    await page.getByRole('link', { name: 'Study 50' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goBack();
    const isAt = (y: number) => expect.poll(() => page.evaluate('scrollY'), { timeout: 120_000 }).toBe(y);
    await isAt(before);
    await page.getByRole('link', { name: 'Study 50' }).waitFor();
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
    await page.getByLabel('Everyone who may see an item').check();
    await page.getByRole('button', { name: 'Create study' }).click();
    await page.locator('.fault').waitFor();
    const field = page.getByLabel('Name');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await expectFocused(field);
    await expectAccessible(page);
  });

  test('a long refusal is readable to its end, beside a button and as a message that floats', async () => {
    const { world, visit } = get();
    const ada = await signUp(world, 'Ada, refused');
    const study = await studyOf(ada, 'Long');
    const detail = `${'Expected something else, which takes a while to say. '.repeat(60)}The end.`;
    const json = {
      type: '/problems/limit.reached',
      title: 'Limit',
      status: 409,
      code: 'limit.reached',
      detail,
    };
    const page = await visit(ada, `/studies/${study}/settings`);
    await page.route('**/investigation/*', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 409, json }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Archive study' }).click();
    const note = page.getByRole('alert').getByText(/The end\.$/);
    await note.waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    // It is not squeezed beside what else is there.
    expect((await note.boundingBox())?.width).toBeGreaterThan(220);
    await page.route('**/responses*', (route) => route.fulfill({ status: 409, json }));
    await page.goto(page.url().replace('/settings', '/data'));
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const toast = page.locator('.toast', { hasText: 'The end.' });
    await toast.waitFor();
    await expectAccessible(page);
    const toasts = page.locator('.toasts');
    const { top, bottom } = await toasts.evaluate((one) => {
      one.scrollTo(0, one.scrollHeight);
      return one.getBoundingClientRect().toJSON();
    });
    expect(top).toBeGreaterThanOrEqual(0);
    expect(bottom).toBeLessThanOrEqual(740);
    await toast.getByRole('button', { name: 'Close' }).click();
    await toast.waitFor({ state: 'detached' });
  });

  test('fits a phone', async () => {
    const { world, visit } = get();
    const ada = await signUp(world, 'Hana');
    const study = await studyOf(ada, 'A study with a name that is longer than a phone is wide');
    for (const path of ['', `/studies/${study}/members`, `/studies/${study}/activity`])
      await expectFitsPhone(await visit(ada, path));
  });

  test('the first view is below 120 KB compressed, in a few files', async () => {
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
    expect(zipped.length).toBeLessThanOrEqual(16);
    expect(zipped.reduce((sum, size) => sum + size, 0)).toBeLessThan(120_000);
  });
});
