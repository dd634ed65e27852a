import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { fits, fitsGiven, type PropertyRule } from '../permissions/groups.ts';
import { staff } from '../permissions/roles.ts';
import { isHiddenSurvey, roleOf, scopeOf, whenMember } from '../permissions/visibility.ts';

/** Dates on which reminders were due where the participants were, both included, and the requested part of the study. */
export interface ComplianceFilter {
  from: string;
  to: string;
  survey?: string | undefined;
  /** Only people with these properties. */
  property?: PropertyRule | undefined;
}

export type Asking = Pick<Context, 'db' | 'now' | 'actor'>;
export type Asked = ComplianceFilter & { investigation: string };

/** The study, and the requested survey and people of it. */
export interface AskedPart {
  investigation: string | SQL;
  survey?: string | undefined;
  property?: PropertyRule | undefined;
  /** In SQL: the actor's role and scope, where a statement has their membership already. */
  role?: SQL;
  scope?: SQL;
  /** In SQL: what the study says of its people's time and dates, where a statement has it already. */
  participationDays?: SQL;
  needed?: SQL;
}

interface Actor {
  actor: string | SQL;
}

/** In SQL: the role of the actor. */
export const myRole = ({ actor }: Actor, { investigation, role }: AskedPart): SQL =>
  role ?? roleOf(investigation, actor);

/** In SQL: the part of the study that the actor sees; null: all of it. */
export const myScope = ({ actor }: Actor, { investigation, scope }: AskedPart): SQL =>
  scope ?? scopeOf(investigation, actor);

/** In SQL: the actor does not see the survey. */
export const isHidden = ({ actor }: Actor, { role }: Pick<AskedPart, 'role'>, survey: SQL): SQL =>
  isHiddenSurvey(survey, actor, role);

/** In SQL: the requested surveys that the actor sees, one column. */
export const askedSurveys = (context: Actor, asked: AskedPart): SQL => {
  const { investigation, survey } = asked;
  return sql`select s.id from survey s where s.investigation_id = ${investigation}
    ${survey === undefined ? sql`` : sql`and s.id = ${survey}`} and not ${isHidden(context, asked, sql`s.id`)}`;
};

/** In SQL: participant `p` takes a survey with this `for`. Editors and monitors, who do not see blinded ones, do not take them. */
export const takes = (rule: SQL, blinded: SQL): SQL =>
  sql`(${fits(rule, sql`p.properties`)} and not (${blinded} and p.role in ('editor', 'monitor')))`;

/** In SQL: the same for the identifier of a survey. Most are for everybody, and cost no row. */
export const isFor = (survey: SQL, { investigation }: AskedPart): SQL =>
  sql`(${survey} in (select a.id from survey a where a.investigation_id = ${investigation} and a.for is null)
    or (select ${takes(sql`b.for`, sql`b.blinded`)} from survey b where b.id = ${survey}))`;

/** In SQL: the actor sees people with these stored properties, and asks for them. */
export const isAskedPerson = (context: Actor, asked: AskedPart, properties: SQL): SQL =>
  sql`(${fits(myScope(context, asked), properties)} and ${asked.property ? fits(ruleOf(asked), properties) : sql`1`})`;

/** In SQL: the same for a combination of properties. */
export const isAskedCombination = (context: Actor, asked: AskedPart, combination: SQL): SQL =>
  sql`(${fitsGiven(myScope(context, asked), combination)}
    and ${asked.property ? fitsGiven(ruleOf(asked), combination) : sql`1`})`;

const ruleOf = ({ property }: AskedPart) => JSON.stringify(property);

/** In SQL: not everybody of the study is asked for. */
export const isPart = (context: Actor, asked: AskedPart): SQL =>
  asked.property ? sql`1` : sql`${myScope(context, asked)} is not null`;

/** In SQL: the actor may ask. */
export const byStaff = ({ actor }: Actor, { investigation }: AskedPart): SQL =>
  whenMember(investigation, actor, ...staff);

/** An act of staff alone, for `requireStaff`. */
export const readsOthers = 'read the compliance of others';
