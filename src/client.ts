import { hc } from 'hono/client';
import type { App } from './app.ts';
import { type ClientOptions, createFetch } from './client-fetch.ts';
import type { ListedCase } from './routes/cases.ts';
import type { ListedResponse } from './routes/response-list.ts';

export { type ClientOptions, ProblemError } from './client-fetch.ts';
export type { ListedCase, ListedResponse };

/** Every route with the types of its requests and answers. */
export type Api = ReturnType<typeof hc<App>>;
const connect = (...given: Parameters<typeof hc>): Api => hc<App>(...given);

type Query = Record<string, string>;

/** A client of the service: `api` has every route; `cases` and `responses` read long lists page by page. */
export function createClient(options: ClientOptions) {
  const fetch = createFetch(options);
  const baseUrl = options.baseUrl.replace(/\/$/, '');
  const api = connect(baseUrl, { fetch });

  async function* rows<T>(study: string, list: 'cases' | 'responses', query: Query): AsyncGenerator<T> {
    let cursor: string | undefined;
    do {
      const asked = new URLSearchParams({ limit: '500', ...query, ...(cursor && { cursor }) });
      const answer = await fetch(`${baseUrl}/investigation/${study}/${list}?${asked}`);
      const page = (await answer.json()) as Record<typeof list, T[]> & { next?: string };
      yield* page[list];
      cursor = page.next;
    } while (cursor !== undefined);
  }

  return {
    api,
    /** For what `api` does not type, such as CSV: with the same token, retries, bookmark and errors. */
    fetch: (path: string, init?: RequestInit) => fetch(`${baseUrl}${path}`, init),
    cases: (study: string, query: Query = {}) => rows<ListedCase>(study, 'cases', query),
    responses: (study: string, query: Query = {}) => rows<ListedResponse>(study, 'responses', query),
  };
}

export type Client = ReturnType<typeof createClient>;

/** An identifier for a new item (a UUIDv7 without dashes), which makes its creation safe to repeat. */
export function newIdentifier(now = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = (((bytes[8] ?? 0) & 0x3f) | 0x80).toString(16);
  return `${now.toString(16).padStart(12, '0')}7${hex.slice(13, 16)}${variant}${hex.slice(18)}`;
}
