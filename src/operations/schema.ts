import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Handled messages of the relay, so that a repeated message changes nothing. They are few, and purged after the hour in
 * which the relay repeats them, without an index.
 */
export const relayMessages = sqliteTable('relay_message', {
  messageId: text('message_id').primaryKey(),
  at: integer().notNull(),
});

/** Counters, each named as Prometheus writes it, labels included. */
export const metrics = sqliteTable('metric', {
  name: text().primaryKey(),
  value: real().notNull(),
});

/** When a periodic job last ran, and where the next slice of its walk begins. */
export const jobRuns = sqliteTable('job_run', {
  name: text().primaryKey(),
  ranAt: integer('ran_at').notNull(),
  after: text().notNull().default(''),
});
