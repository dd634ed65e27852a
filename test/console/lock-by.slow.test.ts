import { expect, test } from 'vitest';
import { lock, newResponse } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';
import { entriesOf, nights, row } from './support/nights.ts';

describeConsole('a lock of one case or one person', (get) => {
  /** Three nights with answers of Chidi, who has a code, and for the first one an answer of Dana too. */
  async function opened() {
    const of = await nights(get());
    const { study, cases } = of;
    const { owner, responder } = study;
    await owner.patch(`/investigation/${study.id}/member/${responder.id}`, { code: 'P-017' });
    const danas = await newResponse(study, study.other, cases[0] ?? '');
    const open = (path: string, person = owner) => get().visit(person, `/studies/${study.id}${path}`);
    const isLocked = async (path: string) => 'lockedAt' in (await owner.get(path)).body;
    return { ...of, danas, open, isLocked };
  }

  test('takes the case from its page, with the responses for it, and counts before it asks', async () => {
    const { study, cases, responses, danas, open, isLocked } = await opened();
    const page = await open(`/data/cases/${cases[0]}`, study.editor);
    await page.getByRole('button', { name: 'Lock with responses' }).click();
    const dialog = page.getByRole('dialog', { name: 'Lock or unlock by filter' });
    const ofCase = dialog.getByLabel('Case', { exact: true });
    expect(await ofCase.inputValue()).toBe(cases[0]);
    await expectAccessible(page);
    await expectFitsPhone(page);
    await dialog.getByRole('button', { name: 'Count matching items' }).click();
    await dialog.getByText('1 case and 2 responses will be locked.').waitFor();
    await dialog.getByText('Of the case “Night 1”').waitFor();
    expect(await entriesOf(study.owner, study)).not.toContainEqual(
      expect.objectContaining({ action: 'items.locked' }),
    );
    await expectAccessible(page);
    await dialog.getByLabel('Reason').fill('Monitored on site');
    await dialog.getByRole('button', { name: 'Lock 1 case and 2 responses' }).click();
    await page.locator('.facts').getByText('“Monitored on site”').waitFor();
    const [entry] = await entriesOf(study.owner, study);
    expect(entry).toMatchObject({
      actor: study.editor.id,
      reason: 'Monitored on site',
      details: { filter: { case: cases[0] }, items: { cases: 1, responses: 2 } },
    });
    for (const path of [`/case/${cases[0]}`, `/response/${responses[0]}`, `/response/${danas}`])
      expect(await isLocked(path), path).toBe(true);
    for (const path of [`/case/${cases[1]}`, `/response/${responses[1]}`])
      expect(await isLocked(path), path).toBe(false);
    expect(page.complaints).toEqual([]);
  });

  test('takes the person from the list that a code filters, and nobody else', async () => {
    const { study, cases, responses, danas, open, isLocked } = await opened();
    const page = await open('/data?code=P-017');
    await page.getByRole('button', { name: 'Lock by filter' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Person').locator('option:checked', { hasText: 'P-017' }).waitFor({
      state: 'attached',
    });
    await dialog.getByRole('button', { name: 'Count matching items' }).click();
    await dialog.getByText('3 responses will be locked.').waitFor();
    await dialog.getByText(/^Of Chidi/).waitFor();
    await dialog.getByRole('button', { name: 'Lock 3 responses' }).click();
    await row(page, 'Night 2').getByText('Locked').waitFor();
    for (const id of responses) expect(await isLocked(`/response/${id}`)).toBe(true);
    for (const path of [`/response/${danas}`, `/case/${cases[0]}`])
      expect(await isLocked(path), path).toBe(false);

    // The page of the person leads here, too.
    await page.goto(`${get().service.url}/console/studies/${study.id}/participants/${study.other.id}`);
    await page.getByRole('link', { name: 'Responses' }).click();
    await page.getByText(/^Of Dana/).waitFor();
    await page.getByRole('button', { name: 'Lock by filter' }).click();
    expect(await dialog.getByLabel('Person').inputValue()).toBe(study.other.id);
    expect(page.complaints).toEqual([]);
  });

  test('a code that nobody has locks nothing, rather than everything', async () => {
    const { study, open } = await opened();
    const page = await open('/data?code=P-018');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('button', { name: 'Lock by filter' }).click();
    await page.getByText('Nobody with the code “P-018” has a response here').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await entriesOf(study.owner, study)).not.toContainEqual(
      expect.objectContaining({ action: 'items.locked' }),
    );
  });

  test('finds what changed since the date of the list, and has it in the log', async () => {
    const { study, open } = await opened();
    const day = (n: number) => new Date(Date.now() + n * 24 * 3600 * 1000).toISOString().slice(0, 10);
    const page = await open(`/data?kind=cases&since=${day(2)}`);
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('button', { name: 'Lock by filter' }).click();
    const dialog = page.getByRole('dialog');
    const since = dialog.getByLabel('Changed since', { exact: true });
    expect(await since.inputValue()).toBe(`${day(2)}T00:00`);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Count matching items' }).click();
    await dialog.getByText('No matching item is unlocked.').waitFor();
    await dialog.getByText(/^Changed since /).waitFor();

    await dialog.getByRole('button', { name: 'Change the filter' }).click();
    expect(await since.inputValue()).toBe(`${day(2)}T00:00`);
    await since.fill(`${day(-2)}T08:30`);
    await dialog.getByRole('button', { name: 'Count matching items' }).click();
    await dialog.getByText('3 cases and 4 responses will be locked.').waitFor();
    await dialog.getByRole('button', { name: 'Lock 3 cases and 4 responses' }).click();
    await page.getByText('Locked 3 cases and 4 responses.').waitFor();
    const at = await page.evaluate((text) => new Date(text).getTime() / 1000, `${day(-2)}T08:30`);
    const [entry] = await entriesOf(study.owner, study);
    expect(entry.details.filter).toEqual({ kinds: ['cases', 'responses'], since: at });
    expect(page.complaints).toEqual([]);
  });

  test('begins with the action for the state of the list, and is not offered where there is none', async () => {
    const { study, responses, danas, open, isLocked } = await opened();
    await lock(study.owner, study, { responses: [danas] });
    const page = await open('/data?state=locked', study.editor);
    const button = page.getByRole('button', { name: 'Lock by filter' });
    const dialog = page.getByRole('dialog');
    await button.click();
    expect(await dialog.getByRole('radio', { name: 'Unlock' }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Count matching items' }).click();
    await dialog.getByText('1 response will be unlocked.').waitFor();
    await dialog.getByRole('button', { name: 'Unlock 1 response' }).click();
    await page.getByText('Unlocked 1 response.').waitFor();
    expect(await isLocked(`/response/${danas}`)).toBe(false);

    const state = page.getByLabel('State');
    for (const label of ['Not locked', 'Not archived']) {
      await state.selectOption({ label });
      await button.click();
      expect(await dialog.getByRole('radio', { name: 'Lock', exact: true }).isChecked(), label).toBe(true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await state.selectOption({ label: 'Archived' });
    await button.waitFor({ state: 'detached' });
    const ofOwner = await open('/data?state=deleted');
    await ofOwner.getByText('Nothing matches these filters').waitFor();
    expect(await ofOwner.getByRole('button', { name: 'Lock by filter' }).count()).toBe(0);

    // One who may not unlock has no use for it on a list of locked items.
    await study.owner.patch(`/investigation/${study.id}`, { lockPolicy: { unlock: 'owners' } });
    await lock(study.owner, study, { responses });
    const locked = await open('/data?state=locked', study.editor);
    await row(locked, 'Night 2').waitFor();
    expect(await locked.getByRole('button', { name: 'Lock by filter' }).count()).toBe(0);
    expect([...page.complaints, ...ofOwner.complaints, ...locked.complaints]).toEqual([]);
  });

  test('is chosen in the dialog, which keeps the choice on the way back and has an undo', async () => {
    const { cases, danas, open, isLocked } = await opened();
    const page = await open('/data?kind=cases');
    await page.getByRole('button', { name: 'Lock by filter' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Person').selectOption({
      label: await dialog.getByLabel('Person').locator('option', { hasText: /^Dana/ }).innerText(),
    });
    await dialog.getByLabel('Case', { exact: true }).selectOption({ label: 'Night 2' });
    await dialog.getByLabel('Created before').fill('2090-01-01T00:00');
    await dialog.getByRole('button', { name: 'Count matching items' }).click();
    await dialog.getByText('No matching item is unlocked.').waitFor();
    await dialog.getByText('Of the case “Night 2”').waitFor();
    await dialog.getByRole('button', { name: 'Change the filter' }).click();
    expect(await dialog.getByLabel('Case', { exact: true }).inputValue()).toBe(cases[1]);
    expect(await dialog.getByLabel('Created before').inputValue()).toBe('2090-01-01T00:00');
    await dialog.getByLabel('Case', { exact: true }).selectOption({ label: 'Night 1' });
    await dialog.getByRole('button', { name: 'Count matching items' }).click();
    await dialog.getByRole('button', { name: 'Lock 1 response' }).click();
    await page.getByText('Locked 1 response.').waitFor();
    expect(await isLocked(`/response/${danas}`)).toBe(true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    expect(await isLocked(`/response/${danas}`)).toBe(false);
  });

  test('a participant locks by case, and is not offered other people', async () => {
    const { study, cases, responses, danas, open, isLocked } = await opened();
    const page = await open(`/data/cases/${cases[0]}`, study.responder);
    await page.getByRole('button', { name: 'Lock with responses' }).click();
    expect(await page.getByRole('dialog').getByLabel('Person').count()).toBe(0);
    await page.getByRole('dialog').getByLabel('Cases').uncheck();
    await page.getByRole('button', { name: 'Count matching items' }).click();
    await page.getByRole('button', { name: 'Lock 1 response' }).click();
    await page.getByText('Locked 1 response.').waitFor();
    expect(await isLocked(`/response/${responses[0]}`)).toBe(true);
    expect(await isLocked(`/response/${danas}`)).toBe(false);
  });
});
