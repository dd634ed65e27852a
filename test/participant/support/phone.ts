import type { BrowserContext, BrowserContextOptions, Worker } from 'playwright-core';
import type { Console, Visit } from '../../console/support/console.ts';
import type { Person } from '../../support/people.ts';
import { subscribe } from '../../support/phones.ts';
import type { Study } from '../../support/studies.ts';
import { keepSession, openAt } from './kept-session.ts';

export { openAt };

export interface Phone {
  page: Visit;
  context: BrowserContext;
  /** Waits until the page works without a network. */
  worker(): Promise<Worker>;
  /** Hands a push to the service worker, as the browser does with one of its push service. */
  push(payload: object): Promise<void>;
  /** Notifications of the system: the browser of the tests shows none, so the worker's calls are kept. */
  shown(): Promise<Shown[]>;
  /** A tap on the newest notification, or on one of its buttons, or a swipe. */
  tap(action?: string): Promise<void>;
  swipe(): Promise<void>;
  /** The browser says that there is a network again. Rejects while the worker wants another try. */
  sync(): Promise<void>;
  /** Somebody changes the permission in the settings of the phone. */
  permit(permission: NotificationPermission): Promise<void>;
}

export interface Shown {
  title: string;
  options: {
    body: string;
    tag?: string;
    lang?: string;
    data: Record<string, string>;
    actions?: { action: string; title: string }[];
  };
}

export const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const width = { width: 360, height: 740 };

type Options = BrowserContextOptions & { permission?: NotificationPermission };

/**
 * A phone of 360 pixels. The browser of the tests has no push service, and refuses notifications to every page: it subscribes
 * at the local push service, and the permission is a stand-in, which takes a press as always. The worker is told of a network by
 * `sync` only.
 */
export async function openPhone(
  { newPage, service }: Pick<Console, 'newPage' | 'service'>,
  { permission = 'default', ...options }: Options = {},
): Promise<Phone> {
  const page = await newPage({ viewport: width, hasTouch: true, isMobile: true, ...options });
  await page.exposeFunction('subscribeAtService', (key: string) =>
    subscribe({ snsUrl: service.sns.url }, key),
  );
  await page.addInitScript(standIns, permission);
  return phoneOf(page);
}

function phoneOf(page: Visit): Phone {
  const context = page.context();
  const worker = async () => {
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    const found = context.serviceWorkers().at(-1);
    if (!found) throw new Error('there is no service worker');
    // Once for each start of the worker.
    await found.evaluate(keepShown);
    return found;
  };
  const registration = async () => {
    const session = await context.newCDPSession(page);
    const found = new Promise<string>((resolve) =>
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
        if (first) resolve(first.registrationId);
      }),
    );
    await session.send('ServiceWorker.enable');
    return { session, registrationId: await found };
  };
  return {
    page,
    context,
    worker,
    async push(payload) {
      await worker();
      const { session, registrationId } = await registration();
      const origin = new URL(page.url()).origin;
      const before = (await shownIn(await worker())).length;
      await session.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId,
        data: JSON.stringify(payload),
      });
      const running = await worker();
      while ((await shownIn(running)).length === before)
        await running.evaluate('new Promise(requestIdle => setTimeout(requestIdle, 20))');
      await session.detach();
    },
    shown: async () => shownIn(await worker()),
    tap: async (action = '') =>
      void (await (await worker()).evaluate(dispatch, { type: 'notificationclick', action })),
    swipe: async () =>
      void (await (await worker()).evaluate(dispatch, { type: 'notificationclose', action: '' })),
    sync: async () => {
      // The page may be elsewhere by now.
      const running = context.serviceWorkers().at(-1) ?? (await worker());
      await running.evaluate(dispatch, { type: 'sync', action: '' });
    },
    permit: (permission) => page.evaluate(`localStorage.setItem('test.permission', '${permission}')`),
  };
}

const shownIn = (worker: Worker) => worker.evaluate<Shown[]>('self.shownByTest');

/* These run in the browser. */

function standIns(permission: NotificationPermission) {
  const [asked, subscribed] = ['test.permission', 'test.subscription'];
  const read = () => (localStorage.getItem(asked) as NotificationPermission | null) ?? permission;
  Object.defineProperty(Notification, 'permission', { get: read });
  const value = { register: async () => localStorage.setItem('test.sync', 'registered') };
  // A blank page has no workers.
  if ('ServiceWorkerRegistration' in globalThis)
    Object.defineProperty(ServiceWorkerRegistration.prototype, 'sync', { configurable: true, value });
  Notification.requestPermission = async () => {
    if (!navigator.userActivation.isActive) throw new Error('asked without a press');
    if (read() === 'default') localStorage.setItem(asked, 'granted');
    return read();
  };
  const subscription = () => {
    const kept = localStorage.getItem(subscribed);
    if (!kept) return null;
    const unsubscribe = async () => {
      localStorage.removeItem(subscribed);
      return true;
    };
    const { applicationServerKey: key, ...json } = JSON.parse(kept);
    const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (one) =>
      one.charCodeAt(0),
    );
    const options = { userVisibleOnly: true, applicationServerKey: bytes.buffer };
    return { options, toJSON: () => json, unsubscribe } as unknown as PushSubscription;
  };
  PushManager.prototype.getSubscription = async () => subscription();
  PushManager.prototype.subscribe = async (options) => {
    if (!options?.userVisibleOnly || read() !== 'granted') throw new Error('a subscription needs both');
    const { subscribeAtService } = self as unknown as { subscribeAtService(key: unknown): Promise<object> };
    const { applicationServerKey } = options;
    const json = await subscribeAtService(applicationServerKey);
    localStorage.setItem(subscribed, JSON.stringify({ ...json, applicationServerKey }));
    return subscription() as PushSubscription;
  };
}

function keepShown() {
  const scope = self as unknown as { shownByTest?: object[]; registration: ServiceWorkerRegistration };
  if (scope.shownByTest) return;
  const shown: object[] = [];
  scope.shownByTest = shown;
  scope.registration.showNotification = async (title, options) => void shown.push({ title, options });
  // A tap of a person lets the worker do it.
  const { WindowClient } = self as unknown as { WindowClient: { prototype: { focus(): Promise<object> } } };
  WindowClient.prototype.focus = async function () {
    return this;
  };
}

/** A browser makes these events for people only. Resolves when the worker is done. */
async function dispatch({ type, action }: { type: string; action: string }) {
  const { shownByTest = [] } = self as unknown as { shownByTest?: { title: string; options: object }[] };
  const { title, options } = shownByTest.at(-1) ?? { title: '', options: {} };
  const waits: Promise<unknown>[] = [];
  const event = Object.assign(new Event(type), {
    action,
    notification: { title, ...options, close: () => {} },
    waitUntil: (work: Promise<unknown>) => waits.push(work),
  });
  self.dispatchEvent(event);
  await Promise.all(waits);
}

/** Takes part with a token of the local provider, past the code: for tests of what comes after. */
export async function begin(
  phone: Phone,
  url: string,
  person: Person,
  study: Pick<Study, 'id'>,
  name = 'Sleep',
  title = 'Today',
) {
  const { page } = phone;
  const { token, id: user } = person;
  await keepSession(page, url, { token, user, study: { identifier: study.id, name } });
  await page.reload();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.locator('body:not(:has(.loading))').waitFor();
  await phone.worker();
}

/** Reads what the phone keeps under a name. */
export const keptBy = <T>(page: Visit, name: string): Promise<T | undefined> =>
  page.evaluate<T | undefined>(`new Promise((resolve) => {
    const opening = indexedDB.open('fieldbell', 1);
    opening.onsuccess = () => {
      const asked = opening.result.transaction('kept').objectStore('kept').get('${name}');
      asked.onsuccess = () => resolve(asked.result);
    };
  })`);

/** Changes what the phone keeps under a name, or all of a store: `change` is the source of a function of a value. */
export const changeKept = (page: Visit, change: string, name?: string, store = 'kept'): Promise<void> =>
  page.evaluate(`new Promise((resolve) => {
    indexedDB.open('fieldbell', 1).onsuccess = ({ target: { result } }) => {
      const transaction = result.transaction('${store}', 'readwrite');
      transaction.objectStore('${store}').openCursor(${name ? `'${name}'` : ''}).onsuccess = ({ target: { result: cursor } }) => {
        if (!cursor) return;
        const next = (${change})(cursor.value);
        if (next) cursor.update(next);
        else cursor.delete();
        cursor.continue();
      };
      transaction.oncomplete = () => resolve();
    };
  })`);

/** Begins the reminders of this phone. */
export async function allow({ page }: Phone, url: string): Promise<void> {
  await openAt(page, url, '?view=reminders');
  await page.getByRole('button', { name: 'Allow reminders' }).click();
  await page.getByRole('heading', { name: 'Reminders are on' }).waitFor();
}

/** The items of all responses of a study. */
export const storedIn = async ({ owner, id }: Study): Promise<object[]> =>
  (await owner.get(`/investigation/${id}/responses`)).body.responses.map(
    ({ items }: { items: object }) => items,
  );

/** Answers the diary of `newStudy` from Today, and goes back there. */
export async function answerDiary(page: Visit, text: string): Promise<void> {
  await page.getByRole('link', { name: 'Diary' }).click();
  await page.getByLabel('How did you sleep?').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: /Thank you/ }).waitFor();
  await page.getByRole('link', { name: 'Today' }).last().click();
}
