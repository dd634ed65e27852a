import { type SQL, sql } from 'drizzle-orm';
import { members } from '../studies/schema.ts';
import { fits, propertiesOf } from './groups.ts';
import { editors, type Role } from './roles.ts';
import { isStaff, whenMember } from './visibility.ts';

type Value = string | SQL;

/** The identifier of a person whom the reader does not see, where a body has to name one. No user has it. */
export const nobody = '0'.repeat(32);

/**
 * In SQL: the actor sees a person in a study. Staff see everybody of their part of it, and all of its staff; responders see
 * themselves and those who are its owners and editors now. Needs `asMember`.
 */
export const maySeePerson = (investigation: Value, person: Value, actor: Value): SQL =>
  sql`(${isStaff} and ${members.scope} is null or ${person} = ${actor} or ${whenMember(investigation, person, ...editors)}
    or ${isStaff} and (${whenMember(investigation, person, 'monitor')}
      or ${fits(members.scope, propertiesOf(investigation, person))}))`;

/** In SQL: the identifier of a person, or {@link nobody} if the actor does not see them. Needs `asMember`. */
export const shownPerson = (investigation: Value, person: Value, actor: Value): SQL =>
  sql`case when ${maySeePerson(investigation, person, actor)} then ${person} else ${sql.raw(`'${nobody}'`)} end`;

/** In SQL: the members of a study whom its responders see: owners and editors by their index, and the actor. */
export const peopleOfResponder = (investigation: Value, actor: Value): SQL =>
  sql`(select staff.user_id from current_member staff
      where staff.investigation_id = ${investigation} and staff.role in ('owner', 'editor') and staff.role <> 'responder'
    union all select ${actor})`;

/** In SQL: the actor shares a study with a person, and sees them there. */
export const knows = (actor: Value, person: Value): SQL =>
  sql`exists (select 1 from current_member mine
    join current_member theirs on theirs.investigation_id = mine.investigation_id
    where mine.user_id = ${actor} and theirs.user_id = ${person}
    and (theirs.role in ('owner', 'editor')
      or mine.role <> 'responder' and (theirs.role <> 'responder' or ${fits(sql`mine.scope`, sql`theirs.properties`)})))`;

/** A row as a viewer of this role may see it: codes, dates and times are for staff, addresses for owners. */
export const shownTo = <
  T extends { code: string | null; invitedAs: string | null } & {
    [K in 'enrolment' | 'dates' | 'participation']?: object | null;
  },
>(
  role: Role,
  row: T,
): T => ({
  ...row,
  code: role === 'responder' ? null : row.code,
  ...(role === 'responder' && { enrolment: null, dates: null, participation: null }),
  invitedAs: role === 'owner' ? row.invitedAs : null,
});
