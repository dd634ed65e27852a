import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** The statement that somebody signs with a lock, an unlock or a freeze, after a fresh sign-in. */
export interface Signature {
  name: string;
  meaning: string;
  at: string;
}

/** The user whose membership an entry is about; the index and its queries share this text. */
export const memberOfEntry = "case when json_valid(details) then details ->> '$.member' end";

/** In SQL: entries about a membership; the index and its queries share this text. */
export const isOfMember =
  "action in ('member.added', 'member.removed', 'member.role-changed', 'member.code-changed', 'member.relinked')";

/** In SQL: the entry gives or takes a role of staff; the index and its queries share this text. */
export const isOfStaff = `${isOfMember} and case when json_valid(details) then
  coalesce(details ->> '$.before.role', '') in ('owner', 'editor', 'monitor') or coalesce(details ->> '$.after.role', '') in ('owner', 'editor', 'monitor') end`;

/** The survey that an entry is about; the index and its queries share this text. */
export const surveyOfEntry = "case when json_valid(details) then details ->> '$.survey' end";

/** In SQL: the entry changes the items of a survey; the index and its queries share this text. */
export const changesItems = `action in ('survey.changed', 'survey.reminders-changed') and case when json_valid(details) then
  details -> '$.before.items' is not null end`;

/**
 * The activity log of a study, append-only and chained by `hash`. Its key makes it the study's optimistic lock too: of
 * two writers that read the same head one fails, and reads again.
 */
export const activities = sqliteTable(
  'activity',
  {
    investigationId: text('investigation_id').notNull(),
    position: integer().notNull(),
    id: text().notNull(),
    at: integer().notNull(),
    actorId: text('actor_id').notNull(),
    action: text().notNull(),
    cases: text({ mode: 'json' }).$type<string[]>().notNull(),
    responses: text({ mode: 'json' }).$type<string[]>().notNull(),
    reason: text(),
    /** Other changes: the survey or member, and its fields `before` and `after`. */
    details: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    signature: text({ mode: 'json' }).$type<Signature>(),
    hash: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.investigationId, t.position] }),
    // By identifier, to find the items of an entry. Entries are far fewer than their items.
    index('activity_of_items')
      .on(t.id)
      .where(
        sql`action in ('items.locked', 'items.unlocked', 'items.archived', 'items.restored', 'items.deleted')`,
      ),
    // The newest review. Reviews are few.
    index('activity_of_reviews').on(t.investigationId, t.position).where(sql`action = 'log.reviewed'`),
    // Actions of one user, and actions of others on the user's membership, for the user's own export.
    index('activity_by_actor').on(t.actorId, t.investigationId, t.position),
    index('activity_of_member')
      .on(sql.raw(memberOfEntry), t.investigationId, t.position)
      .where(sql.raw(isOfMember)),
    // Changes of a survey's items, for those of an earlier time. They are few.
    index('activity_of_survey')
      .on(t.investigationId, sql.raw(surveyOfEntry), t.position)
      .where(sql.raw(changesItems)),
    // Signed locks, for lists of items: without it SQLite reads the whole of every long entry that it compares on its way.
    index('activity_signed').on(t.investigationId, t.position).where(sql`signature is not null`),
    // Staff of all times: participants cost no index row.
    index('activity_of_staff')
      .on(t.investigationId, sql.raw(memberOfEntry), t.position)
      .where(sql.raw(isOfStaff)),
  ],
);

/**
 * The items of an entry that has too many to name them itself: sorted identifiers, a thousand per row. `first` is the
 * row's first identifier, and finds the row of an item.
 */
export const activityItems = sqliteTable(
  'activity_item',
  {
    investigationId: text('investigation_id').notNull(),
    position: integer().notNull(),
    kind: text({ enum: ['cases', 'responses'] }).notNull(),
    first: text().notNull(),
    ids: text({ mode: 'json' }).$type<string[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.investigationId, t.position, t.kind, t.first] })],
);

/** Days, by UTC, on which staff made requests about a study. */
export const accessDays = sqliteTable(
  'access_day',
  {
    investigationId: text('investigation_id').notNull(),
    userId: text('user_id').notNull(),
    day: text().notNull(),
    /** The first request that a process knew of. */
    firstAt: integer('first_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.investigationId, t.userId, t.day] }),
    // For a person's export, and for their deletion. It is written once a day.
    index('access_day_by_user').on(t.userId),
  ],
);
