import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ChangeKind } from '../changes/schema.ts';

/** A webhook that fails is active: `failingSince` says so. */
const webhookStatuses = ['active', 'paused', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** A call, as the list of deliveries shows it. Times: epoch ms. */
export interface WebhookCall {
  /** The header `webhook-id`. */
  id: string;
  at: number;
  /** Null: no answer. */
  status: number | null;
  /** Milliseconds until the answer, or until there was none. */
  ms: number;
  /** Why the call does not count as received. */
  error?: string;
  /** How many changes it named; a test names none. */
  changes: number;
}

/** A cursor over the changes of a study, which moves whenever its receiver answers 2xx. */
export const webhooks = sqliteTable(
  'webhook',
  {
    id: text().primaryKey(),
    investigationId: text('investigation_id').notNull(),
    url: text().notNull(),
    /** Null: every kind. */
    kinds: text({ mode: 'json' }).$type<ChangeKind[]>(),
    secret: text().notNull(),
    /** Signs too until `previousUntil`. */
    previousSecret: text('previous_secret'),
    previousUntil: integer('previous_until'),
    /** The sequence of the last change that was received, or passed over for its kind. */
    position: integer().notNull(),
    status: text({ enum: webhookStatuses }).notNull().default('active'),
    /** Calls in a row that were not received. */
    failures: integer().notNull().default(0),
    failingSince: integer('failing_since'),
    /** When to call next; the end of a call under way. Null: a change sets it (trigger), or nothing does. */
    nextAttemptAt: integer('next_attempt_at'),
    /** The header `webhook-id` of the changes up to `batchThrough`, as long as they are not received. */
    batchId: text('batch_id'),
    batchThrough: integer('batch_through'),
    /** The last time changes were read to be sent. */
    calledAt: integer('called_at'),
    /** The last test or replay. */
    askedAt: integer('asked_at'),
    /** The last calls, newest first. */
    calls: text({ mode: 'json' }).$type<WebhookCall[]>().notNull().default([]),
    createdAt: integer('created_at').notNull(),
    createdHash: text('created_hash').notNull(),
  },
  (t) => [
    index('webhook_by_study').on(t.investigationId, t.id),
    index('webhook_due').on(t.nextAttemptAt).where(sql`next_attempt_at is not null`),
    // For the trigger of each change: a webhook that waits for one. The first change of many takes it out.
    index('webhook_idle').on(t.investigationId).where(sql`next_attempt_at is null and status = 'active'`),
  ],
);
