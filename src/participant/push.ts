import { api, isProblem, read, request } from './api.ts';
import { keep, readKept } from './store.ts';

/* Web push of this phone. Shared with the service worker, which subscribes again when the browser says so. */

interface Registered {
  identifier: string;
  /** Of what was registered, so that a change is told to the service. */
  told: string;
}

/** The key of the service; null if it sends no web pushes. */
async function readKey(): Promise<string | null> {
  try {
    const response = await request('/push/key');
    return ((await response.json()) as { publicKey: string }).publicKey;
  } catch (error) {
    if (isProblem(error, 404)) return null;
    throw error;
  }
}

/** Subscribes this phone, and tells the service. @returns false if the service sends no web pushes */
export async function subscribe(registration: ServiceWorkerRegistration, language: string): Promise<boolean> {
  const key = await readKey();
  if (key === null) return false;
  const subscription =
    (await registration.pushManager.getSubscription()) ??
    (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
  await tell(subscription, language);
  return true;
}

/** Registers the phone, or says what is new about it: its zone, its language, its subscription. */
async function tell(subscription: PushSubscription, language: string): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const json = { platform: 'web', token: JSON.stringify(subscription), timeZone, language };
  const known = await readKept<Registered>('device');
  // At least once a day: the service may have found the subscription dead.
  const told = `${JSON.stringify(json)} ${new Date().toDateString()}`;
  if (known?.told === told) return;
  const device = await read(api.user[':id'].device.$post({ param: { id: 'me' }, json }));
  if (known && known.identifier !== device.identifier) await forgetDevice(known.identifier);
  await keep('device', { identifier: device.identifier, told } satisfies Registered);
}

/** The subscription that this one took the place of. */
async function forgetDevice(identifier: string) {
  try {
    await api.device[':id'].$delete({ param: { id: identifier } });
  } catch (error) {
    if (!isProblem(error, 404)) throw error;
  }
}

/** Ends the pushes of this phone. */
export async function unsubscribe(registration: ServiceWorkerRegistration | undefined): Promise<void> {
  const known = await readKept<Registered>('device');
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
  if (known) await forgetDevice(known.identifier);
  await keep('device', undefined);
}
