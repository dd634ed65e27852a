import type { Context, TypedResponse } from 'hono';
import { firstSlice, startSlice } from '../../breathe.ts';
import { prefers } from '../accept.ts';
import type { Env } from '../context.ts';
import { type Cell, csvRow } from './csv.ts';
import { cutPage, linkNext } from './paging.ts';
import { firstPage, type Page, streamRows } from './streaming.ts';

type SortKey = readonly (number | string)[];

/** How one list reads its pages and writes its rows. */
export interface List<
  T,
  Head extends object = object,
  Name extends string = string,
  Row extends object = object,
  Key extends SortKey = SortKey,
> {
  /** Up to `limit` rows after `after`, and no more than `cutPage` keeps, with one extra row if more follow. */
  read: (after: Key | undefined, limit: number) => Promise<T[]>;
  key: (row: T) => Key;
  /** The sort key at which a search for a page that is not full ended, if more may follow; called after the page was read. */
  end?: () => Key | undefined;
  /** The fields of the body before the list; called after the first page has been read. */
  head: () => Head;
  /** The field with the list. */
  name: Name;
  json: (row: T) => Row;
  /**
   * Records a download before it is served; `rows` if the first page has them all. Absent: the list has no data of
   * participants.
   */
  download?: (of: { format: 'csv' | 'json'; rows: number | undefined }) => Promise<void>;
  /** Called after the first page has been read. */
  csv: () => { header: string[]; row: (row: T) => Cell[] };
}

const defaultLimit = 1000;

/** The longest page that a client may ask for. */
const longestPage = 1000;

/** Rows read for a streamed page; `cutPage` keeps what fits. Only one page is in memory. */
const streamedRows = longestPage;

export const wantsCsv = (c: Context) => prefers(c, 'text/csv');

/** For typed clients; as CSV it is text. */
type ListAnswer<Head, Name extends string, Row> = Response &
  TypedResponse<Head & Record<Name, Row[]> & { next?: string }, 200, 'json'>;

/** Answers one page when `limit` or `cursor` is given, and streams everything otherwise; as CSV if the client prefers it. */
export async function listResponse<
  T extends object,
  Head extends object,
  Name extends string,
  Row extends object,
  Key extends SortKey,
>(c: Context<Env>, page: PageQuery<Key>, list: List<T, Head, Name, Row, Key>) {
  return (await answerList(c, page, list)) as ListAnswer<Head, Name, Row>;
}

interface PageQuery<Key> {
  limit?: number | undefined;
  cursor?: Key | undefined;
}

async function answerList<T extends object, Key extends SortKey>(
  c: Context<Env>,
  { limit, cursor }: PageQuery<Key>,
  list: List<T, object, string, object, Key>,
): Promise<Response> {
  c.header('Vary', 'Accept', { append: true });
  if (limit === undefined && cursor === undefined) return streamAll(c, list);

  const size = limit ?? defaultLimit;
  await firstSlice();
  const { rows, next } = cutPage(await list.read(cursor, size), size, list.key, list.end?.());
  linkNext(c, next);
  if (wantsCsv(c)) {
    if (cursor === undefined)
      await recordDownload(c, list, 'csv', next === undefined ? rows.length : undefined);
    const { header, row } = list.csv();
    return c.body(
      writing(c, () => [header, ...rows.map(row)].map(csvRow).join('')),
      200,
      csvHeaders,
    );
  }
  const page = () => ({ ...list.head(), [list.name]: rows.map(list.json), ...(next && { next }) });
  const bytes = encoder.encode(writing(c, () => JSON.stringify(page()))) as Uint8Array<ArrayBuffer>;
  c.set('bytes', bytes);
  return c.body(bytes, 200, { 'content-type': 'application/json' });
}

/** Writes a text, and notes what that took. */
function writing(c: Context<Env>, write: () => string): string {
  const turn = startSlice();
  const text = write();
  c.get('work')?.spend(turn.spent(text.length));
  return text;
}

/**
 * A file is a download, from its first page on, and so is a list that is longer than any page: a page is not. HEAD serves
 * nothing.
 */
async function recordDownload<T extends object, Key extends SortKey>(
  c: Context<Env>,
  { download }: List<T, object, string, object, Key>,
  format: 'csv' | 'json',
  rows: number | undefined,
) {
  const isPage = format === 'json' && rows !== undefined && rows <= longestPage;
  if (!isPage && c.req.method !== 'HEAD') await download?.({ format, rows });
}

const encoder = new TextEncoder();

const csvHeaders = { 'content-type': 'text/csv; charset=utf-8; header=present' };

async function streamAll<T extends object, Key extends SortKey>(
  c: Context<Env>,
  list: List<T, object, string, object, Key>,
) {
  const page = async (after: Key | undefined): Promise<Page<T>> => {
    const read = await list.read(after, streamedRows);
    const cut = cutPage(read, streamedRows, list.key, list.end?.());
    return { rows: cut.rows, more: cut.after ? () => page(cut.after) : null };
  };
  const first = await firstPage(c, () => page(undefined));
  const rows = first.more ? undefined : first.rows.length;
  await recordDownload(c, list, wantsCsv(c) ? 'csv' : 'json', rows);
  if (wantsCsv(c)) {
    const { header, row } = list.csv();
    const format = { head: csvRow(header), row: (item: T) => csvRow(row(item)), tail: '' };
    return c.body(streamRows(c, first, format), 200, csvHeaders);
  }
  const head = `${JSON.stringify(list.head()).slice(0, -1)},${JSON.stringify(list.name)}:[`;
  const row = (item: T, index: number) => (index > 0 ? ',' : '') + JSON.stringify(list.json(item));
  return c.body(streamRows(c, first, { head, row, tail: ']}' }), 200, { 'content-type': 'application/json' });
}
