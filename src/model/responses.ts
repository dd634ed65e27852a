import { and, desc, eq, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { members, responseRevisions, responses, surveys, users } from '../db/schema.ts';
import { type Placeholders, statement, type Value } from '../db/statements.ts';
import { notFound } from '../errors.ts';
import {
  asMember,
  inList,
  isOwnResponse,
  isStaff,
  type ListFilter,
  listShape,
  listValues,
  mayViewResponse,
  selectRole,
} from './visibility.ts';

/** The columns of a response as people read it. Aliased, because a batch maps rows by column name. */
const responseColumns = {
  id: sql<string>`${responses.id}`.as('response_id'),
  createdAt: sql<number>`${responses.createdAt}`.as('response_created_at'),
  surveyId: responses.surveyId,
  caseId: responses.caseId,
  responderId: responses.responderId,
  items: responses.items,
  reasons: responses.reasons,
  revisionId: responses.revisionId,
  revisedAt: responses.revisedAt,
  lockedAt: responses.lockedAt,
  archivedAt: responses.archivedAt,
  stateRevision: responses.stateRevision,
  role: members.role,
};

export const selectResponse = (db: Database, actor: string, id: string) => visible(db, { actor, id });

const visible = statement((db, { actor, id }: Placeholders<{ actor: string; id: string }>) =>
  db
    .select(responseColumns)
    .from(responses)
    .innerJoin(members, asMember(responses.investigationId, actor))
    .where(isVisible(actor, id)),
);

const isVisible = (actor: Value<string>, id: Value<string>) =>
  and(eq(responses.id, id), isNull(responses.deletedAt), mayViewResponse(actor));

/** The response and, for an edit, the items of its survey. */
export const selectForEdit = (db: Database, actor: string, id: string) =>
  db
    .select({
      ...responseColumns,
      surveyItems: sql<string>`${surveys.items}`.mapWith(surveys.items).as('survey_items'),
    })
    .from(responses)
    .innerJoin(members, asMember(responses.investigationId, actor))
    .innerJoin(surveys, eq(surveys.id, responses.surveyId))
    .where(isVisible(actor, id));

/** @throws resource.not-found */
export async function readResponse(db: Database, actor: string, id: string) {
  const [row] = await selectResponse(db, actor, id);
  if (!row) throw notFound('response');
  return row;
}

export type Response = Omit<Awaited<ReturnType<typeof readResponse>>, 'role'>;
export type ResponseRow = Awaited<ReturnType<typeof listResponses>>['rows'][number];

export interface ResponseFilter extends ListFilter {
  case?: string | undefined;
  survey?: string | undefined;
  responder?: string | undefined;
  /** Whether the items of the study's surveys are asked for too, for the columns of a table. */
  withItems?: boolean;
}

/**
 * A page in order of creation, and one row more when more remain; the identifiers of all items of the study,
 * when asked for. One round trip. @throws resource.not-found
 */
export async function listResponses(
  db: Database,
  actor: string,
  investigation: string,
  filter: ResponseFilter,
) {
  const { case: inCase, survey, responder } = filter;
  const values = { investigation, actor, inCase, survey, responder, ...listValues(filter) };
  const shape = listShape(filter);
  const [role, all, own, ...asked] = await db.batch([
    selectRole(db, investigation, actor),
    pageOfAll(db, values, shape),
    pageOfOwn(db, values, shape),
    ...(filter.withItems ? [selectItems(db, actor, investigation)] : []),
  ]);
  if (!role[0]) throw notFound('investigation');
  const items = new Set(asked.flat().flatMap((survey) => survey.items.map((item) => item.identifier)));
  return { rows: [...all, ...own], items: [...items] };
}

type PageValues = ReturnType<typeof listValues> & {
  investigation: string;
  actor: string;
  inCase: string | undefined;
  survey: string | undefined;
  responder: string | undefined;
};

const pageOf = (isSeen: (actor: Value<string>) => SQL | undefined) =>
  statement((db, values: Placeholders<PageValues>, shape: ReturnType<typeof listShape>) =>
    db
      .select({ ...responseColumns, responderName: users.name })
      .from(responses)
      .innerJoin(members, asMember(responses.investigationId, values.actor))
      .leftJoin(users, eq(users.id, responses.responderId))
      .where(
        and(
          eq(members.investigationId, values.investigation),
          eq(responses.investigationId, values.investigation),
          isSeen(values.actor),
          inList(responses, responses.revisedAt, values, shape),
          values.inCase && eq(responses.caseId, values.inCase),
          values.survey && eq(responses.surveyId, values.survey),
          values.responder && eq(responses.responderId, values.responder),
        ),
      )
      .orderBy(responses.createdAt, responses.id)
      .limit(values.limit),
  );
const pageOfAll = pageOf(() => isStaff);
const pageOfOwn = pageOf(isOwnResponse);

const selectItems = (db: Database, actor: string, investigation: string) =>
  db
    .select({ items: surveys.items })
    .from(surveys)
    .innerJoin(members, asMember(surveys.investigationId, actor))
    .where(eq(surveys.investigationId, investigation))
    .orderBy(surveys.createdAt, surveys.id);

/** Newest first. One round trip. @throws resource.not-found */
export async function listRevisions(
  db: Database,
  actor: string,
  id: string,
  page: { limit: number; before?: number | undefined },
) {
  const [[response], rows] = await db.batch([
    selectResponse(db, actor, id),
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
          isVisible(actor, id),
          page.before === undefined ? undefined : lt(responseRevisions.number, page.before),
        ),
      )
      .orderBy(desc(responseRevisions.number))
      .limit(page.limit + 1),
  ]);
  if (!response) throw notFound('response');
  return rows;
}
