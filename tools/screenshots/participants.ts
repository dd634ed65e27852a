import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type ApiOptions, signIn } from '../api.ts';
import { type KeptSession, keepSession, openAt } from '../kept-session.ts';

/* The participants' page, as somebody sees it who takes part in a study of her own. */

const day = 24 * 3600 * 1000;

const option = (value: string, label: string) => ({ value, label });

const evening = {
  name: 'Evening diary',
  items: [
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
      identifier: 'signs',
      label: 'Which of these did you have today?',
      answer: {
        kind: 'choices',
        options: [option('head', 'Headache'), option('sick', 'Nausea'), option('dizzy', 'Dizziness')],
      },
    },
    { identifier: 'tablet', label: 'Did you take your tablet?', answer: { kind: 'yes-no', required: true } },
    { identifier: 'woke', label: 'When did you wake up?', answer: { kind: 'time' } },
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
    { identifier: 'notes', label: 'Anything else?' },
  ],
  reminders: {
    type: 'rolling',
    recurrence: '0 19 * * *',
    ends: null,
    notification: { subject: 'Evening diary', body: 'How was your day?' },
  },
};

export async function seedParticipant(options: ApiOptions): Promise<KeptSession> {
  const owner = await signIn(options, { subject: 'shots-paula', email: 'paula@example.org' });
  const participant = await signIn(options, { subject: 'shots-nora', email: 'nora@example.org' });
  await owner.call('POST', '/user', { name: 'Paula Ito', timeZone: 'Europe/Paris' });
  const me = await participant.call<{ identifier: string }>('POST', '/user', {
    name: 'Nora',
    timeZone: 'Europe/Paris',
  });
  const study = await owner.call<{ identifier: string }>('POST', '/investigation', {
    name: 'Migraine and sleep',
    timeZone: 'Europe/Paris',
  });
  await owner.call('POST', `/investigation/${study.identifier}/member`, {
    user: me.identifier,
    role: 'responder',
  });
  await owner.call('POST', `/investigation/${study.identifier}/survey`, evening);
  await owner.call('POST', `/investigation/${study.identifier}/survey`, {
    name: 'An attack has begun',
    items: [{ identifier: 'strength', label: 'How strong is it?' }],
  });
  return {
    token: participant.token,
    user: me.identifier,
    study: { identifier: study.identifier, name: 'Migraine and sleep' },
  };
}

interface Scene {
  name: string;
  address: string;
  permission?: NotificationPermission;
  isSignedIn?: boolean;
  act?: (page: Page, context: BrowserContext) => Promise<unknown>;
}

const send = (page: Page) => page.getByRole('button', { name: 'Send' }).click();
const openDiary = (page: Page) => page.getByRole('link', { name: 'Answer: Evening diary' }).click();

const scenes: readonly Scene[] = [
  { name: 'p-join', address: '#7KQM-2XWD-94PT', isSignedIn: false },
  {
    name: 'p-join-unknown',
    address: '',
    isSignedIn: false,
    act: async (page) => {
      await page.getByLabel('Your code').fill('7KQM');
      await page.getByRole('button', { name: 'Join' }).click();
    },
  },
  { name: 'p-reminders', address: '?view=reminders' },
  { name: 'p-blocked', address: '?view=reminders', permission: 'denied' },
  { name: 'p-today', address: '' },
  { name: 'p-later', address: '', act: (page) => page.getByRole('button', { name: /^Later/ }).click() },
  { name: 'p-survey', address: '', act: openDiary },
  {
    name: 'p-survey-missing',
    address: '',
    act: async (page) => {
      await openDiary(page);
      await send(page);
    },
  },
  { name: 'p-settings', address: '?view=settings' },
  {
    name: 'p-leave',
    address: '?view=settings',
    act: (page) => page.getByRole('button', { name: 'Leave the study' }).click(),
  },
  {
    name: 'p-offline',
    address: '',
    act: async (page, context) => {
      await openDiary(page);
      await page.getByRole('radio', { name: '4' }).check();
      await page.getByRole('radio', { name: 'Yes' }).check();
      await context.setOffline(true);
      await send(page);
      await page.getByRole('heading', { name: /Thank you/ }).waitFor();
      await page.getByRole('link', { name: 'Today' }).click();
    },
  },
];

/** Takes the pictures of a look. The evening has come for the page: its clock is at seven. */
export async function takeParticipant(
  browser: Browser,
  {
    url,
    session,
    folder,
    look,
  }: { url: string; session: KeptSession; folder: string; look: 'light' | 'dark' },
) {
  for (const { name, address, permission = 'default', isSignedIn = true, act } of scenes) {
    const context = await browser.newContext({
      viewport: { width: 360, height: 740 },
      colorScheme: look,
      timezoneId: 'Europe/Paris',
      locale: 'en-GB',
      hasTouch: true,
      isMobile: true,
    });
    await context.addInitScript((state) => {
      Object.defineProperty(Notification, 'permission', { get: () => state });
    }, permission);
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    if (isSignedIn) await keepSession(page, url, session);
    else await openAt(page, url);
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.clock.setFixedTime(sevenThirty());
    await page.goto('about:blank');
    await openAt(page, url, address);
    if (act) await act(page, context);
    await page.locator('body:not(:has(.loading))').waitFor();
    const file = `${name}-${look}.png`;
    const fullPage = (await page.locator('dialog[open]').count()) === 0;
    await page.screenshot({ path: join(folder, file), fullPage, animations: 'disabled' });
    console.log(file);
    await context.close();
  }
}

/** Of the next evening in Paris. */
function sevenThirty(): Date {
  for (let at = Math.ceil(Date.now() / 60_000) * 60_000; ; at += 60_000)
    if (
      new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Europe/Paris', timeStyle: 'short' }) === '19:30'
    )
      return new Date(at + (at - Date.now() < 3600_000 ? day : 0));
}
