import { expect, test } from 'vitest';
import { created, type Person, signUp } from '../support/people.ts';
import type { Study } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';
import { entriesOf, nights, row } from './support/nights.ts';

/*
 * Tests that depend on the server of the console, and so run on each runtime: its files and their headers, its addresses,
 * and one journey that locks and one that reads answers. Signing in and the other journeys have files of their own.
 */
const sent = ['content-security-policy', 'referrer-policy', 'x-content-type-options', 'cache-control'];

describeConsole('the console of each runtime', (get) => {
  const open = (person: Person, { id }: Study) => get().visit(person, `/studies/${id}/data`);

  test('every path is a deep link, and what is not there is told like what one may not see', async () => {
    const { world, visit } = get();
    const [ada, eve] = [await signUp(world, 'Carla'), await signUp(world, 'Eve')];
    const study = created(await ada.post('/investigation', { name: 'Private' })).identifier;
    const page = await visit(ada, `/studies/${study}/activity`);
    await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor();
    for (const path of [`/studies/${study}/activity`, '/studies/none', '/nowhere', '/studies/%E0%A4%A/x']) {
      const other = await visit(eve, path);
      await other.getByRole('heading', { name: 'There is nothing here' }).waitFor();
      expect(await other.content()).not.toContain('Private');
    }
  });

  test('its files are locked down, and cached for as long as they stay the same', async () => {
    const { service } = get();
    const page = await fetch(`${service.url}/console/studies/any`);
    const [, script = ''] = /src="([^"]+)"/.exec(await page.text()) ?? [];
    const answers = [page, await fetch(service.url + script), await fetch(`${service.url}/console`)];
    expect(answers.map(({ status, headers }) => [status, ...sent.map((name) => headers.get(name))])).toEqual([
      [200, expect.stringContaining("default-src 'none'"), 'no-referrer', 'nosniff', 'no-cache'],
      [200, null, 'no-referrer', 'nosniff', 'public, max-age=31536000, immutable'],
      [200, expect.stringContaining("default-src 'none'"), 'no-referrer', 'nosniff', 'no-cache'],
    ]);
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect((await fetch(`${service.url}/console/assets/gone-12345678.js`)).status).toBe(404);
    expect((await fetch(`${service.url}/console/any`, { method: 'POST' })).status).toBe(401);
  });

  test('is selected by keyboard, locked with a reason, and unlocked by undo', async () => {
    const { study } = await nights(get());
    const page = await open(study.editor, study);
    await page.getByRole('checkbox', { name: /Night 1/ }).focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Lock 2 responses?' });
    await dialog.getByLabel('Reason').fill('Interim analysis');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('Locked 2 responses.').waitFor();
    await row(page, 'Night 2').getByText('Locked').waitFor();
    expect(await row(page, 'Night 3').getByText('Locked').count()).toBe(0);
    expect((await entriesOf(study.owner, study))[0]).toMatchObject({
      action: 'items.locked',
      reason: 'Interim analysis',
      actor: study.editor.id,
    });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await row(page, 'Night 2').getByText('Active').waitFor();
    expect((await entriesOf(study.owner, study))[0]).toMatchObject({ action: 'items.unlocked' });
    expect(page.complaints).toEqual([]);
  });

  test('a response shows its answers and what each revision changed', async () => {
    const { study, responses } = await nights(get());
    await study.responder.patch(`/response/${responses[0]}`, { items: { q1: 'badly', q2: '06:30' } });
    const page = await open(study.editor, study);
    await page.getByRole('link', { name: 'Night 1' }).click();
    await page.getByRole('heading', { name: 'Response for Night 1' }).waitFor();
    const change = page.getByRole('listitem').filter({ hasText: 'How did you sleep?' }).last();
    await change.getByText('slept well in Night 1').waitFor();
    await change.getByText('badly').waitFor();
    await page.getByText('First answers').waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.getByRole('button', { name: 'Lock', exact: true }).click();
    await page.getByRole('button', { name: 'Lock 1 response' }).click();
    await page.getByRole('button', { name: 'Unlock' }).waitFor();
    await page.goBack();
    await row(page, 'Night 1').getByText('Locked').waitFor();
  });
});
