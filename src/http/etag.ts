import type { Context } from 'hono';
import { invalidParameter } from '../errors.ts';

/** The strong ETag of a revision. */
export const etag = (revision: string) => `"${revision}"`;

/** The fields that tell whether an item has not changed since its revision was made. */
interface Revised {
  revisionId: string;
  /** The revision at which the item was last locked, unlocked, archived or brought back. */
  stateRevision: string | null;
  lockedAt: number | null;
  archivedAt: number | null;
}

/**
 * Whether the client's copy is certainly current (RFC 9110, 13.1.2). The ETag of an item is its revision. A lock keeps
 * the revision but changes the answer: from the first change of state until the next revision, the whole item is sent.
 */
export const isUnchanged = (c: Context, item: Revised): boolean =>
  isKnown(c, item.revisionId) &&
  item.lockedAt === null &&
  item.archivedAt === null &&
  item.stateRevision !== item.revisionId;

/** Whether the client has this revision. */
export function isKnown(c: Context, revision: string): boolean {
  const known = c.req.header('if-none-match')?.split(',') ?? [];
  return known.some((tag) => entityTag.exec(tag.trim())?.[2] === revision);
}

/** 304. Its type is `never`, so that in the typed client an answer to GET has the one type of its body. */
export const notModified = (c: Context, headers: { etag: string }) => c.body(null, 304, headers) as never;

const entityTag = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * The revisions that `If-Match` accepts (RFC 9110, 13.1.1); undefined for any. A weak tag matches none.
 * @throws request.invalid for a malformed header
 */
export function ifMatch(c: Context): string[] | undefined {
  const header = c.req.header('if-match')?.trim();
  if (header === undefined || header === '*') return undefined;
  const tags = header.split(',').map((tag) => entityTag.exec(tag.trim()));
  if (tags.includes(null))
    throw invalidParameter(
      'If-Match',
      'Expected * or a list of ETags in double quotes, as GET answers them.',
    );
  return tags.flatMap((tag) => (tag?.[1] === undefined ? [tag?.[2] ?? ''] : []));
}
