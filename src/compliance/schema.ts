import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Counts of a survey's notifications by outcome, over all users, by the date on which they were due; and once more for each
 * combination of properties. Triggers on the table of notifications count changes; counts of purged notifications stay.
 */
export const surveyCompliance = sqliteTable(
  'survey_compliance',
  {
    surveyId: text('survey_id').notNull(),
    /** As `notification.properties`; empty: of everybody. */
    properties: text().notNull(),
    date: text().notNull(),
    outcome: text().notNull(),
    n: integer().notNull(),
    shown: integer().notNull(),
    opened: integer().notNull(),
    answered: integer().notNull(),
    answeredLate: integer('answered_late').notNull(),
  },
  (t) => [primaryKey({ columns: [t.surveyId, t.properties, t.date, t.outcome] })],
);

/** One notification: the numbers are 1 or 0. */
type Purged = [
  date: string,
  outcome: string,
  shown: number,
  opened: number,
  answered: number,
  answeredLate: number,
];

/** The purged notifications of a user, a survey and a month, so that they still count. */
export const participantCompliance = sqliteTable(
  'participant_compliance',
  {
    userId: text('user_id').notNull(),
    surveyId: text('survey_id').notNull(),
    /** YYYY-MM */
    month: text().notNull(),
    counts: text({ mode: 'json' }).$type<Purged[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.surveyId, t.month] })],
);
