import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The outbox of plans to be made again: one user's (who has left the study, if it has one), or those of a study after `after`. */
export const replans = sqliteTable('replan', {
  id: text().primaryKey(),
  userId: text('user_id'),
  investigationId: text('investigation_id'),
  after: text().notNull().default(''),
  /** When it was written or last made progress: the sweep resumes what has stood still since. */
  touchedAt: integer('touched_at').notNull(),
});

const settledStates = ['sent', 'skipped', 'failed', 'invalidated'] as const;

/** The last result for one phone, as the history shows it. */
export interface Delivery {
  device: string;
  platform: string;
  at: string;
  messageId?: string;
  error?: string;
  /** Of the translation that it got. */
  language?: string;
}

/**
 * The same as a settled notification keeps it, in half the bytes. Device and message are base64 of their 16 bytes; of
 * another form, they are as they are behind `=`. An error is behind `!`.
 */
export type StoredDelivery = [
  device: string,
  platform: string,
  afterDueMs: number,
  result: string,
  language?: string,
];

/** What became of a later push of an occurrence: a nudge, or a snooze that the phone asked for. */
export interface FollowUpRecord {
  kind: 'nudge' | 'snooze';
  dueAt: string;
  /** When it was decided. */
  at: string;
  state: 'retrying' | 'sent' | 'failed' | 'skipped';
  reason?: string;
  attempts?: number;
  deliveries?: Delivery[];
  /** Of one that is over, in place of `deliveries`; without `attempts` there was one. */
  pushes?: StoredDelivery[];
}

/**
 * Pending and past notifications. The key is the occurrence, so that planning one again is a no-op and
 * nothing is sent twice. Of a user and a survey at most one row is pending, and it is the last by key.
 */
export const notifications = sqliteTable(
  'scheduled_notification',
  {
    userId: text('user_id').notNull(),
    surveyId: text('survey_id').notNull(),
    revision: integer().notNull(),
    /** The date and the slot, as `occurrenceKey` writes them. */
    key: text('occurrence').notNull(),
    counter: integer().notNull(),
    dueAt: integer('due_at').notNull(),
    /** When to attempt it next, until it is settled: `due_at`, or later once the relay asked to wait or in quiet hours. */
    nextAttemptAt: integer('next_attempt_at').notNull(),
    timeZone: text('time_zone').notNull(),
    attempts: integer().notNull().default(0),
    settledAt: integer('settled_at'),
    state: text({ enum: settledStates }),
    reason: text(),
    deliveries: text({ mode: 'json' }).$type<Delivery[]>(),
    /**
     * The stamps of the user and the survey, and the release of the zone rules, that it was planned from: while they are
     * the same, so is the plan. Null once it is settled.
     */
    plannedFrom: text('planned_from'),
    /** Of one that was sent: the pushes after the first, and when the next of them is due. Null without any. */
    followUps: text('follow_ups', { mode: 'json' }).$type<FollowUpRecord[]>(),
    nextFollowUpAt: integer('next_follow_up_at'),
    /** Of one that was sent: when the first push is tried again for phones that do not have it. Null: it is over. */
    retryAt: integer('retry_at'),
    /** When the phone asked for one more push. */
    snoozedUntil: integer('snoozed_until'),
    /** The earliest receipt of each kind. */
    shownAt: integer('shown_at'),
    openedAt: integer('opened_at'),
    dismissedAt: integer('dismissed_at'),
    /** When the user answered the survey first, while this was the last one that had fallen due. */
    answeredAt: integer('answered_at'),
    /** Of a settled notification, in place of `deliveries`. */
    pushes: text({ mode: 'json' }).$type<StoredDelivery[]>(),
    /** What it counts as for compliance: `sent`, `failed` or `skipped:<reason>`; null while it does not count. */
    outcome: text().generatedAlwaysAs(
      sql`iif(state = 'skipped', 'skipped:' || coalesce(reason, 'unknown'), nullif(state, 'invalidated'))`,
      { mode: 'virtual' },
    ),
    /** When a delivery has something to do with it next: the earliest of the times above that count. Null: never again. */
    nextAt: integer('next_at').generatedAlwaysAs(
      sql`case when settled_at is null then next_attempt_at
        else coalesce(min(next_follow_up_at, retry_at), next_follow_up_at, retry_at) end`,
    ),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.surveyId, t.revision, t.key] }),
    // What is over is not in it, so that only what is to come costs a row written more.
    index('notification_due').on(t.nextAt).where(sql`next_at is not null`),
  ],
);
