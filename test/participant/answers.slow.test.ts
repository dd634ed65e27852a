import { expect, test } from 'vitest';
import {
  describeConsole,
  expectAccessible,
  expectFitsPhone,
  expectFocused,
} from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { begin, openPhone, storedIn } from './support/phone.ts';

/* Each kind of answer, on the page and checked by the service. */

const option = (value: string, label: string) => ({ value, label });

const items = [
  { identifier: 'free', label: 'What happened today?', answer: { kind: 'text' } },
  { identifier: 'plain', label: 'Anything else?' },
  { identifier: 'glasses', label: 'How many glasses of water?', answer: { kind: 'number', min: 0, max: 30 } },
  {
    identifier: 'place',
    label: 'Where were you?',
    answer: { kind: 'choice', options: [option('home', 'At home'), option('away', 'Somewhere else')] },
  },
  {
    identifier: 'signs',
    label: 'Which of these did you have?',
    answer: {
      kind: 'choices',
      options: [option('head', 'Headache'), option('sick', 'Nausea'), option('dizzy', 'Dizziness')],
    },
  },
  {
    identifier: 'mood',
    label: 'How do you feel?',
    answer: {
      kind: 'scale',
      min: 1,
      max: 5,
      required: true,
      options: [option('1', 'Very bad'), option('5', 'Very good')],
    },
  },
  {
    identifier: 'pain',
    label: 'How strong is the pain?',
    answer: {
      kind: 'scale',
      min: 0,
      max: 100,
      options: [option('0', 'No pain'), option('100', 'Worst imaginable')],
    },
  },
  { identifier: 'tablet', label: 'Did you take your tablet?', answer: { kind: 'yes-no', required: true } },
  { identifier: 'woke', label: 'When did you wake up?', answer: { kind: 'time' } },
  { identifier: 'began', label: 'On which day did it begin?', answer: { kind: 'date' } },
];

let studies = 0;

describeConsole('answers of each kind', (get) => {
  async function openSurvey() {
    const study = await newStudy(get().world, { of: `answers ${++studies}` });
    created(await study.editor.post(`/investigation/${study.id}/survey`, { name: 'Evening', items }));
    const phone = await openPhone(get());
    await begin(phone, get().service.url, study.other, study);
    const { page } = phone;
    await page.getByRole('link', { name: 'Evening' }).click();
    await page.getByText('How do you feel?').waitFor();
    const answers = () => storedIn(study);
    const send = () => page.getByRole('button', { name: 'Send' }).click();
    return { page, answers, send };
  }

  test('all of them are answered and stored as the service wants them', async () => {
    const { page, answers, send } = await openSurvey();
    await expectAccessible(page);
    await expectFitsPhone(page);
    await page.getByLabel('What happened today?').fill('  A walk.  ');
    await page.getByLabel('How many glasses of water?').fill('1,50');
    await page.getByRole('radio', { name: 'Somewhere else' }).check();
    await page.getByRole('checkbox', { name: 'Dizziness' }).check();
    await page.getByRole('checkbox', { name: 'Headache' }).check();
    await page.getByRole('radio', { name: '5, Very good' }).check();
    await page.getByLabel('How strong is the pain?').focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('radio', { name: 'No' }).check();
    await page.getByLabel('When did you wake up?').fill('06:30');
    await page.getByLabel('On which day did it begin?').fill('2026-03-01');
    await expectAccessible(page);
    await send();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    await expectAccessible(page);
    expect(await answers()).toEqual([
      {
        free: '  A walk.  ',
        glasses: '1.50',
        place: 'away',
        signs: 'head dizzy',
        mood: '5',
        pain: '51',
        tablet: 'no',
        woke: '06:30',
        began: '2026-03-01',
      },
    ]);
    expect(page.complaints).toEqual([]);
  });

  test('a missing or wrong answer is told beside its question, before anything is sent', async () => {
    const { page, answers, send } = await openSurvey();
    await page.getByLabel('How many glasses of water?').fill('31');
    await send();
    await page.getByText('3 questions need another look.').waitFor();
    await page.getByText('Please enter 30 or less.').waitFor();
    expect(await page.getByText('Please answer this question.').count()).toBe(2);
    await expectFocused(page.getByLabel('How many glasses of water?'));
    await expectAccessible(page);
    await page.getByLabel('How many glasses of water?').fill('many');
    await page.getByRole('radio', { name: '2', exact: true }).check();
    await page.getByRole('radio', { name: 'Yes' }).check();
    await send();
    await page.getByText('Please enter a number.').waitFor();
    expect(await answers()).toEqual([]);
    await page.getByLabel('How many glasses of water?').fill('');
    await page.getByRole('radio', { name: 'At home' }).check();
    await page.getByRole('button', { name: 'Clear: Where were you?' }).click();
    await send();
    await page.getByRole('heading', { name: /have been sent/ }).waitFor();
    expect(await answers()).toEqual([{ mood: '2', tablet: 'yes' }]);
  });
});
