/*
 * The phone's memory, in IndexedDB, which the page and its service worker share. It is the truth: the page shows what it
 * reads from here.
 */

export type StoreName = 'kept' | 'outbox' | 'receipts';

const keys: Record<StoreName, IDBObjectStoreParameters> = {
  kept: {},
  outbox: { keyPath: 'identifier' },
  receipts: { autoIncrement: true },
};

let opening: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('fieldbell', 1);
    request.onupgradeneeded = () => {
      for (const [name, options] of Object.entries(keys)) request.result.createObjectStore(name, options);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return opening;
}

async function run<T>(
  name: StoreName,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => { result: T },
): Promise<T> {
  const transaction = (await open()).transaction(name, mode);
  const request = act(transaction.objectStore(name));
  return new Promise((resolve, reject) => {
    // Written, not only asked for.
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

export const all = <T>(name: StoreName): Promise<T[]> => run(name, 'readonly', (store) => store.getAll());

/** Of a store whose values carry their key, or get one. */
export const add = (name: 'outbox' | 'receipts', value: unknown) =>
  run(name, 'readwrite', (store) => store.put(value));

export const remove = (name: StoreName, key: IDBValidKey | IDBKeyRange) =>
  run(name, 'readwrite', (store) => store.delete(key));

export const keysOf = (name: StoreName) => run(name, 'readonly', (store) => store.getAllKeys());

export const readKept = <T>(key: string): Promise<T | undefined> =>
  run('kept', 'readonly', (store) => store.get(key));

export const keep = (key: string, value: unknown) =>
  run('kept', 'readwrite', (store) => (value === undefined ? store.delete(key) : store.put(value, key)));

/** Forgets everything but the named stores. */
export async function forgetAll(except: readonly StoreName[] = []): Promise<void> {
  for (const name of Object.keys(keys) as StoreName[])
    if (!except.includes(name)) await run(name, 'readwrite', (store) => store.clear());
}

const channel = new BroadcastChannel('fieldbell.participant');

/** Tells the other pages, and the page of the service worker, that what is kept has changed. */
export const tellOthers = () => channel.postMessage('changed');

export const onTold = (act: () => void) => channel.addEventListener('message', act);
