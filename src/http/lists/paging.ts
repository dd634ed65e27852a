import type { Context } from 'hono';
import * as z from 'zod';
import { bounded } from '../validation.ts';

/** An opaque cursor: base64url of the JSON of the last row's sort key. */
export const encodeCursor = (key: readonly (string | number)[]): string =>
  btoa(JSON.stringify(key)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** A query parameter with a cursor, whose sort key `schema` validates. */
export const cursor = <S extends z.ZodType>(schema: S) =>
  bounded(maxCharacters, expected)
    .transform((text, ctx) => {
      const key = schema.safeParse(decode(text));
      if (key.success) return key.data;
      ctx.addIssue(expected);
      return z.NEVER;
    })
    .meta({ description: 'The value of `next` in the previous page.' });

const expected = 'Expected a cursor from the `next` of an earlier answer.';
const maxCharacters = 500;

function decode(text: string): unknown {
  try {
    return JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}

/** Characters of a page, roughly. */
const pageCharacters = 1_000_000;

/** The number of rows that fit on a page of so many characters, at most `limit`, but at least one. */
export function fitting(rows: readonly object[], limit: number, most = pageCharacters): number {
  let bytes = 0;
  const end = rows.findIndex((row, n) => {
    // Rows whose content is bounded do not tell their size.
    bytes += 'bytes' in row && typeof row.bytes === 'number' ? row.bytes : JSON.stringify(row).length;
    return n >= limit || (n > 0 && bytes > most);
  });
  return end === -1 ? rows.length : end;
}

/**
 * Keeps the rows that fit on a page, by number and by size, but at least one. If some are cut off, another page follows; or
 * behind `end`, the sort key at which a search ended.
 */
export function cutPage<T extends object, Key extends readonly (string | number)[]>(
  rows: T[],
  limit: number,
  key: (row: T) => Key,
  end?: Key,
) {
  const size = fitting(rows, limit);
  const last = size === rows.length ? undefined : rows[size - 1];
  const after = last === undefined ? end : key(last);
  return {
    rows: rows.slice(0, size),
    after,
    next: after && encodeCursor(after),
  };
}

/** The address of the next page (RFC 8288). */
export function linkNext(c: Context, next: string | undefined): void {
  if (next === undefined) return;
  const url = new URL(c.req.url);
  url.searchParams.set('cursor', next);
  c.header('Link', `<${url.pathname}${url.search}>; rel="next"`);
}
