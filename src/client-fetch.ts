import type { Fault, ProblemCode } from './errors.ts';

export interface ClientOptions {
  /** Of the deployment, such as `https://fieldbell.example.org`. */
  baseUrl: string;
  /** Gives the access token; asked again with `refused` when the service did not take the one given last. */
  token: (why: { refused: boolean }) => string | Promise<string>;
  /** For one try. */
  timeoutMs?: number;
  /** Tries after the first one. */
  retries?: number;
  fetch?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  sleep?: (ms: number) => Promise<unknown>;
}

/** A problem document (RFC 9457), thrown. The codes are those of `/problems/:code`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode | 'unknown';
  readonly status: number;
  readonly errors: Fault[];
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;

  constructor(response: Response, document: { code?: ProblemCode; detail?: string; errors?: Fault[] }) {
    super(document.detail ?? `The service answered ${response.status}.`);
    this.code = document.code ?? 'unknown';
    this.status = response.status;
    this.errors = document.errors ?? [];
    this.retryAfterSeconds = secondsOf(response);
    this.requestId = response.headers.get('x-request-id') ?? undefined;
  }
}

/** Refused before anything was done, whatever the request. */
const untouched = new Set<ProblemCode | 'unknown'>([
  'rate.limited',
  'auth.keys-unavailable',
  'relay.unavailable',
  'user.changed',
]);
/** Worth another try, if the request may be repeated. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);
const bookmarkHeader = 'x-d1-bookmark';
const longestWaitMs = 60_000;

/**
 * `fetch` with what every client needs: the token, tries again where that is safe, the newest bookmark, a time limit. It
 * resolves with answers that are no error. @throws ProblemError, or what fetch throws when the network fails for good
 */
export function createFetch(options: ClientOptions) {
  const { timeoutMs = 15_000, retries = 4 } = options;
  const send = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const sleep = options.sleep ?? ((ms: number) => new Promise((resolve) => setTimeout(resolve, ms)));
  let bookmark: string | null = null;

  async function once(request: Request, refused: boolean): Promise<Response> {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${await options.token({ refused })}`);
    if (bookmark !== null) headers.set(bookmarkHeader, bookmark);
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, limit]) : limit;
    const response = await send(new Request(request.clone(), { headers, signal }));
    const reached = response.headers.get(bookmarkHeader);
    // Answers may overtake one another; bookmarks sort as text.
    if (reached !== null && (bookmark === null || reached > bookmark)) bookmark = reached;
    return response;
  }

  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const repeatable = await isRepeatable(request);
    let refreshed = false;
    for (let tries = 0; ; ) {
      const result = await once(request, refreshed && tries === 0).catch((error: unknown) => ({ error }));
      const wait = backoffMs(tries);
      if ('error' in result) {
        if (!repeatable || tries >= retries || request.signal?.aborted) throw result.error;
        tries++;
        await sleep(wait);
        continue;
      }
      if (result.ok || result.status === 304) return result;
      // The try before may have done it, and its answer was lost.
      if (tries > 0 && request.method === 'DELETE' && result.status === 404)
        return new Response(null, { status: 204 });
      const problem = new ProblemError(result, await documentOf(result));
      if (result.status === 401 && !refreshed) {
        refreshed = true;
        continue;
      }
      const again = untouched.has(problem.code) || (repeatable && isPassing(problem));
      const waitMs = Math.max(wait, (problem.retryAfterSeconds ?? 0) * 1000);
      if (!again || tries >= retries || waitMs > longestWaitMs) throw problem;
      tries++;
      await sleep(waitMs);
    }
  };
}

const isPassing = ({ status, code }: ProblemError) => passing.has(status) || code === 'request.in-progress';

/** Doing it twice is doing it once: by its method, or because the client chose the identifier of what it creates. */
async function isRepeatable(request: Request): Promise<boolean> {
  if (['GET', 'HEAD', 'PUT', 'DELETE'].includes(request.method)) return true;
  if (request.method !== 'POST') return false;
  const { pathname } = new URL(request.url);
  if (/^\/user$|\/survey\/[^/]+\/download$|\/(?:lock|archive|delete)-items$|\/device$/.test(pathname))
    return true;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && 'identifier' in body;
}

const documentOf = (response: Response) => response.json().catch(() => ({})) as Promise<object>;

const secondsOf = (response: Response) => {
  const header = response.headers.get('retry-after');
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
};

const backoffMs = (tries: number) => Math.random() * Math.min(250 * 2 ** tries, 8_000);
