import { timeLimit } from './patience.ts';

/* The files of the page, which the service worker keeps for the time without a network. */

declare const self: ServiceWorkerGlobalScope & { FILES: string[]; BUILD: string };

const prefix = 'fieldbell-';
const cacheName = `${prefix}${self.BUILD}`;
export const shell = '/p/';

export async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  // Past the browser's own cache: the page has to be the one that names these files.
  await cache.addAll([new Request(shell, { cache: 'reload' }), ...self.FILES]);
}

/** Of pages that stay open over releases. */
const mostOld = 3;

/** A page that is open asks for the files of its own build, which the service has no more. */
export async function dropOldFiles(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  // The oldest come first.
  for (const name of pages.length > 0 ? old.slice(0, -mostOld) : old) await caches.delete(name);
}

/** Longer than that the kept page is there sooner. */
const patienceMs = 3000;

const keptShell = async () => (await caches.open(cacheName)).match(shell);

/** The page of the service, or the kept one, if the service is slow or out of reach. */
export async function newestPage(request: Request): Promise<Response> {
  const kept = await keptShell().catch(() => undefined);
  try {
    const answer = await fetch(request, kept ? { signal: timeLimit(patienceMs) } : {});
    return answer.ok || !kept ? answer : kept;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

export const keptFile = async (request: Request): Promise<Response> =>
  (await caches.match(request).catch(() => undefined)) ?? fetch(request);
