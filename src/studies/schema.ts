import { type SQL, sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  sqliteView,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { GivenProperties, OwnProperties, Property, PropertyRule } from '../permissions/groups.ts';
import { roles } from '../permissions/roles.ts';

/** Columns of studies and surveys, which clients may create under an identifier of their choice. */
export const creation = {
  /** The latest revision, for `If-Match`. */
  revisionId: text('revision_id').notNull(),
  /** SHA-256 of the first content, so that a repeated creation is recognised after an edit. */
  createdHash: text('created_hash').notNull(),
};

/** Information of a study for people who join: a text of each language, by its tag. */
export type Information = Readonly<Record<string, InformationText>>;

export interface InformationText {
  title: string;
  text: string;
  contact: string;
}

export interface LockPolicy {
  /** `viewers`: everyone who sees an item. */
  unlock: 'viewers' | 'owners';
  /** Locking, unlocking, freezing and reviews of the log need a signature. */
  signature: boolean;
  /** For items of groups, before the fields above; the strictest of several that fit. Absent: none. */
  groups?: readonly GroupPolicy[] | undefined;
}

export interface GroupPolicy {
  properties: PropertyRule;
  unlock?: LockPolicy['unlock'] | undefined;
  signature?: boolean | undefined;
}

/** The declared dates and properties of a study's members, and how long each of them takes part. */
export interface Course {
  /** Names. */
  dates: readonly string[];
  /** Days from joining on; null: without an end. */
  participationDays: number | null;
  /** Epoch ms: when the number of days was changed last; 0: never. */
  since: number;
  /** Absent: none. */
  properties?: readonly Property[];
}

/**
 * A member's dates by name; null: it was taken away. Instants are epoch ms: when it was set, and as of when, which is before that for an answer of a
 * phone that was offline.
 */
export type OwnDates = Readonly<Record<string, readonly [date: string | null, at: number, asOf: number]>>;

/** A member's own time in a study; without bounds that of the study. */
export interface OwnParticipation {
  from?: string | undefined;
  until?: string | undefined;
  /** Epoch ms: when it was set. */
  at: number;
}

/** Of a participant, what they wrote on a day: its number by UTC, times {@link writtenDay}, plus the bytes. */
const written = () => integer().notNull().default(0);

/** More bytes than anybody writes on a day. */
export const writtenDay = 100_000_000_000;

/** Studies, with the counts that their limits need. */
export const investigations = sqliteTable('investigation', {
  id: text().primaryKey(),
  name: text().notNull(),
  timeZone: text('time_zone').notNull(),
  startsOn: text('starts_on').notNull(),
  createdAt: integer('created_at').notNull(),
  archivedAt: integer('archived_at'),
  /** The user whose `study_count` includes the study. */
  creatorId: text('creator_id').notNull(),
  /** Permission to unlock, and whether locks and freezes are signed; null is the default. */
  lockPolicy: text('lock_policy', { mode: 'json' }).$type<LockPolicy>(),
  /** Null: none, which is never an empty object. */
  information: text({ mode: 'json' }).$type<Information>(),
  /** Null: no declared dates, and no end. */
  course: text({ mode: 'json' }).$type<Course>(),
  /** Triggers refuse every change of a frozen study's cases, responses and surveys. */
  frozenAt: integer('frozen_at'),
  /** Groups whose cases and responses are refused in the same way, while the rest of the study goes on. Null: none. */
  frozenGroups: text('frozen_groups', { mode: 'json' }).$type<readonly PropertyRule[]>(),
  /** The number of the feed at which somebody's or something's properties changed last: copies of a part begin again. */
  regrouped: integer().notNull().default(0),
  /** Creation, or the latest return from the archive: reminders due before it do not exist. */
  activeSince: integer('active_since').notNull(),
  /** Its cases that are not deleted. Writes keep it and the following counts, by `grow`. */
  caseCount: integer('case_count').notNull().default(0),
  /** Kept by the triggers of the feed. */
  memberCount: integer('member_count').notNull().default(0),
  /** The last number that a member got: all who enrol by a code get one, others when a label needs it. */
  enrolledCount: integer('enrolled_count').notNull().default(0),
  ...creation,
  /** Bytes of its cases, surveys, responses, their revisions and long details of its log, without what is deleted. */
  storedBytes: integer('stored_bytes').notNull().default(0),
  /** Bytes of its deleted cases and responses, until they are purged. */
  deletedBytes: integer('deleted_bytes').notNull().default(0),
  /** The bytes that its participants wrote on a day, all of them together. */
  written: written(),
  /** Bytes of its notifications that are kept, as of the last hourly look at the study. */
  notifiedBytes: integer('notified_bytes').notNull().default(0),
  /** Bytes of the largest response ever: if a whole page fits at this size per row, its rows need no measuring. */
  largestResponse: integer('largest_response').notNull().default(0),
});

/** Of a membership. */
const membership = () => ({
  investigationId: text('investigation_id').notNull(),
  userId: text('user_id').notNull(),
  role: text({ enum: roles }).notNull(),
  createdAt: integer('created_at').notNull(),
  /** The member's own pause of this study's reminders. */
  pausedUntil: integer('paused_until'),
  /**
   * When the member began to take part: responders at once, owners and editors with a phone, or a download of the study.
   * Null: they do not. Reminders due before it do not exist. Triggers keep it, but for a change of the role.
   */
  participantSince: integer('participant_since'),
  /** The address of the invitation that they accepted. */
  invitedAs: text('invited_as'),
  /** The hash of the information under which the member enrolled. */
  agreedTo: text('agreed_to'),
  /**
   * The local date on which the member began to take part. Null: by UTC, of staff who take part since they registered a
   * phone.
   */
  joinedOn: text('joined_on'),
  dates: text({ mode: 'json' }).$type<OwnDates>(),
  /** Null: that of the study. */
  participation: text({ mode: 'json' }).$type<OwnParticipation>(),
  /** Null: none. */
  properties: text({ mode: 'json' }).$type<OwnProperties>(),
  /** Of editors and monitors: the part of the study that they see. Null: all of it. */
  scope: text({ mode: 'json' }).$type<PropertyRule>(),
  /** From 1 in each study, for labels without a name: see `enrolledCount`. Null until it is needed. */
  number: integer(),
});

/** In SQL: the local date on which the member of a row began to take part; null: they do not. */
export const joinedOn = (member: 'm' | 'current_member') =>
  sql.raw(
    `iif(${member}.participant_since is null, null, coalesce(${member}.joined_on, date(${member}.participant_since / 1000, 'unixepoch')))`,
  ) as SQL<string | null>;

/** Members of studies, deleted ones included: everything that people see goes through `members`. */
export const allMembers = sqliteTable('member', { ...membership(), written: written() }, (t) => [
  primaryKey({ columns: [t.investigationId, t.userId] }),
  // With all that a plan depends on, so that planning and deliveries read the index alone.
  index('member_by_user').on(
    t.userId,
    t.investigationId,
    t.participantSince,
    t.pausedUntil,
    t.joinedOn,
    t.dates,
    t.participation,
    t.properties,
  ),
  // A user's pauses, without reading all their studies. Only members who have paused a study are in it.
  index('member_paused').on(t.userId).where(sql`paused_until is not null`),
  // Only the few owners and editors are in it: participants cost no index row. With all that the list of a
  // role reads the index alone.
  index('member_staff')
    .on(
      t.investigationId,
      t.role,
      t.userId,
      t.invitedAs,
      t.agreedTo,
      t.dates,
      t.participation,
      t.properties,
      t.scope,
    )
    .where(sql`role <> 'responder'`),
]);

/**
 * The codes that studies give people. A code outlasts the membership, as responses do, so that no code names two people.
 * Deleting the user deletes their codes.
 */
export const memberCodes = sqliteTable(
  'member_code',
  {
    userId: text('user_id').notNull(),
    investigationId: text('investigation_id').notNull(),
    code: text().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.investigationId] }),
    uniqueIndex('member_code_in_study').on(t.investigationId, t.code),
  ],
);

/**
 * Studies that an owner has deleted. Their rows stay until they are purged; all of them are archived, so that nothing
 * new is created and nothing is planned in them.
 */
export const deletedStudies = sqliteTable(
  'deleted_study',
  {
    investigationId: text('investigation_id').primaryKey(),
    at: integer().notNull(),
    /** The last user whose notifications are purged. */
    purgedThrough: text('purged_through').notNull().default(''),
  },
  (t) => [index('deleted_study_by_age').on(t.at)],
);

/** Memberships. A deleted study has no members here, so nobody sees anything of it. */
export const members = sqliteView('current_member', membership()).as(
  sql`select investigation_id, user_id, role, created_at, paused_until, participant_since, invited_as, agreed_to, joined_on, dates, participation, properties, scope, number from member where not exists (
    select 1 from deleted_study where deleted_study.investigation_id = member.investigation_id)`,
);

/** How long an invitation waits. */
export const invitationLifetimeMs = 30 * 24 * 3600 * 1000;

/** Invitations to a study by an e-mail address, until they are accepted or end. */
export const invitations = sqliteTable(
  'invitation',
  {
    email: text().notNull(),
    investigationId: text('investigation_id').notNull(),
    role: text({ enum: roles }).notNull(),
    invitedBy: text('invited_by').notNull(),
    createdAt: integer('created_at').notNull(),
    /** The code that the new member will have. An open invitation reserves it. */
    code: text(),
    properties: text({ mode: 'json' }).$type<GivenProperties>(),
    scope: text({ mode: 'json' }).$type<PropertyRule>(),
  },
  (t) => [
    primaryKey({ columns: [t.email, t.investigationId] }),
    // With the date, so that open invitations are counted by the index alone.
    index('invitation_by_investigation').on(t.investigationId, t.createdAt),
    index('invitation_by_inviter').on(t.invitedBy, t.email, t.createdAt),
    // For the purge of expired invitations. Invitations are rarely written.
    index('invitation_by_age').on(t.createdAt),
    index('invitation_by_code').on(t.investigationId, t.code).where(sql`code is not null`),
  ],
);
