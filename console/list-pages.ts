/** The second argument of a request that stops when nobody waits for its answer. */
export interface RequestOptions {
  init: { signal: AbortSignal };
}

export interface Page {
  next?: string | undefined;
}

/** Asks for a page of a list: the first one, or the one at a cursor. */
export type AskPage<P> = (
  cursor: string | undefined,
  options: RequestOptions,
) => Promise<{ json(): Promise<P> }>;

/** Short pages that are read in a row, until a person asks for more. */
const maxShort = 40;

const rowsOf = (page: object) => Object.values(page).filter(Array.isArray);

/**
 * Reads a page of `limit` rows. The service looks at a bounded number of rows for a page, so that a page of a part of the study may be
 * short, or empty, with more after it: the following ones are read into it.
 */
export async function readPage<P extends Page>(
  ask: AskPage<P>,
  { cursor, limit, signal }: { cursor?: string | undefined; limit: number | undefined; signal: AbortSignal },
): Promise<P> {
  let page = await (await ask(cursor, { init: { signal } })).json();
  const isShort = () =>
    limit !== undefined && page.next !== undefined && rowsOf(page).every((rows) => rows.length < limit);
  for (let n = 0; n < maxShort && isShort(); n++) {
    const more: P = await (await ask(page.next, { init: { signal } })).json();
    page = joined(page, more);
  }
  return page;
}

/** The first of two pages with the rows of both. */
function joined<P extends Page>(first: P, { next, ...more }: P): P {
  const { next: _, ...page } = first;
  const rows = Object.entries(more).flatMap(([name, value]) => {
    const before = (page as Record<string, unknown>)[name];
    return Array.isArray(value) && Array.isArray(before) ? [[name, [...before, ...value]]] : [];
  });
  return { ...page, ...Object.fromEntries(rows), ...(next !== undefined && { next }) } as P;
}
