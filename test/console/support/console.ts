import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { findChromium, startBrowser } from '../../../dev/browser.ts';
import { open, type Runtime, type Service } from '../../conformance/support/runtimes.ts';
import { newWorld, type ServiceWorld } from '../../conformance/support/worlds.ts';
import type { Person } from '../../support/people.ts';

const chromium = findChromium(process.env);
/** In CI a missing browser is a fault; elsewhere the tests are skipped, and say so. */
const skips = chromium === undefined && !process.env.CI;

export interface Console {
  service: Service;
  world: ServiceWorld;
  /** A window of its own, signed in as somebody by a link, at a path below `/console`. */
  visit(person: Pick<Person, 'token'>, path?: string, options?: BrowserContextOptions): Promise<Visit>;
  /** A window of its own that nobody is signed in to. */
  newPage(options?: BrowserContextOptions): Promise<Visit>;
}

/** A page, and what it said that it should not have. */
export type Visit = Page & { complaints: string[] };

/** Tests in a browser, against a service on one of the runtimes. */
export function describeConsole(
  name: string,
  tests: (get: () => Console) => void,
  { runtime = 'node' as Runtime, settings = () => ({}) as Record<string, string> } = {},
) {
  describe.skipIf(skips)(skips ? `${name} (skipped: no Chromium; set CHROMIUM_PATH)` : name, () => {
    let opened: Console;
    let browser: Browser;
    beforeAll(async () => {
      if (!chromium) throw new Error('No Chromium: install one, or set CHROMIUM_PATH.');
      const [service, started] = await Promise.all([open(runtime, settings()), startBrowser(chromium)]);
      browser = started;
      opened = consoleOf(service, browser);
    });
    afterAll(async () => {
      await browser?.close();
      await opened?.service.dispose();
    });
    tests(() => opened);
  });
}

function consoleOf(service: Service, browser: Browser): Console {
  const newPage = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ timezoneId: 'Europe/Paris', locale: 'en-GB', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      // Of what the browser says itself, a refused request is tested where it matters.
      if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
        complaints.push(message.text());
    });
    return Object.assign(page, { complaints });
  };
  return {
    service,
    world: newWorld(service),
    newPage,
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

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe finds nothing on the page, in light and in dark. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await page.evaluate<AxeResults>('axe.run()');
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    expect(found, `${page.url()}, ${colorScheme}`).toEqual([]);
  }
}

/** Nothing sticks out at the width of a phone. */
export async function expectFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
}
