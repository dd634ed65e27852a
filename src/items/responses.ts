import { and, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { named, query, textOf } from '../db/query.ts';
import { invalid, notFound, Problem } from '../errors.ts';
import { newIdentifier, occurrenceIdentifier } from '../identifiers.ts';
import { ConflictError, withOptimisticRetry } from '../log/activities.ts';
import { archived, checkEdit, isOpenStudy, requireOpen, stillEditable } from '../permissions/edit-guards.ts';
import { fits, shownProperties } from '../permissions/groups.ts';
import { type Growth, grow } from '../permissions/growth.ts';
import {
  type Held,
  heldBytes,
  requireBytes,
  revisionsFull,
  rowBytes,
  textBytes,
} from '../permissions/limits.ts';
import type { Role } from '../permissions/roles.ts';
import { namedShare, parseRoom, type Room, requireShare, roomOf, shareOf } from '../permissions/shares.ts';
import { shownPerson } from '../permissions/shown-people.ts';
import { asMember, isVisibleResponse, requireNoMonitor } from '../permissions/visibility.ts';
import { occurrenceText } from '../reminders/answers.ts';
import { type Belonging, belongingOf, isTooEarly } from '../reminders/belonging.ts';
import { selectCandidate, stillBelongs } from '../reminders/candidates.ts';
import { noteAnswer } from '../reminders/reactions.ts';
import { triggersSome, wakeTriggered } from '../reminders/triggers.ts';
import { byServiceClock, earliestByServiceClock } from '../schedule/phone-clocks.ts';
import { members } from '../studies/schema.ts';
import type { SurveyItem } from '../studies/survey-schema.ts';
import { datesIn, setAnswered } from './answered-dates.ts';
import { givenAtOf, isSameTime } from './given-times.ts';
import { type Grouped, lockColumns, type Signed } from './lists.ts';
import { newBytes, newRow, requireOpenCase } from './new-responses.ts';
import { isOfStudy, reasonToSetAside } from './obstacles.ts';
import {
  type Content,
  type ContentChange,
  contentBytes,
  isSameContent,
  mergeContent,
  misfitOf,
} from './response-content.ts';
import { isOpenCase, readFormerTarget, selectTarget } from './response-targets.ts';
import { insertRevision, revisionOf, selectFirstRevision } from './revisions.ts';
import { cases, responses } from './schema.ts';
import type { SetAsideReason } from './set-aside-reasons.ts';
import { hashOfRequest, selectSetAside, setAside } from './set-asides.ts';

const responder = [sql`response.investigation_id`, sql`response.responder_id`, named('actor')] as const;

/** A response as its responder reads it, in SQL. */
const ownColumns = `response.id as id, response.created_at as createdAt, response.survey_id as surveyId,
  response.case_id as caseId, response.responder_id as responderId, response.items, response.reasons,
  response.given_at as givenAt, response.notification, response.late, response.outdated, response.revision_id as revisionId, response.revised_at as revisedAt, response.locked_at as lockedAt,
  response.archived_at as archivedAt, response.state_revision as stateRevision`;

/** A response as people read it, in SQL. Needs `asMember`. */
export const responseColumns = ownColumns.replace(
  'response.responder_id as',
  () => `${textOf(shownPerson(...responder))} as`,
);

export interface Response extends Content {
  id: string;
  createdAt: number;
  surveyId: string;
  caseId: string;
  /** `nobody`, if the reader does not see them. */
  responderId: string;
  /** Null: when it was received. */
  givenAt: number | null;
  /** The notification that it answers. */
  notification: string | null;
  /** 1 or 0; null without a notification or a limit. */
  late: number | null;
  /** 1 if it answers items that the survey had before its last change, else 0. */
  outdated: number;
  revisionId: string;
  revisedAt: number;
  lockedAt: number | null;
  archivedAt: number | null;
  stateRevision: string | null;
}

export const responseDecoders = {
  properties: JSON.parse,
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

export const selectVisible = (db: Database, values: { actor: string; id: string }, withLock = false) =>
  query<Response & Signed & Grouped & { role: Role; investigationId: string; isRegrouped: number | null }>(
    db,
    visibleResponse(withLock),
    values,
    responseDecoders,
  );

/** A response that the actor gave, whether they are a member still or not. */
async function readGiven(db: Database, values: { actor: string; id: string }) {
  const text = `select ${ownColumns}, null as properties from response
    where response.id = :id and response.responder_id = :actor and response.deleted_at is null`;
  const [row] = await query<Response & Grouped>(db, text, values, responseDecoders);
  return row;
}

const asActor = textOf(sql`${members} on ${asMember(responses.investigationId, named('actor'))}`);
const isVisible = textOf(sql`${isVisibleResponse(named('actor'), named('id'))}`);

/** In SQL: the properties of a response's case. */
const shownGroup = `${textOf(
  shownProperties(sql`of_case.properties`, sql`current_member.role`, sql`response.investigation_id`),
)} as properties`;
const withCase = `left join study_case of_case on of_case.id = iif(current_member.role = 'responder', null, response.case_id)`;

/** In SQL: the properties of the case may have changed since the response's revision. */
const isRegrouped = `(of_case.state_revision = of_case.revision_id
  or of_case.edited_at > of_case.created_at and of_case.edited_at >= response.revised_at) as isRegrouped`;

const visibleResponse = (
  withLock: boolean,
) => `select ${responseColumns}, ${shownGroup}, ${isRegrouped}, current_member.role, response.investigation_id as investigationId,
  ${lockColumns('response', withLock)}
  from response join ${asActor} ${withCase} where ${isVisible}`;

export interface NewResponse extends Content {
  case: string;
  identifier?: string | undefined;
  /** When it was given (epoch ms); now, when omitted. */
  at?: number | undefined;
  /** The phone's own time as it sends the response, by which `at` is read. */
  clock?: number | undefined;
  /** The reminder that it answers, as the phone knows it. */
  notification?: string | undefined;
}

/**
 * Answers a survey for a case. A second call with the same identifier and content finds the response of the first one,
 * even when the case was locked or archived in between. An answer that was right when it was given and has no place any more is set
 * aside.
 * @throws resource.not-found, items.not-found, request.invalid, item.locked, item.archived, study.archived,
 * identifier.taken, limit.reached, survey.closed
 */
export async function createResponse(
  context: Context,
  survey: string,
  given: NewResponse,
): Promise<{ response: Response & Grouped; created: boolean } | { setAside: SetAsideReason }> {
  const { db, actor, now, limits } = context;
  const id = given.identifier ?? newIdentifier(now);
  const clocks = { now, clock: given.clock };
  const sent = given.at === undefined ? undefined : byServiceClock(given.at, clocks);
  // Doubts about the state of the study when it was given count in favour of the person.
  const earliest = given.at === undefined ? undefined : earliestByServiceClock(given.at, clocks);
  const aim = { survey, case: given.case, at: earliest, sent };
  return withOptimisticRetry(async () => {
    const at = sent ?? now;
    const answering = { user: actor, survey, at, notification: given.notification };
    const [[member], [candidate], [first], [visible], ...asides] = await db.batch([
      selectTarget(context, aim),
      selectCandidate(db, answering),
      selectFirstRevision(db, id),
      selectVisible(db, { actor, id }),
      ...(given.identifier === undefined ? [] : [selectSetAside(db, id)]),
    ]);
    const aside = asides[0]?.[0];
    if (aside && aside.createdHash === (await hashOfRequest(actor, { ...given, survey })))
      return visible ? { response: visible, created: false } : { setAside: aside.reason };
    const target = member ?? (await readFormerTarget(context, aim));
    if (!target) throw notFound('survey');
    if (aside) throw identifierTaken();
    if (first) {
      const existing = visible ?? (member ? undefined : await readGiven(db, { actor, id }));
      const isRepeated =
        existing &&
        isSameTarget(existing, { responder: actor, survey, ...given }) &&
        isSameContent(first, given);
      if (!isRepeated) throw identifierTaken();
      return { response: existing, created: false };
    }
    const reason = reasonToSetAside(target, earliest);
    if (!member && !reason) throw notFound('survey');
    if (!reason) requireNoMonitor(target);
    if (reason !== 'study-archived' && member) requireOpen(target);
    const misfit = misfitOf(target.surveyItems, given);
    const outdated = target.hasChanged === 1 || (target.mayHaveChanged === 1 && misfit !== undefined);
    if (misfit && !outdated) throw misfit;
    const givenAt = sent === undefined ? undefined : givenAtOf(sent, target, clocks);
    if (
      reason &&
      (isOfStudy(reason) || ((target.caseId || target.goneCase) && target.caseLockedAt === null))
    ) {
      // It counts nowhere if the survey was for others when it was given.
      const isOfOthers = !target.inGroup && !((earliest ?? now) < (target.groupedAt ?? 0));
      const belonging = isOfOthers ? null : await belongingOf(context, answering, candidate, target);
      return setAside(context, target, {
        ...given,
        id,
        survey,
        reason,
        at: givenAt ?? now,
        ...answerOf(context, belonging, { ...given, survey, at }, target),
        outdated,
        stillBelongs: stillBelongs(answering, candidate),
      });
    }
    requireOpenCase(target);
    if (target.surveyArchivedAt !== null)
      throw archived('', 'The survey is archived and takes no new response: bring it back first.');

    const belonging = await belongingOf(context, answering, candidate, target);
    const answer = answerOf(context, belonging, { ...given, survey, at }, target);
    const bytes = newBytes(given);
    requireBytes(target, bytes, limits);
    requireShare(context, target.room, bytes);

    const revision = newIdentifier(now);
    const growth: Growth = { stored: bytes, response: contentBytes(given), written: bytes };
    const [, , [response]] = await db.batch([
      insertResponse(context, {
        ...given,
        id,
        survey,
        at: givenAt,
        outdated,
        investigation: target.investigationId,
        revision,
        triggers: target.triggers,
        ...answer,
        stillBelongs: stillBelongs(answering, candidate),
      }),
      insertRevision(db, { id: revision, response: id, author: actor, at: now }),
      selectVisible(db, { actor, id }),
      ...(answer.notification === null
        ? []
        : noteAnswer(db, {
            notification: answer.notification,
            user: actor,
            survey,
            response: id,
            revision,
            at: givenAt ?? at,
            late: answer.late === true,
          })),
      ...(target.triggers ? [wakeTriggered(context, actor, [id])] : []),
      ...setAnswered(context, {
        investigation: target.investigationId,
        user: actor,
        dates: datesIn(target.surveyItems, given.items),
        asOf: givenAt ?? now,
        response: id,
        revision,
      }),
      ...grow(context, target.investigationId, growth, { table: 'response', id, revision }),
    ]);
    // The case was locked, hidden or deleted after the read, something was archived, the identifier taken, or a trigger
    // set.
    if (response?.revisionId !== revision) throw new ConflictError();
    return { response, created: true };
  });
}

const identifierTaken = () =>
  new Problem('identifier.taken', 'Another response has this identifier: choose a new one.');

interface Answering {
  notification: string | null;
  occurrence: string | null;
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
  if (belonging === null)
    return { notification: null, occurrence: null, late: answerWithin !== null ? false : null };
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
  return {
    notification: occurrenceIdentifier(actor, given.survey, revision, key),
    occurrence: occurrenceText(belonging),
    late: isLate,
  };
}

const minuteMs = 60_000;

type Repeated = Pick<NewResponse, 'case' | 'at' | 'clock' | 'notification'> & {
  responder: string;
  survey: string;
};

const isSameTarget = (existing: Response, given: Repeated) =>
  existing.responderId === given.responder &&
  existing.surveyId === given.survey &&
  existing.caseId === given.case &&
  isSameTime(existing, given) &&
  (given.notification === undefined || existing.notification === given.notification);

type InsertedResponse = Omit<NewResponse, 'notification'> &
  Answering & { stillBelongs: SQL } & {
    id: string;
    survey: string;
    investigation: string;
    revision: string;
    triggers: number;
    outdated: boolean;
  };

/** Inserts nothing if the case, the survey or the study is no longer open, or the identifier is taken. */
function insertResponse({ db, actor, now }: Context, given: InsertedResponse) {
  const columns = newRow({
    ...given,
    responder: actor,
    givenAt: given.at ?? null,
    receivedAt: now,
    now,
  });
  return db
    .insert(responses)
    .select(
      sql`${columns} from ${members} join ${cases} on ${isOpenCase(given.investigation, given.case)}
        where ${members.investigationId} = ${given.investigation} and ${members.userId} = ${actor}
        and ${cases.lockedAt} is null and ${cases.archivedAt} is null
        and ${isOpenStudy(given.investigation)}
        and exists (select 1 from survey asked where asked.id = ${given.survey} and asked.archived_at is null
          and (${members.role} <> 'responder' or ${fits(sql`asked.for`, members.properties)}))
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
): Promise<Response & Grouped> {
  const { db, actor, now, limits } = context;
  return withOptimisticRetry(async () => {
    const [before] = await query<Editable>(db, editedResponse, { ...shareOf(context), id }, editDecoders);
    if (!before) throw notFound('response');
    checkEdit(actor, { ...before, noun: 'response' }, change.ifMatch);
    const after = mergeContent(before.surveyItems, before, change);
    if (isSameContent(before, after)) return before;
    if ((before.revisions ?? 0) >= limits.revisions) throw revisionsFull(limits.revisions);
    const { stored, changedBytes } = revisionOf(before, after);
    const storing = rowBytes + contentBytes(stored) + textBytes(change.reason ?? '');
    const bytes = storing + contentBytes(after) - contentBytes(before);
    requireBytes(before, bytes, limits);
    requireShare(context, before.room, 2 * storing);

    const revision = { revisionId: newIdentifier(now), revisedAt: now };
    const growth: Growth = { stored: bytes, response: contentBytes(after), written: 2 * storing };
    const [written] = await db.batch([
      db
        .update(responses)
        .set({ ...after, ...revision, storedBytes: sql`${responses.storedBytes} + ${bytes}`, changedBytes })
        .where(
          and(
            stillEditable(responses, before, actor),
            sql`${triggersSome(sql`${responses.surveyId}`)} = ${before.triggers}`,
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
      ...(before.triggers ? [wakeTriggered(context, before.owner, [id])] : []),
      ...setAnswered(context, {
        investigation: before.investigationId,
        user: before.owner,
        dates: datesIn(before.surveyItems, after.items, before.items),
        asOf: now,
        response: id,
        revision: revision.revisionId,
      }),
      ...grow(context, before.investigationId, growth, {
        table: 'response',
        id,
        revision: revision.revisionId,
      }),
    ]);
    if (written.length === 0) throw new ConflictError();
    return { ...before, ...after, ...revision };
  });
}

/**
 * The response with the items of its survey, whether it triggers reminders, the number of its revisions, of the last whole
 * one and of the bytes since then, the bytes of its study, and those that the actor may write today.
 */
const editedResponse = `select ${responseColumns}, ${shownGroup}, response.responder_id as owner, response.investigation_id as investigationId, current_member.role, survey.items as surveyItems,
  ${textOf(triggersSome(sql`survey.id`))} as triggers,
  ${textOf(heldBytes.storedBytes)} as storedBytes, deleted_bytes as deletedBytes, ${textOf(roomOf(namedShare))} as room, response.changed_bytes as changedBytes,
  last.number as revisions, coalesce(last.since, last.number) as whole
  from response join ${asActor} join survey on survey.id = response.survey_id
  join investigation on investigation.id = response.investigation_id
  left join study_case of_case on of_case.id = iif(json_type(investigation.course, '$.properties') is null, null, response.case_id)
  left join response_revision last on last.response_id = response.id
    and last.number = (select max(v.number) from response_revision v where v.response_id = :id)
  where ${isVisible}`;

type Editable = Response &
  Grouped &
  Held & {
    /** The responder, whether the actor sees them or not. */
    owner: string;
    investigationId: string;
    role: Role;
    surveyItems: SurveyItem[];
    triggers: number;
    room: Room;
    changedBytes: number;
    revisions: number | null;
    whole: number | null;
  };

const editDecoders = { ...responseDecoders, surveyItems: JSON.parse, room: parseRoom };
