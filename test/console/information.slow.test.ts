import { expect, test } from 'vitest';
import { enrol, newCode } from '../support/participants.ts';
import { requestOf } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';

const en = {
  title: 'How do you sleep?',
  text: 'Two weeks.\nEvery evening.',
  contact: 'Ada, ada@example.org',
};
let studies = 0;

describeConsole('the information of a study', (get) => {
  const study = () => newStudy(get().world, { of: `information ${studies++}` });

  test('is written by an editor, from the participants, in two languages, with a preview', async () => {
    const of = await study();
    const page = await get().visit(of.editor, `/studies/${of.id}/participants`);
    await page.getByRole('link', { name: 'Codes for participants' }).click();
    await page.getByRole('heading', { level: 1, name: 'Codes for participants' }).waitFor();
    await page.getByRole('link', { name: 'Information for participants' }).click();
    await page.getByText('Without a text, people see the name of the study').waitFor();
    await page.getByRole('button', { name: 'Add a language' }).click();
    await page.getByLabel('Title', { exact: true }).fill(en.title);
    await page.getByLabel('Text', { exact: true }).fill(en.text);
    await page.getByLabel('Contact', { exact: true }).fill(en.contact);
    await page.locator('.information-preview').getByText('How do you sleep?').waitFor();
    await page.getByRole('button', { name: 'Add a language' }).click();
    const german = page.getByRole('group', { name: 'Text 2' });
    await german.getByLabel('Language').fill('EN');
    await page.getByText('Expected each language once.').first().waitFor();
    await page.getByRole('group', { name: 'Text in EN', exact: true }).getByLabel('Language').fill('de');
    const second = page.getByRole('group', { name: 'Text in de', exact: true });
    await second.getByLabel('Title', { exact: true }).fill('Wie schlafen Sie?');
    await second.getByLabel('Text', { exact: true }).fill('Zwei Wochen.');
    await second.getByLabel('Contact', { exact: true }).fill('Ada');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save the information' }).click();
    await page.getByText('The information is saved.').first().waitFor();
    const { information } = (await of.owner.get(`/investigation/${of.id}`)).body;
    expect(information).toEqual({
      en,
      de: { title: 'Wie schlafen Sie?', text: 'Zwei Wochen.', contact: 'Ada' },
    });
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });

  test('is shown with each person who agreed to it, and the poster has its title', async () => {
    const of = await study();
    await of.owner.patch(`/investigation/${of.id}`, { information: { en } });
    const { code } = await newCode(of.owner, of.id, { uses: 40, label: 'Poster' });
    const about = await get().world.send('/enrol/about', requestOf({ method: 'POST', body: { code } }));
    const { body } = await enrol(get().world, code, { agreedTo: about.body.agreedTo, name: 'Chidi' });
    const page = await get().visit(of.owner, `/studies/${of.id}/participants/${body.user.identifier}`);
    await page.getByText('agreed to the present information (en)').waitFor();
    await expectAccessible(page);
    await of.owner.patch(`/investigation/${of.id}`, { information: { en: { ...en, title: 'Other' } } });
    await page.reload();
    await page.getByText(`agreed to an earlier information (${about.body.agreedTo.slice(0, 8)})`).waitFor();

    await page.goto(`${get().service.url}/console/studies/${of.id}/members/codes`);
    await page.getByRole('row').filter({ hasText: code }).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Sheet to print' }).click();
    await page.getByLabel('Print as').selectOption('A poster');
    await page
      .getByRole('article', { name: `Poster of ${code}` })
      .getByText('Other')
      .waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ media: 'print' });
    const pdf = String(await page.pdf({ preferCSSPageSize: true, format: 'A4' }));
    expect(pdf.match(/\/Type\s*\/Page\b/g), 'one page').toHaveLength(1);
    const box = await page.locator('.poster .qr-code').boundingBox();
    // 96 pixels to an inch: half of the width of an A4 page, at least.
    expect(box?.width).toBeGreaterThan((140 / 25.4) * 96 - 2);
    expect(page.complaints).toEqual([]);
  });
});
