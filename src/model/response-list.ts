import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { members, type Role } from '../db/schema/investigations.ts';
import { responses } from '../db/schema/items.ts';
import { users } from '../db/schema/users.ts';
import { type Placeholders, statement } from '../db/statements.ts';
import type { Context } from './context.ts';
import {
  inList,
  type ListFilter,
  listedBytes,
  listRanges,
  listShape,
  listValues,
  merged,
  pageBytes,
  requireReader,
  restorable,
} from './item-lists.ts';
import { lockSignature } from './lock-signatures.ts';
import { responseColumns } from './responses.ts';
import { asReader, selectRole, whenMember } from './visibility.ts';

export type ListedRow = Awaited<ReturnType<typeof listResponses>>['rows'][number];

export interface ResponseFilter extends ListFilter {
  case?: string | undefined;
  survey?: string | undefined;
  responder?: string | undefined;
  /** Reads the names of cases and surveys too. */
  isTable?: boolean;
  /** Reads the identifiers of the survey's items, or of all of the study, too: one more than `maxItems`. */
  withItems?: { maxItems: number | undefined } | false;
}

/**
 * A page in order of creation, with one extra row when there is another page. As many rows as `pageBytes` holds, at most
 * `limit`. One round trip. @throws resource.not-found, action.forbidden
 */
export async function listResponses(context: Context, investigation: string, filter: ResponseFilter) {
  const { db, actor, now } = context;
  const { case: inCase, survey, responder, withItems } = filter;
  const values = { investigation, actor, inCase, survey, responder, now, ...listValues(filter) };
  const shape = { ...listShape(filter), named: filter.isTable === true };
  const [role, all, own, ...items] = await db.batch([
    selectRole(db, investigation, actor),
    selectPageOfAll(db, values, shape),
    selectPageOfOwn(db, values, shape),
    ...(withItems ? [selectItems(db, investigation, actor, { survey, ...withItems })] : []),
  ]);
  requireReader(role[0]?.role, filter);
  return { rows: [...all, ...own], items: items.flat().map(({ item }) => item) };
}

type PageValues = ReturnType<typeof listValues> & {
  investigation: string;
  actor: string;
  inCase: string | undefined;
  survey: string | undefined;
  responder: string | undefined;
  now: number;
};
type Values = Placeholders<PageValues>;
type Shape = ReturnType<typeof listShape> & { named: boolean };

const { role: _, ...shown } = responseColumns;
const keys = {
  createdAt: responseColumns.createdAt,
  id: responseColumns.id,
  bytes:
    sql<number>`(octet_length(response.items) + octet_length(response.reasons) + ${sql.raw(`${listedBytes}`)})`.as(
      'response_bytes',
    ),
};
const order = 'response_created_at, response_id';

/** Names are read for tables only: the list form has none. */
const columnsOf = ({ named }: Shape) => ({
  ...shown,
  ...keys,
  deletedAt: sql<number | null>`${responses.deletedAt}`.as('response_deleted_at'),
  lockSignature: lockSignature(responses),
  responderName: users.name,
  caseLabel: (named
    ? sql<string | null>`(select label from study_case where id = ${responses.caseId})`
    : sql<string | null>`null`
  ).as('case_label'),
  surveyName: (named
    ? sql<string | null>`(select name from survey where id = ${responses.surveyId})`
    : sql<string | null>`null`
  ).as('survey_name'),
});

const selectPage = (
  rolesOf: (shape: Shape) => readonly Role[],
  rangesOf: (values: Values, shape: Shape) => (SQL | undefined)[],
) =>
  statement((db, values: Values, shape: Shape) => {
    const { investigation, actor } = values;
    const roles = rolesOf(shape);
    const ranges = rangesOf(values, shape);
    const measured = merged(
      ranges.map((range) => db.select(keys).from(responses).where(range).$dynamic()),
      order,
      sql`${values.limit}`,
    );
    return merged(
      ranges.map((range) =>
        db
          .select(columnsOf(shape))
          .from(responses)
          .innerJoin(members, asReader(investigation, actor, roles))
          .leftJoin(users, eq(users.id, responses.responderId))
          .where(range)
          .$dynamic(),
      ),
      order,
      rowsOf(values, whenMember(investigation, actor, ...roles), measured.getSQL()),
    );
  });

/**
 * How many rows are read: one more than fit a page. Rows are measured only when the study has a response so long that
 * they might not fit.
 */
const rowsOf = ({ investigation, limit }: Values, reader: SQL, measured: SQL) => sql`case
  when (select largest_response + ${sql.raw(`${listedBytes}`)} from investigation where id = ${investigation}) * ${limit}
    <= ${sql.raw(`${pageBytes}`)} then ${limit}
  when not ${reader} then 0
  else min(${limit}, 1 + max(1, (
    select count(*) from (select sum(response_bytes) over (order by ${sql.raw(order)}) as total from (${measured}))
    where total <= ${sql.raw(`${pageBytes}`)})))
  end`;

/** Owners and editors: the states of a study, a case or a survey, or what one responder gave. */
const selectPageOfAll = selectPage(
  ({ deleted }) => (deleted ? ['owner'] : ['owner', 'editor']),
  (values, shape) => {
    const { investigation, inCase, survey, responder, now } = values;
    const rest = shape.deleted ? restorable('response', now) : undefined;
    if (responder)
      return [and(isOwn(values, responder), inList('response', 'revised_at', values, shape), rest)];
    // The `+` keeps SQLite to the index of what is asked for.
    const inStudy = sql`+${responses.investigationId} = ${investigation}`;
    const scoped = inCase
      ? {
          scope: eq(responses.caseId, inCase),
          rest: and(inStudy, survey && sql`+${responses.surveyId} = ${survey}`, rest),
        }
      : survey
        ? { scope: eq(responses.surveyId, survey), rest: and(inStudy, rest) }
        : { scope: eq(responses.investigationId, investigation), rest };
    return listRanges(
      { table: 'response', revisedAt: 'revised_at', investigation, ...scoped },
      values,
      shape,
    );
  },
);

/** Responders: what they gave. */
const selectPageOfOwn = selectPage(
  () => ['responder'],
  (values, shape) => [
    and(
      isOwn(values, values.actor),
      values.responder && sql`+${responses.responderId} = ${values.responder}`,
      inList('response', 'revised_at', values, shape),
      shape.deleted ? sql`0` : undefined,
    ),
  ],
);

const isOwn = ({ investigation, inCase, survey }: Values, responder: Values['responder'] | Values['actor']) =>
  and(
    sql`${responses.responderId} = ${responder} and ${responses.investigationId} = ${investigation}`,
    inCase && sql`+${responses.caseId} = ${inCase}`,
    survey && sql`+${responses.surveyId} = ${survey}`,
  );

/** Identifiers of items, each once, in the order in which the surveys have them; one more than `maxItems`. */
const selectItems = (
  db: Database,
  investigation: string,
  actor: string,
  { survey, maxItems }: { survey: string | undefined; maxItems: number | undefined },
) =>
  db
    .selectDistinct({ item: sql<string>`item.value ->> 'identifier'`.as('item') })
    .from(sql`(select id, items from survey where investigation_id = ${investigation}
      ${survey === undefined ? sql`` : sql`and id = ${survey}`}
      and ${whenMember(investigation, actor)} order by created_at, id limit -1) asked
      cross join json_each(asked.items) item`)
    .limit(maxItems === undefined ? 100_000 : maxItems + 1);
