import { sql } from 'drizzle-orm';
import {
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  sqliteView,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';

/*
 * Instants are epoch milliseconds, dates YYYY-MM-DD, wall times HH:MM, identifiers 32 hexadecimal digits.
 * Tables whose key is not `id` are WITHOUT ROWID (added to the generated migration by hand: drizzle-kit has
 * no word for it), which saves a row written for each insert.
 */

export const users = sqliteTable(
  'user',
  {
    id: text().primaryKey(),
    /** Null once the user is deleted, so that the same person may sign up again. */
    issuer: text(),
    subject: text(),
    email: text(),
    /** When a token proved the address (epoch ms): of two users who show the same one, the later has it. */
    emailProvedAt: integer('email_proved_at').notNull().default(0),
    name: text().notNull(),
    timeZone: text('time_zone'),
    customRemindersTime: text('custom_reminders_time'),
    pausedUntil: integer('paused_until'),
    /** Wall times, both or neither: nothing is pushed from one to the other, which may be past midnight. */
    quietFrom: text('quiet_hours_start'),
    quietTo: text('quiet_hours_end'),
    /** When the name last changed: others' items show it. */
    namedAt: integer('named_at').notNull().default(0),
    /** Studies that the user created, which may be limited. */
    studyCount: integer('study_count').notNull().default(0),
    /** Studies that the user is a member of. Kept by triggers, so that the limit costs no counting. */
    membershipCount: integer('membership_count').notNull().default(0),
    /** Grows with every change of what the user's plan depends on; a plan made from an older one is not stored. */
    planStamp: integer('plan_stamp').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    deletedAt: integer('deleted_at'),
  },
  (t) => [
    uniqueIndex('user_by_token').on(t.issuer, t.subject),
    // Of an occurrence's identifier, which holds the end of its user's.
    index('user_by_end').on(sql`substr(id, 21)`),
    index('user_by_email').on(t.email).where(sql`email is not null`),
  ],
);

export const devices = sqliteTable(
  'device',
  {
    id: text().primaryKey(),
    userId: text('user_id').notNull(),
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
    /** The token that the endpoint is being given: another one, or the device's own when it is to be registered again. */
    pendingToken: text('pending_token'),
    /**
     * When a change at the relay began that is not known to have ended. Null once the row says what the relay has; the
     * sweep looks after those that stay.
     */
    relayChangeAt: integer('relay_change_at'),
    /** When somebody else showed the phone to be theirs: from then on only its own registration enables the device. */
    takenAt: integer('taken_at'),
  },
  (t) => [
    uniqueIndex('device_by_token').on(t.platform, t.token),
    index('device_by_pending_token').on(t.pendingToken).where(sql`pending_token is not null`),
    index('device_changing').on(t.relayChangeAt).where(sql`relay_change_at is not null`),
    // The relay's events name nothing but the endpoint. Devices are written seldom.
    index('device_by_endpoint').on(t.endpoint),
    index('device_by_user').on(t.userId, t.seenAt),
    // The metrics count what is disabled. A phone that is enabled writes no row here.
    index('device_disabled').on(t.platform).where(sql`enabled = 0`),
  ],
);

/** Of studies and surveys, which clients may create under an identifier of their choice. */
const creation = {
  /** The latest revision, for `If-Match`; empty before the first change of what 0.1.0 created. */
  revisionId: text('revision_id').notNull().default(''),
  /** SHA-256 of what it was created with, so that a repeated creation is known again after an edit. */
  createdHash: text('created_hash'),
};
export interface LockPolicy {
  /** `viewers`: everyone who sees an item. */
  unlock: 'viewers' | 'owners';
  /** Locking, unlocking and freezing need a signature. */
  signature: boolean;
}

/** What somebody states with a lock, an unlock or a freeze, after a fresh sign-in. */
export interface Signature {
  name: string;
  meaning: string;
  at: string;
}

export const investigations = sqliteTable('investigation', {
  id: text().primaryKey(),
  name: text().notNull(),
  timeZone: text('time_zone').notNull(),
  startsOn: text('starts_on').notNull(),
  createdAt: integer('created_at').notNull(),
  archivedAt: integer('archived_at'),
  /** Whose `study_count` it is in; null of what 0.1.0 created. */
  creatorId: text('creator_id'),
  /** Who may unlock, and whether locks and freezes are signed; null is the default. */
  lockPolicy: text('lock_policy', { mode: 'json' }).$type<LockPolicy>(),
  /** Triggers refuse every change of a frozen study's cases, responses, surveys and locks. */
  frozenAt: integer('frozen_at'),
  /** Creation, or the latest return from the archive: reminders due before it do not exist. */
  activeSince: integer('active_since').notNull(),
  /** Kept by triggers, so that a limit costs no counting. Invitations count as the members that they become. */
  caseCount: integer('case_count').notNull().default(0),
  memberCount: integer('member_count').notNull().default(0),
  surveyCount: integer('survey_count').notNull().default(0),
  ...creation,
  /** Bytes of its cases, surveys, responses, their revisions and long details of its log; kept by triggers too. */
  storedBytes: integer('stored_bytes').notNull().default(0),
  /** Bytes of the largest response there was: what is below it times the rows of a page needs no measuring. */
  largestResponse: integer('largest_response').notNull().default(0),
});

export const roles = ['owner', 'editor', 'responder'] as const;
export type Role = (typeof roles)[number];

/** Also those of deleted studies: what people may see goes by `members`. */
export const allMembers = sqliteTable(
  'member',
  {
    investigationId: text('investigation_id').notNull(),
    userId: text('user_id').notNull(),
    role: text({ enum: roles }).notNull(),
    createdAt: integer('created_at').notNull(),
    /** The member's own pause of this study's reminders. */
    pausedUntil: integer('paused_until'),
  },
  (t) => [
    primaryKey({ columns: [t.investigationId, t.userId] }),
    // With the date and the pause, so that planning and deliveries read the index alone.
    index('member_by_user').on(t.userId, t.investigationId, t.createdAt, t.pausedUntil),
    // A user's pauses, without reading all their studies. Few have one, and nobody else writes a row for it.
    index('member_paused').on(t.userId).where(sql`paused_until is not null`),
    // The few owners and editors among many participants, for whom it writes no row.
    index('member_staff').on(t.investigationId, t.role, t.userId).where(sql`role <> 'responder'`),
  ],
);

/**
 * Studies that an owner has deleted. Their rows stay until they are purged; all of them are archived, so that nothing new
 * is created and nothing is planned in them.
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

/** Who belongs to which study, as everyone sees it: a deleted study has no members, and so nobody sees anything of it. */
export const members = sqliteView('current_member', {
  investigationId: text('investigation_id').notNull(),
  userId: text('user_id').notNull(),
  role: text({ enum: roles }).notNull(),
  createdAt: integer('created_at').notNull(),
  pausedUntil: integer('paused_until'),
}).as(
  sql`select investigation_id, user_id, role, created_at, paused_until from member where not exists (
    select 1 from deleted_study where deleted_study.investigation_id = member.investigation_id)`,
);

export const invitations = sqliteTable(
  'invitation',
  {
    email: text().notNull(),
    investigationId: text('investigation_id').notNull(),
    role: text({ enum: roles }).notNull(),
    invitedBy: text('invited_by').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.email, t.investigationId] }),
    index('invitation_by_investigation').on(t.investigationId),
    // For the purge of what has expired. Invitations are written seldom.
    index('invitation_by_age').on(t.createdAt),
  ],
);

/** What cases and responses share: the state that locking, archiving and deleting change. */
const itemState = {
  createdAt: integer('created_at').notNull(),
  revisionId: text('revision_id').notNull(),
  lockedAt: integer('locked_at'),
  /** The position of the entry that has the lock's signature. */
  lockedIn: integer('locked_in'),
  archivedAt: integer('archived_at'),
  deletedAt: integer('deleted_at'),
  /** The revision at which the state last changed: until the next one, what was shown of it may differ. */
  stateRevision: text('state_revision'),
};

/**
 * The state of an item as a number, within its indexes: whatever a list's filters leave is then a range of an index.
 * `item-lists.ts` has the same text with the name of a table before each column.
 */
export const itemStateIn = (table = '') =>
  `(case when ${table}deleted_at is not null then 4 else (${table}archived_at is not null) * 2 + (${table}locked_at is not null) end)`;
const indexedState = sql.raw(itemStateIn());

export const cases = sqliteTable(
  'study_case',
  {
    id: text().primaryKey(),
    investigationId: text('investigation_id').notNull(),
    creatorId: text('creator_id').notNull(),
    label: text().notNull(),
    hidden: integer({ mode: 'boolean' }).notNull(),
    /** What it was created with, so that a repeated creation is known again after an edit. */
    createdWith: text('created_with').notNull(),
    editedAt: integer('edited_at').notNull(),
    ...itemState,
  },
  (t) => [
    index('case_by_state').on(t.investigationId, indexedState, t.createdAt, t.id),
    // Lists `since`: only what was edited is in it, so that a new case writes no row here.
    index('case_edited').on(t.investigationId, t.editedAt).where(sql`edited_at > created_at`),
    // A responder's own cases, without reading the study's. There are far fewer cases than responses.
    index('case_by_creator').on(t.creatorId, t.investigationId),
    index('case_deleted').on(t.deletedAt).where(sql`deleted_at is not null`),
  ],
);

export const surveys = sqliteTable(
  'survey',
  {
    id: text().primaryKey(),
    investigationId: text('investigation_id').notNull(),
    name: text().notNull(),
    items: text({ mode: 'json' }).$type<SurveyItem[]>().notNull(),
    reminders: text({ mode: 'json' }).$type<StoredReminders>(),
    remindersRevision: integer('reminders_revision').notNull().default(0),
    /** When this revision of the reminders began: occurrences due before it do not exist. */
    remindersSince: integer('reminders_since').notNull(),
    /** Grows with every change of what plans for this survey depend on, like a user's. */
    planStamp: integer('plan_stamp').notNull().default(0),
    createdAt: integer('created_at').notNull(),
    archivedAt: integer('archived_at'),
    /** 64 hexadecimal digits, from which the times within windows are drawn. No answer, export or log has it. */
    windowSecret: text('window_secret'),
    ...creation,
  },
  (t) => [index('survey_by_investigation').on(t.investigationId, t.createdAt, t.id)],
);

export interface SurveyItem {
  identifier: string;
  label: string;
}

export interface StoredReminders {
  type: 'fixed' | 'rolling';
  recurrence: string;
  ends: number | null;
  delay: number | null;
  unlessAnswered: boolean;
  expiresAfter: number;
  windows?: { from: string; to: string; count: number }[] | undefined;
  minGap?: number | undefined;
  notification: { subject: string; body: string };
  /** By language tag. */
  translations?: Record<string, { subject: string; body: string }> | undefined;
  followUps?: { every: number; max: number; stop: 'answered' | 'opened' } | null | undefined;
}

export const downloads = sqliteTable(
  'survey_download',
  {
    userId: text('user_id').notNull(),
    surveyId: text('survey_id').notNull(),
    at: integer().notNull(),
    /** The local date then, in the user's zone then: day 0 of the fixed series, wherever they travel later. */
    on: text('local_date').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.surveyId] })],
);

export type Answers = Record<string, string>;
export type Reasons = Record<string, number>;

export const responses = sqliteTable(
  'response',
  {
    id: text().primaryKey(),
    investigationId: text('investigation_id').notNull(),
    surveyId: text('survey_id').notNull(),
    caseId: text('case_id').notNull(),
    responderId: text('responder_id').notNull(),
    items: text({ mode: 'json' }).$type<Answers>().notNull(),
    reasons: text({ mode: 'json' }).$type<Reasons>().notNull(),
    revisedAt: integer('revised_at').notNull(),
    ...itemState,
  },
  (t) => [
    // Lists of a study, a case and a survey. A lock writes a row in each of the three.
    index('response_by_state').on(t.investigationId, indexedState, t.createdAt, t.id),
    index('response_of_case').on(t.caseId, indexedState, t.createdAt, t.id),
    index('response_of_survey').on(t.surveyId, indexedState, t.createdAt, t.id),
    // Lists `since`: only what was edited is in it, so that a new response writes no row here.
    index('response_edited').on(t.investigationId, t.revisedAt).where(sql`revised_at > created_at`),
    // Whether a responder answered for a case, and so may see it.
    index('response_by_case').on(t.caseId, t.responderId),
    // A responder's own list, in its order, and whether they answered lately.
    index('response_by_responder').on(t.responderId, t.investigationId, t.createdAt, t.id),
    index('response_deleted').on(t.deletedAt).where(sql`deleted_at is not null`),
  ],
);

/** A whole response, or what changed since the previous revision, as a merge patch (RFC 7396) over each map. */
export const responseRevisions = sqliteTable(
  'response_revision',
  {
    responseId: text('response_id').notNull(),
    /** From 1, in the order of writing. */
    number: integer().notNull(),
    id: text().notNull(),
    authorId: text('author_id').notNull(),
    at: integer().notNull(),
    items: text({ mode: 'json' }).$type<Record<string, string | null>>().notNull(),
    reasons: text({ mode: 'json' }).$type<Record<string, number | null>>().notNull(),
    /** The newest revision up to this one that is stored whole; null when this one is. */
    base: integer(),
    /** What the changes since `base` weigh, this one included. */
    weight: integer(),
    /** Bytes of the whole response at this revision; null when `items` and `reasons` are all of it. */
    size: integer(),
  },
  (t) => [primaryKey({ columns: [t.responseId, t.number] })],
);

/** The user whose membership an entry tells of, as its index and those who use it write it. */
export const memberOfEntry = "case when json_valid(details) then details ->> '$.member' end";

/**
 * The activity log of a study, append-only and chained by `hash`. Its key makes it the study's optimistic
 * lock too: of two writers that read the same head one fails, and reads again.
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
    /** What else changed: the survey or member, and its fields `before` and `after`. */
    details: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    signature: text({ mode: 'json' }).$type<Signature>(),
    hash: text().notNull(),
    /** How `hash` was made. An older version of the service, which knows one formula only, writes 0. */
    formula: integer().notNull().default(0),
    /** The next `hash` of an entry whose chain is being hashed again; null otherwise. */
    rehashed: text(),
  },
  (t) => [
    primaryKey({ columns: [t.investigationId, t.position] }),
    // By identifier, for the items of an entry. Entries are far fewer than the items that they tell of.
    index('activity_of_items')
      .on(t.id)
      .where(
        sql`action in ('items.locked', 'items.unlocked', 'items.archived', 'items.restored', 'items.deleted')`,
      ),
    // What one user did, and what others did about their membership, for the user's own export.
    index('activity_by_actor').on(t.actorId, t.investigationId, t.position),
    index('activity_of_member')
      .on(sql.raw(memberOfEntry), t.investigationId, t.position)
      .where(sql`action in ('member.added', 'member.removed', 'member.role-changed')`),
    // Empty once every chain is hashed again, so an entry costs no row more.
    index('activity_old_formula').on(t.investigationId, t.position).where(sql`formula = 0`),
  ],
);

/**
 * The items of an entry that has too many to name them itself: identifiers in order, a thousand to a row. `first` is the
 * first of them, by which the row of an item is found.
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

/** The outbox of plans to be made again: one user's, or those of all members of a study after `after`. */
export const replans = sqliteTable('replan', {
  id: text().primaryKey(),
  userId: text('user_id'),
  investigationId: text('investigation_id'),
  after: text().notNull().default(''),
  /** When it was written or last made progress: the sweep resumes what has stood still since. */
  touchedAt: integer('created_at').notNull(),
});

const settledStates = ['sent', 'skipped', 'failed', 'invalidated'] as const;

/** The last result for one phone, as the history shows it. */
export interface Delivery {
  device: string;
  platform: string;
  at: string;
  messageId?: string;
  error?: string;
  /** Of the translation that it got. */
  language?: string;
}

/**
 * The same as a settled notification keeps it, in half the bytes. Device and message are base64 of their 16 bytes; of
 * another form, they are as they are behind `=`. An error is behind `!`.
 */
export type StoredDelivery = [
  device: string,
  platform: string,
  afterDueMs: number,
  result: string,
  language?: string,
];

/** What became of a push of an occurrence after its first: a nudge, or one that the phone asked for. */
export interface FollowUp {
  /** `first`: the first push is tried again for phones that it has not reached. It goes when that is over. */
  kind: 'nudge' | 'snooze' | 'first';
  dueAt: string;
  /** When it was decided. */
  at: string;
  state: 'retrying' | 'sent' | 'failed' | 'skipped';
  reason?: string;
  attempts?: number;
  deliveries?: Delivery[];
  /** Of one that is over, in place of `deliveries`, which older versions wrote; without `attempts` there was one. */
  pushes?: StoredDelivery[];
  /** Of a `first`: when the nudge is due that takes its place. */
  nextAt?: string;
}

/**
 * Pending and past notifications. The key is the occurrence, so that planning one again is a no-op and
 * nothing is sent twice. Of a user and a survey at most one row is pending, and it is the last by key.
 */
export const notifications = sqliteTable(
  'scheduled_notification',
  {
    userId: text('user_id').notNull(),
    surveyId: text('survey_id').notNull(),
    revision: integer().notNull(),
    /** The date and the slot, as `occurrenceKey` writes them. */
    key: text('occurs_on').notNull(),
    counter: integer().notNull(),
    dueAt: integer('due_at').notNull(),
    /** When to attempt it next: `due_at`, or later once the relay asked to wait. Of what is settled, 0 stands for `due_at`. */
    nextAttemptAt: integer('look_at').notNull(),
    timeZone: text('time_zone').notNull(),
    attempts: integer().notNull().default(0),
    settledAt: integer('settled_at'),
    state: text({ enum: settledStates }),
    reason: text(),
    deliveries: text({ mode: 'json' }).$type<Delivery[]>(),
    /**
     * The stamps of the user and the survey, and the release of the zone rules, that it was planned from: while they are
     * the same, so is the plan. Null: planned by a version that did not note it.
     */
    plannedFrom: text('plan_basis'),
    /** Of one that was sent: the pushes after the first, and when the next of them is due. Null without any. */
    followUps: text('follow_ups', { mode: 'json' }).$type<FollowUp[]>(),
    nextFollowUpAt: integer('next_follow_up_at'),
    /** When the phone asked for one more push. */
    snoozedUntil: integer('snoozed_until'),
    /** Of what phones tell of it, the first of each kind. */
    shownAt: integer('shown_at'),
    openedAt: integer('opened_at'),
    dismissedAt: integer('dismissed_at'),
    /** When the user answered the survey first, while this was the last one that had fallen due. */
    answeredAt: integer('answered_at'),
    /** Of what is settled, in place of `deliveries`, which older versions wrote. */
    pushes: text({ mode: 'json' }).$type<StoredDelivery[]>(),
    /**
     * Of one that counts for compliance: what the earlier ones of its revision came to when it was settled. A period is
     * then the difference of two rows. Null when a later one was counted first, or it is not counted.
     */
    tally: text(),
    /** What of it was counted too late for the tallies behind it, and stands in `participant_compliance` instead. */
    apart: text(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.surveyId, t.revision, t.key] }),
    index('notification_pending').on(t.nextAttemptAt).where(sql`settled_at is null`),
    // What a clock that was ahead has settled, which each sweep asks for. What is sent, nearly everything, is not in it.
    index('notification_unsent').on(t.settledAt).where(sql`state in ('skipped', 'failed')`),
    // Only what is to be followed up is in it, so that a study without nudges writes no row more.
    index('notification_to_follow_up').on(t.nextFollowUpAt).where(sql`next_follow_up_at is not null`),
  ],
);

/*
 * Compliance is counted by triggers on the table of notifications, so that whatever settles one, or takes it back, counts
 * it in the same statement. The views that they share are in the migration that made them. Counts are JSON: of a month
 * by day and outcome (`14 sent`, `14 skipped:no-device`, `14 shown`), of a tally by outcome.
 */

/** What became of a survey's notifications, of all users: one row for each month that they were due in. */
export const surveyCompliance = sqliteTable(
  'survey_compliance',
  {
    surveyId: text('survey_id').notNull(),
    /** YYYY-MM */
    month: text().notNull(),
    counts: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.surveyId, t.month] })],
);

/** The same of one user, but only what the tallies of their notifications do not have: it came late, or they are purged. */
export const participantCompliance = sqliteTable(
  'participant_compliance',
  {
    userId: text('user_id').notNull(),
    surveyId: text('survey_id').notNull(),
    month: text().notNull(),
    counts: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.surveyId, t.month] })],
);

/** Users who left their last three notifications of a survey unanswered. Former members stay in it. */
export const silentParticipants = sqliteTable(
  'silent_participant',
  { surveyId: text('survey_id').notNull(), userId: text('user_id').notNull() },
  (t) => [primaryKey({ columns: [t.surveyId, t.userId] })],
);

/** Why else a member needs attention, kept by triggers. A pause may have run out. */
export const memberAttention = sqliteTable(
  'member_attention',
  {
    investigationId: text('investigation_id').notNull(),
    reason: text({ enum: ['unreachable', 'paused', 'never-downloaded'] }).notNull(),
    userId: text('user_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.investigationId, t.reason, t.userId] })],
);

/**
 * The relay's messages that were acted on, so that one sent again changes nothing. They are few, and purged
 * after the hour in which the relay repeats them, without an index.
 */
export const relayMessages = sqliteTable('relay_message', {
  messageId: text('message_id').primaryKey(),
  at: integer().notNull(),
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
