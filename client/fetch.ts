import type { Fault, ProblemCode } from '../src/errors.ts';
import { backoffMs } from '../src/retry.ts';

export interface ClientOptions {
  /** The deployment, such as `https://fieldbell.example.org`. */
  baseUrl: string;
  /** Returns the access token; called again with `refused` if the service refused the last one. */
  token: (why: { refused: boolean }) => string | Promise<string>;
  /** Time limit of one attempt. */
  timeoutMs?: number;
  /** Attempts after the first one. */
  retries?: number;
  fetch?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  sleep?: (ms: number) => Promise<unknown>;
}

interface ProblemDocument {
  code?: ProblemCode;
  detail?: string;
  errors?: Fault[];
  bound?: string;
}

/** An error answer of the service (RFC 9457). `/problems/:code` explains each code. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode | 'unknown';
  readonly status: number;
  readonly errors: Fault[];
  /** With `limit.reached`: the setting of the service that is reached. */
  readonly bound: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;

  constructor(response: Response, document: ProblemDocument) {
    super(document.detail ?? `The service answered ${response.status}.`);
    this.code = document.code ?? 'unknown';
    this.status = response.status;
    this.errors = document.errors ?? [];
    this.bound = document.bound;
    this.retryAfterSeconds = secondsOf(response);
    this.requestId = response.headers.get('x-request-id') ?? undefined;
  }
}

/** Codes of requests that were refused before they had any effect. */
const withoutEffect = new Set<ProblemCode | 'unknown'>([
  'rate.limited',
  'auth.keys-unavailable',
  'relay.unavailable',
  'user.changed',
]);
/** Statuses worth a retry, if the request is safe to repeat. */
const transient = new Set([408, 425, 429, 500, 502, 503, 504]);
const maxDelayMs = 60_000;

/**
 * `fetch` with the access token, a time limit, and retries where they are safe. It resolves only
 * with answers that are not errors. @throws ProblemError, or the error of `fetch` when the network keeps failing
 */
export function createFetch(options: ClientOptions) {
  const { timeoutMs = 15_000, retries = 4 } = options;
  const send = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  const sleep = options.sleep ?? ((ms: number) => new Promise((resolve) => setTimeout(resolve, ms)));

  async function attempt(request: Request, refused: boolean): Promise<Response> {
    const headers = new Headers(request.headers);
    headers.set('authorization', `Bearer ${await options.token({ refused })}`);
    const signal = withTimeLimit(request.signal, timeoutMs);
    return send(new Request(request.clone(), { headers, signal }));
  }

  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const repeatable = await isRepeatable(request);
    let refused = false;
    for (let failures = 0; ; ) {
      const result = await attempt(request, refused).catch((error: unknown) => ({ error }));
      const waitMs = backoffMs(failures + 1, backoff);
      if ('error' in result) {
        if (!repeatable || failures >= retries || request.signal?.aborted) throw result.error;
        failures++;
        await sleep(waitMs);
        continue;
      }
      if (result.ok || result.status === 304) return result;
      // An earlier attempt may have deleted the resource, and its answer was lost.
      if (failures > 0 && request.method === 'DELETE' && result.status === 404)
        return new Response(null, { status: 204 });
      const problem = new ProblemError(result, await documentOf(result));
      if (result.status === 401 && !refused) {
        refused = true;
        continue;
      }
      const mayRetry = withoutEffect.has(problem.code) || (repeatable && isTransient(problem));
      const delayMs = Math.max(waitMs, (problem.retryAfterSeconds ?? 0) * 1000);
      if (!mayRetry || failures >= retries || delayMs > maxDelayMs) throw problem;
      failures++;
      await sleep(delayMs);
    }
  };
}

/** React Native has neither `AbortSignal.timeout` nor `AbortSignal.any`. */
function withTimeLimit(signal: AbortSignal | undefined, ms: number): AbortSignal {
  if (typeof AbortSignal.timeout === 'function' && typeof AbortSignal.any === 'function') {
    const limit = AbortSignal.timeout(ms);
    return signal ? AbortSignal.any([signal, limit]) : limit;
  }
  const controller = new AbortController();
  const reason = Object.assign(new Error('The service did not answer in time.'), { name: 'TimeoutError' });
  const timer = setTimeout(() => controller.abort(reason), ms);
  const stop = () => {
    clearTimeout(timer);
    controller.abort(signal?.reason);
  };
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop);
  return controller.signal;
}

const isTransient = ({ status, code }: ProblemError) =>
  transient.has(status) || code === 'request.in-progress';

/** Whether a second request changes nothing: by its method or path, or because the client chose the identifier of the new item. */
async function isRepeatable(request: Request): Promise<boolean> {
  if (['GET', 'HEAD', 'PUT', 'DELETE'].includes(request.method)) return true;
  if (request.method !== 'POST') return false;
  const { pathname } = new URL(request.url);
  if (
    /^\/user$|\/survey\/[^/]+\/download$|\/(?:lock|archive|delete)-items$|\/device$|\/receipts?$|\/snooze$|\/reminders\/preview$/.test(
      pathname,
    )
  )
    return true;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && 'identifier' in body;
}

const documentOf = (response: Response) => response.json().catch(() => ({})) as Promise<ProblemDocument>;

const secondsOf = (response: Response) => {
  const header = response.headers.get('retry-after');
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
};

const backoff = { baseMs: 250, maxMs: 8_000 };
