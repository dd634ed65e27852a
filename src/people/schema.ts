import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/*
 * Instants are epoch milliseconds, dates YYYY-MM-DD, wall times HH:MM, identifiers 32 hexadecimal digits.
 * Tables whose key is not `id` are WITHOUT ROWID (added to the generated migration by hand: drizzle-kit has
 * no word for it), which saves a row written for each insert.
 */

/** People, with an account of the provider or a token of the service; and programs, with a token of the service. */
export const users = sqliteTable(
  'user',
  {
    id: text().primaryKey(),
    /** Null once the user is deleted, so that the same person may sign up again, and once the token of a program is ended. */
    issuer: text(),
    subject: text(),
    email: text(),
    /** When a token proved the address (epoch ms): if two users show the same address, the later proof wins. */
    emailProvedAt: integer('email_proved_at').notNull().default(0),
    name: text().notNull(),
    timeZone: text('time_zone'),
    customRemindersTime: text('custom_reminders_time'),
    pausedUntil: integer('paused_until'),
    /** Wall times, both or neither: nothing is pushed from one to the other, which may be past midnight. */
    quietFrom: text('quiet_hours_start'),
    quietTo: text('quiet_hours_end'),
    /** A language tag: of phones that are registered without one. */
    language: text(),
    /** The code that made this user a participant. */
    enrolmentId: text('enrolment_id'),
    /** Of a program: the owner who made its token, which ends for good when they are an owner no more. */
    madeBy: text('made_by'),
    /** Of a program: when its token expires. */
    expiresAt: integer('expires_at'),
    /** When the name last changed: items of other people show it. */
    namedAt: integer('named_at').notNull().default(0),
    /** The number of studies that the user created, which may be limited. */
    studyCount: integer('study_count').notNull().default(0),
    /** When the user last made a request, to the hour. */
    seenAt: integer('seen_at'),
    createdAt: integer('created_at').notNull(),
    deletedAt: integer('deleted_at'),
  },
  (t) => [
    uniqueIndex('user_by_token').on(t.issuer, t.subject),
    index('user_by_email').on(t.email).where(sql`email is not null`),
  ],
);
