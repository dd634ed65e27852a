import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Answers, Reasons } from './schema.ts';

/**
 * Answers that were right when they were given and have no place any more, until owners or editors place or discard them.
 * No response: lists, counts and the feed know nothing of them.
 */
export const setAsides = sqliteTable(
  'set_aside',
  {
    /** The identifier that the response has once it is placed. */
    id: text().primaryKey(),
    investigationId: text('investigation_id').notNull(),
    surveyId: text('survey_id').notNull(),
    /** The case that the answer was for; it may be of no study at all. */
    caseId: text('case_id').notNull(),
    responderId: text('responder_id').notNull(),
    /** One of the reasons to set an answer aside. */
    reason: text().notNull(),
    /** Emptied once it is placed or discarded. */
    items: text({ mode: 'json' }).$type<Answers>().notNull(),
    reasons: text({ mode: 'json' }).$type<Reasons>().notNull(),
    givenAt: integer('given_at').notNull(),
    notification: text(),
    /** As of a response. */
    occurrence: text(),
    late: integer({ mode: 'boolean' }),
    outdated: integer({ mode: 'boolean' }).notNull(),
    /** When it was received. */
    createdAt: integer('created_at').notNull(),
    /** SHA-256 of the request, so that a repeat is recognised after the answer was placed or discarded. */
    createdHash: text('created_hash').notNull(),
    /** Bytes that it counts for its study. */
    storedBytes: integer('stored_bytes').notNull(),
    /** When it was placed or discarded. The row stays as long as the phone may repeat the request. */
    settledAt: integer('settled_at'),
  },
  (t) => [
    // A study's list of those that wait.
    index('set_aside_by_study').on(t.investigationId, t.settledAt, t.createdAt, t.id),
    // A person's export, and what somebody who has left writes on a day.
    index('set_aside_by_responder').on(t.responderId, t.investigationId, t.createdAt, t.id),
    index('set_aside_settled').on(t.settledAt).where(sql`settled_at is not null`),
  ],
);
