import { hc } from 'hono/client';
import type { App } from '../src/app.ts';
import { type ClientOptions, createFetch } from './fetch.ts';

/** Types of a route's request and answer: `InferResponseType<Api['user'][':id']['$get']>`. */
export type { InferRequestType, InferResponseType } from 'hono/client';
export { type ClientOptions, ProblemError } from './fetch.ts';

/** Parameters of a list by name; several values of one, such as `property: ['site:lyon', 'site:paris']`. */
type Query = Readonly<Record<string, string | readonly string[]>>;
/** The client repeats a parameter for each of several values. */
const texts = (filter: Query) => filter as Readonly<Record<string, string>>;

interface ChangesQuery {
  /** The last sequence that is known; 0 reads everything. */
  after?: number;
  limit?: number;
  /** `body`: with each thing as its list shows it. */
  include?: 'body';
}

/** A client of the service: `api` has every route; `cases`, `responses` and `changes` read long lists page by page. */
export function createClient(options: ClientOptions) {
  const fetch = createFetch(options);
  const baseUrl = options.baseUrl.replace(/\/$/, '');
  const api = hc<App>(baseUrl, { fetch });
  const lists = api.investigation[':id'];

  return {
    api,
    /** For requests that `api` does not type, such as CSV: with the same token, retries and errors. */
    fetch: (path: string, init?: RequestInit) => fetch(`${baseUrl}${path}`, init),
    async *cases(study: string, filter: Query = {}) {
      const ask = (cursor?: string) =>
        lists.cases.$get({ param: { id: study }, query: { limit: '500', ...texts(filter), cursor } });
      for await (const page of pages(ask)) yield* page.cases;
    },
    async *responses(study: string, filter: Query = {}) {
      const ask = (cursor?: string) =>
        lists.responses.$get({ param: { id: study }, query: { limit: '500', ...texts(filter), cursor } });
      for await (const page of pages(ask)) yield* page.responses;
    },
    /** Pages of what changed in a study after a sequence, until all was read. Keep the `next` of each page. */
    async *changes(study: string, { after = 0, limit = 500, ...query }: ChangesQuery = {}) {
      for (let next = after, more = true; more; ) {
        const filter = { ...query, after: String(next), limit: String(limit) };
        const page = await (await lists.changes.$get({ param: { id: study }, query: filter })).json();
        yield page;
        more = page.next < page.latest;
        next = page.next;
      }
    },
  };
}

/** Reads any list page by page: `ask` gets the `next` of the previous page as its cursor. */
export async function* pages<Page extends { next?: string | undefined }>(
  ask: (cursor?: string) => Promise<{ json(): Promise<Page> }>,
): AsyncGenerator<Page> {
  let cursor: string | undefined;
  do {
    const page = await (await ask(cursor)).json();
    yield page;
    cursor = page.next;
  } while (cursor !== undefined);
}

export type Client = ReturnType<typeof createClient>;

/** Every route with the types of its requests and answers. */
export type Api = Client['api'];

type Listed<List> = List extends AsyncGenerator<infer Item> ? Item : never;
export type ListedCase = Listed<ReturnType<Client['cases']>>;
export type ListedResponse = Listed<ReturnType<Client['responses']>>;

/** An identifier for a new item (a UUIDv7 without dashes), which makes its creation safe to repeat. */
export function newIdentifier(now = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = (((bytes[8] ?? 0) & 0x3f) | 0x80).toString(16);
  return `${now.toString(16).padStart(12, '0')}7${hex.slice(13, 16)}${variant}${hex.slice(18)}`;
}
