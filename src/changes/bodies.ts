import { sql } from 'drizzle-orm';
import { named, textOf } from '../db/query.ts';
import type { Case } from '../items/cases.ts';
import { type Grouped, withCase } from '../items/lists.ts';
import type { Response } from '../items/responses.ts';
import { lockSignature } from '../locks/signatures.ts';
import type { Signature } from '../log/schema.ts';
import {
  fits,
  fitsGiven,
  type GivenProperties,
  isBlinded,
  type PropertyRule,
  shownProperties,
} from '../permissions/groups.ts';
import { listedBytes, pageBytes } from '../permissions/limits.ts';
import { codeOf } from '../permissions/member-codes.ts';
import { nobody } from '../permissions/shown-people.ts';
import type { Investigation } from '../studies/investigations.ts';
import type { OwnDates, OwnParticipation } from '../studies/schema.ts';
import type { ShownEnrolment } from '../studies/shown-members.ts';
import type { Survey } from '../studies/surveys.ts';

/** A thing as its list reads it. */
export interface Bodies {
  study: Investigation;
  case: Omit<Case, 'creatorNamedAt' | 'stateRevision'> & { lockSignature: Signature | null };
  response: Omit<Response, 'stateRevision'> & { lockSignature: Signature | null } & Grouped & {
      responderName: string | null;
      code: string | null;
    };
  survey: Pick<Survey, 'id' | 'investigationId' | 'name' | 'items' | 'reminders' | 'archivedAt'> & {
    for: PropertyRule | null;
  };
  member: {
    id: string;
    name: string;
    role: Investigation['role'];
    code: string | null;
    invitedAs: string | null;
    enrolment: ShownEnrolment | null;
    agreedTo: string | null;
    isProgram: number;
    dates: OwnDates | null;
    participation: OwnParticipation | null;
    properties: GivenProperties | null;
    /** For owners and oneself. */
    scope: PropertyRule | null;
  };
}

/** In SQL: values by the names of the model, as JSON text. D1 allows a function 32 arguments. */
function json<K extends keyof Bodies>(_: K, fields: Record<keyof Bodies[K] & string, string>): string {
  const values = Object.entries(fields);
  const [first, more] = [values.slice(0, 16), values.slice(16)];
  const object = `json_object(${first.map(([name, value]) => `'${name}', ${value}`).join(', ')})`;
  return more.length === 0
    ? object
    : `json_insert(${object}, ${more.map(([name, value]) => `'$.${name}', ${value}`).join(', ')})`;
}

const itemState = (table: 'study_case' | 'response', seesAll: boolean) => ({
  createdAt: `${table}.created_at`,
  revisionId: `${table}.revision_id`,
  lockedAt: `${table}.locked_at`,
  archivedAt: `${table}.archived_at`,
  lockSignature: `json(${lockSignature(table, seesAll ? '1' : 'page.isLockerSeen')})`,
});

const code = textOf(codeOf(sql.raw('page.investigation_id'), sql.raw('user.id')));

/** In SQL: values by the names of properties, as the reader sees them. */
const shown = (properties: string) =>
  `json(${textOf(shownProperties(sql.raw(properties), sql`current_member.role`, named('investigation')))})`;

/** In SQL: the code `e` has no blinded property, or the reader is an owner; and it is in their part of the study. */
const seesEnrolment = (seesAll: boolean) =>
  `(current_member.role = 'owner' or not ${textOf(isBlinded(sql`e.properties`, named('investigation')))})
    ${seesAll ? '' : `and ${textOf(fitsGiven(sql`current_member.scope`, sql`e.properties`))}`}`;

/** In SQL: a value of member `m`; null of staff outside of the reader's part, who are a name and a role. */
const ofPart = (seesAll: boolean, value: string) =>
  seesAll
    ? value
    : `iif(m.user_id = :actor or ${textOf(fits(sql`current_member.scope`, sql`m.properties`))}, ${value}, null)`;

/** In SQL: the creator or the responder of an item, whom the reader of a part may not see. */
const shownPerson = (column: string, seesAll: boolean) =>
  seesAll ? column : `iif(page.isSeen, ${column}, '${nobody}')`;

/** Needs the actor's membership as `current_member`, and a row of the feed as `page`; of a part with `isSeen` and `isLockerSeen`. */
const selectsOf = (seesAll: boolean): Record<keyof Bodies, string> => ({
  study: `select ${json('study', {
    id: 'i.id',
    name: 'i.name',
    timeZone: 'i.time_zone',
    startsOn: 'i.starts_on',
    createdAt: 'i.created_at',
    archivedAt: 'i.archived_at',
    frozenAt: 'i.frozen_at',
    frozenGroups: 'json(i.frozen_groups)',
    lockPolicy: 'json(i.lock_policy)',
    information: 'json(i.information)',
    course: 'json(i.course)',
    activeSince: 'i.active_since',
    revisionId: 'i.revision_id',
    role: 'current_member.role',
    scope: 'json(current_member.scope)',
    joinedOn: 'null',
    participation: 'null',
  })} from investigation i where i.id = page.identifier`,
  case: `select ${json('case', {
    id: 'study_case.id',
    ...itemState('study_case', seesAll),
    label: 'study_case.label',
    hidden: `json(iif(study_case.hidden, 'true', 'false'))`,
    editedAt: 'study_case.edited_at',
    creatorId: shownPerson('study_case.creator_id', seesAll),
    creatorName: 'user.name',
    properties: shown('study_case.properties'),
  })} from study_case left join user on user.id = study_case.creator_id ${seesAll ? '' : 'and page.isSeen'}
    where study_case.id = page.identifier and study_case.deleted_at is null`,
  response: `select ${json('response', {
    id: 'response.id',
    ...itemState('response', seesAll),
    surveyId: 'response.survey_id',
    caseId: 'response.case_id',
    responderId: shownPerson('response.responder_id', seesAll),
    items: 'json(response.items)',
    reasons: 'json(response.reasons)',
    givenAt: 'response.given_at',
    notification: 'response.notification',
    late: 'response.late',
    outdated: 'response.outdated',
    revisedAt: 'response.revised_at',
    responderName: 'user.name',
    code,
    properties: shown('of_case.properties'),
  })} from response left join user on user.id = response.responder_id ${seesAll ? '' : 'and page.isSeen'}
    ${withCase('response.case_id')}
    where response.id = page.identifier and response.deleted_at is null`,
  survey: `select ${json('survey', {
    id: 's.id',
    investigationId: 's.investigation_id',
    name: 's.name',
    items: 'json(s.items)',
    reminders: 'json(s.reminders)',
    for: 'json(s."for")',
    archivedAt: 's.archived_at',
  })} from survey s where s.id = page.identifier`,
  member: `select ${json('member', {
    id: 'user.id',
    name: 'user.name',
    role: 'm.role',
    code: ofPart(seesAll, code),
    invitedAs: `iif(current_member.role = 'owner', m.invited_as, null)`,
    enrolment: `(select json_object('identifier', e.id, 'label', e.label) from enrolment e
      where e.id = ${ofPart(seesAll, 'user.enrolment_id')} and e.investigation_id = page.investigation_id and ${seesEnrolment(seesAll)})`,
    agreedTo: 'm.agreed_to',
    isProgram: 'user.made_by is not null',
    dates: `json(${ofPart(seesAll, 'm.dates')})`,
    participation: `json(${ofPart(seesAll, 'm.participation')})`,
    properties: `json(${ofPart(seesAll, shown('m.properties'))})`,
    scope: `json(iif(current_member.role = 'owner' or m.user_id = :actor, m.scope, null))`,
  })} from current_member m join user on user.id = m.user_id
    where m.investigation_id = page.investigation_id and m.user_id = page.identifier`,
});

/** In SQL: the thing of the row `page` as JSON text; null if it is no longer there. */
export const bodyOfPage = (seesAll: boolean) =>
  `case page.kind ${Object.entries(selectsOf(seesAll))
    .map(([kind, select]) => `when '${kind}' then (${select})`)
    .join(' ')} end`;

/** In SQL: the study has a response so long that a page might not hold `:limit` of them. */
const mayExceed = `(select largest_response + ${listedBytes} from investigation where id = :investigation) * :limit > ${pageBytes}`;

/** In SQL: bytes of the thing of the row `change` in a page, roughly. Responses are measured only if a page might not hold them. */
export const bytesOfChange = `${listedBytes} + coalesce(case
  when change.kind = 'survey' then (select octet_length(s.name) + octet_length(s.items) + coalesce(octet_length(s.reminders), 0)
    from survey s where s.id = change.identifier)
  when change.kind = 'study' then (select octet_length(i.information) from investigation i where i.id = change.identifier)
  when change.kind = 'response' and ${mayExceed} then (select octet_length(r.items) + octet_length(r.reasons)
    from response r where r.id = change.identifier)
  end, 0)`;
