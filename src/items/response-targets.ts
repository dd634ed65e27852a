import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { isOfMember, memberOfEntry } from '../log/schema.ts';
import { hasChangedSince } from '../log/survey-changes.ts';
import { frozenGroup } from '../permissions/frozen-groups.ts';
import { fits, type PropertyRule, propertiesOf } from '../permissions/groups.ts';
import { heldBytes } from '../permissions/limits.ts';
import type { Role } from '../permissions/roles.ts';
import { parseRoom, roomOf, shareOf } from '../permissions/shares.ts';
import { asMember, isInScope } from '../permissions/visibility.ts';
import { triggersSome } from '../reminders/triggers.ts';
import { investigations, members } from '../studies/schema.ts';
import { surveys } from '../studies/survey-schema.ts';
import { addedBy, formerMembership, goneCase, type Obstructed } from './obstacles.ts';
import { cases } from './schema.ts';

/** The survey and the case of a response, and when it was given (epoch ms) if a phone says so: at the earliest, and as its clock says. */
interface Aim {
  survey: string;
  case: string;
  at: number | undefined;
  sent: number | undefined;
}

export type Target = Awaited<ReturnType<typeof selectTarget>>[number];

/** The case as the actor may answer for it: responders may name any case that is not hidden, staff any that they see. Needs `asMember`. */
export const isOpenCase = (investigation: string | typeof surveys.investigationId, id: string) =>
  and(
    eq(cases.id, id),
    eq(cases.investigationId, investigation),
    isNull(cases.deletedAt),
    sql`iif(${members.role} = 'responder', ${cases.hidden} = 0, ${isInScope(cases.properties)})`,
  );

/** The survey and the case of a response, as the actor sees them; or saw them, as a former member. */
export const selectTarget = (context: Context, { survey, ...given }: Aim, former?: SQL) =>
  context.db
    .select({
      investigationId: sql<string>`${surveys.investigationId}`.as('survey_investigation'),
      role: sql<Role>`${members.role}`.as('role_of_actor'),
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
      frozenAt: sql<number | null>`${investigations.frozenAt}`.as('study_frozen_at'),
      frozenGroups: sql<string | null>`${investigations.frozenGroups}`.as('frozen_groups_text'),
      frozenGroup: frozenGroup(
        sql`${investigations.frozenGroups}`,
        sql`iif(${cases.id} is null, ${propertiesOf(sql`${surveys.investigationId}`, context.actor)}, ${cases.properties})`,
      )
        .mapWith((text): PropertyRule => JSON.parse(text))
        .as('frozen_group'),
      storedBytes: heldBytes.storedBytes.as('stored_bytes'),
      deletedBytes: heldBytes.deletedBytes.as('deleted_bytes'),
      room: roomOf(shareOf(context)).mapWith(parseRoom).as('room'),
      triggers: sql<number>`${triggersSome(sql`${surveys.id}`)}`.as('triggers_some'),
      joinedAt: sql<number>`${
        given.at === undefined
          ? members.createdAt
          : sql`coalesce(${addedBy(context.actor, surveys.investigationId, given.at)}, ${members.createdAt})`
      }`.as('joined_at'),
      downloadedAt: sql<number | null>`${given.at === undefined ? null : downloadOf(context.actor)}`.as(
        'downloaded_at',
      ),
      inGroup: sql<number>`${isInGroup}`.as('in_group'),
      groupedAt: sql<number | null>`${groupedAt}`.as('grouped_at'),
      hasChanged: itemsChangedSince(given.sent).as('has_changed'),
      mayHaveChanged: itemsChangedSince(given.at === given.sent ? undefined : given.at).as(
        'may_have_changed',
      ),
      goneCase: sql`${
        given.at === undefined
          ? null
          : sql`iif(${cases.id} is null, ${goneCase(given.case, context.actor)}, null)`
      }`
        .mapWith((text): Obstructed['goneCase'] => JSON.parse(text))
        .as('gone_case'),
      leftAt: sql<number | null>`${
        former ? sql`current_member.left_at` : given.at === undefined ? null : tookPartUntil(context.actor)
      }`.as('left_at'),
      leftBy: sql<Obstructed['leftBy']>`${former ? sql`current_member.left_by` : null}`.as('left_by'),
    })
    .from(surveys)
    .innerJoin(investigations, eq(investigations.id, surveys.investigationId))
    .innerJoin((former ?? members) as typeof members, asMember(surveys.investigationId, context.actor))
    .leftJoin(cases, isOpenCase(surveys.investigationId, given.case))
    .where(and(eq(surveys.id, survey), mayAnswer(context.actor)));

/** In SQL: 1 if the items of the survey changed after this time. */
const itemsChangedSince = (at: number | undefined): SQL<number> =>
  at === undefined ? sql`0` : hasChangedSince(surveys.id, surveys.investigationId, at);

/** In SQL: when the actor, who is a monitor, became one; null for all others. */
const tookPartUntil = (actor: string) =>
  sql`iif(${members.role} = 'monitor', (select activity.at from activity
    where activity.investigation_id = ${surveys.investigationId} and ${sql.raw(memberOfEntry)} = ${actor}
      and ${sql.raw(isOfMember)} and details ->> '$.after.role' = 'monitor' order by position desc limit 1), null)`;

/** Of somebody who was a member when they gave the response. */
export async function readFormerTarget(context: Context, given: Aim): Promise<Target | undefined> {
  if (given.at === undefined) return undefined;
  const [target] = await selectTarget(context, given, formerMembership(given.survey, context.actor));
  return target;
}

/** In SQL: the survey is for the member. Staff answer for others. Needs `asMember`. */
const isInGroup = sql`(${members.role} <> 'responder' or ${fits(surveys.for, members.properties)})`;

/**
 * In SQL: when the member got the last of the properties that the survey asks for, whatever its value is (epoch ms). Null: they lack
 * one, or it asks for none. Needs `asMember`.
 */
const groupedAt = sql`(select iif(count(*) = count(${members.properties} -> f.key), max(${members.properties} -> f.key ->> 1), null)
  from json_each(${surveys.for}) f)`;

/**
 * In SQL: the survey exists for the actor: owners see all, other staff those that are not blinded, and responders those that are for
 * them, or were, as their phone has downloaded them. Needs `asMember`.
 */
const mayAnswer = (actor: string) =>
  sql`case ${members.role} when 'owner' then 1
    when 'responder' then (${isInGroup} or ${downloadOf(actor)} is not null) else not ${surveys.blinded} end`;

const ofReminders = (field: string) =>
  sql`case when json_valid(${surveys.plainReminders}) then ${surveys.plainReminders} ->> ${sql.raw(`'${field}'`)} end`;

const downloadOf = (user: string) =>
  sql`(select c.downloaded_at from scheduled_notification c where c.user_id = ${user} and c.survey_id = ${surveys.id})`;
