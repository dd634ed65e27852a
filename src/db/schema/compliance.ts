import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/*
 * Compliance is counted by triggers on the table of notifications, so that whatever settles one, or takes it back, counts
 * it in the same statement. The views that they share are in the migration that made them. Counts are JSON: of a month
 * by day and outcome (`14 sent`, `14 skipped:no-device`, `14 shown`), of a tally by outcome.
 */

/** What became of a survey's notifications, of all users: one row for each month that they were due in. */
export const surveyCompliance = sqliteTable(
  'survey_compliance',
  {
    surveyId: text('survey_id').notNull(),
    /** YYYY-MM */
    month: text().notNull(),
    counts: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.surveyId, t.month] })],
);

/**
 * The same for one user, but only what the tallies of their notifications lack, because it came late or they are purged.
 */
export const participantCompliance = sqliteTable(
  'participant_compliance',
  {
    userId: text('user_id').notNull(),
    surveyId: text('survey_id').notNull(),
    month: text().notNull(),
    counts: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.surveyId, t.month] })],
);

/** Users who left their last three notifications of a survey unanswered. Who leaves the study leaves it too. */
export const silentParticipants = sqliteTable(
  'silent_participant',
  { surveyId: text('survey_id').notNull(), userId: text('user_id').notNull() },
  (t) => [primaryKey({ columns: [t.surveyId, t.userId] })],
);

/** Why else a member needs attention, kept by triggers. A pause may have run out. */
export const memberAttention = sqliteTable(
  'member_attention',
  {
    investigationId: text('investigation_id').notNull(),
    reason: text({ enum: ['unreachable', 'paused', 'never-downloaded'] }).notNull(),
    userId: text('user_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.investigationId, t.reason, t.userId] })],
);
