import { expect, test } from 'vitest';
import { enrol, newCode, newParticipant } from '../support/participants.ts';
import { created } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';
import { hostile } from './support/hostile.ts';

let studies = 0;

describeConsole('codes for participants', (get) => {
  const study = () => newStudy(get().world, { of: `codes ${studies++}` });

  test('one is made, copied, used and ended', async () => {
    const of = await study();
    const page = await get().visit(of.owner, `/studies/${of.id}/members`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('link', { name: 'Codes for participants' }).click();
    await page.getByText('There are no codes yet').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make codes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make codes' });
    await expectAccessible(page);
    await dialog.getByLabel('People per code').fill('2');
    await dialog.getByLabel('Label', { exact: true }).fill('Poster');
    await dialog.getByRole('button', { name: 'Make', exact: true }).click();
    await page.getByRole('heading', { name: 'Sheet with 1 code' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Codes', exact: true }).click();

    const { enrolments } = (await of.owner.get(`/investigation/${of.id}/enrolments`)).body;
    const [code] = enrolments;
    const row = page.getByRole('row').filter({ hasText: code.code });
    await row.getByText('0 of 2').waitFor();
    await row.getByRole('button', { name: 'Copy link' }).click();
    await row.getByText('Copied').waitFor({ state: 'attached' });
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(code.url);
    expect((await enrol(get().world, code.code)).status).toBe(201);
    await row.getByRole('button', { name: `End the code ${code.code}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click();
    await row.getByText('Ended').waitFor();
    await row.getByText('1 of 2').waitFor();
    await row.getByText('at most 1 in an hour').waitFor();
    expect((await enrol(get().world, code.code)).status).toBe(404);
    await expectFitsPhone(page);
    expect(page.complaints).toEqual([]);
  });

  test('a sheet of forty has a QR code for each, eight to a page, and nothing else on paper', async () => {
    const of = await study();
    const page = await get().visit(of.editor, `/studies/${of.id}/members/codes`);
    await page.getByRole('button', { name: 'Make codes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('How many codes').fill('40');
    await dialog.getByRole('button', { name: 'Make', exact: true }).click();
    await page.getByRole('heading', { name: 'Sheet with 40 codes' }).waitFor();
    const { enrolments } = (await of.editor.get(`/investigation/${of.id}/enrolments`)).body;
    expect(enrolments).toHaveLength(40);
    for (const { code } of enrolments) await page.getByRole('img', { name: `QR code of ${code}` }).waitFor();
    await page.getByLabel('Language of the sheet').selectOption('Deutsch');
    await page.getByText('Scannen Sie diesen Code').first().waitFor();
    await expectAccessible(page);
    await page.emulateMedia({ media: 'print' });
    for (const name of ['Sheet with 40 codes', 'All studies'])
      expect(await page.getByText(name).first().isVisible(), name).toBe(false);
    const pdf = String(await page.pdf({ preferCSSPageSize: true }));
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(5);
    expect(page.complaints).toEqual([]);
  });

  test('a code that would be of the past is refused beside its field, and made once', async () => {
    const of = await study();
    const page = await get().visit(of.owner, `/studies/${of.id}/members/codes`);
    await page.getByRole('button', { name: 'Make codes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Works until').fill('2020-01-01T00:00');
    await dialog.getByRole('button', { name: 'Make', exact: true }).click();
    await dialog.getByText('Expected a time that is still to come').first().waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Works until').fill('');
    await dialog.getByRole('button', { name: 'Make', exact: true }).click();
    await page.getByRole('heading', { name: 'Sheet with 1 code' }).waitFor();
    expect((await of.owner.get(`/investigation/${of.id}/enrolments`)).body.enrolments).toHaveLength(1);
  });

  test('a participant is shown with their code, and gets a code for a new phone', async () => {
    const of = await study();
    const { code } = await newCode(of.owner, of.id, { label: hostile });
    const answer = await enrol(get().world, code);
    const { identifier, name } = answer.body.user;
    const members = await get().visit(of.owner, `/studies/${of.id}/members`);
    await members.getByText(`with the code “${hostile}”`).waitFor();
    const page = await get().visit(of.owner, `/studies/${of.id}/participants/${identifier}`);
    await page.getByRole('button', { name: 'New phone' }).click();
    const dialog = page.getByRole('dialog', { name: `A new phone for ${name}` });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Make a code' }).click();
    await dialog.getByRole('img', { name: /^QR code of / }).waitFor();
    await expectAccessible(page);
    const made = await dialog.locator('.enrolment-code').innerText();
    const linked = await enrol(get().world, made);
    expect([linked.status, linked.body.user.identifier]).toEqual([200, identifier]);
    await expectFitsPhone(page);
    // Nor does somebody get one who takes part elsewhere as well, which the page explains.
    const { editor } = of;
    const other = created(await editor.post('/investigation', { name: 'Elsewhere' })).identifier;
    created(await editor.post(`/investigation/${other}/member`, { user: identifier, role: 'responder' }));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New phone' }).click();
    await dialog.getByRole('button', { name: 'Make a code' }).click();
    await dialog.getByText('also takes part, or took part, in another study').waitFor();
    await expectAccessible(page);
    // Somebody with an account has none.
    await newParticipant(get().world, of.owner, of.id);
    const chidi = await get().visit(of.owner, `/studies/${of.id}/participants/${of.responder.id}`);
    await chidi.getByRole('heading', { name: of.responder.name }).waitFor();
    expect(await chidi.getByRole('button', { name: 'New phone' }).count()).toBe(0);
    expect(page.complaints).toEqual([]);
  });
});

describeConsole(
  'codes for participants of a service without a key',
  (get) => {
    test('the page says what the operator has to set', async () => {
      const of = await newStudy(get().world, { of: 'no key' });
      const page = await get().visit(of.owner, `/studies/${of.id}/members/codes`);
      await page.getByText('This service has no codes').waitFor();
      await expectAccessible(page);
    });
  },
  { settings: () => ({ PARTICIPANT_SIGNING_KEY: '' }) },
);
