import type { Context } from 'hono';
import type { Env } from './context.ts';
import { csvRow } from './csv.ts';
import { cutPage, linkNext } from './paging.ts';
import { type Page, streamRows } from './streaming.ts';

type SortKey = readonly [number, string];

/** How one list reads its pages and writes its rows. */
export interface List<T> {
  /** Up to `limit` rows behind `after`, and one more when more remain. */
  read: (after: SortKey | undefined, limit: number) => Promise<T[]>;
  key: (row: T) => SortKey;
  /** Names the study and the list in the body: `{ [of[0]]: of[1], [name]: [...] }`. */
  of: readonly [string, string];
  name: string;
  json: (row: T) => object;
  csv: { header: string[]; row: (row: T) => (string | number | boolean | null | undefined)[] };
}

const streamedPage = 500;

/** One page when `limit` or `cursor` is given, else everything, streamed; CSV when the client prefers it. */
export async function listResponse<T>(
  c: Context<Env>,
  { limit, cursor }: { limit?: number | undefined; cursor?: SortKey | undefined },
  list: List<T>,
): Promise<Response> {
  const csv = /^\s*text\/csv\b/i.test(c.req.header('accept') ?? '');
  if (limit === undefined && cursor === undefined) return streamAll(c, list, csv);

  const size = limit ?? 1000;
  const { rows, next } = cutPage(await list.read(cursor, size), size, list.key);
  linkNext(c, next);
  if (csv)
    return c.body(
      csvRow(list.csv.header) + rows.map((row) => csvRow(list.csv.row(row))).join(''),
      200,
      csvHeaders,
    );
  return c.json({ [list.of[0]]: list.of[1], [list.name]: rows.map(list.json), ...(next && { next }) });
}

const csvHeaders = { 'content-type': 'text/csv; charset=utf-8; header=present' };

async function streamAll<T>(c: Context<Env>, list: List<T>, csv: boolean) {
  const page = async (after: SortKey | undefined): Promise<Page<T>> => {
    const found = await list.read(after, streamedPage);
    const rows = found.slice(0, streamedPage);
    const last = rows.at(-1);
    return { rows, more: found.length > streamedPage && last ? () => page(list.key(last)) : null };
  };
  const first = await page(undefined);
  if (csv) {
    const head = csvRow(list.csv.header);
    return c.body(
      streamRows(first, { head, row: (row) => csvRow(list.csv.row(row)), tail: '' }),
      200,
      csvHeaders,
    );
  }
  const [key, value] = list.of;
  const head = `{${JSON.stringify(key)}:${JSON.stringify(value)},${JSON.stringify(list.name)}:[`;
  const row = (item: T, index: number) => (index > 0 ? ',' : '') + JSON.stringify(list.json(item));
  return c.body(streamRows(first, { head, row, tail: ']}' }), 200, { 'content-type': 'application/json' });
}
