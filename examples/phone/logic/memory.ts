import type { Api, InferResponseType, ProblemError } from '@fieldbell/client';
import type { Copy, Store } from './system.ts';

export type Occurrence = InferResponseType<Api['user'][':id']['agenda']['$get']>['occurrences'][number];

/** A request that waits for a network. */
export type Waiting =
  | { kind: 'case'; investigation: string; json: { label: string; identifier: string } }
  | { kind: 'response'; survey: string; json: ResponseToSend }
  | { kind: 'receipt'; notification: string; event: ReceiptEvent; at: string };

export type ReceiptEvent = 'shown' | 'opened' | 'dismissed';

export interface ResponseToSend {
  case: string;
  items: Record<string, string>;
  identifier: string;
  /** When the person answered, ISO 8601. */
  at?: string;
}

/** An answer that the service will never take, to show the person, who should not lose what they wrote. */
export interface Refused {
  entry: Exclude<Waiting, { kind: 'receipt' }>;
  code: ProblemError['code'];
}

export interface State {
  /** This phone at the service. */
  device: string | null;
  /** The ETag of `occurrences`. */
  etag: string | null;
  occurrences: Occurrence[];
  /** Occurrences that were in an agenda and have not expired (ISO 8601), by their `notification`. */
  known: Record<string, { survey: string; expiresAt: string }>;
  /** Notifications that the phone has shown, newest last. */
  arrived: string[];
  /** "Later" that was said without a network. */
  later: Copy[];
  waiting: Waiting[];
  refused: Refused[];
}

const key = 'fieldbell';
const empty: State = {
  device: null,
  etag: null,
  occurrences: [],
  known: {},
  arrived: [],
  later: [],
  waiting: [],
  refused: [],
};

/** The app's state in the store. Changes are made one after the other, so that none is lost. */
export function createMemory(store: Store) {
  let last: Promise<unknown> = Promise.resolve();

  async function read(): Promise<State> {
    await last;
    return { ...empty, ...JSON.parse((await store.getItem(key)) ?? '{}') };
  }

  function update(change: (state: State) => Partial<State>): Promise<void> {
    const made = last.then(async () => {
      const state: State = { ...empty, ...JSON.parse((await store.getItem(key)) ?? '{}') };
      await store.setItem(key, JSON.stringify({ ...state, ...change(state) }));
    });
    last = made.catch(() => {});
    return made;
  }

  return { read, update };
}

export type Memory = ReturnType<typeof createMemory>;
