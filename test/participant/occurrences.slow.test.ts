import { expect, test } from 'vitest';
import { describeConsole, expectAccessible } from '../console/support/console.ts';
import { newStudy } from '../support/studies.ts';
import { begin, changeKept, keptBy, openAt, openPhone, type Phone, storedIn } from './support/phone.ts';
import { standIn } from './support/stand-ins.ts';

/*
 * An answer belongs to one reminder: the form, its draft and its thanks, too. Reminders of these tests are known to the page
 * by a push that it is handed, and to the service not at all: it refuses to link the answer, which is stored all the same.
 */

let studies = 0;
const [monday, tuesday] = ['1'.repeat(32), '2'.repeat(32)];
const daily = {
  type: 'rolling',
  recurrence: '0 22 * * *',
  ends: null,
  notification: { subject: 'Diary', body: 'How was your day?' },
};

describeConsole('a reminder and its answer', (get) => {
  async function takingPart(reminders: object = daily) {
    const study = await newStudy(get().world, { of: `occurrences ${++studies}`, reminders });
    const phone = await openPhone(get());
    await begin(phone, get().service.url, study.other, study);
    const push = (notification: string) =>
      phone.push({ title: 'Diary', body: 'How was your day?', data: { survey: study.survey, notification } });
    return { study, phone, page: phone.page, push };
  }

  const night = (page: Phone['page']) => page.getByLabel('How did you sleep?');
  /** Types a text, and reads what the phone keeps, which waits for what is being written: a page that is left at once may lose it. */
  const type = async (page: Phone['page'], text: string) => {
    await night(page).fill(text);
    await keptBy(page, 'session');
  };
  const send = (page: Phone['page']) => page.getByRole('button', { name: 'Send' }).click();
  const isSent = (page: Phone['page']) => page.getByRole('heading', { name: /have been sent/ }).waitFor();

  test('a tap on the next reminder opens its own form, whatever the screen showed', async () => {
    const { study, phone, page, push } = await takingPart();
    await push(monday);
    await phone.tap();
    await night(page).fill('monday');
    await send(page);
    await isSent(page);
    await push(tuesday);
    await phone.tap();
    await expect.poll(() => night(page).inputValue()).toBe('');
    expect(page.url()).toContain(tuesday);
    // Half of it, and back to Monday's, which is answered.
    await type(page, 'tues');
    await openAt(page, get().service.url, `?survey=${study.survey}&notification=${monday}`);
    await page.getByRole('heading', { name: 'You have answered this already' }).waitFor();
    await expectAccessible(page);
    await openAt(page, get().service.url, `?survey=${study.survey}&notification=${tuesday}`);
    await expect.poll(() => night(page).inputValue()).toBe('tues');
    await night(page).fill('tuesday');
    await send(page);
    await isSent(page);
    expect(await storedIn(study)).toEqual([{ q1: 'monday' }, { q1: 'tuesday' }]);
  });

  test("a half-filled form is not the next reminder's, and stays", async () => {
    const { study, phone, page, push } = await takingPart();
    await push(monday);
    await phone.tap();
    await type(page, 'half of monday');
    await push(tuesday);
    await phone.tap();
    await expect.poll(() => night(page).inputValue()).toBe('');
    await type(page, 'half of tuesday');
    for (const [notification, text] of [
      [monday, 'half of monday'],
      [tuesday, 'half of tuesday'],
    ]) {
      await openAt(page, get().service.url, `?survey=${study.survey}&notification=${notification}`);
      await expect.poll(() => night(page).inputValue()).toBe(text);
    }
  });

  test('a reminder stays due after an answer to an earlier one, whose notification goes', async () => {
    const { study, phone, page, push } = await takingPart();
    await push(monday);
    const worker = await phone.worker();
    await openAt(page, get().service.url, `?survey=${study.survey}&notification=${monday}`);
    await page.evaluate(`navigator.serviceWorker.ready.then((registration) => {
      registration.getNotifications = async () => ['${monday}', '${tuesday}'].map((tag) => ({
        tag, close: () => { (window.closed_ ??= []).push(tag); } }));
    })`);
    await push(tuesday);
    await night(page).fill('at twenty past midnight');
    await send(page);
    await isSent(page);
    expect(await page.evaluate('window.closed_')).toEqual([monday]);
    await page.getByRole('link', { name: 'Today' }).click();
    await page.getByRole('link', { name: 'Answer: Diary' }).click();
    expect(page.url()).toContain(tuesday);
    await night(page).waitFor();
    expect(worker).toBeDefined();
  });

  test('an answered reminder says so; answered again, both answers are kept', async () => {
    const { study, phone, page, push } = await takingPart();
    await push(monday);
    await phone.tap();
    await night(page).fill('first');
    await send(page);
    await isSent(page);
    await openAt(page, get().service.url, `?survey=${study.survey}&notification=${monday}`);
    await page.getByRole('heading', { name: 'You have answered this already' }).waitFor();
    expect(await night(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Answer again' }).click();
    await night(page).fill('second');
    await send(page);
    await isSent(page);
    expect(await storedIn(study)).toEqual([{ q1: 'first' }, { q1: 'second' }]);
  });

  test('a reminder whose time is over says so first, and that a strict study takes nothing more', async () => {
    const { study, phone, page, push } = await takingPart({
      ...daily,
      expiresAfter: 60,
      answerWithin: 60,
      lateAnswers: 'refuse',
    });
    await push(monday);
    await changeKept(
      page,
      '(pushes) => pushes.map((push) => ({ ...push, at: push.at - 2 * 3600_000 }))',
      'arrived',
    );
    await openAt(page, get().service.url, `?survey=${study.survey}&notification=${monday}`);
    await page.getByRole('heading', { name: 'The time for this reminder is over' }).waitFor();
    await page.getByText('The study takes no more answers to this reminder.').waitFor();
    expect(await page.getByRole('button', { name: 'Answer all the same' }).count()).toBe(0);
    await expectAccessible(page);
    await study.editor.patch(`/survey/${study.survey}`, { reminders: { ...daily, expiresAfter: 60 } });
    await openAt(page, get().service.url);
    await openAt(page, get().service.url, `?survey=${study.survey}&notification=${monday}`);
    await page.getByRole('button', { name: 'Answer all the same' }).click();
    await night(page).fill('late');
    await send(page);
    await isSent(page);
    expect(await storedIn(study)).toEqual([{ q1: 'late' }]);
    await phone.worker();
  });

  test('two windows with the same form send one answer, and the second says who was first', async () => {
    const { study, page, push, phone } = await takingPart();
    await push(monday);
    const second = await phone.context.newPage();
    for (const window of [page, second]) {
      await openAt(window, get().service.url, `?survey=${study.survey}&notification=${monday}`);
      await window.getByLabel('How did you sleep?').fill(window === page ? 'here' : 'there');
    }
    // At once: a press of the browser's own waits for a form that is just going away, as it may be by the second press.
    const buttons = [page, second].map((window) => window.getByRole('button', { name: 'Send' }));
    const found = await Promise.all(buttons.map((button) => button.elementHandle()));
    await Promise.all(found.map((button) => button?.evaluate((found) => (found as HTMLElement).click())));
    const told = (window: typeof second) =>
      window.getByRole('heading', { level: 1, name: /have been sent|You have answered this already/ });
    const headings = async () =>
      [await told(page).innerText(), await told(second).innerText()].map((text) => /sent/.test(text));
    await expect.poll(async () => (await headings()).sort()).toEqual([false, true]);
    expect(await storedIn(study)).toHaveLength(1);
    // The text of the second window is not lost.
    const [late, text] = (await headings())[0] ? [second, 'there'] : [page, 'here'];
    await late.getByRole('button', { name: 'Answer again' }).click();
    await expect.poll(() => late.getByLabel('How did you sleep?').inputValue()).toBe(text);
  });

  test('the reminder goes along with the answer, and one that the service does not know costs nothing', async () => {
    const { study, phone, page, push } = await takingPart();
    const bodies: { notification?: string; at?: string; clock?: string }[] = [];
    await standIn(phone.context, '/survey/*/response', (answers) => {
      bodies.push(answers.json());
      answers.continue();
    });
    await push(monday);
    await page.getByRole('link', { name: 'Answer: Diary' }).click();
    await night(page).fill('well');
    await send(page);
    await isSent(page);
    expect(bodies.map(({ notification }) => notification)).toEqual([monday, undefined]);
    for (const { at = '', clock = '' } of bodies)
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.parse(clock));
    expect(await storedIn(study)).toEqual([{ q1: 'well' }]);
  });
});
