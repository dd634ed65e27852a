import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { findChromium, startBrowser } from './browser.ts';
import { type OwnService, startOwnService } from './own-service.ts';
import { type Demo, seed } from './seed.ts';
import { projectFolder } from './settings.ts';
import { consoleLink } from './summary.ts';

/*
 * `npm run screenshots [name...]`: every screen of the console, light and dark, and as wide as a phone, of the demo study
 * on a service of its own. Written to .cache/screenshots.
 */

interface Shot {
  name: string;
  /** Below the study, or from `/console`. */
  path: string;
  /** What is done before the picture is taken. */
  act?: (page: Page) => Promise<unknown>;
}

const shots: Shot[] = [
  { name: 'studies', path: '/console' },
  {
    name: 'create-study',
    path: '/console',
    act: (page) => page.getByRole('button', { name: 'New study' }).click(),
  },
  {
    name: 'overview',
    path: '/overview',
    act: (page) => page.getByRole('heading', { name: 'What needs you' }).waitFor(),
  },
  { name: 'overview-days', path: '/overview', act: showFourWeeks },
  { name: 'participants', path: '/participants' },
  {
    name: 'participant',
    path: '/participants',
    act: async (page) => {
      await page.getByRole('link', { name: 'Chidi' }).click();
      await page.getByRole('heading', { name: 'Next reminders' }).waitFor();
    },
  },
  { name: 'data', path: '/data' },
  {
    name: 'data-selected',
    path: '/data',
    act: async (page) => {
      await page.getByRole('checkbox', { name: /Ward 7/ }).click();
    },
  },
  { name: 'data-cases', path: '/data?kind=cases' },
  {
    name: 'lock',
    path: '/data',
    act: async (page) => {
      await page.getByRole('checkbox', { name: /Ward 4/ }).click();
      await page.getByRole('button', { name: 'Lock', exact: true }).click();
    },
  },
  {
    name: 'lock-by-filter',
    path: '/data',
    act: async (page) => {
      await page.getByRole('button', { name: 'Lock by filter' }).click();
      await page.getByRole('button', { name: 'Count what it finds' }).click();
      await page.getByRole('button', { name: 'Change the filter' }).waitFor();
    },
  },
  { name: 'response', path: '/data', act: (page) => page.locator('tbody a').first().click() },
  { name: 'surveys', path: '/surveys' },
  { name: 'survey', path: '/surveys', act: (page) => openDiary(page) },
  { name: 'survey-items', path: '/surveys', act: (page) => follow(page, 'Change name and items') },
  { name: 'reminders', path: '/surveys', act: (page) => follow(page, 'Change reminders') },
  {
    name: 'reminders-random',
    path: '/surveys',
    act: async (page) => {
      await follow(page, 'Change reminders', 'Tired right now?');
      await page.getByRole('checkbox', { name: 'Remind again if nobody answers' }).check();
      await page.getByLabel('Minutes between nudges').fill('10');
      await page.waitForLoadState('networkidle');
    },
  },
  {
    name: 'reminders-impact',
    path: '/surveys',
    act: async (page) => {
      await follow(page, 'Change reminders');
      await page.getByRole('radio', { name: 'Some days of the week' }).check();
      await page.getByRole('button', { name: 'Save reminders' }).click();
      await page.getByText('people').last().waitFor();
    },
  },
  { name: 'members', path: '/members' },
  {
    name: 'invite',
    path: '/members',
    act: async (page) => {
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.getByLabel('E-mail address').fill('dana@example.org');
    },
  },
  { name: 'settings', path: '/settings' },
  {
    name: 'freeze',
    path: '/data',
    act: async (page) => {
      await page.getByRole('button', { name: 'Freeze study' }).click();
    },
  },
  { name: 'activity', path: '/activity', act: (page) => page.locator('summary').first().click() },
  // Last: nobody is signed in any more.
  {
    name: 'sign-in',
    path: '/console',
    act: (page) => page.getByRole('button', { name: 'Sign out' }).click(),
  },
];

/** The demo study is new: an answer such as it has after four weeks. */
async function showFourWeeks(page: Page) {
  const days = Array.from({ length: 28 }, (_, n) => {
    const sent = 46 - (n % 5);
    const opened = Math.round(sent * (0.85 - n / 90));
    const answered = opened - (n % 4) - 2;
    const date = `2027-03-${String(n + 1).padStart(2, '0')}`;
    return { date, due: 48, sent, failed: 0, skipped: {}, shown: sent, opened, answered };
  });
  const json = { investigation: 'investigation/demo', from: '2027-03-01', to: '2027-03-28', days };
  await page.route('**/compliance/daily*', (route) => route.fulfill({ json }));
  await page.reload();
  await page.locator('.plot canvas').waitFor();
}

/** The survey of the demo study, and where one of its links leads. */
async function openDiary(page: Page, name = 'Sleep diary') {
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

async function follow(page: Page, link: string, survey?: string) {
  await openDiary(page, survey);
  await page.getByRole('link', { name: link }).click();
  await page.getByRole('button', { name: 'Save' }).waitFor();
}

const looks = [
  { look: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { look: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { look: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

const target = join(projectFolder, '.cache/screenshots');

async function main(wanted: string[]): Promise<number> {
  const path = findChromium(process.env);
  if (!path) {
    console.error('No Chromium: install one, or set CHROMIUM_PATH.');
    return 1;
  }
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const service = await startOwnService();
  const browser = await startBrowser(path);
  try {
    const { url, auth, platforms } = service;
    const demo = await seed({ url, auth, platforms, signal: AbortSignal.timeout(60_000) });
    for (const look of looks) await takeAll(browser, service, demo, look, wanted);
  } finally {
    await browser.close();
    await service.end();
  }
  return 0;
}

async function takeAll(
  browser: Browser,
  { url }: OwnService,
  demo: Demo,
  { look, ...options }: (typeof looks)[number],
  wanted: string[],
) {
  const context = await browser.newContext({ ...options, timezoneId: 'Europe/Paris', locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(consoleLink(url, demo.ownerToken));
  await page.getByRole('heading', { level: 1 }).waitFor();
  for (const { name, path, act } of shots.filter(
    (shot) => wanted.length === 0 || wanted.includes(shot.name),
  )) {
    await page.goto(url + (path.startsWith('/console') ? path : `/console/studies/${demo.study}${path}`));
    await settled(page);
    await act?.(page);
    await settled(page);
    await page.screenshot({ path: join(target, `${name}-${look}.png`), fullPage: look === 'phone' });
    console.log(`${name}-${look}.png`);
  }
  await context.close();
}

/** Nothing is asked of the service any more, and nothing says that it is. */
async function settled(page: Page) {
  await page.waitForLoadState('networkidle');
  await page.locator('body:not(:has(.loading))').waitFor();
}

process.exitCode = await main(process.argv.slice(2));
