import { reload } from './kept-state.ts';
import { go } from './places.ts';
import { serviceWorkers } from './registration.ts';

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

/** Starts the service worker. The page works without it, as long as there is a network. */
export async function startWorker(): Promise<void> {
  const container = serviceWorkers();
  try {
    container?.addEventListener('message', ({ data, ports }: MessageEvent<{ open?: string }>) => {
      if (data.open) go(data.open);
      // The worker opens another window for a page that does not answer.
      ports[0]?.postMessage('opened');
      reload();
    });
    const policy = window.trustedTypes?.createPolicy('fieldbell', { createScriptURL: () => script });
    await container?.register(policy?.createScriptURL(script) ?? script, { scope: '/p/' });
  } catch (error) {
    console.warn('There is no service worker.', error);
  }
}
