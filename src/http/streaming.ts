/** A page of rows, and how to get the next one. */
export interface Page<T> {
  rows: T[];
  more: (() => Promise<Page<T>>) | null;
}

/**
 * Streams rows page by page, each read only when the client has taken the one before, so that memory stays
 * flat however long the list. `first` was read before the answer began, so that its faults are a problem.
 */
export function streamRows<T>(
  first: Page<T>,
  format: { head: string; row: (row: T, index: number) => string; tail: string },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let page: Page<T> | null = first;
  let head = format.head;
  let index = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (page === null) return controller.close();
        const text: string = head + page.rows.map((row) => format.row(row, index++)).join('');
        head = '';
        const last: boolean = page.more === null;
        page = page.more ? await page.more() : null;
        controller.enqueue(encoder.encode(last ? text + format.tail : text));
      },
    },
    { highWaterMark: 0 },
  );
}
