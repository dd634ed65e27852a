import { strings } from './common-strings.ts';

/** A deployment has replaced the files of this page. */
export class Replaced extends Error {
  override readonly name = 'Replaced';
}

/** Fetches a part of the console. @throws Replaced if this page is older than the service's files */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (await isReplaced()) throw new Replaced(strings.problem.replaced);
    throw error;
  }
}

/** Whether the service's page now begins with another script. */
async function isReplaced(): Promise<boolean> {
  const mine = document.querySelector('script[src]')?.getAttribute('src') ?? '';
  try {
    const page = await fetch('/console', { cache: 'no-store' });
    return page.ok && !(await page.text()).includes(`"${mine}"`);
  } catch {
    return false;
  }
}
