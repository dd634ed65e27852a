import { and, asc, desc, eq, type SQLWrapper, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { members } from '../db/schema/investigations.ts';
import { responseRevisions, responses } from '../db/schema/items.ts';
import { selectRow } from '../db/select-row.ts';
import { notFound } from '../errors.ts';
import type { Context } from './context.ts';
import { readHistory, type StoredChange } from './revision-chain.ts';
import { asMember, isVisibleResponse } from './visibility.ts';

export type Revision = Awaited<ReturnType<typeof listRevisions>>['revisions'][number];

/** Of the whole responses on a page, of which there is at least one. */
const pageBytes = 1_000_000;
/** What a revision adds to an answer beside its content. */
const rowBytes = 200;

/**
 * A page, newest first: at most `limit` revisions and about a million bytes. Reads no more than the page and the changes
 * down to the nearest revision that is stored whole. One round trip. @throws resource.not-found
 */
export async function listRevisions(
  { db, actor }: Context,
  response: string,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number | undefined },
) {
  const found = await db
    .select({
      visible: sql<string>`${responses.id}`.as('visible'),
      revision: {
        number: responseRevisions.number,
        id: responseRevisions.id,
        at: responseRevisions.at,
        authorId: responseRevisions.authorId,
        base: responseRevisions.base,
        bytes: bytesOfRevision.as('revision_bytes'),
        items: responseRevisions.items,
        reasons: responseRevisions.reasons,
      },
    })
    .from(responses)
    .innerJoin(members, asMember(responses.investigationId, actor))
    .leftJoin(
      responseRevisions,
      and(
        eq(responseRevisions.responseId, responses.id),
        sql`${responseRevisions.number} < ${before}`,
        sql`${responseRevisions.number} >= ${baseOfPage(response, before, limit)}`,
      ),
    )
    .where(isVisibleResponse(actor, response))
    .orderBy(desc(responseRevisions.number));
  if (found.length === 0) throw notFound('response');
  const rows = found.flatMap(({ revision }) => (revision ? [revision] : []));
  let bytes = 0;
  const page = rows.slice(0, limit).filter((row, n) => {
    bytes += row.bytes;
    return n === 0 || bytes <= pageBytes;
  });
  const oldest = page.at(-1)?.number ?? 1;
  return { revisions: readHistory(rows, oldest), next: oldest > 1 ? oldest : undefined };
}

const bytesOfRevision = sql<number>`(coalesce(response_revision.size,
  octet_length(response_revision.items) + octet_length(response_revision.reasons)) + ${sql.raw(`${rowBytes}`)})`;

/** In SQL: the number of the revision from which the oldest one on the page is made. */
const baseOfPage = (response: string, before: number, limit: number) => sql`(
  select coalesce(base, number) from (
    select number, base, bytes, sum(bytes) over (order by number desc) as total from (
      select number, base, ${bytesOfRevision} as bytes from response_revision
      where response_id = ${response} and number < ${before} order by number desc limit ${limit}))
  where total = bytes or total <= ${pageBytes} order by number limit 1)`;

/** What a response was created with: the first revision is always stored whole. */
export const selectFirstRevision = (db: Database, response: string) =>
  db
    .select({
      items: whole(responseRevisions.items).as('first_items'),
      reasons: whole(responseRevisions.reasons).as('first_reasons'),
    })
    .from(responseRevisions)
    .where(eq(responseRevisions.responseId, response))
    .orderBy(asc(responseRevisions.number))
    .limit(1);

const whole = <T>(column: { _: { data: Record<string, T | null> } } & SQLWrapper) =>
  sql`${column}`.mapWith((text: string) => JSON.parse(text) as Record<string, T>);

export interface NewRevision {
  id: string;
  response: string;
  author: string;
  at: number;
  /** What it changed; omitted, it is stored whole. */
  change?: StoredChange | undefined;
}

/**
 * Stores the newest revision of a response, which is its row by now. Adds nothing when an earlier statement of the batch
 * did not write that.
 */
export const insertRevision = (db: Database, { id, response, author, at, change }: NewRevision) => {
  const columns = selectRow(responseRevisions, {
    responseId: responses.id,
    number: sql`(select coalesce(max(${responseRevisions.number}), 0) + 1 from ${responseRevisions}
      where ${responseRevisions.responseId} = ${response})`,
    id,
    authorId: author,
    at,
    items: change?.items ?? responses.items,
    reasons: change?.reasons ?? responses.reasons,
    base: change?.base ?? null,
    weight: change?.weight ?? null,
    size: sql`octet_length(${responses.items}) + octet_length(${responses.reasons})`,
  });
  return db
    .insert(responseRevisions)
    .select(
      sql`${columns} from ${responses} where ${responses.id} = ${response} and ${responses.revisionId} = ${id}`,
    );
};
