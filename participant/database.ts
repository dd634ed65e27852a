import { within } from './patience.ts';

/*
 * The connection to IndexedDB, which systems close behind the page's back, above all on iPhones in the background. Each use
 * that fails is tried again, on a connection of its own.
 */

export type StoreName = 'kept' | 'outbox' | 'receipts';

const keys: Record<StoreName, IDBObjectStoreParameters> = {
  kept: {},
  outbox: { keyPath: 'identifier' },
  receipts: { autoIncrement: true },
};
export const storeNames = Object.keys(keys) as StoreName[];

/** This browser keeps nothing at the moment: no room, a private window, a fault of its own. */
export class MemoryError extends Error {
  override readonly name = 'MemoryError';
}

/** A healthy one answers within milliseconds; a sick one may never. */
const patienceMs = 5000;

let opening: Promise<IDBDatabase> | undefined;

function connect(): Promise<IDBDatabase> {
  opening ??= within(patienceMs, open()).catch((error) => {
    opening = undefined;
    throw error;
  });
  return opening;
}

const open = () =>
  new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('fieldbell', 1);
    request.onupgradeneeded = () => {
      for (const name of storeNames) request.result.createObjectStore(name, keys[name]);
    };
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const database = request.result;
      database.onclose = disconnect;
      // Somebody deletes the data of this page.
      database.onversionchange = disconnect;
      resolve(database);
    };
  });

/** Transactions that still run come to their end. */
function disconnect() {
  const lost = opening;
  opening = undefined;
  lost?.then(
    (database) => database.close(),
    () => undefined,
  );
}

type Act<T> = (store: IDBObjectStore) => { result: T; error: unknown };

async function transact<T>(name: StoreName, mode: IDBTransactionMode, act: Act<T>): Promise<T> {
  const transaction = (await connect()).transaction(name, mode);
  const request = act(transaction.objectStore(name));
  const end = new Promise<T>((resolve, reject) => {
    // Written, not only asked for.
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? request.error);
  });
  return within(patienceMs, end);
}

let watch: (isWell: boolean) => void = () => undefined;

/** Tells whether this phone could keep what it was last given. */
export const watchMemory = (watcher: typeof watch): void => {
  watch = watcher;
};

/** Before each further attempt: a system that took the connection may need a moment. */
const waitsMs = [0, 300];

/** Every act may run more than once. @throws MemoryError */
export async function run<T>(name: StoreName, mode: IDBTransactionMode, act: Act<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      const result = await transact(name, mode, act);
      if (mode === 'readwrite') watch(true);
      return result;
    } catch (cause) {
      disconnect();
      const waitMs = waitsMs[failures];
      if (waitMs === undefined) {
        watch(false);
        throw new MemoryError('This browser keeps nothing at the moment.', { cause });
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}
