import { useCallback, useEffect, useReducer, useRef } from 'preact/hooks';
import { type Body, noteOwnChange, type Readable } from './api.ts';
import { type AskPage, type Page, type RequestOptions, readPage } from './list-pages.ts';

import { keepLength, lengthOf } from './places.ts';
import { onSignedInAgain } from './session.ts';

/*
 * The answers of the service, by key. Parts of the page with the same key share one answer. The last part to close drops
 * the answer, so that each screen opens with a fresh one.
 */

/** Names a question, such as `['survey', id]`. A key names one kind of answer. */
export type Key = readonly unknown[];

interface State<T> {
  /** The last answer; stays while the service is asked again. */
  data: T | undefined;
  error: unknown;
  loading: boolean;
}

/** A change that is shown before the service has made it. */
interface Ahead<T> {
  change: (data: T) => T;
  isMade: boolean;
}

interface Entry<T> {
  /** The answer of the service. */
  read: State<T>;
  /** The answer with the changes that are shown ahead. */
  shown: State<T>;
  ahead: readonly Ahead<T>[];
  ask: Ask<T>;
  stop: AbortController;
  watchers: Set<() => void>;
}

type Ask<T> = (signal: AbortSignal, before: T | undefined) => Promise<T>;

const entries = new Map<string, unknown>();
const nameOf = (key: Key) => JSON.stringify(key);
const unasked = { data: undefined, error: undefined, loading: true };

function entryOf<T>(name: string) {
  return entries.get(name) as Entry<T> | undefined;
}

/** Shares the answer to a key, asks if there is none yet, and calls back with each change until `leave`. */
function watch<T>(key: Key, ask: Ask<T>, show: () => void): { entry: Entry<T>; leave: () => void } {
  const name = nameOf(key);
  const known = entryOf<T>(name);
  const entry = known ?? {
    read: unasked,
    shown: unasked,
    ahead: [],
    ask,
    stop: new AbortController(),
    watchers: new Set(),
  };
  entries.set(name, entry);
  entry.watchers.add(show);
  if (!known) void askFor(entry, ask);
  const leave = () => {
    entry.watchers.delete(show);
    if (entry.watchers.size > 0) return;
    entry.stop.abort();
    entries.delete(name);
  };
  return { entry, leave };
}

/** Drops an answer that comes after a later question. */
async function askFor<T>(entry: Entry<T>, ask: Ask<T>) {
  entry.stop.abort();
  entry.stop = new AbortController();
  const { signal } = entry.stop;
  set(entry, { ...entry.read, error: undefined, loading: true });
  try {
    const data = await ask(signal, entry.read.data);
    if (signal.aborted) return;
    entry.ahead = entry.ahead.filter(({ isMade }) => !isMade);
    set(entry, { data, error: undefined, loading: false });
  } catch (error) {
    if (!signal.aborted) set(entry, { ...entry.read, error, loading: false });
  }
}

function set<T>(entry: Entry<T>, read: State<T>) {
  entry.read = read;
  const { data } = read;
  const shown = data === undefined ? data : entry.ahead.reduce<T>((now, { change }) => change(now), data);
  entry.shown = { ...read, data: shown };
  for (const show of entry.watchers) show();
}

/** Asks again for each answer whose key begins with this one. */
export function mutate(key: Key): void {
  const start = nameOf(key).slice(0, -1);
  for (const name of [...entries.keys()]) if (name.startsWith(start)) reload(name);
}

function reload(name: string) {
  const entry = entryOf(name);
  if (entry) void askFor(entry, entry.ask);
}

// Requests that failed while the sign-in had ended.
onSignedInAgain(() => {
  for (const name of [...entries.keys()]) if (entryOf(name)?.read.error !== undefined) reload(name);
});

/** Shows a change while the request makes it, and until the next answer; a refusal takes it back. */
async function showAhead<T>(name: string, change: (data: T) => T, request: () => Promise<void>) {
  const entry = entryOf<T>(name);
  if (!entry) return request();
  noteOwnChange();
  const ahead: Ahead<T> = { change, isMade: false };
  entry.ahead = [...entry.ahead, ahead];
  set(entry, entry.read);
  try {
    await request();
    ahead.isMade = true;
  } catch (error) {
    entry.ahead = entry.ahead.filter((other) => other !== ahead);
    set(entry, entry.read);
    throw error;
  }
}

export interface Answer<T> extends State<T> {
  reload: () => void;
  /** Shows a change while the request makes it. @throws what the request throws */
  mutate: (change: (data: T) => T, request: () => Promise<void>) => Promise<void>;
}

function useEntry<T>(key: Key, ask: Ask<T>): Answer<T> & { entry: Entry<T> | undefined } {
  const name = nameOf(key);
  const [, show] = useReducer((n: number) => n + 1, 0);
  const watched = useRef<{ name: string; entry: Entry<T> } | null>(null);
  useEffect(() => {
    const { entry, leave } = watch(key, ask, () => show(undefined));
    watched.current = { name, entry };
    show(undefined);
    return leave;
  }, [name]);
  const entry = watched.current?.name === name ? watched.current.entry : undefined;
  return {
    ...(entry?.shown ?? unasked),
    reload: useCallback(() => reload(name), [name]),
    mutate: (change, request) => showAhead(name, change, request),
    entry,
  };
}

/** One answer, if there is a question. While the answer to a new key is loading, the previous answer stays. */
export function useAnswer<R extends Readable>(
  key: Key,
  ask: ((options: RequestOptions) => Promise<R>) | false | undefined,
): Answer<Body<R>> {
  const { entry: _, ...answer } = useEntry(
    key,
    async (signal) => (ask ? await (await ask({ init: { signal } })).json() : undefined) as Body<R>,
  );
  const last = useRef<Body<R> | undefined>(undefined);
  if (answer.data !== undefined) last.current = answer.data;
  return { ...answer, data: last.current };
}

export interface Pages<T> extends Answer<T[]> {
  /** Whether the service has more; `more` asks for it. */
  hasMore: boolean;
  more: () => void;
  /** The number of pages that are read. */
  pages?: number | undefined;
}

/** The part of a list that its table needs. */
export type Listed = Omit<Pages<unknown>, 'data' | 'mutate'>;

/**
 * A list, page by page. `reload` reads the same number of pages again, and shows the old ones until then. With `limit`, the rows of a page,
 * a page that the service gives short goes on by itself.
 */
export function usePages<P extends Page>(key: Key, ask: AskPage<P>, limit?: number): Pages<P> {
  /** Reads on from `before`, until `wanted` pages are read or no more follow. */
  async function read(before: readonly P[], wanted: number, signal: AbortSignal): Promise<P[]> {
    const pages = [...before];
    do {
      pages.push(await readPage(ask, { cursor: pages.at(-1)?.next, limit, signal }));
    } while (pages.length < wanted && pages.at(-1)?.next !== undefined);
    if (!signal.aborted) keepLength(key, pages.length);
    return pages;
  }
  const { entry, ...answer } = useEntry<P[]>(key, (signal, before) =>
    read([], before?.length ?? lengthOf(key), signal),
  );
  return {
    ...answer,
    pages: answer.data?.length,
    hasMore: answer.data?.at(-1)?.next !== undefined,
    more: () => {
      if (entry) void askFor(entry, (signal, before = []) => read(before, before.length + 1, signal));
    },
  };
}

/** Most identifiers that are looked up at once. */
const maxAtOnce = 100;

/** The value of each identifier; null if the service does not reveal it, absent while it is loading. */
export function useLookUps<T>(
  kind: string,
  ids: readonly string[],
  lookUp: (id: string) => Promise<T>,
): ReadonlyMap<string, T | null> {
  const [, show] = useReducer((n: number) => n + 1, 0);
  const watched = useRef(new Map<string, ReturnType<typeof watch<T>>>());
  useEffect(() => {
    const missing = [...new Set(ids)].filter((id) => !watched.current.has(id)).slice(0, maxAtOnce);
    for (const id of missing)
      watched.current.set(
        id,
        watch(
          [kind, id],
          () => lookUp(id),
          () => show(undefined),
        ),
      );
    if (missing.length > 0) show(undefined);
  }, [ids.join()]);
  useEffect(
    () => () => {
      for (const { leave } of watched.current.values()) leave();
    },
    [],
  );
  const values = new Map<string, T | null>();
  for (const [id, { entry }] of watched.current) {
    const { data, error } = entry.shown;
    if (data !== undefined || error !== undefined) values.set(id, data ?? null);
  }
  return values;
}
