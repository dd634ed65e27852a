import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The outbox of plans to make: one user's (`investigation` is the study that the user has left, if any), or those of a
 * study's users after `after`.
 */
export const replans = sqliteTable('replan', {
  id: text().primaryKey(),
  userId: text('user_id'),
  investigationId: text('investigation_id'),
  after: text().notNull().default(''),
  /** When the row was written or last made progress: the sweep resumes rows without recent progress. */
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
  /** The language of the translation that was sent. */
  language?: string;
}

/**
 * The form of settled notifications, in half the bytes. Device and message are base64 of their 16 bytes; identifiers of
 * another form stand as they are behind `=`. An error stands behind `!`.
 */
export type StoredDelivery = [
  device: string,
  platform: string,
  afterDueMs: number,
  result: string,
  language?: string,
];

/** Finished pushes have the second form. */
export type Deliveries = Delivery[] | StoredDelivery[];

/** The result of a later push of an occurrence: a nudge, or a snooze that the phone requested. */
export interface FollowUpRecord {
  kind: 'nudge' | 'snooze';
  dueAt: string;
  /** When the push was sent, skipped or given up. */
  at: string;
  state: 'retrying' | 'sent' | 'failed' | 'skipped';
  reason?: string;
  /** Absent beside deliveries: one. */
  attempts?: number;
  deliveries?: Deliveries;
}

/**
 * Pending and past notifications. The key is the occurrence, so that planning one again is a no-op and nothing is sent
 * twice. Of a user and a survey at most one row is pending, the last by key.
 */
export const notifications = sqliteTable(
  'scheduled_notification',
  {
    userId: text('user_id').notNull(),
    surveyId: text('survey_id').notNull(),
    revision: integer().notNull(),
    /** The date and the slot, in the form of `occurrenceKey`. */
    key: text('occurrence').notNull(),
    counter: integer().notNull(),
    dueAt: integer('due_at').notNull(),
    /** The time of the next attempt, until settled: `due_at`, or later after a retry of the relay or in quiet hours. */
    nextAttemptAt: integer('next_attempt_at').notNull(),
    timeZone: text('time_zone').notNull(),
    attempts: integer().notNull().default(0),
    settledAt: integer('settled_at'),
    state: text({ enum: settledStates }),
    reason: text(),
    deliveries: text({ mode: 'json' }).$type<Deliveries>(),
    /**
     * The stamps of the user and the survey, and the release of the zone rules, that the plan was made from: while they
     * are the same, so is the plan. Null once settled.
     */
    plannedFrom: text('planned_from'),
    /** For sent notifications: the later pushes, and when the next one is due. Null without any. */
    followUps: text('follow_ups', { mode: 'json' }).$type<FollowUpRecord[]>(),
    nextFollowUpAt: integer('next_follow_up_at'),
    /** For sent notifications: when the first push is retried for phones that do not have it. Null: no more retries. */
    retryAt: integer('retry_at'),
    /** The time of the snooze that the phone requested. */
    snoozedUntil: integer('snoozed_until'),
    /** The earliest receipt of each kind. */
    shownAt: integer('shown_at'),
    openedAt: integer('opened_at'),
    dismissedAt: integer('dismissed_at'),
    /** When the user gave the first response that belongs to it, which may be before it was due. */
    answeredAt: integer('answered_at'),
    /** 1: that was later than `answerWithin` allowed then. */
    answeredLate: integer('answered_late'),
    /** The outcome that compliance counts: `sent`, `failed` or `skipped:<reason>`; null while it does not count. */
    outcome: text().generatedAlwaysAs(
      sql`iif(state = 'skipped', 'skipped:' || coalesce(reason, 'unknown'), nullif(state, 'invalidated'))`,
      { mode: 'virtual' },
    ),
    /** Of triggered reminders, whose key ends with a response: the digits of it that the identifier has. */
    responseEnd: text('response_end').generatedAlwaysAs(
      sql`iif(length(occurrence) > 14, substr(occurrence, -9), null)`,
      { mode: 'virtual' },
    ),
    /** When a delivery next handles the row: the earliest of the times above that apply. Null: never again. */
    nextAt: integer('next_at').generatedAlwaysAs(
      sql`case when settled_at is null then next_attempt_at
        else coalesce(min(next_follow_up_at, retry_at), next_follow_up_at, retry_at) end`,
    ),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.surveyId, t.revision, t.key] }),
    // Finished rows are not in it, so that only upcoming ones cost another row written.
    index('notification_due').on(t.nextAt).where(sql`next_at is not null`),
    // The occurrence of a response, in whatever revision: only triggered ones are in it.
    index('notification_of_response').on(t.responseEnd).where(sql`response_end is not null`),
  ],
);

/**
 * The latest zones of users, and of studies for users who have none of their own. Of each at most a hundred are kept, so
 * that nobody's travels pile up.
 */
export const zoneChanges = sqliteTable(
  'zone_change',
  {
    /** A user or a study. */
    ofId: text('of_id').notNull(),
    position: integer().notNull(),
    since: integer().notNull(),
    /** Null: the user has none, so that the study's counts. */
    timeZone: text('time_zone'),
    source: text({ enum: ['device', 'user', 'study'] }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.ofId, t.position] })],
);
