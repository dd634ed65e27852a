import { reload } from './kept-state.ts';
import { go } from './places.ts';

declare global {
  interface Window {
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL: (url: string) => string },
      ): { createScriptURL(url: string): string };
    };
  }
}

/** The one script that the page names by itself. */
const script = '/p/sw.js';

/** Starts the service worker, where the browser has them: not in every private window. */
export async function startWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ open?: string }>) => {
    if (data.open) go(data.open);
    reload();
  });
  const policy = window.trustedTypes?.createPolicy('fieldbell', { createScriptURL: () => script });
  try {
    await navigator.serviceWorker.register(policy?.createScriptURL(script) ?? script, { scope: '/p/' });
  } catch {
    // The page works without it, as long as there is a network.
  }
}

/** The registration, once the worker is there; undefined where there is none. */
export async function readRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  return (await navigator.serviceWorker.getRegistration('/p/')) && navigator.serviceWorker.ready;
}
