import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Phones and browsers, as they should be at their push service, which follows. */
export const devices = sqliteTable(
  'device',
  {
    id: text().primaryKey(),
    /** Null: nobody owns the phone any more. Its endpoint leaves the relay, then the row is deleted. */
    userId: text('user_id'),
    platform: text().notNull(),
    token: text().notNull(),
    endpoint: text().notNull(),
    /** Null: the phone knows none. */
    timeZone: text('time_zone'),
    /** A language tag (BCP 47). */
    language: text(),
    enabled: integer({ mode: 'boolean' }).notNull().default(true),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** When the phone last registered or was updated. */
    seenAt: integer('seen_at').notNull(),
    /** When the phone first named its zone: the newest change gives the user's zone. */
    zoneSince: integer('zone_since').notNull().default(0),
    /**
     * `taken`: another user has proved to own the phone, and only its own registration brings pushes back. `leaving`: its
     * user deletes it. Once its endpoint has left the relay, the row has no owner.
     */
    status: text({ enum: ['kept', 'taken', 'leaving'] })
      .notNull()
      .default('kept'),
    /** Since when the relay may differ from the row; the sweep repairs that. Null: both agree. */
    changedAt: integer('changed_at'),
  },
  (t) => [
    // Not unique: phones without an owner keep their tokens. Otherwise a token has one owner: one batch takes it from all.
    index('device_by_token').on(t.token, t.platform),
    index('device_by_change').on(t.changedAt).where(sql`changed_at is not null`),
    // Events of the relay name only the endpoint. Devices are rarely written.
    index('device_by_endpoint').on(t.endpoint),
    index('device_by_user').on(t.userId, t.enabled, t.zoneSince).where(sql`user_id is not null`),
    // The metrics count disabled phones. Enabled phones write no row here.
    index('device_disabled').on(t.platform).where(sql`enabled = 0 and user_id is not null`),
  ],
);

/** In SQL: the phone has this status. An `=` with a parameter would be compared with the condition of each partial index. */
export const hasStatus = (status: (typeof devices.$inferSelect)['status']) =>
  sql`${devices.status} is ${status}`;

/** The phone gets pushes. The value is not a parameter: see {@link compiledOnce}. */
export const isEnabled = sql`${devices.enabled} = 1`;

/**
 * Handled messages of the relay, so that a repeated message changes nothing. They are few, and purged after the hour in
 * which the relay repeats them, without an index.
 */
export const relayMessages = sqliteTable('relay_message', {
  messageId: text('message_id').primaryKey(),
  at: integer().notNull(),
});
