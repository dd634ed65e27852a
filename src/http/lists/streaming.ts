import type { Context } from 'hono';
import { breathe, firstSlice, startSlice } from '../../breathe.ts';
import type { Env } from '../context.ts';

/** A page of rows, and how to read the next one. */
export interface Page<T> {
  rows: T[];
  more: (() => Promise<Page<T>>) | null;
}

interface Format<T> {
  head: string;
  row: (row: T, index: number) => string;
  tail: string;
}

/** Characters that are held before the client gets them. */
const charactersOfPiece = 1_000_000;

/**
 * Reads the first page of a stream, in a turn of its own, before the answer begins, so that its error becomes a problem
 * document. @throws rate.limited if it `isLong`, or more pages follow, while the caller has another long answer
 */
export async function firstPage<T>(
  c: Context<Env>,
  read: () => Promise<Page<T>>,
  { isLong = false } = {},
): Promise<Page<T>> {
  const work = c.get('work');
  if (isLong) work?.beLong();
  await firstSlice();
  const page = await read();
  if (page.more) work?.beLong();
  return page;
}

/**
 * Streams rows page by page. A page is read only after the client has consumed the previous one, so that one page is in
 * memory however long the list, and a client that disconnects stops the reads. Others have a turn before each page is
 * read, and whenever a turn of its writing is over. An error aborts the stream, which the client sees as an incomplete
 * answer.
 */
export function streamRows<T>(
  c: Context<Env>,
  first: Page<T>,
  format: Format<T>,
): ReadableStream<Uint8Array> {
  c.set('streamed', true);
  const work = c.get('work');
  const pieces = writePages(first, format, (ms) => work?.spend(ms));
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        work?.beStream(() => controller.error(new Error('the client read nothing for a minute')));
      },
      async pull(controller) {
        work?.goOn();
        try {
          const { value, done } = await pieces.next();
          if (!done) return controller.enqueue(encoder.encode(value));
          controller.close();
        } catch (error) {
          work?.end();
          throw error;
        }
        work?.end();
      },
      cancel: () => work?.end(),
    },
    { highWaterMark: 0 },
  );
}

/** The text of all pages, in pieces; the last one is at hand only when everything before it was taken. */
async function* writePages<T>(first: Page<T>, format: Format<T>, spend: (ms: number) => void) {
  let index = 0;
  let text = format.head;
  for (let page = first; ; ) {
    // A short list waits for no long one.
    await (page === first ? firstSlice() : breathe());
    let turn = startSlice();
    let written = text.length;
    for (const row of page.rows) {
      text += format.row(row, index++);
      if (!turn.isOver(text.length - written)) continue;
      spend(turn.spent(text.length - written));
      if (text.length > charactersOfPiece) {
        yield text;
        text = '';
      }
      await breathe();
      turn = startSlice();
      written = text.length;
    }
    spend(turn.spent(text.length - written));
    // The first page is referred to as long as the stream is.
    page.rows = [];
    if (!page.more) break;
    if (text !== '') yield text;
    text = '';
    await breathe();
    page = await page.more();
  }
  yield text + format.tail;
}
