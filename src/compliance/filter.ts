import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { staff } from '../permissions/roles.ts';
import { whenMember } from '../permissions/visibility.ts';

/** Dates on which reminders were due where the participants were, both included, and the requested part of the study. */
export interface ComplianceFilter {
  from: string;
  to: string;
  survey?: string | undefined;
}

export type Asking = Pick<Context, 'db' | 'now' | 'actor'>;
export type Asked = ComplianceFilter & { investigation: string };

/** The study, and the requested survey of it. */
export interface AskedPart {
  investigation: string | SQL;
  survey?: string | undefined;
  /** In SQL: what the study says of its people's time and dates, where a statement has it already. */
  participationDays?: SQL;
  needed?: SQL;
}

/** In SQL: the requested surveys, one column. */
export const askedSurveys = ({ investigation, survey }: AskedPart): SQL => sql`select s.id from survey s
  where s.investigation_id = ${investigation} ${survey === undefined ? sql`` : sql`and s.id = ${survey}`}`;

/** In SQL: the actor may ask. */
export const byStaff = ({ actor }: { actor: string | SQL }, { investigation }: AskedPart): SQL =>
  whenMember(investigation, actor, ...staff);

/** An act of staff alone, for `requireStaff`. */
export const readsOthers = 'read the compliance of others';
