import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { shownPerson } from '../access/shown-people.ts';
import { asMember, isVisibleResponse } from '../access/visibility.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { selectRow } from '../db/select-row.ts';
import { notFound } from '../errors.ts';
import { members } from '../studies/schema.ts';
import { responseRevisions, responses } from './schema.ts';

export type Revision = Awaited<ReturnType<typeof listRevisions>>['revisions'][number];

/** Bytes of a page, which has at least one revision. */
const pageBytes = 1_000_000;
/** Bytes of a revision beside its content. */
const rowBytes = 200;

/** A page, newest first: at most `limit` revisions and about a million bytes. One round trip. @throws resource.not-found */
export async function listRevisions(
  { db, actor }: Context,
  response: string,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number | undefined },
) {
  const rows = await db
    .select({
      visible: sql<string>`${responses.id}`.as('visible'),
      revision: {
        number: responseRevisions.number,
        id: responseRevisions.id,
        at: responseRevisions.at,
        authorId: shownPerson(sql`${responses.investigationId}`, sql`${responseRevisions.authorId}`, actor)
          .mapWith(String)
          .as('author'),
        items: responseRevisions.items,
        reasons: responseRevisions.reasons,
        reason: responseRevisions.reason,
      },
      givenAt: responses.givenAt,
      investigationId: responses.investigationId,
    })
    .from(responses)
    .innerJoin(members, asMember(responses.investigationId, actor))
    .leftJoin(
      responseRevisions,
      and(
        eq(responseRevisions.responseId, responses.id),
        sql`${responseRevisions.number} < ${before}`,
        sql`${responseRevisions.number} >= ${oldestOfPage(response, before, limit)}`,
      ),
    )
    .where(isVisibleResponse(actor, response))
    .orderBy(desc(responseRevisions.number));
  const [first] = rows;
  if (!first) throw notFound('response');
  const revisions = rows.flatMap(({ revision, givenAt }) => (revision ? [{ ...revision, givenAt }] : []));
  const oldest = revisions.at(-1)?.number ?? 1;
  const { investigationId } = first;
  return { investigationId, revisions, next: oldest > 1 ? oldest : undefined };
}

/** In SQL: the number of the oldest revision on the page, found by sizes alone, so that no more than the page is read. */
const oldestOfPage = (response: string, before: number, limit: number) => sql`(
  select min(number) from (
    select number, bytes, sum(bytes) over (order by number desc) as total from (
      select number, octet_length(items) + octet_length(reasons)
        + coalesce(octet_length(reason), 0) + ${sql.raw(`${rowBytes}`)} as bytes
      from response_revision
      where response_id = ${response} and number < ${before} order by number desc limit ${limit}))
  where total = bytes or total <= ${pageBytes})`;

/** The first content of a response. */
export const selectFirstRevision = (db: Database, response: string) =>
  db
    .select({ items: responseRevisions.items, reasons: responseRevisions.reasons })
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
}

/**
 * Stores the newest revision of a response, which is its row by now. Adds nothing if an earlier statement of the batch
 * did not write that row.
 */
export const insertRevision = (db: Database, { id, response, author, at, reason }: NewRevision) => {
  const columns = selectRow(responseRevisions, {
    responseId: responses.id,
    number: sql`(select coalesce(max(${responseRevisions.number}), 0) + 1 from ${responseRevisions}
      where ${responseRevisions.responseId} = ${response})`,
    id,
    authorId: author,
    at,
    items: responses.items,
    reasons: responses.reasons,
    reason: reason ?? null,
  });
  return db
    .insert(responseRevisions)
    .select(
      sql`${columns} from ${responses} where ${responses.id} = ${response} and ${responses.revisionId} = ${id}`,
    );
};
