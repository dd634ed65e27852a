import { breathe } from '../../breathe.ts';

/** A page of rows, and how to read the next one. */
export interface Page<T> {
  rows: T[];
  more: (() => Promise<Page<T>>) | null;
}

/** Characters that are written before other work has a turn. */
const charactersOfTurn = 200_000;

/**
 * Streams rows page by page. A page is read only after the client has consumed the previous one, so that one page is in
 * memory however long the list, and a client that disconnects stops the reads. `first` is read before the answer begins,
 * so that its error becomes a problem document; a later error aborts the stream, which the client sees as an incomplete
 * answer.
 */
export function streamRows<T>(
  first: Page<T>,
  format: { head: string; row: (row: T, index: number) => string; tail: string },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: Page<T> | (() => Promise<Page<T>>) = first;
  let { head } = format;
  let index = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const page: Page<T> = typeof next === 'function' ? await next() : next;
        await breathe();
        let rows = '';
        let turn = 0;
        for (const row of page.rows) {
          rows += format.row(row, index++);
          if (rows.length - turn <= charactersOfTurn) continue;
          turn = rows.length;
          await breathe();
        }
        controller.enqueue(encoder.encode(head + rows + (page.more ? '' : format.tail)));
        head = '';
        if (page.more) next = page.more;
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
