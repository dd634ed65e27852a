import type { Context } from 'hono';
import { invalid } from '../errors.ts';

/** The strong ETag of a revision. */
export const etag = (revision: string) => `"${revision}"`;

const entityTag = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * The revisions that `If-Match` accepts (RFC 9110, 13.1.1); undefined when any will do. A weak tag matches none.
 * @throws request.invalid for a header that is not one of the two forms
 */
export function ifMatch(c: Context): string[] | undefined {
  const header = c.req.header('if-match')?.trim();
  if (header === undefined || header === '*') return undefined;
  const tags = header.split(',').map((tag) => entityTag.exec(tag.trim()));
  if (tags.includes(null))
    throw invalid(
      '#/header/If-Match',
      'Expected * or a list of ETags in double quotes, as GET answers them.',
    );
  return tags.flatMap((tag) => (tag?.[1] === undefined ? [tag?.[2] ?? ''] : []));
}
