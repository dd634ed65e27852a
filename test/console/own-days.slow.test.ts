import { expect, test } from 'vitest';
import { addDays } from '../../console/format.ts';
import { newStudy, type Study } from '../support/studies.ts';
import {
  describeConsole,
  expectAccessible,
  expectFitsPhone,
  expectFocused,
  type Visit,
} from './support/console.ts';
import { confirm, openEditor } from './support/reminders.ts';

/* Reminders on days of each person's own, in a coordinator's words. */

const today = new Date().toISOString().slice(0, 10);
let studies = 0;

describeConsole('reminders on days of a person’s own', (get) => {
  /** A study that declares these dates; Chidi had his surgery twenty days ago. */
  async function study(dates: string[] = [], more: object = {}): Promise<Study> {
    const of = await newStudy(get().world, { of: `own days ${studies++}` });
    if (dates.length + Object.keys(more).length === 0) return of;
    const change = { ...more, ...(dates.length > 0 && { dates }) };
    expect((await of.owner.patch(`/investigation/${of.id}`, change)).status).toBe(200);
    if (dates.includes('surgery'))
      expect(
        (
          await of.owner.patch(`/investigation/${of.id}/member/${of.responder.id}`, {
            dates: { surgery: addDays(today, -20) },
          })
        ).status,
      ).toBe(200);
    return of;
  }
  const stored = async (of: Study) => (await of.owner.get(`/survey/${of.survey}`)).body.reminders;
  const courses = (page: Visit) => page.getByRole('region', { name: 'Whole course' });
  const lineOf = (page: Visit, person: string | RegExp) =>
    courses(page)
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: person }) });
  const save = async (page: Visit, expected: RegExp) => {
    await page.getByRole('button', { name: /^(Save|Add) reminders$/ }).click();
    await confirm(page, expected);
    await page.getByText('The reminders are saved.').waitFor();
  };

  test('a follow-up after surgery is one press, shows whole courses, and is saved for those with the date', async () => {
    const of = await study(['birth', 'surgery']);
    const page = await openEditor(get(), of);
    await page.getByRole('button', { name: 'Follow-up after surgery' }).click();
    expect(await page.getByRole('textbox', { name: 'How many days after surgery' }).inputValue()).toBe(
      '5, 30, 60, 90',
    );
    expect(await page.getByLabel('Which date').inputValue()).toBe('surgery');
    // The first was due before he joined: three are to come.
    const own = lineOf(page, new RegExp(`^${of.responder.name}`));
    await own.getByRole('img', { name: /3 reminders: 0 past, 3 to come/ }).waitFor();
    expect(await own.locator('svg .ahead').count()).toBe(3);
    const thirty = lineOf(page, /^surgery: 30 days ago/);
    await thirty.getByText('4 reminders: 1 past, 3 to come').waitFor();
    expect([await thirty.locator('svg .past').count(), await thirty.locator('svg .ahead').count()]).toEqual([
      1, 3,
    ]);
    await lineOf(page, /^surgery: in two weeks/)
      .getByText('4 reminders: 0 past, 4 to come')
      .waitFor();
    const dates = own.getByText('3 reminders: 0 past, 3 to come');
    await dates.focus();
    await page.keyboard.press('Enter');
    await own.getByText('Day 90', { exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await expectFocused(own.getByRole('region'));
    await expectAccessible(page);
    await page.getByLabel('Date of surgery').fill(addDays(today, 100));
    await lineOf(page, /^Your example/)
      .getByText('4 reminders: 0 past, 4 to come')
      .waitFor();

    await save(page, /A person without the date “surgery” gets no reminder/);
    await page
      .getByText(
        '5, 30, 60 and 90 days after surgery at 09:00, open for 3 days, nudged up to twice, each 1 day after',
      )
      .first()
      .waitFor();
    expect(await stored(of)).toMatchObject({
      type: 'fixed',
      recurrence: '0 9 * * *',
      from: { date: 'surgery' },
      days: [5, 30, 60, 90],
      expiresAfter: 4320,
      followUps: { every: 1440, max: 2, stop: 'answered' },
      notification: { subject: 'After your surgery', body: 'How are you getting on?' },
    });
    expect(page.complaints).toEqual([]);
  });

  test('visits stay open for days, are read in days, and are saved back as they were', async () => {
    const of = await study(['surgery']);
    const page = await openEditor(get(), of);
    await page.getByLabel('Title').fill('Your own words');
    await page.getByRole('textbox', { name: 'Text' }).fill('Please come.');
    await page.getByRole('button', { name: 'Visits' }).click();
    const field = (label: string) => page.getByLabel(label, { exact: true });
    expect(await field('A reminder expires after').inputValue()).toBe('21');
    expect(await field('A reminder expires after, unit').inputValue()).toBe('days');
    await field('Time between nudges').fill('5');
    await field('An answer is in time within').fill('336');
    await field('An answer is in time within, unit').selectOption('hours');
    await page.getByText('arrives more than 21 days after its time').waitFor();
    await save(page, /expires 21 days after its time/);
    const first = await stored(of);
    expect(first).toMatchObject({
      expiresAfter: 30_240,
      answerWithin: 20_160,
      followUps: { every: 7200, max: 2 },
      notification: { subject: 'Your own words' },
    });
    const again = await openEditor(get(), of);
    expect(await again.getByLabel('An answer is in time within', { exact: true }).inputValue()).toBe('14');
    await again.getByLabel('Title').fill('A visit');
    await again.getByRole('button', { name: 'Save reminders' }).click();
    await confirm(again, /Only the text changes/);
    await again.getByText('The reminders are saved.').waitFor();
    expect(await stored(of)).toEqual({
      ...first,
      notification: { ...first.notification, subject: 'A visit' },
    });
  });

  test('bursts and intervals from joining on, with faults beside their fields, until a person’s time ends', async () => {
    const of = await study([], { participationDays: 60 });
    const page = await openEditor(get(), of);
    await page.getByRole('button', { name: 'Measurement bursts' }).click();
    // 60 days have one burst of seven days, with four reminders each.
    await lineOf(page, /^Joins today/)
      .getByText('28 reminders: 0 past, 28 to come')
      .waitFor();
    await page.getByLabel('How many times').fill('0');
    await page.getByText("Unexpected times '0': expected a whole number from 1").waitFor();
    await expectAccessible(page);
    await page.getByLabel('How many times').fill('9');
    await page.getByRole('radio', { name: 'At regular intervals' }).check();
    await page.getByRole('radio', { name: 'At one time' }).check();
    await page.getByLabel('Every so many days').fill('10');
    await lineOf(page, /^Joined 30 days ago/)
      .getByText('6 reminders: 3 past, 3 to come')
      .waitFor();
    await save(page, /counted from the day on which each person joined/);
    await page.getByText('Every 10 days from joining on, 9 times, at 20:00').first().waitFor();
    expect(await stored(of)).toMatchObject({ from: 'joined', days: { every: 10, times: 9 } });
    expect((await stored(of)).days).not.toHaveProperty('burst');
  });

  test('two random weekdays a week, and an endless course that says so', async () => {
    const of = await study();
    const page = await openEditor(get(), of);
    await page.getByLabel('Title').fill('Diary');
    await page.getByRole('textbox', { name: 'Text' }).fill('How was your day?');
    await page.getByRole('radio', { name: 'Some days of the week' }).check();
    await page.getByLabel('How many of these days each week').selectOption({ label: '2 days at random' });
    await courses(page).getByText('These reminders have no end').waitFor();
    await lineOf(page, /^Joins today/)
      .getByText(/^2[5-8] reminders: 0 past/)
      .waitFor();
    await expectAccessible(page);
    await save(page, /for everyone who takes part: 2 people/);
    await page.getByText('2 random days a week, of Monday to Friday, at 20:00').first().waitFor();
    expect(await stored(of)).toMatchObject({ type: 'rolling', recurrence: '0 20 * * 1-5', pick: 2 });
  });

  test('a date that the study does not declare is named before the save, and all fits a phone', async () => {
    const of = await study();
    const page = await openEditor(get(), of);
    await page.getByRole('button', { name: 'Visits' }).click();
    await page.getByText('The study does not declare the date “surgery” yet.').waitFor();
    await lineOf(page, /^surgery: today/)
      .getByText('3 reminders: 0 past, 3 to come')
      .waitFor();
    await page.getByRole('button', { name: 'Add reminders' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save and reschedule' }).click();
    await page.getByText('Expected the name of a date that the study declares').first().waitFor();
    expect(await stored(of)).toBeNull();
    await expectAccessible(page);
    await expectFitsPhone(page);
  });

  test('a form that could not be loaded says so, and is there after another try', async () => {
    const of = await study();
    const page = await get().newPage();
    const form = '**/reminder-editor-*.js';
    await page.route(form, (request) => request.abort());
    await page.goto(
      `${get().service.url}/console/studies/${of.id}/surveys/${of.survey}/reminders#token=${of.editor.token}`,
    );
    await page.getByRole('alert').waitFor();
    await page.unroute(form);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Add reminders' }).waitFor();
  });

  test('the answer to a date sets a person’s own date', async () => {
    const of = await study(['surgery']);
    const page = await get().visit(of.editor, `/studies/${of.id}/surveys/${of.survey}/items`);
    const item = page.getByRole('group', { name: 'Item 1' });
    await item.getByLabel('Answered by').selectOption('A date');
    await item.getByLabel('Sets a date of the person’s own').selectOption('surgery');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Save survey' }).click();
    await page.getByText('A date, sets the date surgery').waitFor();
    const { items } = (await of.owner.get(`/survey/${of.survey}`)).body;
    expect(items[0].answer).toEqual({ kind: 'date', sets: 'surgery' });
    expect(page.complaints).toEqual([]);
  });
});
