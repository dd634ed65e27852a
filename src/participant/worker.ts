import { api, isProblem } from './api.ts';
import type { Arrived } from './due.ts';
import { flush, noteReceipt, type ReceiptEvent } from './outbox.ts';
import { subscribe } from './push.ts';
import { keep, readKept, tellOthers } from './store.ts';

/* The service worker: the page without a network, and reminders while it is closed. */

declare const self: ServiceWorkerGlobalScope & { FILES: string[]; BUILD: string; ICON: string };

const cacheName = `fieldbell-${self.BUILD}`;
const shell = '/p/';

self.addEventListener('install', (event) => {
  event.waitUntil(keepFiles().then(() => self.skipWaiting()));
});

async function keepFiles() {
  const cache = await caches.open(cacheName);
  // Past the browser's own cache: the page has to be the one that names these files.
  await cache.addAll([new Request(shell, { cache: 'reload' }), ...self.FILES]);
}

self.addEventListener('activate', (event) => {
  event.waitUntil(dropOldFiles().then(() => self.clients.claim()));
});

async function dropOldFiles() {
  const names = await caches.keys();
  for (const name of names)
    if (name.startsWith('fieldbell-') && name !== cacheName) await caches.delete(name);
}

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== self.location.origin || event.request.method !== 'GET') return;
  if (event.request.mode === 'navigate' && pathname === shell) event.respondWith(newestPage(event.request));
  else if (pathname.startsWith('/p/assets/')) event.respondWith(keptFile(event.request));
});

/** Longer than that the kept page is there sooner. */
const patienceMs = 3000;

/** The page of the service, or the kept one, if the service is slow or out of reach. */
async function newestPage(request: Request): Promise<Response> {
  const kept = await (await caches.open(cacheName)).match(shell);
  try {
    const answer = await fetch(request, kept ? { signal: AbortSignal.timeout(patienceMs) } : {});
    return answer.ok || !kept ? answer : kept;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

const keptFile = async (request: Request) => (await caches.match(request)) ?? fetch(request);

interface Pushed {
  title: string;
  body: string;
  data: { survey?: string; investigation?: string; notification?: string };
}

/** The texts of a notification's buttons, in the language of the page. */
export interface WorkerTexts {
  later: string;
  language: string;
}

self.addEventListener('push', (event) => {
  event.waitUntil(showPush(event.data));
});

/** Shows it first, whatever else fails: browsers end the subscription of a push that shows nothing. */
async function showPush(data: PushMessageData | null) {
  const { title, body, data: ids } = pushedIn(data);
  const { notification, survey } = ids;
  const texts = await readKept<WorkerTexts>('worker-texts').catch(() => undefined);
  const options = {
    body,
    icon: self.ICON,
    badge: self.ICON,
    data: ids,
    ...(texts && { lang: texts.language }),
    ...(notification && {
      tag: notification,
      renotify: true,
      actions: [{ action: 'later', title: texts?.later ?? 'Later' }],
    }),
  };
  await self.registration.showNotification(title, options);
  if (!notification || !survey) return;
  await noteArrival({ notification, survey, at: Date.now() });
  await report(notification, 'shown');
}

const unreadable: Pushed = { title: 'Fieldbell', body: '', data: {} };

function pushedIn(data: PushMessageData | null): Pushed {
  try {
    return { ...unreadable, ...(data?.json() as Partial<Pushed> | undefined) };
  } catch {
    return unreadable;
  }
}

/** So many pushes at most that the page may not have heard of. */
const mostArrived = 20;

async function noteArrival(arrived: Arrived) {
  const others = ((await readKept<Arrived[]>('arrived')) ?? []).filter(
    (one) => one.notification !== arrived.notification,
  );
  await keep('arrived', [...others, arrived].slice(-mostArrived));
  tellOthers();
}

async function report(notification: string, event: ReceiptEvent) {
  await noteReceipt(notification, event);
  await flush();
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(
    event.action === 'later' ? snooze(event.notification) : openSurvey(event.notification.data),
  );
});

self.addEventListener('notificationclose', (event) => {
  const { notification } = event.notification.data ?? {};
  if (notification) event.waitUntil(report(notification, 'dismissed'));
});

const snoozeMinutes = 30;

/** Without a network the notification comes back at once, so that it is not lost. */
async function snooze(shown: Notification) {
  const { notification } = shown.data as Pushed['data'];
  if (!notification) return;
  try {
    await api.notification[':id'].snooze.$post({
      param: { id: notification },
      json: { minutes: snoozeMinutes },
    });
    tellOthers();
  } catch (error) {
    // Expired or answered: nothing is left to remind of.
    if (isProblem(error, 404, 409)) return;
    const { body, icon, data, tag } = shown;
    await self.registration.showNotification(shown.title, { body, icon, data, tag, silent: true });
  }
}

async function openSurvey({ survey, notification }: Pushed['data']) {
  const address = survey && notification ? `${shell}?survey=${survey}&notification=${notification}` : shell;
  const [page] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (page) {
    await page.focus().catch(() => undefined);
    page.postMessage({ open: address });
  } else await self.clients.openWindow(address);
  if (notification) await report(notification, 'opened');
}

self.addEventListener('pushsubscriptionchange', (event) => {
  (event as ExtendableEvent).waitUntil(subscribeAgain());
});

async function subscribeAgain() {
  const texts = await readKept<WorkerTexts>('worker-texts');
  await subscribe(self.registration, texts?.language ?? 'en');
}

/** Background sync, where browsers have it: the network is back while the page is closed. */
self.addEventListener('sync' as 'message', (event) => {
  (event as ExtendableEvent).waitUntil(
    flush().then((hasAll) => {
      // Asks the browser for another try.
      if (!hasAll) throw new Error('Some answers wait.');
    }),
  );
});
