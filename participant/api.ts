import { createClient, ProblemError } from '../client/client.ts';
import { keepSession, readSession } from './session.ts';
import { keep, readKept } from './store.ts';

/* The only way to the service: the typed client, with the participant's token. The service worker uses it too. */

/** Longest wait for an answer of the service (ms). */
export const answerMs = 20_000;

const client = createClient({
  baseUrl: self.location.origin,
  token: async () => (await readSession())?.token ?? '',
  fetch: watched,
  timeoutMs: answerMs,
  retries: 1,
});
export const { api, fetch: request } = client;

/** Notices an ended token, and how far this phone's clock is from the service's. */
async function watched(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const sent = new Request(input, init);
  const response = await fetch(sent);
  // The page of a Wi-Fi knows neither the time nor the token.
  if (!/json/.test(response.headers.get('content-type') ?? '')) return response;
  await noteClock(response);
  if (response.status === 401) await noteEnd(sent.headers.get('authorization') ?? '');
  return response;
}

async function noteEnd(authorization: string) {
  const session = await readSession();
  // Another page may have got a new token meanwhile.
  if (session && authorization === `Bearer ${session.token}`) await keepSession({ ...session, ended: true });
}

/** Below this the phone's clock is right: a date in an answer has whole seconds. */
const toleranceMs = 5000;

/** Keeps by how much the service's clock is ahead of the phone's. */
export async function noteClock(response: Response): Promise<void> {
  const date = Date.parse(response.headers.get('date') ?? '');
  if (Number.isNaN(date)) return;
  const ahead = Math.abs(date - Date.now()) < toleranceMs ? 0 : date - Date.now();
  try {
    if (ahead !== ((await readKept<number>('clock')) ?? 0)) await keep('clock', ahead);
  } catch {
    // Without room on the phone, requests go on.
  }
}

/** The present by the service's clock, as far as is known. */
export const serviceNow = async () => Date.now() + ((await readKept<number>('clock')) ?? 0);

type Readable = { json(): Promise<unknown> };
export type Body<R> = R extends { status: 304 } ? never : R extends { json(): Promise<infer T> } ? T : never;

/** Reads the body of an answer. @throws ProblemError, or the error of `fetch` */
export const read = async <R extends Readable>(answer: Promise<R>): Promise<Body<R>> =>
  (await (await answer).json()) as Body<R>;

/** The type of a route's answer. */
export type AnswerOf<Route extends (...given: never[]) => Promise<Readable>> = Body<
  Awaited<ReturnType<Route>>
>;

export const isProblem = (error: unknown, ...statuses: number[]): error is ProblemError =>
  error instanceof ProblemError && (statuses.length === 0 || statuses.includes(error.status));
