import { eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { limitReached } from '../errors.ts';
import type { Limits } from '../services.ts';
import { investigations } from '../studies/schema.ts';

/*
 * A limit is checked where its count is read, before the write: requests that are under way together may each take the last
 * place, and the next one is refused. A new case, which nothing is read for, has the conditions in its statement.
 */

/** In SQL, for a `user` row that is read: the studies that the user is a member of, deleted ones included. */
export const membershipCount = sql<number>`(select count(*) from member own where own.user_id = "user".id)`;

/** Bytes that a row counts beside its content: roughly its identifiers and index entries. */
export const rowBytes = 200;

/** Bytes of a study: those that count, with its notifications, and those of what is deleted. */
export interface Held {
  storedBytes: number;
  deletedBytes: number;
}

/** In SQL, for an `investigation` row that is read: {@link Held}. */
export const heldBytes = {
  storedBytes: sql<number>`(investigation.stored_bytes + notified_bytes)`,
  deletedBytes: sql<number>`deleted_bytes`,
};

/**
 * In SQL, for an `investigation` row that is read: the study may store this many more bytes. Deleted bytes count if they
 * are more than a study may store, so that nobody fills a disk by storing and deleting.
 */
export const hasBytes = (bytes: number, max: number): SQL =>
  sql`${heldBytes.storedBytes} + max(0, deleted_bytes - ${max}) + ${bytes} <= ${max}`;

/** The same of what was read; less may always be stored. @throws limit.reached */
export function requireBytes(
  held: Held | undefined,
  bytes: number,
  { studyBytes: max }: Pick<Limits, 'studyBytes'>,
): void {
  if (bytes > 0 && held && held.storedBytes + Math.max(0, held.deletedBytes - max) + bytes > max)
    throw bytesFull(max);
}

/** The limits that may close a study to new resources. */
export const selectSize = (db: Database, investigation: string | SQL) =>
  db
    .select({
      archivedAt: sql<number | null>`${investigations.archivedAt}`.as('study_archived_at'),
      memberCount: investigations.memberCount,
      caseCount: investigations.caseCount,
      storedBytes: heldBytes.storedBytes.as('stored_bytes'),
      deletedBytes: heldBytes.deletedBytes.as('deleted_bytes'),
      frozenAt: investigations.frozenAt,
    })
    .from(investigations)
    .where(eq(investigations.id, investigation));

const bounds = { cases: 'MAX_CASES', members: 'MAX_MEMBERS', surveys: 'MAX_SURVEYS' } as const;

export const studyFull = (what: keyof typeof bounds, max: number) =>
  limitReached(bounds[what], `The study has ${max} ${what}, and may have no more.`);

export const membershipsFull = (max: number, subject = 'You are') =>
  limitReached('MAX_MEMBERSHIPS', `${subject} a member of ${max} studies, and may join no more.`);

export const activitiesFull = (max: number) =>
  limitReached(
    'MAX_ACTIVITIES',
    `The activity log of the study has ${max} entries. Unlocking, ending a freeze, archiving and leaving are still possible.`,
  );

export const revisionsFull = (max: number) =>
  limitReached('MAX_REVISIONS', `The response has ${max} revisions, and may have no more.`);

const bytesFull = (max: number) =>
  limitReached(
    'MAX_STUDY_BYTES',
    `The study would store more than ${max} bytes: delete what it needs no longer.`,
  );

/** UTF-8 bytes of the text. */
export const textBytes = (text: string) => new TextEncoder().encode(text).length;

/** UTF-8 bytes of the value as JSON. */
export const bytesOf = (value: unknown) => textBytes(JSON.stringify(value));

const invitationBounds = {
  MAX_INVITATIONS: (max: number) => `The study has ${max} open invitations, and may have no more.`,
  MAX_INVITATIONS_FROM_ONE: (max: number) =>
    `You have ${max} open invitations to this address, and may have no more.`,
};

export const invitationsFull = (bound: keyof typeof invitationBounds, max: number) =>
  limitReached(bound, invitationBounds[bound](max));

/** Bytes of the content of one page; only one page is in memory. */
export const pageBytes = 1_000_000;
/** Bytes of a row beside its content: its identifiers and times as JSON. */
export const listedBytes = 600;
