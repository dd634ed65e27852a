import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, startBrowser } from '../browser.ts';
import { demoStudy } from '../demo-study.ts';
import { type OwnService, startOwnService } from '../own-service.ts';
import { seed } from '../seed.ts';
import { projectFolder } from '../settings.ts';
import { signToken } from '../sign-token.ts';
import { consoleLink } from '../summary.ts';
import { guestShots, seedArrivals, strangerShots } from './arrivals.ts';
import { guidePeople } from './guide-people.ts';
import { followGuides, type Picture, picturesFolder, pictureWindow } from './guides.ts';
import { hardShots, seedHard } from './hard.ts';
import { liveShots, seedLive } from './live.ts';
import { seedParticipant, takeParticipant } from './participants.ts';
import { demoShots, type Shot } from './shots.ts';

/*
 * `npm run screenshots [name...]`: every screen of the console, the participants' page (`participants`) and the phones' page, light and dark, on a desk and on a
 * phone, of the demo study and of others on a service of its own. Written to .cache/screenshots. The pictures of the
 * guides (`guides`) and of the README (`readme`) are written into the documents.
 */

const desk = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 360, height: 740 } };
const looks: Record<string, BrowserContextOptions> = {
  light: { ...desk, colorScheme: 'light' },
  dark: { ...desk, colorScheme: 'dark' },
  phone: { ...phone, colorScheme: 'light' },
  'phone-dark': { ...phone, colorScheme: 'dark' },
};

const readmePicture = join(projectFolder, 'docs/images/console.webp');
const readmeLook = { viewport: { width: 1280, height: 760 }, colorScheme: 'light' } as const;

const target = join(projectFolder, '.cache/screenshots');

/** The view of one person: their console, and the study that paths are below. */
interface Tour {
  token: string;
  study: string;
  shots: readonly Shot[];
}

async function main(wanted: readonly string[]): Promise<number> {
  const path = findChromium(process.env);
  if (!path) {
    console.error('No Chromium: install one, or set CHROMIUM_PATH.');
    return 1;
  }
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  if (wanted.length === 0 || wanted.includes('readme')) await takeReadme(path);
  if (wanted.length === 1 && wanted.includes('readme')) return 0;
  const service = await startOwnService();
  const browser = await startBrowser(path);
  try {
    if (wanted.length === 0 || wanted.includes('guides')) await takeGuides(browser, service);
    if (wanted.length === 0 || wanted.includes('participants')) await takeParticipants(browser, service);
    const tours = await prepare(service);
    for (const look of Object.keys(looks))
      for (const { shots, ...tour } of tours) {
        const chosen = shots.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
        if (chosen.length > 0) await takeAll(browser, service.url, { ...tour, shots: chosen }, look);
      }
  } finally {
    await browser.close();
    await service.end();
  }
  return 0;
}

async function takeParticipants(browser: Browser, { url, auth }: OwnService) {
  const session = await seedParticipant({ url, auth, signal: AbortSignal.timeout(60_000) });
  for (const look of ['light', 'dark'] as const)
    await takeParticipant(browser, { url, session, folder: target, look });
}

/** The demo study with its weeks behind it, for README.md. */
async function takeReadme(path: string) {
  const service = await startOwnService((file, settings) =>
    promisify(execFile)(process.execPath, ['tools/demo/main.ts', file], {
      cwd: projectFolder,
      env: { ...process.env, ...settings },
    }),
  );
  const browser = await startBrowser(path);
  try {
    const { subject } = demoStudy.people.owner;
    const token = await signToken(service.auth, { subject, expiresIn: 3600 });
    const context = await browser.newContext({ ...readmeLook, timezoneId: 'Europe/Paris', locale: 'en-GB' });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    await page.goto(consoleLink(service.url, token));
    await settled(page);
    await page.getByRole('link', { name: 'Night shifts and sleep' }).click();
    await page.mouse.move(0, 0);
    await page.locator('.plot canvas').waitFor();
    await settled(page);
    mkdirSync(dirname(readmePicture), { recursive: true });
    const session = await context.newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
    writeFileSync(readmePicture, data, 'base64');
    console.log(readmePicture);
  } finally {
    await browser.close();
    await service.end();
  }
}

async function takeGuides(browser: Browser, { url, auth, platforms }: OwnService) {
  const folder = join(projectFolder, picturesFolder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const people = await guidePeople({ url, auth, platforms, signal: AbortSignal.timeout(300_000) });
  const look = { colorScheme: 'light', viewport: pictureWindow } as const;
  const context = await browser.newContext({ ...look, timezoneId: 'Europe/Paris', locale: 'en-GB' });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(consoleLink(url, people.token));
  await settled(page);
  const session = await context.newCDPSession(page);
  const take = async (picture: Picture) => {
    await settled(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
    writeFileSync(join(folder, `${picture}.webp`), data, 'base64');
    console.log(`${picturesFolder}/${picture}.webp`);
  };
  await followGuides({ page, participants: people.participants, take });
  await context.close();
}

async function prepare({ url, auth, platforms, snsUrl }: OwnService): Promise<Tour[]> {
  const options = { url, auth, platforms, signal: AbortSignal.timeout(60_000) };
  const demo = await seed(options);
  const hard = await seedHard(options);
  const arrivals = await seedArrivals(options, { studies: [hard.long, hard.empty] });
  const live = await seedLive({ url, auth, platforms });
  const phones = {
    name: 'phones',
    path: snsUrl,
    act: (page: Page) => page.locator('.phone').first().waitFor(),
  };
  return [
    { token: demo.ownerToken, study: demo.study, shots: [...demoShots, phones] },
    { token: hard.token, study: hard.long, shots: hardShots(hard) },
    { token: live.token, study: live.study, shots: liveShots(live) },
    { token: arrivals.stranger, study: hard.long, shots: strangerShots },
    { token: arrivals.guest, study: hard.long, shots: guestShots },
  ];
}

async function takeAll(browser: Browser, url: string, { token, study, shots }: Tour, look: string) {
  const context = await browser.newContext({ ...looks[look], timezoneId: 'Europe/Paris', locale: 'en-GB' });
  const signedIn = await context.newPage();
  signedIn.setDefaultTimeout(120_000);
  await signedIn.goto(consoleLink(url, token));
  await signedIn.getByRole('heading', { level: 1 }).waitFor();
  for (const { name, path, act } of shots) {
    await signedIn.unrouteAll();
    await context.setOffline(false);
    await signedIn.goto(new URL(path.startsWith('/') ? pathOf(study, path) : path, url).href);
    await settled(signedIn);
    if (act) {
      await act(signedIn);
      await settled(signedIn);
    }
    // A dialog, the actions on a selection, and rows that wait for the pointer belong to the window, not to the whole page.
    const ofWindow = await signedIn
      .locator(':is(dialog[open], .selection-bar[data-open], .table-news:not(:empty))')
      .count();
    const fullPage = look.startsWith('phone') && ofWindow === 0;
    if (fullPage) await signedIn.evaluate('scrollTo(0, 0)');
    const file = `${name}-${look}.png`;
    await signedIn.screenshot({ path: join(target, file), fullPage, animations: 'disabled' });
    console.log(file);
  }
  await context.close();
}

const pathOf = (study: string, path: string) =>
  path.startsWith('/console') ? path : `/console/studies/${study}${path}`;

/** Nothing on the page is loading. */
async function settled(page: Page) {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('body:not(:has(.loading))').waitFor();
}

process.exitCode = await main(process.argv.slice(2));
