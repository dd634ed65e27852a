import type { Page } from 'playwright-core';

/** Somebody who takes part, and in which study. */
export interface KeptSession {
  token: string;
  user: string;
  study: { identifier: string; name: string };
}

/** Opens the participants' page, and takes part with a token, past the code. The page shows it once it is loaded again. */
export async function keepSession(page: Page, url: string, session: KeptSession) {
  await page.goto(`${url}/p/`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(
    async (kept) => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('fieldbell', 1);
        request.onsuccess = () => resolve(request.result);
      });
      const transaction = database.transaction('kept', 'readwrite');
      transaction.objectStore('kept').put(kept, 'session');
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
    },
    { ...session, since: Date.now() },
  );
}

/** Opens a screen of the page. */
export async function openAt(page: Page, url: string, query = '') {
  await page.goto(`${url}/p/${query}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('body:not(:has(.loading))').waitFor();
}
