import { expect, test } from 'vitest';
import { describeConsole, expectAccessible, expectFocused } from '../console/support/console.ts';
import { newStudy } from '../support/studies.ts';
import { begin, keptBy, openAt, openPhone, storedIn } from './support/phone.ts';

/* The stored text is the typed one, or the page asks. */

let studies = 0;

const items = [
  { identifier: 'steps', label: 'Steps today?', answer: { kind: 'number', min: 0 } },
  { identifier: 'sensor', label: 'Number on the sensor', answer: { kind: 'number' } },
  { identifier: 'story', label: 'What happened?', answer: { kind: 'text' } },
  { identifier: 'began', label: 'When did it begin?', answer: { kind: 'date' } },
  { identifier: 'woke', label: 'When did you wake up?', answer: { kind: 'time' } },
  { identifier: 'pain', label: 'How strong is the pain?', answer: { kind: 'scale', min: 0, max: 100 } },
];

describeConsole('typed text', (get) => {
  async function openSurvey(locale = 'en-GB', hasTouch = true) {
    const study = await newStudy(get().world, { of: `typed ${++studies}` });
    await study.editor.patch(`/survey/${study.survey}`, { name: 'Diary', items });
    const phone = await openPhone(get(), { locale, hasTouch });
    await begin(
      phone,
      get().service.url,
      study.other,
      study,
      'Sleep',
      locale.startsWith('de') ? 'Heute' : 'Today',
    );
    const { page } = phone;
    await page.getByRole('link', { name: 'Diary' }).click();
    await page.getByLabel('Steps today?').waitFor();
    const stored = () => storedIn(study);
    const send = () => page.getByRole('button', { name: /^(Send|Senden)$/ }).click();
    return { study, page, stored, send };
  }

  test('a number with two readings is asked about, by finger and by keyboard', async () => {
    const { page, stored, send } = await openSurvey();
    await page.getByLabel('Steps today?').fill('10,000');
    await page.getByLabel('Number on the sensor').fill('12345678901234567');
    await send();
    await page.getByRole('group', { name: 'Do you mean 10\u202f000 or 10.000?' }).waitFor();
    await expectFocused(page.getByLabel('Steps today?'));
    await expectAccessible(page);
    expect(await stored()).toEqual([]);
    await page.keyboard.press('Tab');
    await expectFocused(page.getByRole('button', { name: '10\u202f000' }));
    await page.keyboard.press('Enter');
    await expectFocused(page.getByLabel('Steps today?'));
    await send();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    expect(await stored()).toEqual([{ steps: '10000', sensor: '12345678901234567' }]);
  });

  test('in German, too; and another text is asked about again', async () => {
    const { page, stored, send } = await openSurvey('de-DE');
    await page.getByLabel('Steps today?').fill('10.000');
    await send();
    await page.getByText(/^Meinen Sie 10\s000 oder 10,000\?$/).waitFor();
    await page.getByRole('button', { name: '10,000', exact: true }).click();
    await page.getByLabel('Steps today?').fill('1.500');
    await send();
    await page.getByText(/^Meinen Sie 1\s500 oder 1,500\?$/).waitFor();
    expect(await stored()).toEqual([]);
    await page.getByRole('button', { name: '1,500', exact: true }).click();
    await page.getByLabel('Number on the sensor').fill('٣٧٫٥');
    await send();
    await page.getByRole('heading', { name: /sind gesendet/ }).waitFor();
    expect(await stored()).toEqual([{ steps: '1.500', sensor: '37.5' }]);
  });

  test('a text that is too long is told beside its question while it is typed, and none of it is cut', async () => {
    const { page, stored, send } = await openSurvey();
    const story = page.getByLabel('What happened?');
    await story.fill('😴'.repeat(70_000));
    await page.getByText('This text is too long. Characters too many: 6000.').waitFor();
    await expectAccessible(page);
    await send();
    await expectFocused(story);
    expect(await stored()).toEqual([]);
    const text = `${'😴'.repeat(63_980)}\n\n  the end\n`;
    await story.fill(text);
    await page.getByText('This text is too long').waitFor({ state: 'detached' });
    await send();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    expect(await stored()).toEqual([{ story: text }]);
  });

  test('a year of five digits, and a date that was only begun, are told beside the question', async () => {
    const { page, stored, send } = await openSurvey();
    const began = page.getByLabel('When did it begin?');
    await began.focus();
    await page.keyboard.type('0103');
    await send();
    await page.getByText('Please enter a date with a year of four digits.').waitFor();
    await expectFocused(began);
    await began.focus();
    await began.evaluate((input: HTMLInputElement) => {
      input.value = '20277-03-01';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.getByText('Please enter a date with a year of four digits.').waitFor();
    await send();
    expect(await stored()).toEqual([]);
    await began.fill('2027-03-01');
    await send();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    expect(await stored()).toEqual([{ began: '2027-03-01' }]);
  });

  test('Enter goes to the next question, and never sends half a survey', async () => {
    const { page, stored } = await openSurvey();
    await page.getByLabel('Steps today?').focus();
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await expectFocused(page.getByLabel('Number on the sensor'));
    await page.keyboard.press('Enter');
    await expectFocused(page.getByLabel('What happened?'));
    await page.keyboard.type('a');
    await page.keyboard.press('Enter');
    expect(await page.getByLabel('What happened?').inputValue()).toBe('a\n');
    await page.getByLabel('How strong is the pain?').focus();
    await page.keyboard.press('Enter');
    await expectFocused(page.getByRole('button', { name: 'Send' }));
    expect(await stored()).toEqual([]);
  });

  test.each([
    ['a finger', true],
    ['a mouse', false],
  ])('the middle of a slider is an answer for %s', async (_, hasTouch) => {
    const { page, stored, send } = await openSurvey('en-GB', hasTouch);
    const slider = page.getByLabel('How strong is the pain?');
    await slider.scrollIntoViewIfNeeded();
    await page.getByText('Not answered').waitFor();
    if (hasTouch) await slider.tap();
    else await slider.click();
    await page.locator('output', { hasText: '50' }).waitFor();
    await page.getByRole('button', { name: /^Clear/ }).click();
    await slider.focus();
    await page.keyboard.press('Space');
    await page.locator('output', { hasText: '50' }).waitFor();
    await send();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    expect(await stored()).toEqual([{ pain: '50' }]);
  });

  test('a sent answer is shown, and can be corrected until somebody locks it', async () => {
    const { study, page, stored, send } = await openSurvey();
    await page.getByLabel('Steps today?').fill('1234.567');
    await page.getByLabel('What happened?').fill('a walk');
    await send();
    await page.getByRole('link', { name: 'See or change your answers' }).click();
    await expect.poll(() => page.getByLabel('Steps today?').inputValue()).toBe('1234.567');
    await expectAccessible(page);
    const save = () => page.getByRole('button', { name: 'Save changes' }).click();
    await save();
    await page.getByText('You have changed nothing.').waitFor();
    await page.getByLabel('What happened?').fill('a long walk');
    await save();
    await page.getByText('Your changes have been saved.').waitFor();
    expect(await stored()).toEqual([{ steps: '1234.567', story: 'a long walk' }]);

    // Somebody of the team changes it meanwhile.
    const { responses } = (await study.owner.get(`/investigation/${study.id}/responses`)).body;
    const id = responses[0].identifier;
    await study.owner.patch(`/response/${id}`, { items: { steps: '1300' } });
    await page.getByLabel('What happened?').fill('two walks');
    await save();
    await page.getByText(/These answers were changed elsewhere meanwhile/).waitFor();
    expect(await stored()).toEqual([{ steps: '1300', story: 'a long walk' }]);
    expect(await page.getByLabel('What happened?').inputValue()).toBe('two walks');

    await openAt(page, get().service.url);
    await page.getByRole('link', { name: 'See or change your answers' }).click();
    await page.getByLabel('What happened?').fill('three walks');
    await study.owner.post(`/investigation/${study.id}/lock-items`, {
      responses: [{ identifier: id }],
      status: 'locked',
      reason: 'Checked',
    });
    await save();
    await page.getByText('These answers are locked and cannot be changed.').waitFor();
    expect(await page.getByLabel('What happened?').inputValue()).toBe('three walks');
    await openAt(page, get().service.url, '?view=sent');
    await page.getByRole('link', { name: 'See or change your answers' }).click();
    await page.getByText('a long walk').waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
    await page.context().setOffline(true);
    await openAt(page, get().service.url, '?view=sent');
    await page.getByRole('link', { name: 'See or change your answers' }).click();
    await page.getByText(/The study cannot be reached right now/).waitFor();
    await expectAccessible(page);
  });

  test('a correction stays while its survey ends, and its answers can be looked at afterwards', async () => {
    const { study, page, send, stored } = await openSurvey();
    await page.getByLabel('What happened?').fill('a walk');
    await send();
    await page.getByRole('link', { name: 'See or change your answers' }).click();
    await page.getByLabel('What happened?').fill('a long walk');
    await study.owner.patch(`/survey/${study.survey}`, { status: 'archived' });
    const read = page.waitForResponse(/\/surveys/);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await read;
    await expect
      .poll(async () => (await keptBy<{ surveys: object[] }>(page, 'snapshot'))?.surveys)
      .toHaveLength(0);
    expect(await page.getByLabel('What happened?').inputValue()).toBe('a long walk');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Your changes have been saved.').waitFor();
    await openAt(page, get().service.url, '?view=sent');
    await page.getByRole('link', { name: 'See or change your answers' }).click();
    await expect.poll(() => page.getByLabel('What happened?').inputValue()).toBe('a long walk');
    expect(await stored()).toEqual([{ story: 'a long walk' }]);
  });
});
