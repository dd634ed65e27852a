import { type SQL, sql } from 'drizzle-orm';
import { isOfMember, memberOfEntry } from '../log/schema.ts';
import { isInScope, studyOf } from '../permissions/visibility.ts';
import { members } from '../studies/schema.ts';
import { surveys } from '../studies/survey-schema.ts';
import type { SetAsideReason } from './set-aside-reasons.ts';

/** A case that the actor may not answer for any more, though they could once. */
export interface GoneCase {
  deletedAt: number | null;
  /** At the latest. */
  hiddenAt: number | null;
  archivedAt: number | null;
}

/** Since when an answer has no place, by each of the reasons (epoch ms). */
export interface Obstructed {
  archivedAt: number | null;
  surveyArchivedAt: number | null;
  caseArchivedAt: number | null;
  goneCase: GoneCase | null;
  /** When the actor's membership ended, or their taking part as they became a monitor, or the study was deleted. */
  leftAt: number | null;
  leftBy: 'left-study' | 'study-deleted' | null;
  /** 1: the survey is for the actor. 0: only for others by now, though they have downloaded it. */
  inGroup: number;
}

const obstaclesOf = (target: Obstructed): [SetAsideReason, number | null][] => {
  const { archivedAt, surveyArchivedAt, caseArchivedAt, goneCase, leftAt, leftBy } = target;
  return [
    [leftBy ?? 'left-study', leftAt],
    ['study-archived', archivedAt],
    ['survey-archived', surveyArchivedAt],
    ['case-deleted', goneCase?.deletedAt ?? null],
    ['case-hidden', goneCase?.hiddenAt ?? null],
    ['case-archived', caseArchivedAt ?? goneCase?.archivedAt ?? null],
  ];
};

/**
 * Why an answer of this time has no place any more, if it had one then. One of somebody whom the survey is no longer for has none,
 * whenever it was given.
 */
export function reasonToSetAside(target: Obstructed, at: number | undefined): SetAsideReason | undefined {
  const obstacles = obstaclesOf(target).filter(([, since]) => since !== null);
  const [first] = obstacles;
  if (!first) return target.inGroup ? undefined : 'not-in-group';
  return obstacles.every(([, since]) => at !== undefined && at < (since ?? 0)) ? first[0] : undefined;
}

/** Reasons for which it does not matter whether the case was made: none could be made since. */
export const isOfStudy = (reason: SetAsideReason | undefined): boolean =>
  reason === 'left-study' || reason === 'study-deleted' || reason === 'study-archived';

/**
 * In SQL, beside a survey and the actor's membership: {@link GoneCase} as JSON. A hidden case exists only for responders who made it
 * or answered for it.
 */
export const goneCase = (id: string, actor: string): SQL<GoneCase | null> =>
  sql`(select json_object('deletedAt', c.deleted_at, 'archivedAt', c.archived_at,
      'hiddenAt', iif(c.hidden and ${members.role} = 'responder', c.edited_at, null))
    from study_case c where c.id = ${id} and c.investigation_id = ${surveys.investigationId}
      and (${members.role} = 'responder' or ${isInScope(sql`c.properties`)})
      and (c.hidden = 0 or ${members.role} <> 'responder' or c.creator_id = ${actor}
        or exists (select 1 from response r where r.case_id = c.id and r.responder_id = ${actor})))`;

/**
 * In SQL: when the membership began that somebody had at an instant (epoch ms), which may have ended, and begun again since; null
 * if the log knows of none.
 */
export const addedBy = (
  user: string,
  investigation: typeof surveys.investigationId,
  at: number,
): SQL<number | null> =>
  sql`(select iif(action = 'member.added', activity.at, null) from activity
    where activity.investigation_id = ${investigation} and ${sql.raw(memberOfEntry)} = ${user} and ${sql.raw(isOfMember)}
      and action <> 'member.role-changed' and activity.at <= ${at} order by position desc limit 1)`;

/**
 * In SQL: the actor's membership of a survey's study that has ended, or whose study is deleted, in the place of `current_member`.
 * The feed knows who has left, and since when.
 */
export const formerMembership = (survey: string, actor: string): SQL =>
  sql`(select m.investigation_id, m.user_id, m.role, m.created_at, m.properties, m.scope, gone.at as left_at, 'study-deleted' as left_by
      from deleted_study gone cross join member m on m.investigation_id = gone.investigation_id
      where gone.investigation_id = ${studyOf(survey)} and m.user_id = ${actor}
    union all select c.investigation_id, c.identifier, 'responder', coalesce((select max(activity.at) from activity
        where activity.investigation_id = c.investigation_id and ${sql.raw(memberOfEntry)} = +c.identifier
          and ${sql.raw(isOfMember)} and action = 'member.added'), 0), c.properties, null, c.at, 'left-study'
      from change c where c.identifier = ${actor} and c.investigation_id = ${studyOf(survey)}
        and c.kind = 'member' and c.state = 'removed') current_member`;
