import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import type { Action } from '../log/activities.ts';
import { logged } from '../log/logged.ts';
import { hasChangedSince } from '../log/survey-changes.ts';
import { isOpenStudy, requireOpen, requireUnfrozen } from '../permissions/edit-guards.ts';
import { frozenGroup } from '../permissions/frozen-groups.ts';
import { type PropertyRule, propertiesOf } from '../permissions/groups.ts';
import { grow } from '../permissions/growth.ts';
import { heldBytes, requireBytes, rowBytes } from '../permissions/limits.ts';
import { editors } from '../permissions/roles.ts';
import {
  asMember,
  isInScope,
  isStaff,
  isUnblinded,
  listOf,
  requireEditor,
  stillHasRole,
} from '../permissions/visibility.ts';
import { triggersSome, wakeTriggered } from '../reminders/triggers.ts';
import { investigations, members } from '../studies/schema.ts';
import type { SurveyItem } from '../studies/survey-schema.ts';
import { datesIn, setAnswered } from './answered-dates.ts';
import { newBytes, newRow, requireOpenCase } from './new-responses.ts';
import { contentBytes } from './response-content.ts';
import { selectVisible } from './responses.ts';
import { insertRevision } from './revisions.ts';
import { cases, responses } from './schema.ts';
import { setAsides } from './set-aside-schema.ts';

/**
 * Makes a response of an answer that was set aside, in an open case; for owners and editors. It keeps its person, its times, its
 * reminder and its identifier. The survey may be archived: the answer was given before. A repeat finds the response.
 * @throws resource.not-found, action.forbidden, items.not-found, item.locked, item.archived, study.archived, limit.reached
 */
export async function placeAnswer(context: Context, id: string, into: string) {
  const { db, actor, now, limits } = context;
  const read = () => [selectAnswer(context, id, into), selectVisible(db, { actor, id })] as const;
  return logged(context, studyOfAnswer(id), read, async ([[answer], [placed]], write) => {
    requireEditor(answer, 'place answers', 'answer');
    if (answer.settledAt !== null && placed?.caseId === into) return { response: placed, created: false };
    if (answer.settledAt !== null) throw notFound('answer');
    requireOpen(answer);
    requireUnfrozen(answer);
    requireOpenCase(answer);
    const { investigationId: investigation, responderId, triggers } = answer;
    const stored = newBytes(answer) - answer.storedBytesAside;
    requireBytes(answer, stored, limits);

    const revision = newIdentifier(now);
    const row = newRow({
      ...answer,
      investigation,
      survey: answer.surveyId,
      case: into,
      responder: responderId,
      receivedAt: answer.createdAt,
      revision,
      now,
    });
    const isThere = sql`exists (select 1 from response r where r.id = ${id} and r.revision_id = ${revision})`;
    const entry = { ...about(answer, 'answer.placed'), cases: [into], responses: [id] };
    const [, , , [response]] = await write(entry, [
      db.insert(responses).select(
        sql`${row} from ${cases} join ${members} on ${asMember(cases.investigationId, actor)}
          where ${isCase(investigation, into)} and ${isInScope(cases.properties)}
          and ${cases.lockedAt} is null and ${cases.archivedAt} is null
          and ${members.role} in ${listOf(editors)}
          and ${isOpenStudy(investigation)}
          and exists (select 1 from set_aside s where s.id = ${id} and s.settled_at is null)
          and ${triggersSome(sql`${answer.surveyId}`)} = ${triggers}`,
      ),
      insertRevision(db, { id: revision, response: id, author: responderId, at: now }),
      settle(context, id, isThere),
      selectVisible(db, { actor, id }),
      ...(triggers ? [wakeTriggered(context, responderId, [id])] : []),
      ...setAnswered(context, {
        investigation,
        user: responderId,
        dates: datesIn(answer.surveyItems, answer.items),
        asOf: answer.givenAt,
        response: id,
        revision,
      }),
      ...grow(context, investigation, { stored, response: contentBytes(answer) }),
    ]);
    if (!response) throw new Error(`The response ${id} was placed, and is not there.`);
    return { response, created: true };
  });
}

/**
 * Gives up an answer that was set aside, for good; for owners and editors. Its content goes, and the log keeps who did it.
 * @throws resource.not-found, action.forbidden, study.frozen, limit.reached
 */
export async function discardAnswer(context: Context, id: string, reason: string | undefined): Promise<void> {
  const { actor } = context;
  const read = () => [selectAnswer(context, id, '')] as const;
  await logged(context, studyOfAnswer(id), read, async ([[answer]], write) => {
    requireEditor(answer, 'discard answers', 'answer');
    if (answer.settledAt !== null) throw notFound('answer');
    requireUnfrozen(answer);
    const isStill = sql`${setAsides.settledAt} is null
      and ${stillHasRole(setAsides.investigationId, actor, answer.role)}`;
    await write({ ...about(answer, 'answer.discarded'), reason }, [
      settle(context, id, isStill),
      ...grow(context, answer.investigationId, { stored: -answer.storedBytesAside }),
    ]);
  });
}

type Answer = Awaited<ReturnType<typeof selectAnswer>>[number];

/** The entry of the log: never the answers themselves, which the log could not forget. */
const about = (answer: Answer, action: Action) => ({
  investigation: answer.investigationId,
  action,
  details: {
    answer: answer.id,
    survey: answer.surveyId,
    member: answer.responderId,
    setAside: answer.reason,
  },
});

const studyOfAnswer = (id: string): SQL =>
  sql`(select s.investigation_id from set_aside s where s.id = ${id})`;

const isCase = (investigation: string | typeof setAsides.investigationId, id: string) =>
  sql`${cases.id} = ${id} and ${cases.investigationId} = ${investigation} and ${cases.deletedAt} is null`;

/** In SQL: staff see the answers of people in their part of the study, to surveys that they see. Needs `asMember`. */
const maySeeAnswer = sql`${isInScope(propertiesOf(setAsides.investigationId, setAsides.responderId))}
  and ${isUnblinded(setAsides.surveyId)}`;

/** The answer with the actor's role, its study, and the case that it shall have. */
const selectAnswer = ({ db, actor }: Context, id: string, into: string) =>
  db
    .select({
      id: sql<string>`${setAsides.id}`.as('answer_id'),
      investigationId: sql<string>`${setAsides.investigationId}`.as('answer_study'),
      surveyId: setAsides.surveyId,
      responderId: setAsides.responderId,
      reason: setAsides.reason,
      items: setAsides.items,
      reasons: setAsides.reasons,
      surveyItems: sql`(select s.items from survey s where s.id = ${setAsides.surveyId})`
        .mapWith((text: string): SurveyItem[] => JSON.parse(text))
        .as('survey_items'),
      givenAt: setAsides.givenAt,
      notification: setAsides.notification,
      occurrence: setAsides.occurrence,
      late: setAsides.late,
      // The survey may have changed while the answer waited.
      outdated: sql<boolean>`${setAsides.outdated}
        or ${hasChangedSince(setAsides.surveyId, setAsides.investigationId, setAsides.givenAt)}`
        .mapWith(Boolean)
        .as('is_outdated'),
      createdAt: sql<number>`${setAsides.createdAt}`.as('received_at'),
      storedBytesAside: sql<number>`${setAsides.storedBytes}`.as('bytes_aside'),
      settledAt: setAsides.settledAt,
      role: members.role,
      caseId: sql<string | null>`${cases.id}`.as('case_id'),
      caseLockedAt: cases.lockedAt,
      caseArchivedAt: sql<number | null>`${cases.archivedAt}`.as('case_archived_at'),
      archivedAt: sql<number | null>`${investigations.archivedAt}`.as('study_archived_at'),
      frozenAt: sql<number | null>`${investigations.frozenAt}`.as('study_frozen_at'),
      frozenGroup: frozenGroup(
        sql`${investigations.frozenGroups}`,
        propertiesOf(sql`${setAsides.investigationId}`, sql`${setAsides.responderId}`),
      )
        .mapWith((text): PropertyRule => JSON.parse(text))
        .as('frozen_group'),
      storedBytes: heldBytes.storedBytes.as('study_bytes'),
      deletedBytes: heldBytes.deletedBytes.as('deleted_bytes'),
      triggers: sql<number>`${triggersSome(sql`${setAsides.surveyId}`)}`.as('triggers_some'),
    })
    .from(setAsides)
    .innerJoin(investigations, eq(investigations.id, setAsides.investigationId))
    .innerJoin(members, asMember(setAsides.investigationId, actor))
    .leftJoin(cases, and(isCase(setAsides.investigationId, into), isInScope(cases.properties)))
    .where(and(eq(setAsides.id, id), sql`iif(${isStaff}, ${maySeeAnswer}, 1)`));

/** Empties the answer; null fails the batch if the condition no longer holds. */
const settle = ({ db, now }: Context, id: string, condition: SQL) =>
  db
    .update(setAsides)
    .set({
      createdHash: sql`case when ${condition} then ${setAsides.createdHash} end`,
      items: {},
      reasons: {},
      storedBytes: rowBytes,
      settledAt: now,
    })
    .where(and(eq(setAsides.id, id)));
