import { api, isProblem, read, request } from './api.ts';
import { within } from './patience.ts';
import { keep, readKept } from './store.ts';
import { ownZone } from './zone.ts';

/* Web push of this phone. Shared with the service worker, which subscribes again when the browser says so. */

interface Registered {
  identifier: string;
  /** Of what was registered, so that a change is told to the service. */
  told: string;
  /** The key of the service with which the browser subscribed. */
  key?: string;
  /** The zone that the service was told. */
  zone?: string;
}

/** The browser, not the service, refuses what reminders need. */
export class PushError extends Error {
  override readonly name = 'PushError';
}

/** Some browsers ask their push service for a while. */
const patienceMs = 20_000;

/** @throws PushError */
async function ofBrowser<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await within(patienceMs, act());
  } catch (cause) {
    throw new PushError(String(cause), { cause });
  }
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

/**
 * Subscribes this phone, and tells the service. @returns false if the service sends no web pushes
 * @throws PushError, ProblemError, or the error of `fetch`
 */
export async function subscribe(registration: ServiceWorkerRegistration, language: string): Promise<boolean> {
  const key = await readKey();
  if (key === null) return false;
  const known = await readKept<Registered>('device');
  const status = known && (await statusOf(known));
  const subscription = await subscriptionFor(registration, { key, known, status });
  await tell(subscription, { language, key, isNeeded: status !== 'enabled' });
  return true;
}

/** How the service knows this phone; `ended` if the push service said that its subscription is dead. */
async function statusOf({ identifier }: Registered): Promise<'enabled' | 'ended' | 'gone'> {
  try {
    const { enabled } = await read(api.device[':id'].$get({ param: { id: identifier } }));
    return enabled ? 'enabled' : 'ended';
  } catch (error) {
    if (isProblem(error, 404)) return 'gone';
    throw error;
  }
}

interface Wanted {
  key: string;
  known: Registered | undefined;
  status: 'enabled' | 'ended' | 'gone' | undefined;
}

/** The present subscription while it is alive, this person's, and made for the service's key; else a new one. */
async function subscriptionFor(
  { pushManager }: ServiceWorkerRegistration,
  { key, known, status }: Wanted,
): Promise<PushSubscription> {
  const present = await presentIn(pushManager);
  if (present && known && status !== 'ended' && (keyOf(present) ?? known.key) === key) return present;
  // It may be dead already, and the next step says what is wrong.
  if (present) await ofBrowser(() => present.unsubscribe()).catch(() => false);
  return ofBrowser(() => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}

const presentIn = (pushManager: PushManager) =>
  ofBrowser(() => pushManager.getSubscription()).catch(() => null);

/** In base64url; undefined where the browser does not say. */
function keyOf(subscription: PushSubscription): string | undefined {
  const bytes: ArrayBuffer | null | undefined = subscription.options?.applicationServerKey;
  if (!bytes) return undefined;
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

interface Report {
  language: string;
  key: string;
  /** Even if the same was told before. */
  isNeeded: boolean;
}

/** Registers the phone, or says what is new about it: its zone, its language, its subscription. */
async function tell(subscription: PushSubscription, { language, key, isNeeded }: Report): Promise<void> {
  const timeZone = await ownZone();
  // Without a zone of the phone, the person's or the study's holds.
  const json = {
    platform: 'web',
    token: JSON.stringify(subscription),
    language,
    ...(timeZone && { timeZone }),
  };
  const known = await readKept<Registered>('device');
  // At least once a day: the service may have found the subscription dead.
  const told = `${JSON.stringify(json)} ${new Date().toDateString()}`;
  if (!isNeeded && known?.told === told) return;
  const { identifier } = await read(api.user[':id'].device.$post({ param: { id: 'me' }, json }));
  const registered = { identifier, told, key, ...(timeZone && { zone: timeZone }) };
  await keep('device', registered satisfies Registered);
  if (known && known.identifier !== identifier) await retire(known.identifier);
}

/** Tells the service another zone of the phone than it knows, with the page closed. @throws ProblemError */
export async function tellZoneOfPhone(): Promise<void> {
  const known = await readKept<Registered>('device');
  const timeZone = await ownZone();
  if (!known || timeZone === undefined || timeZone === known.zone) return;
  await api.device[':id'].$patch({ param: { id: known.identifier }, json: { timeZone } });
  await keep('device', { ...known, zone: timeZone } satisfies Registered);
}

/** Phones that the service still has to forget, which may have to wait for the network. */
const readRetired = async () => (await readKept<string[]>('retired')) ?? [];

async function retire(identifier: string) {
  await keep('retired', [...(await readRetired()), identifier]);
  await forgetRetired();
}

/** @throws ProblemError, or the error of `fetch` */
export async function forgetRetired(): Promise<void> {
  for (const id of await readRetired()) {
    try {
      await api.device[':id'].$delete({ param: { id } });
    } catch (error) {
      if (!isProblem(error, 404)) throw error;
    }
    const others = (await readRetired()).filter((other) => other !== id);
    await keep('retired', others.length > 0 ? others : undefined);
  }
}

/** Ends the pushes of this phone: here at once, at the service as soon as it hears of it. */
export async function unsubscribe(registration: ServiceWorkerRegistration | undefined): Promise<void> {
  const known = await readKept<Registered>('device');
  const isEnded = await endPushes(registration?.pushManager);
  if (!known) return;
  try {
    await retire(known.identifier);
  } catch (error) {
    // Nothing has ended.
    if (!isEnded) throw error;
  }
}

/** Ends them on this phone alone. @returns whether the browser did so */
export async function endPushes(pushManager: PushManager | undefined): Promise<boolean> {
  const present = pushManager && (await presentIn(pushManager));
  const isEnded = present ? await ofBrowser(() => present.unsubscribe()).catch(() => false) : true;
  await keep('device', undefined);
  return isEnded;
}
