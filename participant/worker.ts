import { isProblem } from './api.ts';
import { flush } from './outbox.ts';
import { perhaps } from './patience.ts';
import { endPushes, subscribe, tellZoneOfPhone } from './push.ts';
import { type Pushed, pushedIn } from './push-data.ts';
import { noteReceipt, type ReceiptEvent } from './receipts.ts';
import { readSession } from './session.ts';
import { learnSurvey } from './snapshot.ts';
import { readKept } from './store.ts';
import { dropOldFiles, keepFiles, keptFile, newestPage, shell } from './worker-files.ts';
import { noteArrival, openSurvey, snooze } from './worker-taps.ts';

/* The service worker: the page without a network, and reminders while it is closed. */

declare const self: ServiceWorkerGlobalScope & { ICON: string };

self.addEventListener('install', (event) => {
  event.waitUntil(keepFiles().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(dropOldFiles().then(() => self.clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (origin !== self.location.origin || event.request.method !== 'GET') return;
  if (event.request.mode === 'navigate' && pathname === shell) event.respondWith(newestPage(event.request));
  else if (pathname.startsWith('/p/assets/')) event.respondWith(keptFile(event.request));
});

/** The texts of notifications, in the language of the page. */
export interface WorkerTexts {
  later: string;
  /** Of a phone whose token has ended. */
  ended?: string;
  language: string;
}

self.addEventListener('push', (event) => {
  event.waitUntil(showPush(pushedIn(event.data)));
});

/** For what the phone's memory says: a notification that waits for longer may never be shown. */
const memoryMs = 2000;
/** For all that comes after it. */
const patienceMs = 20_000;

/** Shows it first, whatever else fails: browsers end the subscription of a push that shows nothing. */
async function showPush(pushed: Pushed) {
  const [texts, here] = await Promise.all([
    perhaps(memoryMs, () => readKept<WorkerTexts>('worker-texts')),
    perhaps(memoryMs, async () => ({ session: await readSession() })),
  ]);
  if (here && (!here.session || here.session.ended)) return showEnd(texts);
  const { title, body, data } = pushed;
  const { notification, survey } = data;
  const options = {
    body,
    icon: self.ICON,
    badge: self.ICON,
    data,
    ...(texts && { lang: texts.language }),
    ...(notification && {
      tag: notification,
      renotify: true,
      actions: [{ action: 'later', title: texts?.later ?? 'Later' }],
    }),
  };
  await self.registration.showNotification(title, options);
  if (notification && survey) {
    await perhaps(patienceMs, () => noteArrival({ notification, survey, at: Date.now() }));
    await perhaps(patienceMs, () => report(notification, 'shown'));
    // While there is a network: the tap may come where there is none.
    await perhaps(patienceMs, () => learnSurvey(survey));
  }
  await perhaps(patienceMs, tellZoneOfPhone);
}

/** The person of this reminder is no longer the one of this phone: nothing of it is shown, and no other comes. */
async function showEnd(texts: WorkerTexts | undefined) {
  await self.registration.showNotification('Fieldbell', {
    body: texts?.ended ?? '',
    icon: self.ICON,
    badge: self.ICON,
    tag: 'ended',
    data: {},
    ...(texts && { lang: texts.language }),
  });
  await perhaps(patienceMs, () => endPushes(self.registration.pushManager));
}

async function report(notification: string, event: ReceiptEvent) {
  await noteReceipt(notification, event);
  await flush();
}

self.addEventListener('notificationclick', (event) => {
  const { notification: shown, action } = event;
  shown.close();
  event.waitUntil(action === 'later' ? snooze(shown) : open(shown));
});

async function open(shown: Notification) {
  const { notification } = (shown.data ?? {}) as Pushed['data'];
  if (!(await openSurvey(shown))) return;
  if (notification) await report(notification, 'opened');
}

self.addEventListener('notificationclose', (event) => {
  const { notification } = event.notification.data ?? {};
  if (notification) event.waitUntil(report(notification, 'dismissed'));
});

self.addEventListener('pushsubscriptionchange', (event) => {
  (event as ExtendableEvent).waitUntil(subscribeAgain());
});

async function subscribeAgain() {
  const session = await readSession();
  if (!session || session.ended || (await readKept('device')) === undefined) return;
  const texts = await readKept<WorkerTexts>('worker-texts');
  // The page looks again when it is opened, and says what is wrong.
  await subscribe(self.registration, texts?.language ?? 'en').catch((error) => {
    if (!isProblem(error)) console.warn(error);
  });
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
