import { type Api, createClient, ProblemError } from '../client/client.ts';
import { setOnline } from './connection.ts';
import type { PropertyRule } from './groups.ts';
import { currentToken, endSession } from './session.ts';

/* The only way to the service: the typed client, with the token of the session. */

const client = createClient({ baseUrl: location.origin, token: currentToken, fetch: watched });
export const { api } = client;

/** For calls that may take minutes, such as locking 100,000 items, and are not repeated automatically. */
export const slowApi = createClient({
  baseUrl: location.origin,
  token: currentToken,
  fetch: watched,
  timeoutMs: 600_000,
  retries: 0,
});

let changedAt = 0;

/** Notes that this page is changing something. */
export const noteOwnChange = (): void => {
  changedAt = Date.now();
};

/** When this page last changed something, in epoch ms. */
export const lastOwnChange = (): number => changedAt;

/** Notices that the service refuses the token, and whether there is a network. */
async function watched(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  try {
    const request = new Request(input, init);
    const response = await fetch(request);
    if (request.method !== 'GET') noteOwnChange();
    setOnline(true);
    // The form that asked for a signature handles the demand for a fresh sign-in.
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

export interface Readable {
  json(): Promise<unknown>;
}

/** The body of an answer; a 304 has none, and the browser fills it in from its cache. */
export type Body<R> = R extends { status: 304 } ? never : R extends { json(): Promise<infer T> } ? T : never;

/** The type of a route's answer. */
export type AnswerOf<Route extends (...parameters: never[]) => Promise<Readable>> = Body<
  Awaited<ReturnType<Route>>
>;
/** Reads the body of an answer. @throws ProblemError */
export const read = async <R extends Readable>(answer: Promise<R>): Promise<Body<R>> =>
  (await (await answer).json()) as Body<R>;

type StudyApi = Api['investigation'][':id'];
export type Study = AnswerOf<StudyApi['$get']> & {
  /** Groups whose cases and responses are frozen. */
  frozenGroups?: PropertyRule[] | undefined;
};
export type Role = Study['role'];
export type Me = AnswerOf<Api['user'][':id']['$get']>;

export type Survey = AnswerOf<Api['survey'][':id']['$get']>;

/** A value with the revision that its changes name (`If-Match`). */
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

/** The second argument of a change that applies to this revision only. */
export const ifMatch = (etag: string) => ({ headers: { 'if-match': etag } });

export const isProblem = (error: unknown, ...codes: string[]): error is ProblemError =>
  error instanceof ProblemError && codes.includes(error.code);
