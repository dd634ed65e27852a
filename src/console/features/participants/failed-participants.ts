import { read } from '../../api.ts';
import { compliance, type Page } from './compliance.ts';

/** The service has no filter by what failed: so many are asked for at once, and so often until some are found. */
const limit = '1000';
const maxAsked = 10;

type Query = NonNullable<Parameters<typeof compliance.$get>[0]['query']>;

/** A page of those of whom a reminder failed, for `usePages`. There may be nobody in it, and more after it. */
export async function readFailed(id: string, query: Query, signal: AbortSignal) {
  let { cursor } = query;
  let page: Page;
  let asked = 0;
  do {
    const all = await read(
      compliance.$get({ param: { id }, query: { ...query, limit, cursor } }, { init: { signal } }),
    );
    page = { ...all, participants: all.participants.filter(({ failed }) => failed > 0) };
    cursor = all.next;
    asked++;
  } while (page.participants.length === 0 && cursor !== undefined && asked < maxAsked);
  return { json: async () => page };
}
