import { expect, test } from 'vitest';
import { readPage } from '../../console/list-pages.ts';

interface Listed {
  from: string;
  cases: number[];
  next?: string;
}

/** A list whose pages are these. */
function listOf(pages: readonly number[][]) {
  const asked: (string | undefined)[] = [];
  const ask = async (cursor: string | undefined) => {
    asked.push(cursor);
    const at = Number(cursor ?? 0);
    const page: Listed = { from: `page ${at}`, cases: pages[at] ?? [] };
    if (at + 1 < pages.length) page.next = String(at + 1);
    return { json: async () => page };
  };
  const { signal } = new AbortController();
  return { asked, read: (limit?: number) => readPage(ask, { limit, signal }) };
}

test('a short page goes on until it has its rows, with the cursor of the last one', async () => {
  const { asked, read } = listOf([[1], [], [2, 3], [4]]);
  expect(await read(3)).toEqual({ from: 'page 0', cases: [1, 2, 3], next: '3' });
  expect(asked).toEqual([undefined, '1', '2']);
});

test('an empty list is read to its end', async () => {
  const { asked, read } = listOf([[], [], []]);
  expect(await read(50)).toEqual({ from: 'page 0', cases: [] });
  expect(asked).toHaveLength(3);
});

test('a person asks for more after many empty pages', async () => {
  const { asked, read } = listOf(Array.from({ length: 100 }, () => []));
  expect((await read(50)).next).toBe(String(asked.length));
  expect(asked.length).toBeLessThan(50);
});

test('a full page, and one without a limit, stay alone', async () => {
  expect(await listOf([[1, 2], [3]]).read(2)).toMatchObject({ cases: [1, 2], next: '1' });
  expect(await listOf([[1], [2]]).read()).toMatchObject({ cases: [1], next: '1' });
});
