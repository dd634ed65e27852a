import { api, isProblem } from './api.ts';
import { type Arrived, withArrival } from './due.ts';
import { perhaps } from './patience.ts';
import type { Pushed } from './push-data.ts';
import { keep, notifyPages, readKept } from './store.ts';
import { shell } from './worker-files.ts';

/* Taps on notifications, in the service worker. */

declare const self: ServiceWorkerGlobalScope;

export async function noteArrival(push: Arrived): Promise<void> {
  await keep('arrived', withArrival((await readKept<Arrived[]>('arrived')) ?? [], push));
  notifyPages();
}

const snoozeMinutes = 30;

/** Without a network the notification comes back at once, so that it is not lost. */
export async function snooze(shown: Notification): Promise<void> {
  const { notification } = shown.data as Pushed['data'];
  if (!notification) return;
  try {
    await api.notification[':id'].snooze.$post({
      param: { id: notification },
      json: { minutes: snoozeMinutes },
    });
    notifyPages();
  } catch (error) {
    // Expired or answered: nothing is left to remind of.
    if (!isProblem(error, 404, 409)) await showAgain(shown);
  }
}

function showAgain(shown: Notification): Promise<void> {
  const { body, icon, data, tag } = shown;
  return self.registration.showNotification(shown.title, { body, icon, data, tag, silent: true });
}

/** Shows the page at what the notification is about. The notification comes back where nothing can be opened. */
export async function openSurvey(shown: Notification): Promise<boolean> {
  const { survey, notification } = (shown.data ?? {}) as Pushed['data'];
  const address = survey && notification ? `${shell}?survey=${survey}&notification=${notification}` : shell;
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const page of pages) if (await isShownIn(page, address)) return true;
  if (await perhaps(focusMs, async () => self.clients.openWindow(address))) return true;
  // People who come back to a page find it there.
  for (const page of pages.slice(0, 1)) page.postMessage({ open: address });
  await showAgain(shown);
  return false;
}

/** Browsers let a tap open something for a few seconds only. */
const focusMs = 1500;

/** A window may be discarded, or frozen: then it does not answer. */
async function isShownIn(page: WindowClient, address: string): Promise<boolean> {
  const focused = await perhaps(focusMs, () => page.focus());
  if (!focused) return false;
  const answer = await perhaps(focusMs, () => askTo(focused, { open: address }));
  return answer !== undefined;
}

function askTo(page: WindowClient, message: object): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
    page.postMessage(message, [port2]);
  });
}
