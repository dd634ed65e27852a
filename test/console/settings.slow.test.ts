import { expect, test } from 'vitest';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';
import { hostile } from './support/hostile.ts';

let studies = 0;

describeConsole('settings of a study', (get) => {
  const study = () => newStudy(get().world, { of: `settings ${studies++}` });
  const path = (id: string) => `/studies/${id}/settings`;

  test('name, zone, first day and locks are changed', async () => {
    const of = await study();
    const page = await get().visit(of.owner, path(of.id));
    await expectAccessible(page);
    await page.getByLabel('Name').fill('Dreams');
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByLabel('First day').fill('2027-03-01');
    await page.getByRole('radio', { name: 'Owners only' }).check();
    await page.getByRole('checkbox', { name: 'Locking, unlocking and freezing' }).check();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are saved.').waitFor();
    await page.getByRole('navigation', { name: 'Study' }).getByText('Dreams').waitFor();
    expect((await of.owner.get(`/investigation/${of.id}`)).body).toMatchObject({
      name: 'Dreams',
      timeZone: 'Asia/Tokyo',
      startsOn: '2027-03-01',
      lockPolicy: { unlock: 'owners', signature: true },
    });
    await page.getByLabel('Name').fill('x'.repeat(300));
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.locator('.fault').waitFor();
    await expectAccessible(page);
    expect(page.complaints).toEqual([]);
  });

  test('changes that somebody else saved meanwhile are shown, and not overwritten unasked', async () => {
    const of = await study();
    const page = await get().visit(of.owner, path(of.id));
    await page.getByLabel('Name').fill('Mine');
    await of.owner.patch(`/investigation/${of.id}`, { name: 'Theirs' });
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are now: Theirs').waitFor();
    await expectAccessible(page);
    expect((await of.owner.get(`/investigation/${of.id}`)).body.name).toBe('Theirs');
    await page.getByRole('button', { name: 'Continue with my version' }).click();
    await page.getByRole('button', { name: 'Save settings' }).click();
    await page.getByText('The settings are saved.').waitFor();
    expect((await of.owner.get(`/investigation/${of.id}`)).body.name).toBe('Mine');
  });

  test('a study is archived, back by undo, archived and deleted, and brought back by its address', async () => {
    const of = await study();
    const page = await get().visit(of.owner, path(of.id));
    const archive = page.getByRole('button', { name: 'Archive study' });
    const remove = page.getByRole('button', { name: 'Delete study' });
    await archive.click();
    await remove.waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    // Only there again when it is undone.
    await archive.click();
    await remove.waitFor();
    await expectAccessible(page);
    await remove.click();
    const dialog = page.getByRole('dialog', { name: 'Delete this study?' });
    await dialog.getByRole('button', { name: 'Delete study' }).click();
    await dialog.getByText('The name does not match.').waitFor();
    await expectAccessible(page);
    const { name } = (await of.owner.get(`/investigation/${of.id}`)).body;
    await dialog.getByRole('textbox', { name: 'Name of the study' }).fill(name);
    await dialog.getByRole('button', { name: 'Delete study' }).click();
    await page.getByRole('heading', { level: 1, name: 'The study is deleted' }).waitFor();
    await expectAccessible(page);
    expect((await of.owner.get(`/investigation/${of.id}`)).status).toBe(404);

    const deleted = new URL(page.url()).pathname.replace('/console', '');
    const other = await get().visit(of.editor, deleted);
    await other.getByRole('button', { name: 'Bring the study back' }).click();
    await other.getByText('The study cannot be brought back').waitFor();

    await page.reload();
    await page.getByRole('button', { name: 'Bring the study back' }).click();
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    expect((await of.owner.get(`/investigation/${of.id}`)).body.status).toBe('archived');
    expect(page.complaints).toEqual([]);
  });

  test('they are for owners, others are told what they may see; a hostile name is shown as it is, and all fits a phone', async () => {
    const of = await study();
    await of.owner.patch(`/investigation/${of.id}`, { name: hostile });
    const theirs = await get().visit(of.editor, path(of.id));
    await theirs.getByRole('heading', { level: 1, name: 'This page is not for your role' }).waitFor();
    await theirs.getByText('Only owners of the study may open this page.').waitFor();
    await theirs.getByText('You are an editor of the study.').waitFor();
    const open = theirs.getByRole('main').getByRole('link');
    expect(await open.allTextContents()).toEqual([
      'Overview',
      'Participants',
      'Compliance',
      'Data',
      'Surveys',
      'Members',
      'Activity',
    ]);
    await expectAccessible(theirs);
    await expectFitsPhone(theirs);
    await open.first().click();
    await theirs.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const page = await get().visit(of.owner, path(of.id));
    expect(await page.getByLabel('Name').inputValue()).toBe(hostile);
    expect(await page.locator('img[src=x], main script').count()).toBe(0);
    await expectFitsPhone(page);
  });
});
