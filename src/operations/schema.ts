import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

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
