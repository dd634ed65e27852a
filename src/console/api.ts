import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Api, createClient, ProblemError } from '../client.ts';
import { setOnline } from './connection.ts';
import { keepLength, lengthOf } from './places.ts';
import { currentToken, endSession, onSignedInAgain } from './session.ts';

/* The only way to the service: the typed client, with the token of the session. */

const client = createClient({ baseUrl: location.origin, token: currentToken, fetch: watched });
export const { api } = client;

/** For what may take minutes, such as locking 100,000 items, and is not tried again by itself. */
export const patient = createClient({
  baseUrl: location.origin,
  token: currentToken,
  fetch: watched,
  timeoutMs: 600_000,
  retries: 0,
});

const bookmarkHeader = 'x-d1-bookmark';
/** The newest of both clients, so that each sees what the other one wrote. Bookmarks sort as text. */
let bookmark = '';

/** Notices that the token is no longer taken, and whether there is a network. */
async function watched(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  try {
    const request = new Request(input, init);
    if (bookmark > (request.headers.get(bookmarkHeader) ?? '')) request.headers.set(bookmarkHeader, bookmark);
    const response = await fetch(request);
    setOnline(true);
    const reached = response.headers.get(bookmarkHeader) ?? '';
    if (reached > bookmark) bookmark = reached;
    // A signature that needs a fresh sign-in is for the form that asked for it.
    if (response.status === 401 && (await codeOf(response)) !== 'auth.sign-in-stale') endSession();
    return response;
  } catch (error) {
    if (error instanceof TypeError) setOnline(false);
    throw error;
  }
}

const codeOf = async (response: Response) =>
  (
    (await response
      .clone()
      .json()
      .catch(() => ({}))) as { code?: string }
  ).code;

interface Readable {
  json(): Promise<unknown>;
}

/** The body of an answer; 304 has none, and the browser sees to it. */
type Body<R> = R extends { status: 304 } ? never : R extends { json(): Promise<infer T> } ? T : never;

/** What a route answers. */
export type AnswerOf<Route extends (...given: never[]) => Promise<Readable>> = Body<
  Awaited<ReturnType<Route>>
>;
/** Reads the body of an answer. @throws ProblemError */
export const read = async <R extends Readable>(answer: Promise<R>): Promise<Body<R>> =>
  (await (await answer).json()) as Body<R>;

type StudyApi = Api['investigation'][':id'];
export type Study = AnswerOf<StudyApi['$get']>;
export type Role = Study['role'];
export type Me = AnswerOf<Api['user'][':id']['$get']>;

export type Survey = AnswerOf<Api['survey'][':id']['$get']>;

/** What was read, with the revision that a change of it names (`If-Match`). */
export interface Revised<T> {
  value: T;
  etag: string;
}

/** For `useAnswer`: keeps the revision beside the body. */
export const revised = <R extends Readable & { headers: Headers }>(response: R) => ({
  json: async (): Promise<Revised<Body<R>>> => ({
    value: (await response.json()) as Body<R>,
    etag: response.headers.get('etag') ?? '',
  }),
});

/** The second argument of a change that is to be made to this revision only. */
export const ifMatch = (etag: string) => ({ headers: { 'if-match': etag } });

export const isProblem = (error: unknown, ...codes: string[]): error is ProblemError =>
  error instanceof ProblemError && codes.includes(error.code);

export interface Answer<T> {
  /** What was answered last; stays while it is asked for again. */
  data: T | undefined;
  error: unknown;
  loading: boolean;
  reload: () => void;
}

/** Asks the service when the screen opens and whenever one of `deps` changes. An answer that came too late is dropped. */
export function useAnswer<R extends Readable>(
  ask: (signal: AbortSignal) => Promise<R>,
  deps: readonly unknown[],
): Answer<Body<R>> {
  const [state, setState] = useState<Omit<Answer<Body<R>>, 'reload'>>(unasked);
  const [asked, setAsked] = useState(0);
  const latest = useLatest(ask);
  useEffect(() => {
    const stop = new AbortController();
    setState(({ data }) => ({ data, error: undefined, loading: true }));
    latest
      .current(stop.signal)
      .then((response) => response.json())
      .then((data) => {
        if (!stop.signal.aborted) setState({ data: data as Body<R>, error: undefined, loading: false });
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setState(({ data }) => ({ data, error, loading: false }));
      });
    return () => stop.abort();
  }, [asked, latest, ...deps]);
  const reload = useCallback(() => setAsked((n) => n + 1), []);
  useRetry(state.error, reload);
  return { ...state, reload };
}

/** What failed while the sign-in had ended is asked for again. */
function useRetry(error: unknown, reload: () => void) {
  const latest = useLatest({ error, reload });
  useEffect(
    () =>
      onSignedInAgain(() => {
        if (latest.current.error !== undefined) latest.current.reload();
      }),
    [latest],
  );
}

const unasked = { data: undefined, error: undefined, loading: true };

interface Page {
  next?: string | undefined;
}

export interface Pages<T> extends Answer<T[]> {
  /** Whether the service has more; `more` asks for it. */
  hasMore: boolean;
  more: () => void;
}

/**
 * Reads a list page by page: a screen shows those read so far. `reload` reads as many again, and shows the old ones until
 * it has the new.
 */
export function usePages<P extends Page>(
  ask: (cursor: string | undefined, signal: AbortSignal) => Promise<{ json(): Promise<P> }>,
  deps: readonly unknown[],
): Pages<P> {
  const [state, setState] = useState<{ pages: P[]; error: unknown; loading: boolean }>(noPages);
  const latest = useLatest({ ask, deps, pages: state.pages });
  const stop = useRef(new AbortController());

  /** Reads on from `before`, until there are so many pages or no more. */
  const read = useCallback(
    async (before: P[], wanted: number) => {
      stop.current.abort();
      stop.current = new AbortController();
      const { signal } = stop.current;
      setState((now) => ({ ...now, error: undefined, loading: true }));
      try {
        const pages = [...before];
        do {
          const response = await latest.current.ask(pages.at(-1)?.next, signal);
          pages.push(await response.json());
        } while (pages.length < wanted && pages.at(-1)?.next !== undefined);
        if (signal.aborted) return;
        keepLength(latest.current.deps, pages.length);
        setState({ pages, error: undefined, loading: false });
      } catch (error) {
        if (!signal.aborted) setState((now) => ({ ...now, error, loading: false }));
      }
    },
    [latest],
  );

  useEffect(() => {
    setState(noPages);
    void read([], lengthOf(deps));
    return () => stop.current.abort();
  }, [read, ...deps]);

  const reload = useCallback(() => void read([], latest.current.pages.length), [read, latest]);
  useRetry(state.error, reload);
  return {
    data: state.pages.length === 0 ? undefined : state.pages,
    error: state.error,
    loading: state.loading,
    hasMore: state.pages.at(-1)?.next !== undefined,
    more: () => void read(state.pages, state.pages.length + 1),
    reload,
  };
}

const noPages = { pages: [], error: undefined, loading: true };

/** The newest of a value that each rendering makes again. */
function useLatest<T>(value: T): RefObject<T> & { current: T } {
  const ref = useRef(value);
  ref.current = value;
  return ref;
}
