import { expect, test } from 'vitest';
import { type Person, personWith, signedIn } from '../support/people.ts';
import { inDays, newProgram } from '../support/programs.ts';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';
import { hostile } from './support/hostile.ts';

let studies = 0;

describeConsole('programs', (get) => {
  const study = () => newStudy(get().world, { of: `programs ${studies++}` });
  const path = (id: string) => `/studies/${id}/programs`;
  const fresh = (person: Person) => signedIn(get().world, person);

  test('a token is made, shown once, listed, reads the study, and is ended', async () => {
    const of = await study();
    const page = await get().visit(await fresh(of.owner), path(of.id), {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByText('No program reads this study').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make a token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a token' });
    await dialog.getByLabel('Label').fill('Nightly copy');
    const year = new Date(await dialog.getByLabel('Last day').inputValue()).getTime() - Date.now();
    expect(Math.round(year / 86_400_000)).toBeGreaterThanOrEqual(364);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Make a token' }).click();

    const told = page.getByRole('dialog', { name: 'The token of Nightly copy' });
    await told.getByText('The token is shown only once').waitFor();
    const token = await told.getByLabel('Token').inputValue();
    await told.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(token);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await told.getByRole('button', { name: 'I have copied the token' }).click();
    await told.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(token);

    const program = personWith(get().world, { name: 'Nightly copy', id: '', email: '', token });
    const read = () => program.get(`/investigation/${of.id}/responses`);
    expect((await read()).status).toBe(200);
    expect((await program.post(`/investigation/${of.id}/case`, { label: 'Night 1' })).status).toBe(403);

    await page.reload();
    const table = page.getByRole('table', { name: 'Tokens for programs' });
    const row = table.getByRole('row').filter({ hasText: 'Nightly copy' });
    await row.getByText(of.owner.name).waitFor();
    await row.getByText('Active').waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.setViewportSize({ width: 1280, height: 720 });

    // Among the members it is a program, whose role nobody chooses.
    await page.getByRole('link', { name: 'Members' }).click();
    const member = page.getByRole('row').filter({ hasText: 'Nightly copy' });
    await member.getByText('Program', { exact: true }).waitFor();
    expect(await member.getByRole('combobox').count()).toBe(0);
    expect(await member.getByRole('button').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Programs' }).click();

    await row.getByRole('button', { name: 'End the token of Nightly copy' }).click();
    const end = page.getByRole('dialog', { name: 'End the token of Nightly copy?' });
    await expectAccessible(page);
    await end.getByRole('button', { name: 'End' }).click();
    await page.getByText('The token of Nightly copy is ended.').waitFor();
    await page.getByText('No program reads this study').waitFor();
    expect([401, 403, 404]).toContain((await read()).status);
    expect(page.complaints).toEqual([]);
  });

  test('a token needs a fresh sign-in, and a day within 400', async () => {
    const of = await study();
    const page = await get().visit(of.owner, path(of.id));
    await page.getByRole('button', { name: 'Make a token' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a token' });
    await dialog.getByText('A token needs a sign-in of the last five minutes.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Make a token' }).count()).toBe(0);
    await expectAccessible(page);

    const later = await get().visit(await fresh(of.owner), path(of.id));
    await later.getByRole('button', { name: 'Make a token' }).click();
    const form = later.getByRole('dialog', { name: 'Make a token' });
    await form.getByLabel('Label').fill(hostile);
    const day = form.getByLabel('Last day');
    await day.evaluate((field) => field.removeAttribute('max'));
    await day.fill('2099-01-01');
    await form.getByRole('button', { name: 'Make a token' }).click();
    await form.getByText('at most 400 days from now').nth(1).waitFor();
    await expectAccessible(later);
    expect((await of.owner.get(`/investigation/${of.id}/tokens`)).body.tokens).toEqual([]);
    expect([...page.complaints, ...later.complaints]).toEqual([]);
  });

  test('a label is shown as it is', async () => {
    const of = await study();
    const given = { label: hostile.slice(0, 100), expiresAt: inDays(1) };
    await newProgram(get().world, of.owner, of.id, given);
    const page = await get().visit(of.owner, path(of.id));
    await page.getByRole('rowheader').getByText(hostile.slice(0, 20)).waitFor();
    expect(await page.locator('img[src=x], main script').count()).toBe(0);
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });

  test('editors find no programs', async () => {
    const of = await study();
    const page = await get().visit(of.editor, path(of.id));
    await page.getByText('Only owners of the study may open this page.').waitFor();
    expect(await page.getByRole('link', { name: 'Programs' }).count()).toBe(0);
  });
});

describeConsole(
  'without a key for participants',
  (get) => {
    test('the screen says what is missing', async () => {
      const of = await newStudy(get().world, { of: 'no key for programs' });
      const page = await get().visit(of.owner, `/studies/${of.id}/programs`);
      await page.getByText('This service has no tokens for programs').waitFor();
      expect(await page.getByRole('button', { name: 'Make a token' }).count()).toBe(0);
      await expectAccessible(page);
    });
  },
  { settings: () => ({ PARTICIPANT_SIGNING_KEY: '' }) },
);
