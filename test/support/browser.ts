import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The names of the browser in distributions. The first one cannot show a window, and costs tests a quarter less. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** The browser of this machine: `CHROMIUM_PATH`, or the first of the usual names in the PATH. */
export function findChromium({ CHROMIUM_PATH, PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const paths = PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return paths.find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Its sandbox needs rights that root in a container lacks. */
export const browserArguments = ['--no-sandbox', '--disable-dev-shm-usage'];

/** Starts it without a window. */
export const startBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: browserArguments });
