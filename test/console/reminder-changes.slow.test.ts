import { expect, test } from 'vitest';
import { created } from '../support/people.ts';
import { newPhone } from '../support/phones.ts';
import { newStudy } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone } from './support/console.ts';
import { openEditor, weekdays } from './support/reminders.ts';

describeConsole('a change of reminders', (get) => {
  test('is counted before it is saved, with people before and after, and does what was shown', async () => {
    const study = await newStudy(get().world, { reminders: weekdays, of: 'counted changes' });
    for (const person of [study.responder, study.other]) await newPhone(get().world, person, 'Europe/Paris');
    const page = await openEditor(get(), study);
    await page.getByLabel('Time of day').fill('06:10');
    await page.getByRole('button', { name: 'Save reminders' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: '2 people take part' }).waitFor();
    await dialog.getByText('2 people get reminders at other times.').waitFor();
    const row = dialog.getByRole('row').filter({ hasText: study.responder.name });
    await row.waitFor();
    await expectAccessible(page);
    await expectFitsPhone(page);
    const shown = await row
      .locator('td')
      .nth(1)
      .locator('time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')));
    expect(shown).toHaveLength(3);
    await dialog.getByRole('button', { name: 'Save and reschedule' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('The reminders are saved.').waitFor();
    const { occurrences } = (await study.responder.get(`/survey/${study.survey}/reminders/upcoming?count=3`))
      .body;
    expect(occurrences.map(({ dueAt }: { dueAt: string }) => dueAt)).toEqual(shown);
    expect(page.complaints).toEqual([]);
  });

  test('to the study’s clock says so, and is shown in words', async () => {
    const study = await newStudy(get().world, { reminders: weekdays, of: 'clocks' });
    const page = await openEditor(get(), study);
    await page.getByRole('radio', { name: /^The study’s, / }).check();
    const preview = page.getByRole('region', { name: 'Next reminders' });
    await preview.getByLabel('For a person in').selectOption('Asia/Tokyo');
    await preview.getByRole('listitem').first().waitFor();
    await page.getByRole('button', { name: 'Save reminders' }).click();
    await page.getByRole('dialog').getByText('by the study’s clock').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Save and reschedule' }).click();
    await page.getByText('The reminders are saved.').waitFor();
    const { reminders } = (await study.owner.get(`/survey/${study.survey}`)).body;
    expect(reminders).toMatchObject({ recurrence: '30 21 * * 1,3,5', clock: 'study' });
    expect(page.complaints).toEqual([]);
  });

  test('makes them follow responses, in words, with a preview on an example response', async () => {
    const study = await newStudy(get().world, { of: 'triggers' });
    const migraine = created(
      await study.editor.post(`/investigation/${study.id}/survey`, {
        name: 'Migraine',
        items: [{ identifier: 'pain', label: 'Are you in pain?', answer: { kind: 'yes-no' } }],
      }),
    ).identifier;
    const page = await openEditor(get(), study);
    await page.getByRole('radio', { name: 'After responses to a survey' }).check();
    await page.getByLabel('Title').fill('Twenty minutes later');
    await page.getByRole('textbox', { name: 'Text' }).fill('Is it better?');
    // Nothing is asked or saved before a survey is chosen.
    await page.getByRole('button', { name: 'Add reminders' }).click();
    await page.getByText('Choose a survey. Each condition needs an item').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByLabel('Responses to', { exact: true }).selectOption({ label: 'Migraine' });
    await page.getByRole('button', { name: 'Add a condition' }).click();
    const condition = page.getByRole('group', { name: 'Condition 1', exact: true });
    await condition.getByLabel('Item').selectOption({ label: 'Are you in pain?' });
    await condition.getByRole('checkbox', { name: 'yes' }).check();
    const preview = page.getByRole('region', { name: 'Next reminders' });
    await preview.getByLabel('Response given').fill('2027-03-01T12:00');
    await preview.getByText(/12:20/).first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add reminders' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save and reschedule' }).click();
    await page.getByText('The reminders are saved.').waitFor();
    const { reminders } = (await study.owner.get(`/survey/${study.survey}`)).body;
    expect(reminders).toMatchObject({
      type: 'triggered',
      recurrence: null,
      trigger: { survey: migraine, where: { pain: ['yes'] }, after: 20, each: true },
    });
    const again = await openEditor(get(), study);
    expect(await again.getByLabel('Time after the response', { exact: true }).inputValue()).toBe('20');
    expect(
      await again
        .getByRole('group', { name: 'Condition 1', exact: true })
        .getByRole('checkbox', { name: 'yes' })
        .isChecked(),
    ).toBe(true);
    expect(page.complaints).toEqual([]);
  });

  test('has its why in a person’s zones', async () => {
    const study = await newStudy(get().world, { of: 'zones' });
    const phone = await newPhone(get().world, study.responder, 'Europe/Paris');
    await study.responder.patch(`/device/${phone.id}`, { timeZone: 'Asia/Tokyo' });
    const page = await get().visit(study.editor, `/studies/${study.id}/participants/${study.responder.id}`);
    const card = page.getByRole('region', { name: 'When and where reminders come' });
    await card.getByText(/^The last \d+ time zones$/).click();
    await card
      .getByRole('listitem')
      .filter({ hasText: 'Asia/Tokyo since' })
      .getByText('from their phone')
      .waitFor();
    await expectAccessible(page);
    expect(page.complaints).toEqual([]);
  });
});
