import { and, asc, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isUniqueViolation } from '../db/errors.ts';
import {
  type Answers,
  cases,
  members,
  type Reasons,
  responseRevisions,
  responses,
  surveys,
  users,
} from '../db/schema.ts';
import { forbidden, invalid, notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { asMember, inList, type ListFilter, mayEdit, mayViewResponse, selectRole } from './visibility.ts';

/** The columns of a response as people read it. Aliased, because a batch maps rows by column name. */
export const responseColumns = {
  id: sql<string>`${responses.id}`.as('response_id'),
  createdAt: sql<number>`${responses.createdAt}`.as('response_created_at'),
  surveyId: responses.surveyId,
  caseId: responses.caseId,
  responderId: responses.responderId,
  responderName: users.name,
  items: responses.items,
  reasons: responses.reasons,
  revisionId: responses.revisionId,
  revisedAt: responses.revisedAt,
  lockedAt: responses.lockedAt,
  archivedAt: responses.archivedAt,
  role: members.role,
};

export const selectResponses = (db: Database, actor: string) =>
  db
    .select(responseColumns)
    .from(responses)
    .innerJoin(members, asMember(responses.investigationId, actor))
    .leftJoin(users, eq(users.id, responses.responderId))
    .where(and(isNull(responses.deletedAt), mayViewResponse(actor)))
    .$dynamic();

const selectResponse = (db: Database, actor: string, id: string) =>
  selectResponses(db, actor).where(
    and(eq(responses.id, id), isNull(responses.deletedAt), mayViewResponse(actor)),
  );

/** @throws resource.not-found */
export async function readResponse(db: Database, actor: string, id: string) {
  const [row] = await selectResponse(db, actor, id);
  if (!row) throw notFound('response');
  return row;
}

export type Response = Omit<Awaited<ReturnType<typeof readResponse>>, 'role'>;

export interface NewResponse {
  case: string;
  items: Answers;
  reasons: Reasons;
  identifier?: string | undefined;
}

/**
 * Answers a survey for a case. Repeating it with the same identifier and content finds the response again.
 * @throws resource.not-found, items.not-found, request.invalid, item.locked, identifier.taken
 */
export async function createResponse(
  db: Database,
  actor: string,
  survey: string,
  given: NewResponse,
  now: number,
) {
  const id = given.identifier ?? newIdentifier(now);
  const [[context], [earlier]] = await db.batch([
    selectContext(db, actor, survey, given.case),
    selectFirstRevision(db, id),
  ]);
  if (!context) throw notFound('survey');
  if (earlier) return { response: await repeated(db, actor, id, survey, given, earlier), created: false };
  checkItems(context.items, given);
  if (!context.caseId)
    throw new Problem('items.not-found', 'There is no such case in this study, or you may not see it.', {
      errors: [{ pointer: '/case', detail: 'Expected the identifier of a case of this study.' }],
    });
  if (context.caseLockedAt !== null) throw lockedCase();

  const revision = {
    id: newIdentifier(now),
    authorId: actor,
    at: now,
    items: given.items,
    reasons: given.reasons,
  };
  try {
    const [inserted] = await db.batch([
      db
        .insert(responses)
        .select(
          sql`select ${id}, ${context.investigationId}, ${survey}, ${given.case}, ${actor}, ${JSON.stringify(given.items)},
            ${JSON.stringify(given.reasons)}, ${now}, ${now}, ${revision.id}, null, null, null
            from ${cases} where ${cases.id} = ${given.case} and ${cases.lockedAt} is null and ${cases.deletedAt} is null`,
        )
        .returning({ id: responses.id }),
      insertRevisionOf(db, id, revision),
    ]);
    // The case was locked or deleted since it was read: look again, and say so.
    if (inserted.length === 0) return createResponse(db, actor, survey, given, now);
  } catch (error) {
    if (isUniqueViolation(error, 'response')) return createResponse(db, actor, survey, given, now);
    throw error;
  }
  return { response: await readResponse(db, actor, id), created: true };
}

/** The survey and the case as the actor sees them: a responder may name any case that is not hidden. */
const selectContext = (db: Database, actor: string, survey: string, study_case: string) =>
  db
    .select({
      investigationId: sql<string>`${surveys.investigationId}`.as('survey_investigation'),
      items: surveys.items,
      caseId: sql<string | null>`${cases.id}`.as('case_id'),
      caseLockedAt: cases.lockedAt,
    })
    .from(surveys)
    .innerJoin(members, asMember(surveys.investigationId, actor))
    .leftJoin(
      cases,
      and(
        eq(cases.id, study_case),
        eq(cases.investigationId, surveys.investigationId),
        isNull(cases.deletedAt),
        sql`(${members.role} <> 'responder' or ${cases.hidden} = 0)`,
      ),
    )
    .where(eq(surveys.id, survey));

const selectFirstRevision = (db: Database, id: string) =>
  db
    .select({
      surveyId: responses.surveyId,
      caseId: responses.caseId,
      responderId: responses.responderId,
      deletedAt: responses.deletedAt,
      items: responseRevisions.items,
      reasons: responseRevisions.reasons,
    })
    .from(responses)
    .innerJoin(responseRevisions, eq(responseRevisions.responseId, responses.id))
    .where(eq(responses.id, id))
    .orderBy(asc(responseRevisions.number))
    .limit(1);

async function repeated(
  db: Database,
  actor: string,
  id: string,
  survey: string,
  given: NewResponse,
  earlier: Awaited<ReturnType<typeof selectFirstRevision>>[number],
) {
  const same =
    earlier.responderId === actor &&
    earlier.surveyId === survey &&
    earlier.caseId === given.case &&
    earlier.deletedAt === null &&
    sameMap(earlier.items, given.items) &&
    sameMap(earlier.reasons, given.reasons);
  if (!same) throw new Problem('identifier.taken', 'Another response has this identifier: choose a new one.');
  return readResponse(db, actor, id);
}

const sameMap = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([key, value]) => b[key] === value);

function checkItems(
  known: { identifier: string }[],
  { items, reasons }: { items: Answers; reasons: Reasons },
) {
  const identifiers = new Set(known.map((item) => item.identifier));
  for (const [field, map] of Object.entries({ items, reasons }))
    for (const key of Object.keys(map))
      if (!identifiers.has(key))
        throw invalid(
          `/${field}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          'The survey has no such item: expected the identifier of one of its items.',
        );
}

const lockedCase = () =>
  new Problem('item.locked', 'The case is locked and takes no new response: unlock it first.', {
    errors: [{ pointer: '/case', detail: 'This case is locked.' }],
  });

/** Adds the revision only if the response stands at it: both are in one batch. */
const insertRevisionOf = (
  db: Database,
  response: string,
  revision: { id: string; authorId: string; at: number; items: Answers; reasons: Reasons },
) =>
  db.insert(responseRevisions).select(
    sql`select ${responses.id},
      (select coalesce(max(${responseRevisions.number}), 0) + 1 from ${responseRevisions} where ${responseRevisions.responseId} = ${response}),
      ${revision.id}, ${revision.authorId}, ${revision.at}, ${responses.items}, ${responses.reasons}
      from ${responses} where ${responses.id} = ${response} and ${responses.revisionId} = ${revision.id}`,
  );

/** Merge patches (RFC 7396) over the two maps: null removes a key. */
export interface ResponseChange {
  items?: Record<string, string | null> | undefined;
  reasons?: Record<string, number | null> | undefined;
  ifMatch?: readonly string[] | undefined;
}

/**
 * A change makes a new revision; a change of nothing does not. The lock is checked by the statement that
 * writes. @throws resource.not-found, action.forbidden, item.locked, revision.stale, request.invalid
 */
export async function updateResponse(
  db: Database,
  actor: string,
  id: string,
  change: ResponseChange,
  now: number,
) {
  for (;;) {
    const [[before], [survey]] = await db.batch([
      selectResponse(db, actor, id),
      db
        .select({ items: surveys.items })
        .from(responses)
        .innerJoin(surveys, eq(surveys.id, responses.surveyId))
        .where(eq(responses.id, id)),
    ]);
    if (!before) throw notFound('response');
    if (!mayEdit(before.role, before.responderId, actor)) throw forbidden('You may not edit this response.');
    if (before.lockedAt !== null)
      throw new Problem('item.locked', 'The response is locked: unlock it first.', {
        errors: [{ pointer: '', detail: 'This response is locked.' }],
      });
    if (change.ifMatch && !change.ifMatch.includes(before.revisionId))
      throw new Problem('revision.stale', 'The response changed since that revision: read it again.');
    const after = {
      items: merge(before.items, change.items),
      reasons: merge(before.reasons, change.reasons),
    };
    checkItems(survey?.items ?? [], added(before, after));
    checkSize(after);
    if (sameMap(before.items, after.items) && sameMap(before.reasons, after.reasons)) return before;

    const revision = { id: newIdentifier(now), authorId: actor, at: now, ...after };
    const [written] = await db.batch([
      db
        .update(responses)
        .set({ ...after, revisionId: revision.id, revisedAt: now })
        .where(
          and(
            eq(responses.id, id),
            eq(responses.revisionId, before.revisionId),
            isNull(responses.lockedAt),
            isNull(responses.deletedAt),
          ),
        )
        .returning({ id: responses.id }),
      insertRevisionOf(db, id, revision),
    ]);
    // Nothing written: somebody locked, deleted or revised it in between. Look again.
    if (written.length > 0) return { ...before, ...after, revisionId: revision.id, revisedAt: now };
  }
}

function merge<T>(map: Record<string, T>, patch: Record<string, T | null> | undefined): Record<string, T> {
  const merged = Object.entries({ ...map, ...patch }).filter(
    (entry): entry is [string, T] => entry[1] !== null,
  );
  return Object.fromEntries(merged);
}

/** Only keys that are new are checked: a survey may have dropped an item since it was answered. */
function added(before: { items: Answers; reasons: Reasons }, after: { items: Answers; reasons: Reasons }) {
  const fresh = <T>(map: Record<string, T>, old: Record<string, T>) =>
    Object.fromEntries(Object.entries(map).filter(([key]) => !Object.hasOwn(old, key)));
  return { items: fresh(after.items, before.items), reasons: fresh(after.reasons, before.reasons) };
}

const largest = 1_000_000;

function checkSize(after: { items: Answers; reasons: Reasons }) {
  if (JSON.stringify(after).length > largest)
    throw invalid('/items', `Expected a response of at most ${largest} characters in all.`);
}

export interface ResponseFilter extends ListFilter {
  case?: string | undefined;
  survey?: string | undefined;
  responder?: string | undefined;
}

/** A page in order of creation, and one row more when more remain. One round trip. @throws resource.not-found */
export async function listResponses(
  db: Database,
  actor: string,
  investigation: string,
  filter: ResponseFilter,
) {
  const [role, rows] = await db.batch([
    selectRole(db, investigation, actor),
    selectResponses(db, actor)
      .where(
        and(
          eq(responses.investigationId, investigation),
          isNull(responses.deletedAt),
          mayViewResponse(actor),
          inList(responses, responses.revisedAt, filter),
          filter.case ? eq(responses.caseId, filter.case) : undefined,
          filter.survey ? eq(responses.surveyId, filter.survey) : undefined,
          filter.responder ? eq(responses.responderId, filter.responder) : undefined,
        ),
      )
      .orderBy(responses.createdAt, responses.id)
      .limit(filter.limit + 1),
  ]);
  if (!role[0]) throw notFound('investigation');
  return rows;
}

/** Newest first. @throws resource.not-found */
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
        items: responseRevisions.items,
        reasons: responseRevisions.reasons,
      })
      .from(responseRevisions)
      .where(
        and(
          eq(responseRevisions.responseId, id),
          page.before === undefined ? undefined : lt(responseRevisions.number, page.before),
        ),
      )
      .orderBy(desc(responseRevisions.number))
      .limit(page.limit + 1),
  ]);
  if (!response) throw notFound('response');
  return rows;
}
