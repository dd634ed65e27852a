import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeConsole } from '../console/support/console.ts';
import { created } from '../support/people.ts';
import { newStudy, type Study } from '../support/studies.ts';
import { keepSession } from './support/kept-session.ts';
import { openPhone, type Phone } from './support/phone.ts';

/*
 * Functions of a browser, taken away, or made to throw as browsers do that refuse them: the page works, or says
 * in words what is wrong. It is never empty, and never mute.
 */

/**
 * Functions that the page uses, and that some browser lacks or refuses: where to find each. Those of a list are taken away
 * together: none decides whether another is used.
 */
const taken = [
  [
    'AbortSignal.any',
    'AbortSignal.timeout',
    'Array.prototype.at',
    'Array.prototype.findLast',
    'Array.prototype.toSorted',
    'Intl.PluralRules',
    'Intl.RelativeTimeFormat',
    'Intl.supportedValuesOf',
    'Object.groupBy',
    'Object.hasOwn',
    'Promise.any',
    'Promise.withResolvers',
    'String.prototype.isWellFormed',
    'URL.parse',
  ],
  [
    'CSS.escape',
    'Element.prototype.animate',
    'HTMLDialogElement.prototype.showModal',
    'HTMLFormElement.prototype.requestSubmit',
    'MessageChannel',
    'cookieStore',
    'document.startViewTransition',
    'matchMedia',
    'requestIdleCallback',
    'trustedTypes',
  ],
  [
    'BroadcastChannel',
    'Navigator.prototype.clipboard',
    'Navigator.prototype.languages',
    'Navigator.prototype.maxTouchPoints',
    'Navigator.prototype.onLine',
    'Navigator.prototype.storage',
    'PushSubscription.prototype.options',
    'ServiceWorkerRegistration.prototype.getNotifications',
    'ServiceWorkerRegistration.prototype.sync',
    'SyncManager',
  ],
  [
    'HTMLDialogElement',
    'Navigator.prototype.locks',
    'Navigator.prototype.permissions',
    'caches',
    'crypto.randomUUID',
    'crypto.subtle',
    'structuredClone',
  ],
  ['Navigator.prototype.serviceWorker'],
  ['Notification'],
  ['PushManager'],
  ['ServiceWorkerRegistration.prototype.pushManager'],
  ['indexedDB'],
];

/** As of Safari with cookies blocked, and of Firefox's private windows. */
const refused = [
  [
    'BroadcastChannel',
    'Navigator.prototype.clipboard',
    'PushManager.prototype.getSubscription',
    'caches',
    'history.pushState',
  ],
  ['Notification.requestPermission'],
  ['ServiceWorkerContainer.prototype.getRegistration'],
  ['ServiceWorkerContainer.prototype.register'],
  ['Navigator.prototype.serviceWorker'],
  ['IDBFactory.prototype.open'],
  ['indexedDB'],
];

/** Without them a page cannot be built: it says so. */
const vital = [
  'AbortController',
  'Array.from',
  'Array.isArray',
  'Array.prototype.flatMap',
  'Array.prototype.includes',
  'Intl.DateTimeFormat',
  'Object.entries',
  'Object.fromEntries',
  'Promise.all',
  'Request',
  'String.prototype.replaceAll',
  'URLSearchParams',
  'crypto.getRandomValues',
  'fetch',
  'history.replaceState',
  'queueMicrotask',
];

/* These run in the browser. */

function takeAway({ path, throws }: { path: string; throws: boolean }) {
  const names = path.split('.');
  const last = names.pop() ?? '';
  // biome-ignore lint/suspicious/noExplicitAny: any object of the browser
  const owner = names.reduce((found: any, name) => found?.[name], globalThis);
  if (!owner || !(last in owner)) return;
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  };
  const isFunction =
    names.length > 0 && typeof Object.getOwnPropertyDescriptor(owner, last)?.value === 'function';
  if (!throws) delete owner[last];
  if (!throws && last in owner) Object.defineProperty(owner, last, { value: undefined, configurable: true });
  if (throws && isFunction) owner[last] = refuse;
  else if (throws) Object.defineProperty(owner, last, { get: refuse, configurable: true });
}

describeConsole('browsers that lack something', (get) => {
  const url = () => get().service.url;

  /** Of all tests: what they take away is in the browser. */
  let study: Promise<Study> | undefined;
  const newStudyOnce = async () => {
    const made = await newStudy(get().world, { of: 'odd' });
    const items = [{ identifier: 'q1', label: 'Did you feel anything unusual?' }];
    created(await made.owner.post(`/investigation/${made.id}/survey`, { name: 'Side effects', items }));
    return made;
  };

  const saysWhy = ({ page }: Phone) =>
    page.evaluate<boolean>(
      '/newest version of Chrome, Edge, Firefox or Safari/.test(document.body.innerText)',
    );

  test.each([
    ...taken.map((paths) => ({ names: paths.join(', '), paths, throws: false })),
    ...refused.map((paths) => ({ names: paths.join(', '), paths, throws: true })),
  ])('$names, throws: $throws', async ({ names, paths, throws }) => {
    study ??= newStudyOnce();
    const { owner, other, id } = await study;
    const phone = await openPhone(get());
    const { page } = phone;
    const { token, id: user } = other;
    await keepSession(page, url(), { token, user, study: { identifier: id, name: 'Sleep' } });
    for (const path of paths) await page.addInitScript(takeAway, { path, throws });
    await page.goto(`${url()}/p/`);
    // The page has nowhere to keep an answer.
    if (/indexedDB|IDB/.test(names))
      return page.getByRole('heading', { name: 'This browser keeps nothing' }).waitFor();
    // It works: an answer is given, and each screen has its heading.
    await page.getByRole('link', { name: 'Side effects' }).click();
    const text = `a headache without ${names}, ${throws}`;
    await page.getByLabel('Did you feel anything unusual?').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: /Thank you/ }).waitFor();
    const { responses } = (await owner.get(`/investigation/${id}/responses`)).body;
    expect(responses).toContainEqual(expect.objectContaining({ items: { q1: text } }));
    for (const [view, title] of [
      ['sent', 'Your answers'],
      ['join', /already takes part/],
      ['settings', 'Settings'],
    ] as const) {
      await page.goto(`${url()}/p/?view=${view}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    }
    await page.getByRole('button', { name: 'Leave the study' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
    await page.goto(`${url()}/p/?view=reminders`);
    await page.getByRole('heading', { level: 1, name: /[Rr]emind/ }).waitFor();
    const allow = page.getByRole('button', { name: 'Allow reminders' });
    if (await allow.count()) {
      await allow.click();
      await page
        .getByRole('heading', { name: /Reminders are on|do not reach/ })
        .or(page.getByText('That did not work'))
        .first()
        .waitFor();
    }
  });

  test('without a vital function nothing works: the page names the browsers at once', async () => {
    const context = (await get().newPage({ serviceWorkers: 'block' })).context();
    for (const path of vital) {
      const page = await context.newPage();
      await page.addInitScript(takeAway, { path, throws: false });
      await page.goto(`${url()}/p/`);
      await page.locator('html.stuck .fallback').waitFor();
      await page.close();
    }
  });

  test('without JavaScript, or with a file that does not arrive, the page names the browsers', async () => {
    const phone = await openPhone(get());
    const { page } = phone;
    await page.context().route('**/p/assets/main-*.js', (route) => route.abort());
    await page.goto(`${url()}/p/`);
    await expect.poll(() => saysWhy(phone)).toBe(true);
    await page.context().unroute('**/p/assets/main-*.js');
    await page
      .context()
      .route('**/p/assets/main-*.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: 'let = of a later language;' }),
      );
    await page.goto(`${url()}/p/`);
    await expect.poll(() => saysWhy(phone)).toBe(true);
    const without = await get().newPage({ javaScriptEnabled: false });
    await without.goto(`${url()}/p/`);
    await without.getByText('newest version of Chrome').waitFor();
  });

  test('the list has every global of the browser that the page names, or it is vital', () => {
    const folder = new URL('../../public/p/', import.meta.url);
    const files = [
      'sw.js',
      ...readdirSync(new URL('assets/', folder))
        .filter((name) => /^main.*js$/.test(name))
        .map((name) => `assets/${name}`),
    ];
    const source = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
    const named = new Set(
      [
        ...source.matchAll(
          /\b(?:navigator|AbortSignal|Intl|CSS|crypto|Object|Promise|Array)\.([a-zA-Z]+)\b/g,
        ),
      ].map(([, name = '']) => name),
    );
    const listed = new Set(
      [...taken.flat(), ...refused.flat(), ...vital, ...everywhere].map((path) => path.split('.').at(-1)),
    );
    expect([...named].filter((name) => !listed.has(name))).toEqual([]);
  });
});

/** In every browser that knows modules. */
const everywhere = [
  'Object.assign',
  'Object.is',
  'Object.keys',
  'Object.values',
  'Object.prototype',
  'Promise.allSettled',
  'Promise.race',
  'Promise.resolve',
  'navigator.language',
  'navigator.standalone',
  'navigator.userAgent',
];
