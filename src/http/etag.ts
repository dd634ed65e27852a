import type { Context } from 'hono';

/** The strong ETag of a revision. */
export const etag = (revision: string) => `"${revision}"`;

/** The revisions that `If-Match` accepts; undefined when any will do. A weak tag matches none (RFC 9110). */
export function ifMatch(c: Context): string[] | undefined {
  const header = c.req.header('if-match');
  if (header === undefined || header.trim() === '*') return undefined;
  return header
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => /^".*"$/.test(tag))
    .map((tag) => tag.slice(1, -1));
}
