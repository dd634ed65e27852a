import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/**
 * The cursor of each participant and survey with reminders: what comes next, when to look, and which slice has claimed it. It is the
 * only place of the future. Its key is also that of the participant's download of the survey.
 */
export const cursors = sqliteTable(
  'scheduled_notification',
  {
    userId: text('user_id').notNull(),
    surveyId: text('survey_id').notNull(),
    /** Grows with every change that the plan depends on; a claim draws another one. A plan moves the cursor only where it is still that. */
    version: integer().notNull().default(0),
    /** When to look next: the earliest of the times below, or now, or the end of a slice. Null: nothing will come. */
    nextAt: integer('next_at'),
    /** The end of the slice under way: who has not settled by then has ended without a record. */
    claimedUntil: integer('claimed_until'),
    /** Slices since the last one that was settled. */
    claims: integer().notNull().default(0),
    /** The occurrence that comes next, of this revision of the reminders; null: none. Its key has the form of `occurrenceKey`. */
    id: text(),
    revision: integer(),
    key: text('occurrence'),
    counter: integer(),
    dueAt: integer('due_at'),
    timeZone: text('time_zone'),
    /** The time of its next attempt: `due_at`, or later in quiet hours or after a push that was not accepted. */
    attemptAt: integer('attempt_at'),
    /** The newest notification that is settled and counts. */
    last: text(),
    /** When it is pushed again: the next nudge or snooze, or the first push for phones without it. */
    againAt: integer('again_at'),
    retryAt: integer('retry_at'),
    /** The time of the snooze that the phone requested. */
    snoozedUntil: integer('snoozed_until'),
    /** The notifications that count since the last one with an answer. */
    unanswered: integer().notNull().default(0),
    /** The responses that trigger reminders and are not settled: see `triggers`. */
    triggers: text(),
    /** The first download, and its local date: day 0 of the fixed series, wherever the participant travels later. */
    downloadedAt: integer('downloaded_at'),
    downloadedOn: text('downloaded_on'),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.surveyId] }),
    index('cursor_due').on(t.nextAt).where(sql`next_at is not null`),
  ],
);

/** The last result for one phone. */
export interface Delivery {
  device: string;
  platform: string;
  at: string;
  messageId?: string;
  error?: string;
  /** The language of the translation that was sent. */
  language?: string;
}

/** The result of a later push of an occurrence: a nudge, or a snooze that the phone requested. */
export interface FollowUpRecord {
  kind: 'nudge' | 'snooze';
  dueAt: string;
  /** When the push was sent, skipped or given up. */
  at: string;
  state: 'retrying' | 'sent' | 'failed' | 'skipped';
  reason?: string;
  attempts?: number;
  deliveries?: Delivery[];
}

/** The first push of an occurrence. */
export interface FirstPush {
  kind: 'first';
  /** When it was to be attempted, quiet hours considered. */
  dueAt: string;
  attempts: number;
  deliveries: Delivery[];
}

export type Push = FirstPush | FollowUpRecord;

/**
 * Notifications whose time has come: written as `sending` when a slice begins that may push, settled by its end. The id
 * is made from the occurrence, so that nothing is sent twice under two names.
 */
export const notifications = sqliteTable(
  'notification',
  {
    userId: text('user_id').notNull(),
    dueAt: integer('due_at').notNull(),
    id: text().notNull(),
    surveyId: text('survey_id').notNull(),
    revision: integer().notNull(),
    /** The date and the slot, in the form of `occurrenceKey`. */
    key: text('occurrence').notNull(),
    counter: integer().notNull(),
    timeZone: text('time_zone').notNull(),
    settledAt: integer('settled_at'),
    state: text({ enum: ['sending', 'sent', 'skipped', 'failed', 'invalidated'] }).notNull(),
    reason: text(),
    /** The first push, nudges and snoozes, in order. */
    pushes: text({ mode: 'json' }).$type<Push[]>(),
    /** The earliest receipt of each kind. */
    shownAt: integer('shown_at'),
    openedAt: integer('opened_at'),
    dismissedAt: integer('dismissed_at'),
    /** When the user gave the first response that belongs to it, which may be before it was due. */
    answeredAt: integer('answered_at'),
    /** 1: that was later than `answerWithin` allowed then. */
    answeredLate: integer('answered_late'),
    /** The combination of its person's properties when it was due, as `combinationOf` writes it. Null: none. */
    properties: text(),
    /** The outcome that compliance counts: `sent`, `failed` or `skipped:<reason>`; null while it does not count. */
    outcome: text().generatedAlwaysAs(
      sql`iif(state = 'skipped', 'skipped:' || coalesce(reason, 'unknown'), nullif(nullif(state, 'invalidated'), 'sending'))`,
      { mode: 'virtual' },
    ),
    /** The response that triggered it: the end of the key. */
    responseId: text('response_id').generatedAlwaysAs(
      sql`iif(length(occurrence) > 14, substr(occurrence, 25), null)`,
      { mode: 'virtual' },
    ),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.dueAt, t.id] }),
    uniqueIndex('notification_by_id').on(t.id),
    // A response is reminded of once, in whatever revision: only triggered ones are in it.
    index('notification_of_response').on(t.responseId).where(sql`response_id is not null`),
  ],
);

/** Plans to look at of more pairs of people and surveys than one request may touch: one row for each user, survey or study. */
export const wakes = sqliteTable('wake', {
  /** Its identifier; of everyone another name. */
  id: text().primaryKey(),
  kind: text({ enum: ['user', 'survey', 'study', 'everyone'] }).notNull(),
  /** The last pair that was looked at, in the order of people and surveys. */
  afterUser: text('after_user').notNull().default(''),
  afterSurvey: text('after_survey').notNull().default(''),
  /** When it was written, or may begin. */
  at: integer().notNull(),
  /** Grows when it is written again, and begins anew, so that a walk under way does not end it, and when it fails: the lowest come first. */
  version: integer().notNull().default(0),
});

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
