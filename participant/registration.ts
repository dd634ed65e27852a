import { perhaps } from './patience.ts';

/* The service worker of this page, where there is one. */

/** Undefined where the browser has none, or refuses them: not every private window has them. */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker;
  } catch {
    return undefined;
  }
}

/** One that cannot be installed is never ready. */
const patienceMs = 10_000;

/** The registration, once the worker is there; undefined where there is none. */
export const readRegistration = (): Promise<ServiceWorkerRegistration | undefined> =>
  perhaps(patienceMs, async () => {
    const container = serviceWorkers();
    return (await container?.getRegistration('/p/')) && container?.ready;
  });
