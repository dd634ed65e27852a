import { run, type StoreName, storeNames } from './database.ts';

/*
 * The phone's memory, in IndexedDB, which the page and its service worker share. It is the truth: the page shows what it
 * reads from here. Each of these throws a MemoryError where the browser keeps nothing.
 */

export type { StoreName } from './database.ts';

export const all = <T>(name: StoreName): Promise<T[]> => run(name, 'readonly', (store) => store.getAll());

/** Of a store whose values carry their key, or get one. */
export const add = (name: 'outbox' | 'receipts', value: unknown) =>
  run(name, 'readwrite', (store) => store.put(value));

export const remove = (name: StoreName, key: IDBValidKey | IDBKeyRange) =>
  run(name, 'readwrite', (store) => store.delete(key));

export const keysOf = (name: StoreName) => run(name, 'readonly', (store) => store.getAllKeys());

export const readKept = <T>(key: string): Promise<T | undefined> =>
  run<T | undefined>('kept', 'readonly', (store) => store.get(key));

export const keep = (key: string, value: unknown) =>
  run<unknown>('kept', 'readwrite', (store) =>
    value === undefined ? store.delete(key) : store.put(value, key),
  );

/** Forgets everything but the named stores. */
export async function forgetAll(except: readonly StoreName[] = []): Promise<void> {
  for (const name of storeNames)
    if (!except.includes(name)) await run(name, 'readwrite', (store) => store.clear());
}

const channel = openChannel();

/** Without it a page notices the others when it looks again. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('fieldbell.participant');
  } catch {
    return undefined;
  }
}

/** Tells the other pages, and the page of the service worker, that what is kept has changed. */
export const notifyPages = () => channel?.postMessage('changed');

export const onNotice = (act: () => void) => channel?.addEventListener('message', act);
