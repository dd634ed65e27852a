import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeConsole, expectFocused } from '../console/support/console.ts';
import { hostile } from '../console/support/hostile.ts';
import { created } from '../support/people.ts';
import { newStudy } from '../support/studies.ts';
import { begin, iPhone, openAt, openPhone } from './support/phone.ts';
import { expectGood } from './support/screens.ts';
import { standIn } from './support/stand-ins.ts';

/* Every screen, for eyes, fingers, keyboards and screen readers, at 360 pixels. */

const daily = {
  type: 'rolling',
  recurrence: '0 12 * * *',
  ends: null,
  notification: { subject: 'Diary', body: 'How was your day?' },
};

let studies = 0;

describeConsole("the screens of the participants' page", (get) => {
  const url = () => get().service.url;

  async function takingPart(options: BrowserContextOptions & { permission?: NotificationPermission } = {}) {
    const study = await newStudy(get().world, { of: `screens ${++studies}`, reminders: daily });
    created(
      await study.owner.post(`/investigation/${study.id}/survey`, {
        name: 'Side effects',
        items: [{ identifier: 'q1', label: 'Did you feel anything unusual?' }],
      }),
    );
    const phone = await openPhone(get(), options);
    await begin(phone, url(), study.other, study);
    return { study, phone, page: phone.page };
  }

  test('joining: the form, what is wrong with a code, and no network', async () => {
    const { page, context } = await openPhone(get());
    await openAt(page, url());
    await expectGood(page);
    await page.getByLabel('Your code').fill('7KQM');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('A code has 12 letters and numbers. Please check it.').waitFor();
    await expectFocused(page.getByLabel('Your code'));
    await expectGood(page);
    await page.getByLabel('Your code').fill('7kqm 2xwd 94pt');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('There is no internet right now.').waitFor();
    await expectGood(page);
  });

  test('joining on an iPhone begins with the home screen, in pictures, and keeps the code for it', async () => {
    const { page } = await openPhone(get(), { userAgent: iPhone });
    await openAt(page, url(), '#7KQM-2XWD-94PT');
    await page.getByRole('heading', { name: 'First put this page on your home screen' }).waitFor();
    await page.getByText('7KQM-2XWD-94PT').waitFor();
    expect(await page.locator('.steps svg').count()).toBe(3);
    await expectGood(page);
    await page.getByRole('button', { name: 'Continue here, without reminders' }).click();
    await page.getByRole('button', { name: 'Join' }).waitFor();
  });

  test('a second link does not take the place of the first without being asked', async () => {
    const { page } = await takingPart();
    await page.goto('about:blank');
    await openAt(page, url(), '#7KQM-2XWD-94PT');
    await page.getByRole('heading', { name: 'This phone already takes part' }).waitFor();
    await expectGood(page);
    await page.getByRole('button', { name: 'Do not use the new code' }).click();
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
  });

  test('settings with quiet hours, and questions about them; a questionnaire that is gone', async () => {
    const { page } = await takingPart();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Do not disturb me at night').check();
    await page.getByRole('button', { name: 'Delete my account' }).click();
    await expectGood(page);
    await openAt(page, url(), '?survey=00000000000070008000000000000000');
    await page.getByRole('heading', { name: 'This questionnaire is no longer available' }).waitFor();
    await expectGood(page);
  });

  test.each([
    [
      'denied' as const,
      { permission: 'denied' as const },
      'Your phone blocks notifications from this page',
      3,
    ],
    ['iPhone' as const, { userAgent: iPhone }, 'Put this page on your home screen first', 3],
  ])('reminders say what to do, with pictures: %s', async (_, options, heading, pictures) => {
    const { page } = await takingPart(options);
    await openAt(page, url(), '?view=reminders');
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await page.locator('.steps svg').count()).toBe(pictures);
    await expectGood(page);
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
  });

  test('a browser without pushes says so, and takes answers all the same', async () => {
    const { page } = await takingPart();
    await page.addInitScript('delete self.PushManager');
    await openAt(page, url(), '?view=reminders');
    await page.getByRole('heading', { name: 'This browser cannot show reminders' }).waitFor();
    await expectGood(page);
  });

  test('an ended token is told, and what waits is not lost', async () => {
    const { page, phone } = await takingPart();
    // The page asks for its user at any time: until the answer waits, it is still connected.
    let isEnded = false;
    await standIn(phone.context, '/user/me', (me) =>
      isEnded
        ? me.fulfill({
            status: 401,
            contentType: 'application/problem+json',
            body: '{"code":"auth.token-invalid"}',
          })
        : me.continue(),
    );
    await standIn(phone.context, '/response', (answers) => {
      isEnded = true;
      answers.abort();
    });
    await page.getByRole('link', { name: 'Side effects' }).click();
    await page.getByLabel('Did you feel anything unusual?').fill('no');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'This phone is no longer connected' }).waitFor();
    await page.getByText('One answer waits on this phone.').waitFor();
    await expectGood(page);
    await page.getByRole('link', { name: 'Enter a code' }).click();
    await page.getByRole('heading', { name: 'Take part in a study' }).waitFor();
  });

  test('names that would be markup, and long ones, are text', async () => {
    const { study, page } = await takingPart();
    const name = `${hostile} ${'Donaudampfschifffahrt'.repeat(6)}`.slice(0, 200);
    await study.owner.patch(`/survey/${study.survey}`, {
      name,
      items: [{ identifier: 'q1', label: `${hostile} ${'Wort'.repeat(60)}` }],
      reminders: null,
    });
    await openAt(page, url());
    await page.getByRole('link', { name: 'onerror' }).click();
    await page.getByLabel('onerror').waitFor();
    await expect.poll(() => page.title()).toContain('onerror');
    await expectGood(page);
  });

  test.each([
    ['de', 'Heute', 'Was kommt'],
    ['fr-CA', 'Aujourd’hui', 'À venir'],
    ['es', 'Hoy', 'Lo que viene'],
    ['ja', 'Today', 'Coming up'],
  ])("the phone's language is spoken: %s", async (locale, title, coming) => {
    const study = await newStudy(get().world, { of: `language ${++studies}`, reminders: daily });
    const phone = await openPhone(get(), { locale });
    const { page } = phone;
    await begin(phone, url(), study.other, study, 'Sleep', title);
    await page.getByRole('heading', { name: coming }).waitFor();
    await expect
      .poll(() => page.evaluate('document.documentElement.lang'))
      .toBe(locale === 'ja' ? 'en' : locale.slice(0, 2));
  });

  test('another language is a choice, which stays', async () => {
    const { page } = await takingPart();
    await openAt(page, url(), '?view=settings');
    await page.getByLabel('Language').selectOption('Deutsch');
    const german = page.getByRole('heading', { name: 'Einstellungen' });
    await german.waitFor();
    await page.reload();
    await german.waitFor();
    await expect.poll(() => page.evaluate('document.documentElement.lang')).toBe('de');
  });

  test('a survey is answered by keyboard alone, and each control is reached', async () => {
    const { study, page } = await takingPart();
    await page.getByRole('link', { name: 'Side effects' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Side effects' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1');
    await page.keyboard.press('Tab');
    await page.keyboard.type('nothing');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /Thank you/ }).waitFor();
    const { responses } = (await study.owner.get(`/investigation/${study.id}/responses`)).body;
    expect(responses).toMatchObject([{ items: { q1: 'nothing' } }]);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Today', level: 1 }).waitFor();
    const wanted = await page.locator('a:visible, button:visible').count();
    const seen = new Set<string>();
    for (let n = 0; n < wanted; n++) {
      await page.keyboard.press('Tab');
      seen.add(await page.evaluate('document.activeElement.outerHTML'));
    }
    expect(seen.size).toBeGreaterThanOrEqual(wanted - 1);
  });

  test('reduced motion moves nothing', async () => {
    const { page } = await takingPart();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.getByRole('link', { name: 'Side effects' }).click();
    await page.getByLabel('Did you feel anything unusual?').fill('no');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /Thank you/ }).waitFor();
    expect(
      await page.evaluate("document.getAnimations().filter((one) => one.playState === 'running').length"),
    ).toBe(0);
  });
});
