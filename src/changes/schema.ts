import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { OwnProperties } from '../permissions/groups.ts';

/** A thing of a study. Identifiers: a user's for a member, the study's own for the study. */
export const changeKinds = ['study', 'case', 'response', 'survey', 'member'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The state of a thing after its latest change: `locked` before `archived`; a frozen study is locked. */
export const changeStates = ['active', 'locked', 'archived', 'deleted', 'removed'] as const;
export type ChangeState = (typeof changeStates)[number];

/** In SQL: somebody has left the study of the change; the index and its queries share this text. */
export const isFormerMember = "state = 'removed' and kind = 'member'";

/**
 * The latest change of each thing of a study, in the order of the study's sequence. Triggers keep it, so that no write
 * can leave it out. Rows stay as long as the study, so that copies learn of deletions.
 */
export const changes = sqliteTable(
  'change',
  {
    investigationId: text('investigation_id').notNull(),
    /** From 1; a change takes the next number of the study, and gives up its thing's earlier one. */
    sequence: integer().notNull(),
    kind: text({ enum: changeKinds }).notNull(),
    identifier: text().notNull(),
    state: text({ enum: changeStates }).notNull(),
    at: integer().notNull(),
    /** Null for members. */
    revisionId: text('revision_id'),
    /** The properties that a former member, or a case or a response that is purged, had. */
    properties: text({ mode: 'json' }).$type<OwnProperties>(),
  },
  (t) => [
    primaryKey({ columns: [t.investigationId, t.sequence] }),
    uniqueIndex('change_of').on(t.identifier, t.investigationId, t.kind),
    // Members who have left, in the order of members: only those cost an index row.
    index('former_member').on(t.investigationId, t.identifier).where(sql.raw(isFormerMember)),
  ],
);
