import { eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { Problem } from '../errors.ts';
import { sha256 } from '../identifiers.ts';
import type { investigations } from './schema.ts';
import type { surveys } from './survey-schema.ts';

/* Studies and surveys, which a client may create under an identifier of its choice, and create again after a lost answer. */

type Creatable = typeof investigations | typeof surveys;

const nouns = { investigation: 'study', survey: 'survey' } as const;

/** Identifies who created what, and with which content. A survey has up to a megabyte, so it is not stored twice. */
export const hashOfCreation = (content: { actor: string; in?: string; given: object }) =>
  sha256(JSON.stringify(content));

/** What the resource of this identifier was created with, also one that the caller may not see. */
export const selectCreation = (db: Database, table: Creatable, id: string) =>
  db
    .select({ createdHash: sql<string>`${table.createdHash}`.as('created_hash') })
    .from(table)
    .where(eq(table.id, id));

/** Another resource has the identifier, or one that the caller may not see: the two are answered alike. */
export const identifierTaken = (noun: keyof typeof nouns) =>
  new Problem('identifier.taken', `Another ${nouns[noun]} has this identifier: choose a new one.`);

/** In SQL: a new revision, or null, which fails the batch, when the row is not at the revision that was read, or
 * the condition fails. */
export const nextRevision = (
  table: Creatable,
  before: { revisionId: string },
  revision: string,
  condition: SQL = sql`1`,
) => sql`case when ${table.revisionId} = ${before.revisionId} and ${condition} then ${revision} end`;
