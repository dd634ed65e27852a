import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * The relay's messages that were acted on, so that one sent again changes nothing. They are few, and purged
 * after the hour in which the relay repeats them, without an index.
 */
export const relayMessages = sqliteTable('relay_message', {
  messageId: text('message_id').primaryKey(),
  at: integer().notNull(),
});

/**
 * Endpoints that no device has any more, until the hourly work finds them gone from the relay. They are few, and have no
 * index.
 */
export const leavingEndpoints = sqliteTable('leaving_endpoint', {
  endpoint: text().primaryKey(),
  notedAt: integer('noted_at').notNull(),
});

/** Chunks of users whose planning failed for good, kept until an operator replays them. */
export const deadLetters = sqliteTable('dead_letter', {
  id: text().primaryKey(),
  users: text({ mode: 'json' }).$type<string[]>().notNull(),
  at: integer().notNull(),
});

/** Counters, each named as Prometheus writes it, labels included. */
export const metrics = sqliteTable('metric', {
  name: text().primaryKey(),
  value: real().notNull(),
});

/** When a periodic job last ran, and where the next slice of its walk begins. */
export const jobRuns = sqliteTable('job', {
  name: text().primaryKey(),
  ranAt: integer('ran_at').notNull(),
  after: text().notNull().default(''),
});

/** What is left to do after an upgrade of the zone rules. */
export interface ZoneUpgrade {
  /** The release that plans are made with now. */
  release: string;
  /** When it began, epoch ms. */
  since: number;
  /** The zones whose rules changed. */
  zones: readonly string[];
  /** The last pending notification of the pages that are done. */
  after: readonly [nextAttemptAt: number, user: string, survey: string];
  /** The second pass, for what a process of the old release planned behind the first. */
  confirming: boolean;
  /** When to continue, epoch ms. */
  resumesAt: number;
}

/** One row: the rules of every time zone that pending notifications are planned with, and the upgrade in progress. */
export const zoneRules = sqliteTable('zone_rules', {
  id: integer().primaryKey(),
  release: text().notNull(),
  /** Grows with each write, so that of two runs at once only one continues. */
  step: integer().notNull(),
  upgrade: text({ mode: 'json' }).$type<ZoneUpgrade>(),
  /** Epoch ms: what the zones' rules are from this instant on. */
  since: integer().notNull(),
  /** By name, as text that differs when the clocks do. */
  rules: text({ mode: 'json' }).$type<Record<string, string>>().notNull(),
});
