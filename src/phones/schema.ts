import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

export const devices = sqliteTable(
  'device',
  {
    id: text().primaryKey(),
    /** Null: the phone is nobody's any more. Its endpoint leaves the relay, and then the row goes. */
    userId: text('user_id'),
    platform: text().notNull(),
    token: text().notNull(),
    endpoint: text().notNull(),
    timeZone: text('time_zone').notNull(),
    /** A language tag (BCP 47). */
    language: text(),
    enabled: integer({ mode: 'boolean' }).notNull().default(true),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    /** When the phone last registered or was updated; the newest gives the user's zone. */
    seenAt: integer('seen_at').notNull(),
    /**
     * `taken`: somebody else has shown the phone to be theirs, and only its own registration brings pushes back.
     * `leaving`: its user deletes it. Once its endpoint has left the relay, it is nobody's.
     */
    standing: text({ enum: ['kept', 'taken', 'leaving'] })
      .notNull()
      .default('kept'),
    /** Since when the relay is not known to have what the row says; the sweep sees to it. Null: it has. */
    changedAt: integer('changed_at'),
  },
  (t) => [
    // Not unique: who has a phone is decided in one batch, and a user who lost it may be shown it once more.
    index('device_by_token').on(t.token, t.platform),
    index('device_by_change').on(t.changedAt).where(sql`changed_at is not null`),
    // The relay's events name nothing but the endpoint. Devices are written seldom.
    index('device_by_endpoint').on(t.endpoint),
    index('device_by_user').on(t.userId, t.seenAt),
    // The metrics count what is disabled. A phone that is enabled writes no row here.
    index('device_disabled').on(t.platform).where(sql`enabled = 0 and user_id is not null`),
  ],
);

/** Pushes go to it. The value is no parameter: see {@link compiledOnce}. */
export const isEnabled = sql`${devices.enabled} = 1`;
