import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isUniqueViolation } from '../db/errors.ts';
import { cases, members, users } from '../db/schema.ts';
import { forbidden, notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { asMember, inList, type ListFilter, mayEdit, mayViewCase, selectRole } from './visibility.ts';

/** The columns of a case as people read it. Aliased, because a batch maps rows by column name. */
export const caseColumns = {
  id: sql<string>`${cases.id}`.as('case_id'),
  createdAt: sql<number>`${cases.createdAt}`.as('case_created_at'),
  label: cases.label,
  hidden: cases.hidden,
  revisionId: cases.revisionId,
  editedAt: cases.editedAt,
  creatorId: cases.creatorId,
  creatorName: users.name,
  lockedAt: cases.lockedAt,
  archivedAt: cases.archivedAt,
  role: members.role,
};

export interface Case {
  id: string;
  createdAt: number;
  label: string;
  hidden: boolean;
  revisionId: string;
  editedAt: number;
  creatorId: string;
  creatorName: string | null;
  lockedAt: number | null;
  archivedAt: number | null;
}

export const selectCases = (db: Database, actor: string) =>
  db
    .select(caseColumns)
    .from(cases)
    .innerJoin(members, asMember(cases.investigationId, actor))
    .leftJoin(users, eq(users.id, cases.creatorId))
    .where(and(isNull(cases.deletedAt), mayViewCase(db, actor)))
    .$dynamic();

/** @throws resource.not-found */
export async function readCase(db: Database, actor: string, id: string) {
  const [row] = await selectCases(db, actor).where(
    and(eq(cases.id, id), isNull(cases.deletedAt), mayViewCase(db, actor)),
  );
  if (!row) throw notFound('case');
  return row;
}

/** A page in order of creation, and one row more when more remain. One round trip. @throws resource.not-found */
export async function listCases(db: Database, actor: string, investigation: string, filter: ListFilter) {
  const [role, rows] = await db.batch([
    selectRole(db, investigation, actor),
    selectCases(db, actor)
      .where(
        and(
          eq(cases.investigationId, investigation),
          isNull(cases.deletedAt),
          mayViewCase(db, actor),
          inList(cases, cases.editedAt, filter),
        ),
      )
      .orderBy(cases.createdAt, cases.id)
      .limit(filter.limit + 1),
  ]);
  if (!role[0]) throw notFound('investigation');
  return rows;
}

export interface NewCase {
  label: string;
  hidden: boolean;
  identifier?: string | undefined;
}

/** Any member creates. Repeating it with the same identifier and content finds the case again. */
export async function createCase(
  db: Database,
  actor: string,
  investigation: string,
  given: NewCase,
  now: number,
) {
  const { label, hidden } = given;
  const id = given.identifier ?? newIdentifier(now);
  const createdWith = JSON.stringify({ investigation, creator: actor, label, hidden });
  const [role] = await selectRole(db, investigation, actor);
  if (!role) throw notFound('investigation');
  let created = true;
  try {
    await db.insert(cases).values({
      id,
      investigationId: investigation,
      creatorId: actor,
      label,
      hidden,
      createdWith,
      editedAt: now,
      createdAt: now,
      revisionId: newIdentifier(now),
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'study_case')) throw error;
    created = false;
  }
  const [row] = await selectCreated(db, id);
  if (row?.createdWith !== createdWith || row.deletedAt !== null)
    throw new Problem('identifier.taken', 'Another case has this identifier: choose a new one.');
  return { case: row, created };
}

/** Whoever created a case is shown it, even a responder who created it hidden. */
const selectCreated = (db: Database, id: string) =>
  db
    .select({
      ...caseColumns,
      role: sql`null`.as('role'),
      createdWith: cases.createdWith,
      deletedAt: cases.deletedAt,
    })
    .from(cases)
    .leftJoin(users, eq(users.id, cases.creatorId))
    .where(eq(cases.id, id));

export interface CaseChange {
  label?: string | undefined;
  hidden?: boolean | undefined;
}

/**
 * A change makes a new revision; a change of nothing does not.
 * @throws resource.not-found, action.forbidden, item.locked, revision.stale
 */
export async function updateCase(
  db: Database,
  actor: string,
  id: string,
  { ifMatch, ...change }: CaseChange & { ifMatch?: readonly string[] | undefined },
  now: number,
): Promise<Case> {
  for (;;) {
    const before = await readCase(db, actor, id);
    if (!mayEdit(before.role, before.creatorId, actor)) throw forbidden('You may not edit this case.');
    if (before.lockedAt !== null) throw lockedCase();
    if (ifMatch && !ifMatch.includes(before.revisionId))
      throw new Problem('revision.stale', 'The case changed since that revision: read it again.');
    const after = { label: change.label ?? before.label, hidden: change.hidden ?? before.hidden };
    if (after.label === before.label && after.hidden === before.hidden) return before;
    const revision = { revisionId: newIdentifier(now), editedAt: now };
    const written = await db
      .update(cases)
      .set({ ...after, ...revision })
      .where(
        and(
          eq(cases.id, id),
          eq(cases.revisionId, before.revisionId),
          isNull(cases.lockedAt),
          isNull(cases.deletedAt),
        ),
      )
      .returning({ id: cases.id });
    // Nothing written: somebody locked, deleted or revised it in between. Look again.
    if (written.length > 0) return { ...before, ...after, ...revision };
  }
}

const lockedCase = () =>
  new Problem('item.locked', 'The case is locked: unlock it first.', {
    errors: [{ pointer: '', detail: 'This case is locked.' }],
  });
