import { expect, test } from 'vitest';
import { created } from '../support/people.ts';
import { newStudy, type Study } from '../support/studies.ts';
import { describeConsole, expectAccessible, expectFitsPhone, settled } from './support/console.ts';
import { hostile } from './support/hostile.ts';
import { confirm, openEditor as openForm, weekdays } from './support/reminders.ts';

let studies = 0;

describeConsole('surveys', (get) => {
  const study = (reminders: object | null = null) =>
    newStudy(get().world, { reminders, startsOn: '2026-01-05', of: `surveys ${studies++}` });
  const readSurvey = async ({ owner, survey }: Study) => (await owner.get(`/survey/${survey}`)).body;

  const openEditor = (of: Study) => openForm(get(), of);

  test('a survey is created, gets items, is archived, and is back', async () => {
    const { visit } = get();
    const of = await study();
    const page = await visit(of.editor, `/studies/${of.id}/surveys`);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'New survey' }).click();
    await page.getByLabel('Name').fill('Moods');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Moods' }).waitFor();
    await page.getByText('This survey has no items yet').waitFor();
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Add items' }).click();
    await page.getByLabel('Label').fill('How are you?');
    await page.getByLabel('Identifier').fill('not an identifier');
    await page.getByRole('button', { name: 'Save survey' }).click();
    await page.getByText('Expected 1 to 100 letters').first().waitFor();
    await expectAccessible(page);
    await page.getByLabel('Identifier').fill('mood');
    await page.getByRole('button', { name: 'Add an item' }).click();
    const second = page.getByRole('group', { name: 'Item 2' });
    await second.getByLabel('Label').fill('And your sleep?');
    await second.getByRole('button', { name: 'Move item 2 up' }).click();
    await page.getByRole('button', { name: 'Save survey' }).click();
    await page.getByRole('heading', { level: 1, name: 'Moods' }).waitFor();
    await page.getByText('And your sleep?').waitFor();
    // The form has the same name and text until the survey is saved.
    await expect
      .poll(() =>
        page
          .getByRole('listitem')
          .filter({ hasText: /item2|mood/ })
          .allTextContents(),
      )
      .toEqual(['And your sleep? item2', 'How are you? mood']);

    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('nobody can answer or change the survey').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('nobody can answer or change the survey').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('nobody can answer or change the survey').waitFor();
    await expectAccessible(page);
    expect(page.complaints).toEqual([]);
  });

  test('items say how they are answered, and show what participants see', async () => {
    const { visit } = get();
    const of = await study();
    const page = await visit(of.editor, `/studies/${of.id}/surveys/${of.survey}/items`);
    const item = page.getByRole('group', { name: 'Item 1' });
    const preview = item.locator('.answer-preview');
    await item.getByLabel('Label').fill('How tired are you?');
    await preview.getByText('How tired are you?').waitFor();
    await item.getByLabel('Answered by').selectOption('A scale');
    await item.getByLabel('Labels of the points').fill('1 not at all\n5 very');
    await item.getByRole('checkbox', { name: 'Needs an answer' }).check();
    await preview.getByText('How tired are you? *').waitFor();
    expect(await preview.locator('label span').allInnerTexts()).toEqual([
      '1 not at all',
      '2',
      '3',
      '4',
      '5 very',
    ]);
    await item.getByLabel('Answered by').selectOption('Several options');
    await item.getByLabel('Options').fill('work At work\nhome At home');
    expect(await preview.locator('label span').allInnerTexts()).toEqual(['At work', 'At home']);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save survey' }).click();
    const answer = async () => (await readSurvey(of)).items[0].answer;
    await expect.poll(answer).toEqual({
      kind: 'choices',
      options: [
        { value: 'work', label: 'At work' },
        { value: 'home', label: 'At home' },
      ],
      required: true,
    });
    expect(page.complaints).toEqual([]);
  });

  test('reminders are added by days and time; nobody sees an expression who does not ask', async () => {
    const of = await study();
    const page = await openEditor(of);
    await page.getByRole('radio', { name: 'Some days of the week' }).check();
    for (const day of ['Tuesday', 'Thursday']) await page.getByRole('checkbox', { name: day }).uncheck();
    await page.getByLabel('Time of day').fill('07:45');
    expect(
      await page.getByRole('checkbox', { name: 'No reminder if the survey was answered' }).isChecked(),
    ).toBe(false);
    await page.getByLabel('Title').fill('Good morning');
    await page.getByRole('textbox', { name: 'Text' }).fill('How did you sleep?');
    await page.getByRole('button', { name: 'Add a translation' }).click();
    const french = page.locator('fieldset', { hasText: /^Translation/ });
    await french.getByLabel('Language tag').fill('fr-CA');
    await page.getByText('Canadian French').waitFor();
    await french.getByLabel('Title').fill('Bonjour');
    await french.getByRole('textbox', { name: 'Text' }).fill('Bien dormi ?');
    await page.getByText('12 of 4,000 characters').waitFor();
    await expectAccessible(page);
    expect(await page.locator('main').innerText()).not.toContain('45 7 * *');
    await page.getByText('Expression', { exact: true }).first().click();
    expect(await page.getByRole('textbox', { name: 'Expression' }).inputValue()).toBe('45 7 * * 1,3,5');

    await page.getByRole('button', { name: 'Add reminders' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('whether or not the survey was answered that day').waitFor();
    await dialog.getByText('A reminder expires 6 hours after its time.').waitFor();
    await confirm(page, /for everyone who takes part: 2 people/);
    await page.getByText('Monday, Wednesday and Friday at 07:45.').waitFor();
    const { reminders } = await readSurvey(of);
    expect(reminders).toMatchObject({
      type: 'rolling',
      recurrence: '45 7 * * 1,3,5',
      unlessAnswered: false,
      expiresAfter: 360,
      notification: { subject: 'Good morning', body: 'How did you sleep?' },
      translations: { 'fr-CA': { subject: 'Bonjour', body: 'Bien dormi ?' } },
    });
    expect(page.complaints).toEqual([]);
  });

  test('the preview shows the next ones in any zone, with what clocks do, nudges and quiet hours', async () => {
    const of = await study({ ...weekdays, recurrence: '30 2 * * *' });
    const page = await openEditor(of);
    const preview = page.getByRole('region', { name: 'Next reminders' });
    await preview
      .getByText(/02:30 CES?T/)
      .first()
      .waitFor();
    await preview.getByText('Try other dates and quiet hours').click();
    await preview.getByLabel('From', { exact: true }).fill('2027-03-27');
    await preview.getByText('Clocks go forward').waitFor();
    await preview.getByText(/03:30/).first().waitFor();
    await preview.getByLabel('For a person in').selectOption('Asia/Tokyo');
    await preview.getByText('Clocks go forward').waitFor({ state: 'detached' });
    await preview
      .getByText(/02:30 (JST|GMT\+9)/)
      .first()
      .waitFor();
    await page.getByRole('checkbox', { name: 'Remind again if there is no answer' }).check();
    await preview
      .getByText(/Nudges at 03:00 (JST|GMT\+9) and 03:30/)
      .first()
      .waitFor();
    await preview.getByLabel('Quiet hours begin').fill('23:00');
    await preview.getByLabel('Quiet hours end').fill('07:00');
    // By the clock of that zone, not as an instant of UTC.
    await preview
      .getByText(/Quiet hours: waits until .* 07:00 (JST|GMT\+9)/)
      .first()
      .waitFor();
    await expectAccessible(page);
    // The service's errors stand beside their fields during typing.
    await page.getByLabel('Time between nudges', { exact: true }).fill('300');
    await page.getByText('The last nudge would come after 600 minutes').waitFor();
    await preview.getByText('once the marked fields are correct').waitFor();
    await expectAccessible(page);
  });

  test('random times are windows, and their faults stand beside them', async () => {
    const of = await study(weekdays);
    const page = await openEditor(of);
    await page.getByRole('radio', { name: 'At random times' }).check();
    const preview = page.getByRole('region', { name: 'Next reminders' });
    await preview.getByText('These times are an example: each person has their own.').waitFor();
    await page.getByRole('button', { name: 'Add a window' }).click();
    const second = page.getByRole('group', { name: 'Window 2' });
    await second.getByLabel('Until').fill('20:00');
    await second.getByText('expected a time after 21:00').waitFor();
    await expectAccessible(page);
    await second.getByText('give two windows').waitFor();
    await page.getByText('over midnight two reminders can be closer').waitFor();
    await second.getByLabel('Until').fill('00:00');
    await second.getByText('expected a time after 21:00').waitFor({ state: 'detached' });
    const expiry = page.getByLabel('A reminder expires after', { exact: true });
    expect(await expiry.inputValue()).toBe('29');
    await page.getByLabel('Minutes between any two').fill('45');
    expect(await expiry.inputValue()).toBe('44');
    expect(await page.getByLabel('A reminder expires after, unit').inputValue()).toBe('minutes');
    await expiry.fill('90');
    await page.getByText('The next random reminder can come 45 minutes after').waitFor();
    await page.getByRole('checkbox', { name: 'No reminder if the survey was answered' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save reminders' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('holds back the next one').waitFor();
    await dialog.getByText('so two can be open at once').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Expire after 44 minutes' }).click();
    await page.getByText('The next random reminder can come').waitFor({ state: 'detached' });
    await page.getByRole('checkbox', { name: 'No reminder if the survey was answered' }).uncheck();
    await page.getByRole('button', { name: 'Save reminders' }).click();
    await dialog.getByText('44 minutes after its time, before the next random one can come').waitFor();
    await confirm(page, /a planned reminder, which a new reminder replaces/);
    await page.getByText('at random: 3 times from 09:00 to 21:00 and once from 21:00 to 24:00').waitFor();
    expect((await readSurvey(of)).reminders).toMatchObject({
      recurrence: '* * * * 1,3,5',
      windows: [
        { from: '09:00', to: '21:00', count: 3 },
        { from: '21:00', to: '24:00', count: 1 },
      ],
      minGap: 45,
      expiresAfter: 44,
      unlessAnswered: false,
    });
  });

  test('days after the download are typed, and an expression that the form cannot show is kept', async () => {
    const of = await study(weekdays);
    const page = await openEditor(of);
    await page.getByRole('radio', { name: 'Days of each person’s own' }).check();
    await page.getByRole('radio', { name: 'Certain days' }).check();
    const days = page.getByRole('textbox', { name: 'How many days after the download' });
    await days.fill('0, 14 and 30');
    await page.getByText('Enter whole numbers from -365 to 3650').last().waitFor();
    await page.getByRole('button', { name: 'Save reminders' }).click();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await expectAccessible(page);
    await days.fill('0, 14, 30-32');
    await page.getByText('Expression', { exact: true }).first().click();
    const expression = page.getByRole('textbox', { name: 'Expression' });
    expect(await expression.inputValue()).toBe('30 21 * * *');

    await expression.fill('0 8 FRI * *');
    await page.getByText('The form cannot show these days and this time').waitFor();
    await page.getByText("Unexpected value 'FRI'").waitFor();
    await expectAccessible(page);
    await expression.fill('0 8 */10 * *');
    await page.getByText('The form cannot show').waitFor({ state: 'detached' });
    expect(await days.inputValue()).toBe('1, 11, 21, 31');
    await page.getByRole('button', { name: 'Save reminders' }).click();
    await confirm(page, /0 of 2 people who take part have downloaded the survey/);
    await page.getByText('1, 11, 21 and 31 days after the download at 08:00').waitFor();
  });

  test('changes that somebody saves meanwhile show themselves, and are not overwritten unasked', async () => {
    const of = await study(weekdays);
    const page = await openEditor(of);
    await page.getByLabel('Time of day').fill('20:15');
    const theirs = { ...weekdays, recurrence: '0 6 * * *' };
    expect((await of.owner.patch(`/survey/${of.survey}`, { reminders: theirs })).status).toBe(200);
    await page.getByRole('button', { name: 'Save reminders' }).click();
    await confirm(page, /2 people/);
    await page.getByText(/^Ada .*changed this survey/).waitFor();
    await page.getByText('The survey’s reminders are now: Every day at 06:00').waitFor();
    await expectAccessible(page);
    expect((await readSurvey(of)).reminders.recurrence).toBe('0 6 * * *');
    await page.getByRole('button', { name: 'Continue with my version' }).click();
    await page.getByRole('button', { name: 'Save reminders' }).click();
    await confirm(page, /2 people/);
    await page.getByText('Monday, Wednesday and Friday at 20:15').waitFor();

    const other = await openEditor(of);
    expect((await of.owner.patch(`/survey/${of.survey}`, { reminders: theirs })).status).toBe(200);
    await other.getByText('The survey’s reminders are now: Every day at 06:00').waitFor();
    await other.getByRole('button', { name: 'Show their version and discard mine' }).click();
    expect(await other.getByLabel('Time of day').inputValue()).toBe('06:00');
    expect(await other.getByRole('alert').count()).toBe(0);
  });

  test('while the study is frozen no button ends in a refusal, and typed text stays', async () => {
    const of = await study(weekdays);
    const freeze = (status: string) =>
      of.owner.post(`/investigation/${of.id}/freeze`, { status, reason: 'Interim analysis' });
    const page = await openEditor(of);
    const items = await get().visit(of.editor, `/studies/${of.id}/surveys/${of.survey}/items`);
    const one = await get().visit(of.editor, `/studies/${of.id}/surveys/${of.survey}`);
    const list = await get().visit(of.editor, `/studies/${of.id}/surveys`);
    await page.getByLabel('Title').fill('Not saved yet');
    await freeze('frozen');
    for (const form of [page, items])
      await form
        .locator('.form-buttons')
        .getByText('This study is frozen, so its data cannot be changed.')
        .waitFor();
    for (const each of [page, items, one, list])
      await each.getByText('This study has been frozen since').waitFor();
    await expectAccessible(page);
    const changing = /^(Save|Add|Stop|Archive|Bring|New)/;
    for (const each of [page, items, one, list]) {
      const buttons = await each.getByRole('main').getByRole('button').allTextContents();
      expect(
        buttons.filter(
          (text) => changing.test(text) && !/^Add a | as CSV$/.test(text) && text !== 'Add an item',
        ),
      ).toEqual([]);
    }
    await freeze('active');
    await page.getByRole('button', { name: 'Save reminders' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Not saved yet');
  });

  test('unsaved changes are there again after a reload and the way back', async () => {
    const of = await study(weekdays);
    const page = await openEditor(of);
    await page.getByLabel('Title').fill('Not saved yet');
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    await page.goBack();
    await page.getByText('Your unsaved changes are here again.').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Not saved yet');
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    expect(await page.getByLabel('Title').inputValue()).toBe('Diary');
    await page.reload();
    await settled(page);
    expect(await page.getByLabel('Title').inputValue()).toBe('Diary');
  });

  test('reminders are stopped after a question, and texts that are too long are named', async () => {
    const of = await study(weekdays);
    const page = await openEditor(of);
    await page.getByRole('textbox', { name: 'Text' }).fill('é'.repeat(3_000));
    await page.getByRole('button', { name: 'Save reminders' }).click();
    await page.getByText('Expected a subject and a body that fit the 4 KB').first().waitFor();
    await page.getByRole('button', { name: 'Stop reminding' }).click();
    await confirm(page, /will not be sent/);
    await page.getByText('Nobody is reminded of this survey').waitFor();
    expect((await readSurvey(of)).reminders).toBeNull();
  });

  test('participants read, and change nothing; hostile names and texts are shown as they are; all fits a phone', async () => {
    const { visit } = get();
    const of = await study({ ...weekdays, notification: { subject: hostile.slice(0, 200), body: hostile } });
    const survey = created(
      await of.owner.post(`/investigation/${of.id}/survey`, {
        name: hostile,
        items: [{ identifier: 'x', label: hostile }],
        reminders: { ...weekdays, notification: { subject: hostile, body: hostile } },
      }),
    ).identifier;
    const below = `/studies/${of.id}/surveys`;
    for (const path of ['', `/${survey}`, `/${survey}/items`, `/${survey}/reminders`]) {
      const page = await visit(of.owner, below + path);
      await page.locator('main').getByText('<script>').first().waitFor();
      expect(await page.locator('img[src=x], main script').count()).toBe(0);
      expect(await page.title()).not.toBe('1');
      await expectFitsPhone(page);
      await expectAccessible(page);
      expect(page.complaints).toEqual([]);
    }
    const page = await visit(of.responder, `${below}/${of.survey}`);
    await page.getByText('Monday, Wednesday and Friday at 21:30').waitFor();
    expect(await page.getByRole('link', { name: /^Change/ }).count()).toBe(0);
    expect(await page.locator('main').getByRole('button').count()).toBe(0);
    const elsewhere = await visit(of.owner, `${below}/${'0'.repeat(31)}1`);
    await elsewhere.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  });
});
