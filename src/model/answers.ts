import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import {
  type Answers,
  cases,
  members,
  type Reasons,
  responseRevisions,
  responses,
  surveys,
} from '../db/schema.ts';
import { invalid, notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { ConflictError, withOptimisticRetry } from './activities.ts';
import { checkEdit, locked, stillEditable } from './edit-guards.ts';
import { type Response, selectForEdit, selectResponse } from './responses.ts';
import { asMember } from './visibility.ts';

export interface NewResponse {
  case: string;
  items: Answers;
  reasons: Reasons;
  identifier?: string | undefined;
}

/**
 * Answers a survey for a case. Repeating it with the same identifier and content finds the response again,
 * also when the case was locked since. The lock is checked by the statement that writes.
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
  return withOptimisticRetry({ outbox: [] }, async () => {
    const [[context], [earlier], [existing]] = await db.batch([
      selectContext(db, actor, survey, given.case),
      selectFirstRevision(db, id),
      selectResponse(db, actor, id),
    ]);
    if (!context) throw notFound('survey');
    if (earlier) {
      if (!existing || !isRepeated(existing, earlier, actor, survey, given)) throw taken();
      return { response: existing, created: false };
    }
    checkItems(context.items, given);
    if (!context.caseId)
      throw new Problem('items.not-found', 'There is no such case in this study, or you may not see it.', {
        errors: [{ pointer: '/case', detail: 'Expected the identifier of a case of this study.' }],
      });
    if (context.caseLockedAt !== null)
      throw locked('/case', 'The case is locked and takes no new response: unlock it first.');

    const { items, reasons } = given;
    const revision = { id: newIdentifier(now), authorId: actor, at: now };
    const [, , [response]] = await db.batch([
      db
        .insert(responses)
        .select(
          sql`select ${id}, ${context.investigationId}, ${survey}, ${given.case}, ${actor},
            ${JSON.stringify(items)}, ${JSON.stringify(reasons)}, ${now}, ${now}, ${revision.id}, null, null, null, null
            from ${members} join ${cases} on ${isOpenCase(context.investigationId, given.case)}
            where ${members.investigationId} = ${context.investigationId} and ${members.userId} = ${actor}
            and ${cases.lockedAt} is null`,
        )
        .onConflictDoNothing(),
      insertRevisionOf(db, id, revision),
      selectResponse(db, actor, id),
    ]);
    // The case was locked, hidden or deleted since it was read, or the identifier was taken: look again.
    if (response?.revisionId !== revision.id) throw new ConflictError();
    return { response, created: true };
  });
}

/** Whether the members' role lets them answer for the case: a responder may name any that is not hidden. */
const isOpenCase = (investigation: string | typeof surveys.investigationId, id: string) =>
  and(
    eq(cases.id, id),
    eq(cases.investigationId, investigation),
    isNull(cases.deletedAt),
    sql`(${members.role} <> 'responder' or ${cases.hidden} = 0)`,
  );

/** The survey and the case as the actor sees them. */
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
    .leftJoin(cases, isOpenCase(surveys.investigationId, study_case))
    .where(eq(surveys.id, survey));

/** What a response was created with. */
const selectFirstRevision = (db: Database, id: string) =>
  db
    .select({ items: responseRevisions.items, reasons: responseRevisions.reasons })
    .from(responseRevisions)
    .where(eq(responseRevisions.responseId, id))
    .orderBy(asc(responseRevisions.number))
    .limit(1);

const isRepeated = (
  existing: Response,
  earlier: { items: Answers; reasons: Reasons },
  actor: string,
  survey: string,
  given: NewResponse,
) =>
  existing.responderId === actor &&
  existing.surveyId === survey &&
  existing.caseId === given.case &&
  sameMap(earlier.items, given.items) &&
  sameMap(earlier.reasons, given.reasons);

const taken = () =>
  new Problem('identifier.taken', 'Another response has this identifier: choose a new one.');

const sameMap = (a: Record<string, unknown>, b: Record<string, unknown>) =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([key, value]) => Object.hasOwn(b, key) && b[key] === value);

/** Item identifiers hold none of the characters that a JSON pointer escapes. */
function checkItems(
  known: { identifier: string }[],
  { items, reasons }: { items: Record<string, unknown>; reasons: Record<string, unknown> },
) {
  const identifiers = new Set(known.map((item) => item.identifier));
  for (const [field, map] of Object.entries({ items, reasons }))
    for (const key of Object.keys(map))
      if (!identifiers.has(key))
        throw invalid(
          `/${field}/${key}`,
          'The survey has no such item: expected the identifier of one of its items.',
        );
}

/** Adds the revision only if the response stands at it: both are in one batch. */
const insertRevisionOf = (
  db: Database,
  response: string,
  revision: { id: string; authorId: string; at: number },
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
): Promise<Response> {
  return withOptimisticRetry({ outbox: [] }, async () => {
    const [before] = await selectForEdit(db, actor, id);
    if (!before) throw notFound('response');
    checkEdit('response', { ...before, owner: before.responderId }, actor, change.ifMatch);
    checkItems(before.surveyItems, unknownTo(before, change));
    const after = {
      items: merge(before.items, change.items),
      reasons: merge(before.reasons, change.reasons),
    };
    checkSize(after);
    if (sameMap(before.items, after.items) && sameMap(before.reasons, after.reasons)) return before;

    const revision = { id: newIdentifier(now), authorId: actor, at: now };
    const [written] = await db.batch([
      db
        .update(responses)
        .set({ ...after, revisionId: revision.id, revisedAt: now })
        .where(stillEditable(responses, before, actor))
        .returning({ id: responses.id }),
      insertRevisionOf(db, id, revision),
    ]);
    // Somebody locked, deleted or revised it since it was read: look again.
    if (written.length === 0) throw new ConflictError();
    return { ...before, ...after, revisionId: revision.id, revisedAt: now };
  });
}

function merge<T>(map: Record<string, T>, patch: Record<string, T | null> | undefined): Record<string, T> {
  const merged = Object.entries({ ...map, ...patch }).filter(
    (entry): entry is [string, T] => entry[1] !== null,
  );
  return Object.fromEntries(merged);
}

/** The keys that the response does not have yet: a survey may have dropped an item since it was answered. */
function unknownTo(before: { items: Answers; reasons: Reasons }, change: ResponseChange) {
  const added = (map: Record<string, unknown>, patch: Record<string, unknown> = {}) =>
    Object.fromEntries(Object.entries(patch).filter(([key]) => !Object.hasOwn(map, key)));
  return { items: added(before.items, change.items), reasons: added(before.reasons, change.reasons) };
}

/** As much as one body may bring, and well below the 2 MB of a row that D1 takes. */
const mostBytes = 1024 * 1024;

function checkSize({ items, reasons }: { items: Answers; reasons: Reasons }) {
  if (new TextEncoder().encode(JSON.stringify({ items, reasons })).length > mostBytes)
    throw invalid('/items', 'Expected a response of at most 1 MiB in all.');
}
