import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import {
  archived,
  checkEdit,
  isOpenStudy,
  isStudy,
  locked,
  requireOpen,
  stillEditable,
} from '../access/edit-guards.ts';
import { type Held, hasBytes, heldBytes, requireBytes, revisionsFull, rowBytes } from '../access/limits.ts';
import {
  hasShare,
  namedShare,
  parseRoom,
  type Room,
  requireShare,
  roomOf,
  shareOf,
} from '../access/shares.ts';
import { asMember, isVisibleResponse } from '../access/visibility.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { named, query, textOf } from '../db/query.ts';
import { selectRow } from '../db/select-row.ts';
import { invalid, notFound, Problem } from '../errors.ts';
import { newIdentifier, occurrenceIdentifier } from '../identifiers.ts';
import { initialState } from '../locks/item-states.ts';
import { ConflictError, withOptimisticRetry } from '../log/activities.ts';
import {
  type Belonging,
  belongingOf,
  isTooEarly,
  selectCandidate,
  stillBelongs,
} from '../reminders/belonging.ts';
import { replanUser } from '../reminders/outbox.ts';
import { noteAnswer } from '../reminders/reactions.ts';
import { triggersSome } from '../reminders/triggers.ts';
import type { Role } from '../studies/role-schema.ts';
import { investigations, members } from '../studies/schema.ts';
import { type SurveyItem, surveys } from '../studies/survey-schema.ts';
import { checkAnswers } from './answer-kinds.ts';
import { lockColumns, type Signed } from './lists.ts';
import {
  type Content,
  type ContentChange,
  checkContent,
  contentBytes,
  isSameContent,
  mergeContent,
} from './response-content.ts';
import { insertRevision, revisionOf, selectFirstRevision } from './revisions.ts';
import { cases, maxLateMs, responses } from './schema.ts';

/** A response as people read it, in SQL. */
export const responseColumns = `response.id as id, response.created_at as createdAt, response.survey_id as surveyId,
  response.case_id as caseId, response.responder_id as responderId, response.items, response.reasons,
  response.given_at as givenAt, response.notification, response.late, response.revision_id as revisionId, response.revised_at as revisedAt, response.locked_at as lockedAt,
  response.archived_at as archivedAt, response.state_revision as stateRevision`;

export interface Response extends Content {
  id: string;
  createdAt: number;
  surveyId: string;
  caseId: string;
  responderId: string;
  /** Null: when it was received. */
  givenAt: number | null;
  /** The notification that it answers. */
  notification: string | null;
  /** 1 or 0; null without a notification or a limit. */
  late: number | null;
  revisionId: string;
  revisedAt: number;
  lockedAt: number | null;
  archivedAt: number | null;
  stateRevision: string | null;
}

export const responseDecoders = {
  items: JSON.parse,
  reasons: JSON.parse,
  lockSignature: JSON.parse,
  lock: JSON.parse,
};

/** @param withLock reads who locked it, and why @throws resource.not-found */
export async function readResponse({ db, actor }: Context, id: string, withLock = false) {
  const [row] = await selectVisible(db, { actor, id }, withLock);
  if (!row) throw notFound('response');
  return row;
}

const selectVisible = (db: Database, values: { actor: string; id: string }, withLock = false) =>
  query<Response & Signed & { role: Role; investigationId: string }>(
    db,
    visibleResponse(withLock),
    values,
    responseDecoders,
  );

const asActor = textOf(sql`${members} on ${asMember(responses.investigationId, named('actor'))}`);
const isVisible = textOf(sql`${isVisibleResponse(named('actor'), named('id'))}`);

const visibleResponse = (
  withLock: boolean,
) => `select ${responseColumns}, current_member.role, response.investigation_id as investigationId,
  ${lockColumns('response', withLock)}
  from response join ${asActor} where ${isVisible}`;

export interface NewResponse extends Content {
  case: string;
  identifier?: string | undefined;
  /** When it was given (epoch ms); now, when omitted. */
  at?: number | undefined;
  /** The reminder that it answers, as the phone knows it. */
  notification?: string | undefined;
}

/**
 * Answers a survey for a case. A second call with the same identifier and content finds the response of the first one,
 * even when the case was locked or archived in between.
 * @throws resource.not-found, items.not-found, request.invalid, item.locked, item.archived, study.archived,
 * identifier.taken, limit.reached, survey.closed
 */
export async function createResponse(context: Context, survey: string, given: NewResponse) {
  const { db, actor, now, limits } = context;
  const id = given.identifier ?? newIdentifier(now);
  return withOptimisticRetry(context, async () => {
    const at = given.at ?? now;
    const answering = { user: actor, survey, at, notification: given.notification };
    const [[target], [candidate], [first], [existing]] = await db.batch([
      selectTarget(context, { survey, ...given }),
      selectCandidate(db, answering),
      selectFirstRevision(db, id),
      selectVisible(db, { actor, id }),
    ]);
    if (!target) throw notFound('survey');
    if (first) {
      const isRepeated =
        existing &&
        isSameTarget(existing, { responder: actor, survey, ...given }) &&
        isSameContent(first, given);
      if (!isRepeated)
        throw new Problem('identifier.taken', 'Another response has this identifier: choose a new one.');
      return { response: existing, created: false };
    }
    requireOpen(target);
    checkContent(target.surveyItems, given);
    checkAnswers(target.surveyItems, given.items);
    if (given.at !== undefined) checkGivenAt(given.at, target, now);
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

    const belonging = await belongingOf(context, answering, candidate, {
      unlessAnswered: target.unlessAnswered === 1,
      expiresAfter: target.expiresAfter ?? 0,
    });
    const answer = answerOf(context, belonging, { ...given, survey, at }, target);
    const bytes = newBytes(given);
    requireBytes(target, bytes, limits);
    requireShare(context, target.room, bytes);

    const revision = newIdentifier(now);
    const [, , [response]] = await db.batch([
      insertResponse(context, {
        ...given,
        id,
        survey,
        investigation: target.investigationId,
        revision,
        triggers: target.triggers,
        ...answer,
        stillBelongs: stillBelongs(answering, candidate),
      }),
      insertRevision(db, { id: revision, response: id, author: actor, at: now }),
      selectVisible(db, { actor, id }),
      ...(belonging
        ? [
            noteAnswer(
              db,
              { ...belonging, userId: actor, surveyId: survey },
              { id, revision, at, late: answer.late === true },
            ),
          ]
        : []),
      ...(target.triggers ? replanUser(context, actor) : []),
    ]);
    // The case was locked, hidden or deleted after the read, something was archived, the study filled, the identifier
    // taken, or a trigger set.
    if (response?.revisionId !== revision) throw new ConflictError();
    return { response, created: true };
  });
}

interface Answering {
  notification: string | null;
  late: boolean | null;
}

/** The notification that a response belongs to, and whether it is late. @throws request.invalid, survey.closed */
function answerOf(
  { actor }: Pick<Context, 'actor'>,
  belonging: Belonging | null | undefined,
  given: NewResponse & { survey: string; at: number },
  { answerWithin, lateAnswers }: { answerWithin: number | null; lateAnswers: string | null },
): Answering {
  if (belonging === undefined)
    throw invalid('/notification', 'Expected a notification of yours from this survey.');
  if (belonging === null) return { notification: null, late: answerWithin !== null ? false : null };
  if (isTooEarly(belonging, given.at))
    throw invalid(
      '/notification',
      'Expected a notification that was due when the response was given, or comes within a day.',
    );
  const { revision, key, dueAt, isSettled } = belonging;
  const isLate = dueAt !== null && given.at - dueAt > (answerWithin ?? Infinity) * minuteMs;
  // One that is not settled yet was not sent either: the service is behind.
  if (isLate && isSettled && lateAnswers === 'refuse')
    throw new Problem(
      'survey.closed',
      `The survey takes an answer up to ${answerWithin} minutes after its reminder.`,
    );
  return { notification: occurrenceIdentifier(actor, given.survey, revision, key), late: isLate };
}

const minuteMs = 60_000;

/** Bytes of a new response, which is stored twice: its row and its first revision. */
const newBytes = (given: Content) => 2 * (rowBytes + contentBytes(given));

type Target = Pick<NewResponse, 'case' | 'at' | 'notification'> & { responder: string; survey: string };

const isSameTarget = (existing: Response, given: Target) =>
  existing.responderId === given.responder &&
  existing.surveyId === given.survey &&
  existing.caseId === given.case &&
  existing.givenAt === (given.at ?? null) &&
  (given.notification === undefined || existing.notification === given.notification);

/** A phone that was offline tells when a response was given. @throws request.invalid */
function checkGivenAt(
  at: number,
  { joinedAt, downloadedAt }: { joinedAt: number; downloadedAt: number | null },
  now: number,
) {
  if (at > now) throw invalid('/at', 'Expected an instant that is not in the future.');
  if (at < now - maxLateMs) throw invalid('/at', 'Expected an instant of the last 30 days.');
  if (at < joinedAt) throw invalid('/at', 'Expected an instant that is not before you joined the study.');
  if (downloadedAt !== null && at < downloadedAt)
    throw invalid('/at', 'Expected an instant that is not before your first download of the survey.');
}

/** The case as the actor may answer for it: responders may name any case that is not hidden. Needs `asMember`. */
const isOpenCase = (investigation: string | typeof surveys.investigationId, id: string) =>
  and(
    eq(cases.id, id),
    eq(cases.investigationId, investigation),
    isNull(cases.deletedAt),
    sql`(${members.role} <> 'responder' or ${cases.hidden} = 0)`,
  );

/** The survey and the case of a response, as the actor sees them. */
const selectTarget = (
  context: Context,
  { survey, ...given }: Pick<NewResponse, 'case' | 'at'> & { survey: string },
) =>
  context.db
    .select({
      investigationId: sql<string>`${surveys.investigationId}`.as('survey_investigation'),
      surveyItems: surveys.items,
      answerWithin: sql<number | null>`${ofReminders('answerWithin')}`.as('answer_within'),
      lateAnswers: sql<string | null>`${ofReminders('lateAnswers')}`.as('late_answers'),
      unlessAnswered: sql<number | null>`${ofReminders('unlessAnswered')}`.as('unless_answered'),
      expiresAfter: sql<number | null>`${ofReminders('expiresAfter')}`.as('expires_after'),
      caseId: sql<string | null>`${cases.id}`.as('case_id'),
      caseLockedAt: cases.lockedAt,
      caseArchivedAt: sql<number | null>`${cases.archivedAt}`.as('case_archived_at'),
      surveyArchivedAt: sql<number | null>`${surveys.archivedAt}`.as('survey_archived_at'),
      archivedAt: sql<number | null>`${investigations.archivedAt}`.as('study_archived_at'),
      storedBytes: heldBytes.storedBytes.as('stored_bytes'),
      deletedBytes: heldBytes.deletedBytes.as('deleted_bytes'),
      room: roomOf(shareOf(context)).mapWith(parseRoom).as('room'),
      triggers: sql<number>`${triggersSome(sql`${surveys.id}`)}`.as('triggers_some'),
      joinedAt: sql<number>`${members.createdAt}`.as('joined_at'),
      downloadedAt: sql<number | null>`${given.at === undefined ? null : downloadOf(context.actor)}`.as(
        'downloaded_at',
      ),
    })
    .from(surveys)
    .innerJoin(investigations, eq(investigations.id, surveys.investigationId))
    .innerJoin(members, asMember(surveys.investigationId, context.actor))
    .leftJoin(cases, isOpenCase(surveys.investigationId, given.case))
    .where(eq(surveys.id, survey));

const ofReminders = (field: string) =>
  sql`case when json_valid(${surveys.plainReminders}) then ${surveys.plainReminders} ->> ${sql.raw(`'${field}'`)} end`;

const downloadOf = (user: string) =>
  sql`(select d.at from survey_download d where d.user_id = ${user} and d.survey_id = ${surveys.id})`;

type InsertedResponse = Omit<NewResponse, 'notification'> &
  Answering & { stillBelongs: SQL } & {
    id: string;
    survey: string;
    investigation: string;
    revision: string;
    triggers: number;
  };

/** Inserts nothing if the case, the survey or the study is no longer open, or full, or the identifier is taken. */
function insertResponse(context: Context, given: InsertedResponse) {
  const { db, actor, now, limits } = context;
  const bytes = newBytes(given);
  const columns = selectRow(responses, {
    id: given.id,
    investigationId: given.investigation,
    surveyId: given.survey,
    caseId: given.case,
    responderId: actor,
    items: given.items,
    reasons: given.reasons,
    givenAt: given.at ?? null,
    notification: given.notification,
    late: given.late,
    revisedAt: now,
    storedBytes: bytes,
    changedBytes: 0,
    createdAt: now,
    revisionId: given.revision,
    ...initialState,
  });
  return db
    .insert(responses)
    .select(
      sql`${columns} from ${members} join ${cases} on ${isOpenCase(given.investigation, given.case)}
        where ${members.investigationId} = ${given.investigation} and ${members.userId} = ${actor}
        and ${cases.lockedAt} is null and ${cases.archivedAt} is null
        and ${isOpenStudy(given.investigation, hasBytes(bytes, limits.studyBytes), hasShare(shareOf(context), bytes))}
        and exists (select 1 from survey asked where asked.id = ${given.survey} and asked.archived_at is null)
        and ${triggersSome(sql`${given.survey}`)} = ${given.triggers}
        and ${given.stillBelongs}`,
    )
    .onConflictDoNothing();
}

export interface ResponseChange extends ContentChange {
  /** The acceptable revisions; any, if omitted. */
  ifMatch?: readonly string[] | undefined;
  /** Why, in words; kept with the revision. */
  reason?: string | undefined;
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
    const [before] = await query<Editable>(db, editedResponse, { ...shareOf(context), id }, editDecoders);
    if (!before) throw notFound('response');
    checkEdit(actor, { ...before, noun: 'response', owner: before.responderId }, change.ifMatch);
    const after = mergeContent(before.surveyItems, before, change);
    if (isSameContent(before, after)) return before;
    if ((before.revisions ?? 0) >= limits.revisions) throw revisionsFull(limits.revisions);
    const { stored, changedBytes } = revisionOf(before, after);
    const storing = rowBytes + contentBytes(stored) + textBytes(change.reason ?? '');
    const bytes = storing + contentBytes(after) - contentBytes(before);
    requireBytes(before, bytes, limits);
    requireShare(context, before.room, 2 * storing);

    const revision = { revisionId: newIdentifier(now), revisedAt: now };
    const [written] = await db.batch([
      db
        .update(responses)
        .set({ ...after, ...revision, storedBytes: sql`${responses.storedBytes} + ${bytes}`, changedBytes })
        .where(
          and(
            stillEditable(responses, before, actor),
            sql`${triggersSome(sql`${responses.surveyId}`)} = ${before.triggers}`,
            isStudy(
              responses.investigationId,
              hasBytes(bytes, limits.studyBytes),
              hasShare(shareOf(context), 2 * storing),
            ),
          ),
        )
        .returning({ id: responses.id }),
      insertRevision(db, {
        id: revision.revisionId,
        response: id,
        author: actor,
        at: now,
        reason: change.reason,
        stored,
      }),
      ...(before.triggers ? replanUser(context, before.responderId) : []),
    ]);
    if (written.length === 0) throw new ConflictError();
    return { ...before, ...after, ...revision };
  });
}

const textBytes = (text: string) => new TextEncoder().encode(text).length;

/**
 * The response with the items of its survey, whether it triggers reminders, the number of its revisions, of the last whole
 * one and of the bytes since then, the bytes of its study, and those that the actor may write today.
 */
const editedResponse = `select ${responseColumns}, current_member.role, survey.items as surveyItems,
  ${textOf(triggersSome(sql`survey.id`))} as triggers,
  ${textOf(heldBytes.storedBytes)} as storedBytes, deleted_bytes as deletedBytes, ${textOf(roomOf(namedShare))} as room, response.changed_bytes as changedBytes,
  last.number as revisions, coalesce(last.since, last.number) as whole
  from response join ${asActor} join survey on survey.id = response.survey_id
  join investigation on investigation.id = response.investigation_id
  left join response_revision last on last.response_id = response.id
    and last.number = (select max(v.number) from response_revision v where v.response_id = :id)
  where ${isVisible}`;

type Editable = Response &
  Held & {
    role: Role;
    surveyItems: SurveyItem[];
    triggers: number;
    room: Room;
    changedBytes: number;
    revisions: number | null;
    whole: number | null;
  };

const editDecoders = { ...responseDecoders, surveyItems: JSON.parse, room: parseRoom };
