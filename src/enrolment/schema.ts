import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { GivenProperties } from '../permissions/groups.ts';
import type { OwnParticipation } from '../studies/schema.ts';

/** Uses of a code, by hours since the Unix epoch: of the last hours alone, so that a code of 100,000 uses stays small. */
export type UsesByHour = Readonly<Record<string, number>>;

/** Codes by which people take part without an account, and codes that give a participant a new token. */
export const enrolments = sqliteTable(
  'enrolment',
  {
    id: text().primaryKey(),
    investigationId: text('investigation_id').notNull(),
    /** From 1 in each study. No row goes before its study does, so it counts them. Null: a code for `userId`. */
    number: integer(),
    /** Twelve characters of Crockford's alphabet. */
    code: text().notNull(),
    label: text(),
    uses: integer().notNull(),
    used: integer().notNull().default(0),
    usesByHour: text('uses_by_hour', { mode: 'json' }).$type<UsesByHour>().notNull().default({}),
    /** The dates and the time of the participants who use it. */
    dates: text({ mode: 'json' }).$type<Readonly<Record<string, string>>>(),
    participation: text({ mode: 'json' }).$type<Omit<OwnParticipation, 'at'>>(),
    properties: text({ mode: 'json' }).$type<GivenProperties>(),
    expiresAt: integer('expires_at'),
    endedAt: integer('ended_at'),
    /** The participant who gets a new token; null: everybody who uses the code is a new participant. */
    userId: text('user_id'),
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    createdHash: text('created_hash').notNull(),
  },
  (t) => [
    uniqueIndex('enrolment_by_code').on(t.code),
    index('enrolment_by_study').on(t.investigationId, t.number),
    index('enrolment_of_user').on(t.userId).where(sql`user_id is not null`),
  ],
);
