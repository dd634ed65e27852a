import { useEffect, useState } from 'preact/hooks';
import { api, isProblem, read } from './api.ts';
import { reload } from './kept-state.ts';
import { flush } from './outbox.ts';
import { readRegistration } from './page-worker.ts';
import { readPermission } from './permission.ts';
import { subscribe } from './push.ts';
import { refresh } from './snapshot.ts';
import { keep, readKept } from './store.ts';

export type Reached = 'yes' | 'no' | 'failed';

/** Sends what waits, then asks for what is new. */
export async function syncNow(language: string): Promise<Reached> {
  try {
    if (!(await flush())) await askForSync();
    await tellChosenLanguage();
    await keepSubscription(language);
    await refresh();
    return 'yes';
  } catch (error) {
    // An ended token is shown by the screen that it leads to.
    return isProblem(error, 401) ? 'yes' : isProblem(error) ? 'failed' : 'no';
  } finally {
    reload();
  }
}

/** Lets the browser send it while the page is closed, where it can. */
async function askForSync() {
  const registration = (await readRegistration()) as
    | { sync?: { register(tag: string): Promise<void> } }
    | undefined;
  await registration?.sync?.register('outbox').catch(() => undefined);
}

/** The language of phones that are registered without one: what was chosen here, which may have been without a network. */
async function tellChosenLanguage() {
  const language = await readKept<string>('chosen-language');
  if (!language) return;
  await read(api.user[':id'].$patch({ param: { id: 'me' }, json: { language } }));
  if ((await readKept('chosen-language')) === language) await keep('chosen-language', undefined);
}

/** The zone or the subscription of the phone may have changed; only where pushes were wanted. */
async function keepSubscription(language: string) {
  const registration = await readRegistration();
  if (!registration || readPermission() !== 'granted' || !(await readKept('device'))) return;
  await subscribe(registration, language);
}

const everyMs = 5 * 60_000;

/** Keeps the page and the service in step while somebody looks at it. */
export function useSync(isSignedIn: boolean, language: string): Reached {
  const [reached, setReached] = useState<Reached>(navigator.onLine ? 'yes' : 'no');
  useEffect(() => {
    if (!isSignedIn) return;
    const sync = () => {
      if (!document.hidden) void syncNow(language).then(setReached);
    };
    const lose = () => setReached('no');
    sync();
    const timer = setInterval(sync, everyMs);
    addEventListener('online', sync);
    addEventListener('offline', lose);
    document.addEventListener('visibilitychange', sync);
    return () => {
      clearInterval(timer);
      removeEventListener('online', sync);
      removeEventListener('offline', lose);
      document.removeEventListener('visibilitychange', sync);
    };
  }, [isSignedIn, language]);
  return reached;
}
