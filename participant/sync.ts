import { useEffect, useState } from 'preact/hooks';
import { backoffMs } from '../src/retry.ts';
import { api, isProblem, read } from './api.ts';
import { reload } from './kept-state.ts';
import { withLock } from './locks.ts';
import { flush } from './outbox.ts';
import { perhaps, within } from './patience.ts';
import { readRegistration } from './registration.ts';
import { keepReminders } from './reminding.ts';
import { refresh } from './snapshot.ts';
import { keep, readKept } from './store.ts';
import { ownZone } from './zone.ts';

export type Reached = 'yes' | 'no' | 'failed';

/** For one step: a slow network sends in this time what people answer. */
const patienceMs = 45_000;

/**
 * Sends what waits, says what is new about this phone, and asks for what is new. Each step has its own patience, and none
 * stops another: what it answers is whether the study could be read, and whether nothing waits any more.
 */
export async function syncNow(language: string): Promise<{ reached: Reached; isSent: boolean }> {
  // Beside the others, since some browsers take long to say that they cannot subscribe.
  void step(() => keepReminders(language)).then(reload);
  const isSent = (await step(sendWaiting)) ?? false;
  await step(() => withLock('fieldbell.person', tellChosenLanguage));
  await step(() => withLock('fieldbell.person', tellZone));
  const reached = await readStudy();
  reload();
  return { reached, isSent };
}

async function readStudy(): Promise<Reached> {
  try {
    await within(patienceMs, refresh());
    return 'yes';
  } catch (error) {
    // An ended token is shown by the screen that it leads to.
    return isProblem(error, 401) ? 'yes' : isProblem(error) ? 'failed' : 'no';
  }
}

/** A step whose fault is shown elsewhere, or not at all: it comes again with the next turn. */
async function step<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await within(patienceMs, act());
  } catch (error) {
    console.warn(error);
    return undefined;
  }
}

async function sendWaiting(): Promise<boolean> {
  if (await flush()) return true;
  // Lets the browser send it while the page is closed, where it can.
  const registration = (await readRegistration()) as
    | { sync?: { register(tag: string): Promise<void> } }
    | undefined;
  await perhaps(patienceMs, async () => registration?.sync?.register('outbox'));
  return false;
}

const me = { param: { id: 'me' } };

/** The language of phones that are registered without one: what was chosen here, which may have been without a network. */
async function tellChosenLanguage() {
  const language = await readKept<string>('chosen-language');
  if (!language) return;
  await read(api.user[':id'].$patch({ ...me, json: { language } }));
  if ((await readKept('chosen-language')) === language) await keep('chosen-language', undefined);
}

/** The zone of people without reminders on this phone: with them it belongs to the phone. */
async function tellZone() {
  const zone = await ownZone();
  const reported = await readKept<string>('told-zone');
  if (zone === undefined || zone === reported) return;
  // It was told when somebody joined.
  if (reported !== undefined && (await readKept('device')) === undefined)
    await read(api.user[':id'].$patch({ ...me, json: { timeZone: zone } }));
  await keep('told-zone', zone);
}

const everyMs = 5 * 60_000;

/** After a turn that left something behind: a network that has just come back is often not there yet. */
const soon = { baseMs: 4_000, maxMs: everyMs };

/** Keeps the page and the service in step while somebody looks at it. */
export function useSync(isSignedIn: boolean, language: string): Reached {
  const [reached, setReached] = useState<Reached>(navigator.onLine ? 'yes' : 'no');
  useEffect(() => {
    if (!isSignedIn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;
    let ended = false;
    const syncAfter = (ms: number) => {
      clearTimeout(timer);
      if (!ended) timer = setTimeout(sync, ms);
    };
    const sync = async () => {
      syncAfter(everyMs);
      if (document.hidden) return;
      const { reached: now, isSent } = await syncNow(language);
      if (ended) return;
      // The network may have gone after the last answer came.
      setReached(navigator.onLine === false ? 'no' : now);
      failures = now === 'yes' && isSent ? 0 : failures + 1;
      if (failures > 0) syncAfter(backoffMs(failures, soon));
    };
    const lose = () => setReached('no');
    const syncAnew = () => {
      failures = 0;
      void sync();
    };
    void sync();
    addEventListener('online', syncAnew);
    addEventListener('offline', lose);
    document.addEventListener('visibilitychange', syncAnew);
    return () => {
      ended = true;
      clearTimeout(timer);
      removeEventListener('online', syncAnew);
      removeEventListener('offline', lose);
      document.removeEventListener('visibilitychange', syncAnew);
    };
  }, [isSignedIn, language]);
  return reached;
}
