import { eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import type { enrolments } from '../enrolment/schema.ts';
import { Problem } from '../errors.ts';
import { sha256 } from '../identifiers.ts';
import type { webhooks } from '../webhooks/schema.ts';
import type { investigations } from './schema.ts';
import type { surveys } from './survey-schema.ts';

/*
 * Studies, surveys, webhooks and codes: clients may create them under an identifier of their choice, and repeat the
 * request after a lost answer.
 */

type Revised = typeof investigations | typeof surveys;
type Creatable = Revised | typeof webhooks | typeof enrolments;

const nouns = {
  investigation: 'study',
  survey: 'survey',
  webhook: 'webhook',
  enrolment: 'enrolment',
} as const;

/** A digest of the creator and the content. A survey has up to a megabyte, so it is not stored twice. */
export const hashOfCreation = (content: { actor: string; in?: string; given: object }) =>
  sha256(JSON.stringify(content));

/** The digest of the resource with this identifier, also of one that the caller may not see. */
export const selectCreation = (db: Database, table: Creatable, id: string) =>
  db
    .select({ createdHash: sql<string>`${table.createdHash}`.as('created_hash') })
    .from(table)
    .where(eq(table.id, id));

/** Another resource has the identifier, visible to the caller or not: both get the same answer. */
export const identifierTaken = (noun: keyof typeof nouns) =>
  new Problem('identifier.taken', `Another ${nouns[noun]} has this identifier: choose a new one.`);

/** In SQL: a new revision; or null, which fails the batch, if the row is no longer at the revision that was read. */
export const nextRevision = (table: Revised, before: { revisionId: string }, revision: string) =>
  sql`case when ${table.revisionId} = ${before.revisionId} then ${revision} end`;
