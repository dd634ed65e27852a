import type { Context } from 'hono';
import { z } from 'zod';

/** An opaque cursor: base64url of the JSON of the last row's sort key. */
export const encodeCursor = (key: readonly (string | number)[]): string =>
  btoa(JSON.stringify(key)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

/** A query parameter that holds a cursor whose key has the shape of `schema`. */
export const cursor = <S extends z.ZodType>(schema: S) =>
  z
    .string({ error: expected })
    .transform((text, ctx) => {
      const key = schema.safeParse(text.length > longest ? undefined : decode(text));
      if (key.success) return key.data;
      ctx.addIssue(expected);
      return z.NEVER;
    })
    .meta({ description: 'The `next` of the page before.' });

const expected = 'Expected a cursor from the `next` of an earlier answer.';
const longest = 500;

function decode(text: string): unknown {
  try {
    return JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}

/** Cuts the one row too many that tells whether more remain. */
export function cutPage<T>(rows: T[], limit: number, key: (row: T) => readonly (string | number)[]) {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return { rows: rows.slice(0, limit), next: last === undefined ? undefined : encodeCursor(key(last)) };
}

/** RFC 8288: the address of the following page. */
export function linkNext(c: Context, next: string | undefined): void {
  if (next === undefined) return;
  const url = new URL(c.req.url);
  url.searchParams.set('cursor', next);
  c.header('Link', `<${url.pathname}${url.search}>; rel="next"`);
}
