import { useEffect } from 'preact/hooks';
import { request, serviceNow } from './api.ts';
import { type HomeCode, type Kept, reload } from './kept-state.ts';
import { mustInstall } from './permission.ts';
import { keep, readKept } from './store.ts';
import type { Reached } from './sync.ts';

/*
 * An iPhone gives the page on the home screen a memory of its own, which knows nobody. So the browser's page has a manifest
 * of its own, whose start has a code in its fragment: before joining the code of the link, then one that the participant's
 * page made for it. It is written here and read from here: no address with a code goes to the service.
 */

/** A start from the home screen: with a code to join by, or with one of the participant's own. */
export type Launch = 'home' | 'own';

export function readLaunch(): Launch | undefined {
  const from = new URLSearchParams(location.search).get('from');
  return from === 'home' || from === 'own' ? from : undefined;
}

const linkOf = () => document.querySelector<HTMLLinkElement>('link[rel=manifest]');
let original: string | undefined;
let shown = '';

/** Browsers read the manifest when a person adds the page: a new element is a new manifest. */
function link(href: string) {
  const old = linkOf();
  if (!old || old.href === href) return;
  const fresh = document.createElement('link');
  fresh.rel = 'manifest';
  fresh.href = href;
  old.replaceWith(fresh);
}

interface Manifest {
  id: string;
  scope: string;
  start_url: string;
  icons: { src: string }[];
}

/** Makes the home screen begin with a code; with the page's own manifest, if there is none. */
export async function startWith(code: string | undefined, from: Launch): Promise<void> {
  original ??= linkOf()?.href;
  if (!original) return;
  const start = code && `/p/?from=${from}#${code}`;
  shown = start ?? '';
  if (!start) return link(original);
  const manifest = (await (await fetch(original)).json()) as Manifest;
  // Another one was asked for meanwhile.
  if (shown !== start) return;
  const absolute = (path: string) => new URL(path, location.origin).href;
  const own: Manifest = {
    ...manifest,
    id: absolute(manifest.id),
    scope: absolute(manifest.scope),
    start_url: absolute(start),
    icons: manifest.icons.map((icon) => ({ ...icon, src: absolute(icon.src) })),
  };
  link(`data:application/manifest+json,${encodeURIComponent(JSON.stringify(own))}`);
}

/** Codes that are good for less than this are too short for a person who reads how to add a page. */
const enoughMs = 25 * 60_000;
const everyMs = 10 * 60_000;

/** Lets the home screen of an iPhone continue as this participant, once nothing waits here that only this page can send. */
export function useHomeScreen(kept: Kept | undefined, reached: Reached): void {
  const { session } = kept ?? {};
  const waits = kept?.outbox.some(({ state }) => state === 'waiting') ?? true;
  const isReady = mustInstall() && session !== undefined && !session.ended && !waits && reached === 'yes';
  useEffect(() => {
    if (!isReady) {
      if (session) void startWith(undefined, 'own');
      return;
    }
    const renew = () =>
      void ownCode().then(
        (code) => startWith(code, 'own'),
        () => undefined,
      );
    renew();
    const timer = setInterval(renew, everyMs);
    document.addEventListener('visibilitychange', renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
    };
  }, [isReady, session?.user]);
}

/** A code of this participant, which is good once and for an hour. */
async function ownCode(): Promise<string | undefined> {
  const known = await readKept<HomeCode>('home-code');
  if (document.hidden) return known?.code;
  if (known && Date.parse(known.expiresAt) - (await serviceNow()) > enoughMs) return known.code;
  const made = (await (await request('/user/me/relink', { method: 'POST' })).json()) as HomeCode;
  await keep('home-code', { code: made.code, expiresAt: made.expiresAt } satisfies HomeCode);
  reload();
  return made.code;
}
