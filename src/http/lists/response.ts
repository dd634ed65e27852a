import type { Context, TypedResponse } from 'hono';
import { firstSlice, startSlice } from '../../breathe.ts';
import { ndjson, preferred } from '../accept.ts';
import type { Env } from '../context.ts';
import { type Cell, csvRow, utf8Mark } from './csv.ts';
import { cutPage, linkNext } from './paging.ts';
import { firstPage, type Page, streamRows } from './streaming.ts';

type SortKey = readonly (number | string)[];

/** The formats of a list, by their media types. */
const formats = { 'application/json': 'json', 'text/csv': 'csv', [ndjson]: 'ndjson' } as const;
type ListFormat = (typeof formats)[keyof typeof formats];

const formatOf = (c: Context): ListFormat => formats[preferred(c, ['text/csv', ndjson])];

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
  download?: (of: { format: ListFormat; rows: number | undefined }) => Promise<void>;
  /** Called after the first page has been read. */
  csv: () => { header: string[]; row: (row: T) => Cell[] };
}

type AnyList<T, Key extends SortKey> = List<T, object, string, object, Key>;

const defaultLimit = 1000;

/** The longest page that a client may ask for. */
const longestPage = 1000;

/** Rows read for a streamed page; `cutPage` keeps what fits. Only one page is in memory. */
const streamedRows = longestPage;

export const wantsCsv = (c: Context) => formatOf(c) === 'csv';

/** A file rather than a page. */
export const wantsFile = (c: Context) => formatOf(c) !== 'json';

/** For typed clients; as CSV it is text. */
type ListAnswer<Head, Name extends string, Row> = Response &
  TypedResponse<Head & Record<Name, Row[]> & { next?: string }, 200, 'json'>;

/**
 * Answers one page when `limit` or `cursor` is given, and streams everything otherwise; as CSV, or a JSON row a line, if
 * the client prefers it.
 */
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
  /** CSV begins with the mark of UTF-8. */
  mark?: boolean | undefined;
}

async function answerList<T extends object, Key extends SortKey>(
  c: Context<Env>,
  { limit, cursor, mark }: PageQuery<Key>,
  list: AnyList<T, Key>,
): Promise<Response> {
  c.header('Vary', 'Accept', { append: true });
  if (limit === undefined && cursor === undefined) return streamAll(c, list, mark);

  const size = limit ?? defaultLimit;
  await firstSlice();
  const { rows, next } = cutPage(await list.read(cursor, size), size, list.key, list.end?.());
  linkNext(c, next);
  const format = formatOf(c);
  if (format === 'csv' && cursor === undefined)
    await recordDownload(c, list, format, next === undefined ? rows.length : undefined);
  if (format !== 'json') {
    const { head, row, type } = format === 'csv' ? csvFile(list, mark) : linesOf(list);
    return c.body(
      writing(c, () => head + rows.map(row).join('')),
      200,
      { 'content-type': type },
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
  { download }: AnyList<T, Key>,
  format: ListFormat,
  rows: number | undefined,
) {
  const isPage = format !== 'csv' && rows !== undefined && rows <= longestPage;
  if (!isPage && c.req.method !== 'HEAD') await download?.({ format, rows });
}

const encoder = new TextEncoder();

function csvFile<T, Key extends SortKey>(list: AnyList<T, Key>, mark = false) {
  const { header, row } = list.csv();
  return {
    type: 'text/csv; charset=utf-8; header=present',
    head: (mark ? utf8Mark : '') + csvRow(header),
    row: (item: T) => csvRow(row(item)),
    tail: '',
  };
}

const linesOf = <T, Key extends SortKey>(list: AnyList<T, Key>) => ({
  type: ndjson,
  head: '',
  row: (item: T) => `${JSON.stringify(list.json(item))}\n`,
  tail: '',
});

const bodyOf = <T, Key extends SortKey>(list: AnyList<T, Key>) => ({
  type: 'application/json',
  head: `${JSON.stringify(list.head()).slice(0, -1)},${JSON.stringify(list.name)}:[`,
  row: (item: T, index: number) => (index > 0 ? ',' : '') + JSON.stringify(list.json(item)),
  tail: ']}',
});

async function streamAll<T extends object, Key extends SortKey>(
  c: Context<Env>,
  list: AnyList<T, Key>,
  mark?: boolean,
) {
  const page = async (after: Key | undefined): Promise<Page<T>> => {
    const read = await list.read(after, streamedRows);
    const cut = cutPage(read, streamedRows, list.key, list.end?.());
    return { rows: cut.rows, more: cut.after ? () => page(cut.after) : null };
  };
  const first = await firstPage(c, () => page(undefined));
  const rows = first.more ? undefined : first.rows.length;
  const format = formatOf(c);
  await recordDownload(c, list, format, rows);
  const file = { csv: csvFile, ndjson: linesOf, json: bodyOf }[format](list, mark);
  return c.body(streamRows(c, first, file), 200, { 'content-type': file.type });
}
