import { type Column, type SQL, sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { OwnProperties } from '../permissions/groups.ts';

/** Columns that cases and responses share: the state that locking, archiving and deleting change. */
const itemState = {
  createdAt: integer('created_at').notNull(),
  revisionId: text('revision_id').notNull(),
  lockedAt: integer('locked_at'),
  /** The position of the entry of the lock, which has its author, reason and signature. */
  lockedIn: integer('locked_in'),
  archivedAt: integer('archived_at'),
  deletedAt: integer('deleted_at'),
  /**
   * The revision at which the state last changed: until the next revision, earlier answers may differ from the present
   * one.
   */
  stateRevision: text('state_revision'),
};

/**
 * The state of an item as a number, within its indexes: whatever a list's filters leave is then a range of an index.
 * `item-lists.ts` has the same text with the name of a table before each column.
 */
export const itemStateIn = (table = '') =>
  `(case when ${table}deleted_at is not null then 4 else (${table}archived_at is not null) * 2 + (${table}locked_at is not null) end)`;

const indexedState = sql.raw(itemStateIn());

/** When a response was given, as an index has it: drizzle takes no commas there. */
const indexedGivenAt = sql.raw('(case when given_at is null then created_at else given_at end)');

/** Cases of a study, which surveys are answered for. */
export const cases = sqliteTable(
  'study_case',
  {
    id: text().primaryKey(),
    investigationId: text('investigation_id').notNull(),
    creatorId: text('creator_id').notNull(),
    label: text().notNull(),
    hidden: integer({ mode: 'boolean' }).notNull(),
    /** SHA-256 of the first content, so that a repeated creation is recognised after an edit. */
    createdWith: text('created_with').notNull(),
    editedAt: integer('edited_at').notNull(),
    /** Those of the participant who made it, or those that staff gave it. Null: none. */
    properties: text({ mode: 'json' }).$type<OwnProperties>(),
    ...itemState,
  },
  (t) => [
    index('case_by_state').on(t.investigationId, indexedState, t.createdAt, t.id),
    // Lists `since`: only edited cases are in it, so that a new case writes no row here.
    index('case_edited').on(t.investigationId, t.editedAt).where(sql`edited_at > created_at`),
    // A responder's own cases, without reading the study's, and a person's in the order of their export.
    index('case_by_creator').on(t.creatorId, t.investigationId, t.id),
    index('case_deleted').on(t.deletedAt).where(sql`deleted_at is not null`),
  ],
);

/** Times of deletion of a case whose content is purged: it waits for its responses to go, or is looked at again once one has gone. */
export const [emptiedAt, lookedAtAgain] = [0, 1];

/** In SQL: the content of a case is purged. */
export const isEmptied = (table = '') => `${table}deleted_at <= ${lookedAtAgain}`;

/** In SQL: the bytes of what is written in a case. */
export const writtenCaseBytes = sql<number>`(octet_length(${cases.createdWith}) + octet_length(${cases.label}))`;

/** In SQL: the bytes that a case counts. */
export const storedCaseBytes = sql<number>`(200 + ${writtenCaseBytes})`;

export type Answers = Record<string, string>;
export type Reasons = Record<string, number>;

/** Answers of a person to a survey for a case, as their latest revision has them. */
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
    /** When the responder gave it, as a phone that was offline told; null: when it was received, at `created_at`. */
    givenAt: integer('given_at'),
    /** The notification that it belongs to, decided when it was written: the only link between the two. */
    notification: text(),
    /** The same as decisions read it: the revision of the reminders, and the key of the occurrence. */
    occurrence: text(),
    /** Whether it was given later than `answerWithin` allowed then; null without a notification or a limit. */
    late: integer({ mode: 'boolean' }),
    /** It was given before the survey's items last changed by the time it was received, and answers those of then. */
    outdated: integer({ mode: 'boolean' }).notNull().default(false),
    revisedAt: integer('revised_at').notNull(),
    /** Bytes of the row and of its revisions, of which the study's are the sum. */
    storedBytes: integer('stored_bytes').notNull().default(0),
    /** Bytes of the revisions since the last whole one. */
    changedBytes: integer('changed_bytes').notNull().default(0),
    ...itemState,
  },
  (t) => [
    // Lists of a study, a case and a survey. A lock writes a row in each of the three.
    index('response_by_state').on(t.investigationId, indexedState, t.createdAt, t.id),
    index('response_of_case').on(t.caseId, indexedState, t.createdAt, t.id),
    index('response_of_survey').on(t.surveyId, indexedState, t.createdAt, t.id),
    // Lists `since`: only edited responses are in it, so that a new response writes no row here.
    index('response_edited').on(t.investigationId, t.revisedAt).where(sql`revised_at > created_at`),
    // Whether a responder answered for a case, and so may see it.
    index('response_by_case').on(t.caseId, t.responderId),
    // A responder's own list, in its order, and whether the responder answered lately.
    index('response_by_responder').on(t.responderId, t.investigationId, t.createdAt, t.id),
    index('response_deleted').on(t.deletedAt).where(sql`deleted_at is not null`),
    // The first response to a notification, of however many. A response that answers none writes no row here.
    index('response_of_notification')
      .on(t.notification, indexedGivenAt, t.id)
      .where(sql`notification is not null and deleted_at is null`),
  ],
);

/** How long after it was given a response is taken. */
export const maxLateMs = 30 * 24 * 3600 * 1000;

/** In SQL: the first response to a notification that is not deleted, however many there are. */
export const firstAnswerOf = (notification: SQL): SQL => sql`(select id from response
    where notification = ${notification} and deleted_at is null order by ${indexedGivenAt}, id limit 1)`;

/** In SQL: when a response, a row of a table with this alias, was given. */
export const givenAt = (table: string): SQL => sql.raw(`coalesce(${table}.given_at, ${table}.created_at)`);

/**
 * In SQL: a response was given at this time or later. None is received before it is given, so that `created_at` bounds what
 * is read of the responder's index.
 */
export const isGivenSince = (table: string, since: SQL | Column | number): SQL =>
  sql`(${sql.raw(table)}.created_at >= ${since} and ${givenAt(table)} >= ${since})`;

/** Earlier revisions of responses, as patches between whole ones. */
export const responseRevisions = sqliteTable(
  'response_revision',
  {
    responseId: text('response_id').notNull(),
    /** From 1, in the order of writing. */
    number: integer().notNull(),
    id: text().notNull(),
    authorId: text('author_id').notNull(),
    at: integer().notNull(),
    /** The answers and reasons; of a revision with a `since`, a merge patch over those of the revision before it. */
    items: text({ mode: 'json' }).$type<Record<string, string | null>>().notNull(),
    reasons: text({ mode: 'json' }).$type<Record<string, number | null>>().notNull(),
    /** The number of the whole revision that the patches begin with; null: it is whole itself. */
    since: integer(),
    /** Bytes of the answers and reasons that a patch leads to. */
    wholeBytes: integer('whole_bytes'),
    /** Why its author changed the answers, in words. */
    reason: text(),
  },
  (t) => [primaryKey({ columns: [t.responseId, t.number] })],
);

/** In SQL: the first revisions of these `responses`, bounded by rows and bytes; at least one. */
export const revisionsOf = (responses: SQL, { rows, bytes }: Record<'rows' | 'bytes', number>): SQL =>
  sql`(select response_id, number from (
  select response_id, number, bytes, sum(bytes) over (order by response_id, number) as total from (
    select v.response_id, v.number, octet_length(v.items) + octet_length(v.reasons) as bytes
    from ${responses} gone cross join response_revision v on v.response_id = gone.id
    order by v.response_id, v.number limit ${rows}))
  where total = bytes or total <= ${bytes})`;
