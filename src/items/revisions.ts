import { asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { named, query, textOf } from '../db/query.ts';
import { selectRow } from '../db/select-row.ts';
import { notFound } from '../errors.ts';
import { rowBytes } from '../permissions/limits.ts';
import { shownPerson } from '../permissions/shown-people.ts';
import { asMember, isVisibleResponse } from '../permissions/visibility.ts';
import { members } from '../studies/schema.ts';
import { type Content, type ContentPatch, contentBytes, patchOf } from './response-content.ts';
import { responseRevisions, responses } from './schema.ts';

/** The content of a row: a patch, with the number of the whole revision that patches begin with; else all. */
export interface StoredRevision extends ContentPatch {
  since: number | null;
  wholeBytes: number | null;
}

/**
 * The content of the row of a revision after an edit. It is whole once the patches since the last whole one would have as many bytes as
 * it: so an edit costs what it changes, and a revision is rebuilt from twice its bytes at most.
 */
export function revisionOf(
  before: Content & { changedBytes: number; whole: number | null },
  after: Content,
): { stored: StoredRevision; changedBytes: number } {
  const patch = patchOf(before, after);
  const wholeBytes = contentBytes(after);
  const changedBytes = before.changedBytes + rowBytes + contentBytes(patch);
  return before.whole !== null && changedBytes < wholeBytes
    ? { stored: { ...patch, since: before.whole, wholeBytes }, changedBytes }
    : { stored: { ...after, since: null, wholeBytes: null }, changedBytes: 0 };
}

interface RevisionRow extends StoredRevision {
  number: number;
  id: string;
  at: number;
  authorId: string;
  reason: string | null;
  givenAt: number | null;
  /** When the response was received. */
  createdAt: number;
}

export type Revision = Omit<RevisionRow, keyof StoredRevision> & Content;

/** Bytes of a page, which has at least one revision. */
const pageBytes = 1_000_000;

/** A page, newest first: at most `limit` revisions and about a million bytes. One round trip. @throws resource.not-found */
export async function listRevisions(
  { db, actor }: Context,
  id: string,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number | undefined },
) {
  const rows = await query<RevisionRow & { investigationId: string; oldest: number | null }>(
    db,
    revisionsOfPage,
    { actor, id, before, limit },
    { items: JSON.parse, reasons: JSON.parse },
  );
  const [first] = rows;
  if (!first) throw notFound('response');
  const { investigationId, oldest } = first;
  const revisions = oldest === null ? [] : rebuilt(rows, oldest).reverse();
  return { investigationId, revisions, next: oldest !== null && oldest > 1 ? oldest : undefined };
}

/**
 * In SQL: the number of the oldest revision on the page, and of the one that it is rebuilt from (a bare column beside `min`
 * is of the same row), found by sizes alone, so that no more than the page is read.
 */
const oldestOfPage = `select min(number) as oldest, start from (
    select number, start, bytes, sum(bytes) over (order by number desc) as total from (
      select number, coalesce(since, number) as start, coalesce(whole_bytes, octet_length(items) + octet_length(reasons))
        + coalesce(octet_length(reason), 0) + ${rowBytes} as bytes
      from response_revision
      where response_id = :id and number < :before order by number desc limit :limit))
  where total = bytes or total <= ${pageBytes}`;

const shownAuthor = textOf(shownPerson(sql`response.investigation_id`, sql`v.author_id`, named('actor')));

/** In SQL: the revisions of a page, in order, behind those that the first one is rebuilt from. */
const revisionsOfPage = `select v.number, v.id, v.at, ${shownAuthor} as authorId, v.items, v.reasons, v.since,
    v.whole_bytes as wholeBytes, v.reason, response.given_at as givenAt, response.created_at as createdAt, response.investigation_id as investigationId,
    page.oldest
  from response join ${textOf(sql`${members} on ${asMember(responses.investigationId, named('actor'))}`)}
  cross join (${oldestOfPage}) page
  left join response_revision v on v.response_id = response.id and v.number < :before
    and v.number >= page.start
  where ${textOf(isVisibleResponse(named('actor'), named('id')) as SQL)} order by v.number`;

/** The content of each revision from `oldest` on. */
function rebuilt(rows: readonly RevisionRow[], oldest: number): Revision[] {
  const items = new Map<string, string>();
  const reasons = new Map<string, number>();
  const found: Revision[] = [];
  for (const { items: changedItems, reasons: changedReasons, since, wholeBytes: _, ...row } of rows) {
    apply(items, changedItems, since === null);
    apply(reasons, changedReasons, since === null);
    if (row.number >= oldest)
      found.push({ ...row, items: Object.fromEntries(items), reasons: Object.fromEntries(reasons) });
  }
  return found;
}

function apply<T>(map: Map<string, T>, patch: Record<string, T | null>, isWhole: boolean): void {
  if (isWhole) map.clear();
  for (const [key, value] of Object.entries(patch))
    if (value === null) map.delete(key);
    else map.set(key, value);
}

/** The first content of a response, which is whole. */
export const selectFirstRevision = (db: Database, response: string) =>
  db
    .select({
      items: sql<Content['items']>`${responseRevisions.items}`.mapWith(JSON.parse).as('first_items'),
      reasons: sql<Content['reasons']>`${responseRevisions.reasons}`.mapWith(JSON.parse).as('first_reasons'),
    })
    .from(responseRevisions)
    .where(eq(responseRevisions.responseId, response))
    .orderBy(asc(responseRevisions.number))
    .limit(1);

export interface NewRevision {
  id: string;
  response: string;
  author: string;
  at: number;
  reason?: string | undefined;
  /** All of the response's row, if omitted. */
  stored?: StoredRevision;
}

/**
 * Stores the newest revision of a response, which is its row by now. Adds nothing if an earlier statement of the batch
 * did not write that row.
 */
export const insertRevision = (db: Database, { id, response, author, at, reason, stored }: NewRevision) => {
  const content =
    stored && stored.since !== null ? stored : { items: responses.items, reasons: responses.reasons };
  const columns = selectRow(responseRevisions, {
    responseId: responses.id,
    number: sql`(select coalesce(max(${responseRevisions.number}), 0) + 1 from ${responseRevisions}
      where ${responseRevisions.responseId} = ${response})`,
    id,
    authorId: author,
    at,
    items: content.items,
    reasons: content.reasons,
    since: stored?.since ?? null,
    wholeBytes: stored?.wholeBytes ?? null,
    reason: reason ?? null,
  });
  return db
    .insert(responseRevisions)
    .select(
      sql`${columns} from ${responses} where ${responses.id} = ${response} and ${responses.revisionId} = ${id}`,
    );
};
