import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { investigations, members } from '../db/schema/investigations.ts';
import { cases, responseRevisions, responses } from '../db/schema/items.ts';
import { surveys } from '../db/schema/surveys.ts';
import { selectRow } from '../db/select-row.ts';
import { type Placeholders, statement } from '../db/statements.ts';
import { notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { ConflictError, withOptimisticRetry } from './activities.ts';
import type { Context } from './context.ts';
import { archived, checkEdit, isOpenStudy, locked, requireOpen, stillEditable } from './edit-guards.ts';
import { initialState } from './item-states.ts';
import { bytesFull, bytesOf, hasBytes, revisionsFull, rowBytes } from './limits.ts';
import { lockSignature } from './lock-signatures.ts';
import { noteAnswer } from './reminders/reactions.ts';
import {
  type Content,
  type ContentChange,
  checkContent,
  isSameContent,
  mergeContent,
} from './response-content.ts';
import { insertRevision, selectFirstRevision } from './revisions.ts';
import { asMember, isVisibleResponse } from './visibility.ts';

/** A response as people read it. Columns of the same name have aliases, because a batch maps rows by column name. */
export const responseColumns = {
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

export type Response = Omit<Awaited<ReturnType<typeof readResponse>>, 'role' | 'lockSignature'>;

/** @throws resource.not-found */
export async function readResponse({ db, actor }: Context, id: string) {
  const [row] = await selectVisible(db, { actor, id });
  if (!row) throw notFound('response');
  return row;
}

const selectVisible = statement((db, { actor, id }: Placeholders<{ actor: string; id: string }>) =>
  db
    .select({ ...responseColumns, lockSignature: lockSignature(responses) })
    .from(responses)
    .innerJoin(members, asMember(responses.investigationId, actor))
    .where(isVisibleResponse(actor, id)),
);

export interface NewResponse extends Content {
  case: string;
  identifier?: string | undefined;
}

/**
 * Answers a survey for a case. A second call with the same identifier and content finds the response of the first one,
 * even when the case was locked or archived in between.
 * @throws resource.not-found, items.not-found, request.invalid, item.locked, item.archived, study.archived,
 * identifier.taken, limit.reached
 */
export async function createResponse(context: Context, survey: string, given: NewResponse) {
  const { db, actor, now, limits } = context;
  const id = given.identifier ?? newIdentifier(now);
  return withOptimisticRetry(context, async () => {
    const [[target], [first], [existing]] = await db.batch([
      selectTarget(db, { actor, survey, case: given.case }),
      selectFirstRevision(db, id),
      selectVisible(db, { actor, id }),
    ]);
    if (!target) throw notFound('survey');
    if (first) {
      const isRepeated =
        existing &&
        isSameTarget(existing, { responder: actor, survey, case: given.case }) &&
        isSameContent(first, given);
      if (!isRepeated)
        throw new Problem('identifier.taken', 'Another response has this identifier: choose a new one.');
      return { response: existing, created: false };
    }
    requireOpen(target);
    checkContent(target.surveyItems, given);
    if (!target.caseId)
      throw new Problem('items.not-found', 'There is no such case in this study, or you may not see it.', {
        errors: [{ pointer: '/case', detail: 'Expected the identifier of a case of this study.' }],
      });
    if (target.caseLockedAt !== null)
      throw locked('/case', 'The case is locked and takes no new response: unlock it first.');
    if (target.caseArchivedAt !== null)
      throw archived('/case', 'The case is archived and takes no new response: bring it back first.');
    if (target.surveyArchivedAt !== null)
      throw archived('', 'The survey is archived and takes no new response: bring it back first.');

    if (target.storedBytes + newBytes(given) > limits.studyBytes) throw bytesFull(limits.studyBytes);

    const revision = newIdentifier(now);
    const [, , [response]] = await db.batch([
      insertResponse(context, { ...given, id, survey, investigation: target.investigationId, revision }),
      insertRevision(db, { id: revision, response: id, author: actor, at: now }),
      selectVisible(db, { actor, id }),
      ...noteAnswer(db, { id, revision, responder: actor, survey, at: now }),
    ]);
    // The case was locked, hidden or deleted after it was read, something archived, the study filled, or the identifier
    // taken.
    if (response?.revisionId !== revision) throw new ConflictError();
    return { response, created: true };
  });
}

/** Of a new response, which is stored twice: its row and its first revision. */
const newBytes = (given: Content) => 2 * (rowBytes + contentBytes(given));

const contentBytes = ({ items, reasons }: Content) => bytesOf(items) + bytesOf(reasons);

const isSameTarget = (existing: Response, given: { responder: string; survey: string; case: string }) =>
  existing.responderId === given.responder &&
  existing.surveyId === given.survey &&
  existing.caseId === given.case;

/** The case as the actor may answer for it: a responder may name any case that is not hidden. Needs `asMember`. */
const isOpenCase = (investigation: string | typeof surveys.investigationId, id: string) =>
  and(
    eq(cases.id, id),
    eq(cases.investigationId, investigation),
    isNull(cases.deletedAt),
    sql`(${members.role} <> 'responder' or ${cases.hidden} = 0)`,
  );

/** The survey and the case that a response is for, as the actor sees them. */
const selectTarget = (
  db: Database,
  { actor, survey, ...given }: { actor: string; survey: string; case: string },
) =>
  db
    .select({
      investigationId: sql<string>`${surveys.investigationId}`.as('survey_investigation'),
      surveyItems: surveys.items,
      caseId: sql<string | null>`${cases.id}`.as('case_id'),
      caseLockedAt: cases.lockedAt,
      caseArchivedAt: sql<number | null>`${cases.archivedAt}`.as('case_archived_at'),
      surveyArchivedAt: sql<number | null>`${surveys.archivedAt}`.as('survey_archived_at'),
      archivedAt: sql<number | null>`${investigations.archivedAt}`.as('study_archived_at'),
      storedBytes: investigations.storedBytes,
    })
    .from(surveys)
    .innerJoin(investigations, eq(investigations.id, surveys.investigationId))
    .innerJoin(members, asMember(surveys.investigationId, actor))
    .leftJoin(cases, isOpenCase(surveys.investigationId, given.case))
    .where(eq(surveys.id, survey));

type InsertedResponse = NewResponse & { id: string; survey: string; investigation: string; revision: string };

/** Inserts nothing when the case, the survey or the study is no longer open, or full, or the identifier is taken. */
function insertResponse({ db, actor, now, limits }: Context, given: InsertedResponse) {
  const columns = selectRow(responses, {
    id: given.id,
    investigationId: given.investigation,
    surveyId: given.survey,
    caseId: given.case,
    responderId: actor,
    items: given.items,
    reasons: given.reasons,
    revisedAt: now,
    createdAt: now,
    revisionId: given.revision,
    ...initialState,
  });
  return db
    .insert(responses)
    .select(
      sql`${columns} from ${members} join ${cases} on ${isOpenCase(given.investigation, given.case)}
        where ${members.investigationId} = ${given.investigation} and ${members.userId} = ${actor}
        and ${cases.lockedAt} is null and ${cases.archivedAt} is null and ${isOpenStudy(given.investigation)}
        and exists (select 1 from survey asked where asked.id = ${given.survey} and asked.archived_at is null)
        and ${hasBytes(given.investigation, newBytes(given), limits.studyBytes)}`,
    )
    .onConflictDoNothing();
}

export interface ResponseChange extends ContentChange {
  /** Revisions that the change may be made to; any, when omitted. */
  ifMatch?: readonly string[] | undefined;
}

/**
 * A change makes a new revision, unless it changes nothing.
 * @throws resource.not-found, action.forbidden, item.locked, item.archived, revision.stale, request.invalid, limit.reached
 */
export async function updateResponse(
  context: Context,
  id: string,
  change: ResponseChange,
): Promise<Response> {
  const { db, actor, now, limits } = context;
  return withOptimisticRetry(context, async () => {
    const [before] = await selectForEdit(db, actor, id);
    if (!before) throw notFound('response');
    checkEdit(actor, { ...before, noun: 'response', owner: before.responderId }, change.ifMatch);
    const after = mergeContent(before.surveyItems, before, change);
    if (isSameContent(before, after)) return before;
    if (before.revisions >= limits.revisions) throw revisionsFull(limits.revisions);
    const bytes = rowBytes + 2 * contentBytes(after) - contentBytes(before);
    if (before.storedBytes + bytes > limits.studyBytes) throw bytesFull(limits.studyBytes);

    const revision = { revisionId: newIdentifier(now), revisedAt: now };
    const [written] = await db.batch([
      db
        .update(responses)
        .set({ ...after, ...revision })
        .where(
          and(
            stillEditable(responses, before, actor),
            hasBytes(responses.investigationId, bytes, limits.studyBytes),
          ),
        )
        .returning({ id: responses.id }),
      insertRevision(db, { id: revision.revisionId, response: id, author: actor, at: now }),
    ]);
    if (written.length === 0) throw new ConflictError();
    return { ...before, ...after, ...revision };
  });
}

/** The response with the items of its survey, how many revisions it has, and what its study stores. */
const selectForEdit = (db: Database, actor: string, id: string) =>
  db
    .select({
      ...responseColumns,
      surveyItems: sql<string>`${surveys.items}`.mapWith(surveys.items).as('survey_items'),
      storedBytes: investigations.storedBytes,
      revisions: sql<number>`(select coalesce(max(${responseRevisions.number}), 0) from ${responseRevisions}
        where ${responseRevisions.responseId} = ${id})`.as('revisions'),
    })
    .from(responses)
    .innerJoin(members, asMember(responses.investigationId, actor))
    .innerJoin(surveys, eq(surveys.id, responses.surveyId))
    .innerJoin(investigations, eq(investigations.id, responses.investigationId))
    .where(isVisibleResponse(actor, id));
