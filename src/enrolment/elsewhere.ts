import { type SQL, sql } from 'drizzle-orm';
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core';
import { Problem } from '../errors.ts';

type Value = string | AnySQLiteColumn;

/**
 * In SQL: a person belongs to another study as well, be it archived or deleted, or has left answers or cases there, which
 * their export shows: a new token of theirs would open all of that. The two ranges keep SQLite off the answers to this study.
 */
export const isElsewhere = (user: Value, investigation: Value): SQL =>
  sql`(exists (select 1 from member other where other.user_id = ${user} and other.investigation_id <> ${investigation})
    or exists (select 1 from study_case made where made.creator_id = ${user} and made.investigation_id <> ${investigation})
    or exists (select 1 from response given where given.responder_id = ${user} and given.investigation_id < ${investigation})
    or exists (select 1 from response given where given.responder_id = ${user} and given.investigation_id > ${investigation}))`;

export const elsewhere = () =>
  new Problem(
    'member.elsewhere',
    'This participant belongs, or belonged, to another study as well, which a new token would open, too.',
  );
