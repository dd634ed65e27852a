import { and, asc, desc, eq, lt, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { members, responseRevisions, responses } from '../db/schema.ts';
import { selectRow } from '../db/select-row.ts';
import { notFound } from '../errors.ts';
import type { Context } from './context.ts';
import { asMember, isVisibleResponse } from './visibility.ts';

export type Revision = Awaited<ReturnType<typeof listRevisions>>[number];

/** Newest first, with one extra row when there is another page. One round trip. @throws resource.not-found */
export async function listRevisions(
  { db, actor }: Context,
  response: string,
  { limit, before }: { limit: number; before?: number | undefined },
) {
  const [[visible], rows] = await db.batch([
    db
      .select({ id: responses.id })
      .from(responses)
      .innerJoin(members, asMember(responses.investigationId, actor))
      .where(isVisibleResponse(actor, response)),
    db
      .select({
        number: responseRevisions.number,
        id: sql<string>`${responseRevisions.id}`.as('revision_id'),
        at: responseRevisions.at,
        authorId: responseRevisions.authorId,
        items: sql<string>`${responseRevisions.items}`.mapWith(responseRevisions.items).as('revision_items'),
        reasons: sql<string>`${responseRevisions.reasons}`
          .mapWith(responseRevisions.reasons)
          .as('revision_reasons'),
      })
      .from(responses)
      .innerJoin(members, asMember(responses.investigationId, actor))
      .innerJoin(responseRevisions, eq(responseRevisions.responseId, responses.id))
      .where(
        and(
          isVisibleResponse(actor, response),
          before === undefined ? undefined : lt(responseRevisions.number, before),
        ),
      )
      .orderBy(desc(responseRevisions.number))
      .limit(limit + 1),
  ]);
  if (!visible) throw notFound('response');
  return rows;
}

/** What a response was created with. */
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
}

/** Copies the response as its newest revision. Adds nothing when an earlier statement of the batch did not write it. */
export const insertRevision = (db: Database, { id, response, author, at }: NewRevision) => {
  const columns = selectRow(responseRevisions, {
    responseId: responses.id,
    number: sql`(select coalesce(max(${responseRevisions.number}), 0) + 1 from ${responseRevisions}
      where ${responseRevisions.responseId} = ${response})`,
    id,
    authorId: author,
    at,
    items: responses.items,
    reasons: responses.reasons,
  });
  return db
    .insert(responseRevisions)
    .select(
      sql`${columns} from ${responses} where ${responses.id} = ${response} and ${responses.revisionId} = ${id}`,
    );
};
