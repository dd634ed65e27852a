/** A page of rows, and how to get the next one. */
export interface Page<T> {
  rows: T[];
  more: (() => Promise<Page<T>>) | null;
}

/**
 * Streams rows page by page. A page is read when the client has taken the one before and asks for more, so
 * that one page at a time is in memory however long the list; a client that leaves stops the reading. `first`
 * was read before the answer began, so that its faults are a problem; a later fault breaks the stream off,
 * which the client sees as an incomplete answer.
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
        const rows = page.rows.map((row) => format.row(row, index++)).join('');
        controller.enqueue(encoder.encode(head + rows + (page.more ? '' : format.tail)));
        head = '';
        if (page.more) next = page.more;
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
