import { and, eq, type SQL } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { members, responses, surveys, users } from '../db/schema.ts';
import { type Placeholders, statement, type Value } from '../db/statements.ts';
import { notFound } from '../errors.ts';
import type { Context } from './context.ts';
import { inList, type ListFilter, listShape, listValues } from './item-lists.ts';
import { responseColumns } from './responses.ts';
import { asMember, isOwnResponse, isStaff, selectRole } from './visibility.ts';

export type ListedRow = Awaited<ReturnType<typeof listResponses>>['rows'][number];

export interface ResponseFilter extends ListFilter {
  case?: string | undefined;
  survey?: string | undefined;
  responder?: string | undefined;
  /** Reads the items of the study's surveys too, for the columns of a table. */
  withItems?: boolean;
}

/**
 * A page in order of creation, with one extra row when there is another page, and with `withItems` the identifiers of all
 * items of the study. One round trip. @throws resource.not-found
 */
export async function listResponses({ db, actor }: Context, investigation: string, filter: ResponseFilter) {
  const { case: inCase, survey, responder } = filter;
  const values = { investigation, actor, inCase, survey, responder, ...listValues(filter) };
  const shape = listShape(filter);
  const [role, all, own, ...surveyItems] = await db.batch([
    selectRole(db, investigation, actor),
    selectPageOfAll(db, values, shape),
    selectPageOfOwn(db, values, shape),
    ...(filter.withItems ? [selectItems(db, actor, investigation)] : []),
  ]);
  if (!role[0]) throw notFound('investigation');
  const items = new Set(surveyItems.flat().flatMap((survey) => survey.items.map((item) => item.identifier)));
  return { rows: [...all, ...own], items: [...items] };
}

type PageValues = ReturnType<typeof listValues> & {
  investigation: string;
  actor: string;
  inCase: string | undefined;
  survey: string | undefined;
  responder: string | undefined;
};

const selectPage = (isVisible: (actor: Value<string>) => SQL | undefined) =>
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
          isVisible(values.actor),
          inList(responses, responses.revisedAt, values, shape),
          values.inCase && eq(responses.caseId, values.inCase),
          values.survey && eq(responses.surveyId, values.survey),
          values.responder && eq(responses.responderId, values.responder),
        ),
      )
      .orderBy(responses.createdAt, responses.id)
      .limit(values.limit),
  );
const selectPageOfAll = selectPage(() => isStaff);
const selectPageOfOwn = selectPage(isOwnResponse);

const selectItems = (db: Database, actor: string, investigation: string) =>
  db
    .select({ items: surveys.items })
    .from(surveys)
    .innerJoin(members, asMember(surveys.investigationId, actor))
    .where(eq(surveys.investigationId, investigation))
    .orderBy(surveys.createdAt, surveys.id);
