import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { buffer } from 'node:stream/consumers';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import { open, type Runtime, type Service } from '../../conformance/support/runtimes.ts';
import { newWorld, type ServiceWorld } from '../../conformance/support/worlds.ts';
import type { Person } from '../../support/people.ts';

declare module 'vitest' {
  interface ProvidedContext {
    runtime: Runtime;
    /** The debugging address of the browser; empty without one. */
    browser: string;
    service: Address;
  }
}

interface Address {
  url: string;
  folder: string;
  sns: { url: string };
}

export interface Console {
  service: Address;
  world: ServiceWorld;
  /** A window of its own, signed in as somebody by a link, at a path below `/console`. */
  visit(person: Pick<Person, 'token'>, path?: string, options?: BrowserContextOptions): Promise<Visit>;
  /** A window of its own that nobody is signed in to. */
  newPage(options?: BrowserContextOptions): Promise<Visit>;
}

/** A page, and what it said that it should not have. */
export type Visit = Page & { complaints: string[] };

interface Options {
  /** Of a service of its own; without them it is the one that all files share. */
  settings?: () => Record<string, string>;
  /** The runtimes that it is about: all of them, unless something differs. */
  on?: Runtime[];
}

/** For tests that write into the database's file, past the service's front door. */
export const ownServiceOnNode: Options = { settings: () => ({}), on: ['node'] };

/** For one thing on a page. The test's own timeout would not say what was waited for. */
const waitMs = 300_000;

const runtime = inject('runtime');
const endpoint = inject('browser');
/** In CI a missing browser is a fault; elsewhere the tests are skipped, and say so. */
const lacksBrowser = endpoint === '' && !process.env.CI;

/** Tests in a browser, against a service on each runtime. */
export function describeConsole(
  name: string,
  tests: (get: () => Console) => void,
  { settings, on = [runtime] }: Options = {},
) {
  const title = lacksBrowser ? `${name} (skipped: no Chromium; set CHROMIUM_PATH)` : name;
  describe.skipIf(lacksBrowser || !on.includes(runtime))(title, () => {
    let browser: Browser;
    let own: Service | undefined;
    let opened: ReturnType<typeof consoleOf>;
    beforeAll(async () => {
      if (!endpoint) throw new Error('No Chromium: install one, or set CHROMIUM_PATH.');
      browser = await chromium.connect(endpoint, { timeout: 0 });
      if (settings) own = await open(runtime, settings());
      opened = consoleOf(own ?? inject('service'), browser);
    });
    // A window that is left open goes on asking the service for what is new.
    afterEach(() => opened.closeAll());
    afterAll(async () => {
      await browser?.close();
      await own?.dispose();
    });
    tests(() => opened);
  });
}

function consoleOf(service: Address, browser: Browser): Console & { closeAll(): Promise<void> } {
  const newPage = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ timezoneId: 'Europe/Paris', locale: 'en-GB', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(waitMs);
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      // Of what the browser says itself, a refused request is tested where it matters.
      if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
        complaints.push(message.text());
    });
    return Object.assign(page, { complaints });
  };
  const world = newWorld(service);
  // Several files have an Ada.
  const file = randomUUID().slice(0, 8);
  return {
    service,
    world: { ...world, subjectOf: (name) => `${file}-${world.subjectOf(name)}` },
    newPage,
    async closeAll() {
      for (const context of browser.contexts()) await context.close();
    },
    async visit({ token }, path = '', options = {}) {
      const page = await newPage(options);
      await page.goto(`${service.url}/console${path}#token=${token}`);
      await settled(page);
      return page;
    },
  };
}

/** The screen is there, and asks the service for nothing more. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('body:not(:has(.loading))').waitFor();
}

/** The name, the bytes and the text, without a mark, of the file that the page saves when this is done. */
export async function savedBy(page: Page, act: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent('download'), act()]);
  const bytes = await buffer(await file.createReadStream());
  return { name: file.suggestedFilename(), bytes, text: new TextDecoder().decode(bytes) };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe finds nothing on the page, in light and in dark. The page is the same on each runtime, so once is enough. */
export async function expectAccessible(page: Page): Promise<void> {
  if (runtime !== 'node') return;
  await expectNoViolations(page, 'light', '{ resultTypes: ["violations"] }');
  await expectNoViolations(page, 'dark', '{ resultTypes: ["violations"], runOnly: ["color-contrast"] }');
}

/** axe finds nothing on the page in this scheme. */
export async function expectNoViolations(page: Page, colorScheme: 'light' | 'dark', options: string) {
  if (await page.evaluate('!window.axe')) await page.evaluate(axe);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // A message that still appears is pale.
  await page.evaluate(`Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().iterations < Infinity).map((one) => one.finished))`);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  expect(found, `${page.url()}, ${colorScheme}`).toEqual([]);
}

/** The element gets the focus, which may move after the page is drawn. */
export const expectFocused = (element: Locator, message = '') =>
  expect.poll(() => element.evaluate((one) => one === document.activeElement), { message }).toBe(true);

/** Nothing sticks out at the width of a phone. */
export async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
}
