import { read } from '../../api.ts';
import type { RequestOptions } from '../../list-pages.ts';
import { compliance, type Page } from './participant-counts.ts';

/** The service cannot filter by failure: pages of this size are read, at most this often, until some members are found. */
const limit = '1000';
const maxRequests = 10;

type Query = NonNullable<Parameters<typeof compliance.$get>[0]['query']>;

/** A page of the members with a failed reminder, for `usePages`. The page may be empty, with more after it. */
export async function readFailed(id: string, query: Query, options: RequestOptions) {
  let { cursor } = query;
  let page: Page;
  let requests = 0;
  do {
    const all = await read(compliance.$get({ param: { id }, query: { ...query, limit, cursor } }, options));
    page = { ...all, participants: all.participants.filter(({ failed }) => failed > 0) };
    cursor = all.next;
    requests++;
  } while (page.participants.length === 0 && cursor !== undefined && requests < maxRequests);
  return { json: async () => page };
}
