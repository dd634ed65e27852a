import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { cases, members, users } from '../db/schema.ts';
import { type Placeholders, statement } from '../db/statements.ts';
import { notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { ConflictError, withOptimisticRetry } from './activities.ts';
import { checkEdit, stillEditable } from './edit-guards.ts';
import { hasRoom, studyFull } from './limits.ts';
import {
  asMember,
  asMemberOf,
  inList,
  isOwnCase,
  isStaff,
  type ListFilter,
  listShape,
  listValues,
  mayViewCase,
  selectRole,
} from './visibility.ts';

/** The columns of a case as people read it. Aliased, because a batch maps rows by column name. */
const caseColumns = {
  id: sql<string>`${cases.id}`.as('case_id'),
  createdAt: sql<number>`${cases.createdAt}`.as('case_created_at'),
  label: cases.label,
  hidden: cases.hidden,
  revisionId: cases.revisionId,
  editedAt: cases.editedAt,
  creatorId: cases.creatorId,
  creatorName: users.name,
  creatorNamedAt: users.namedAt,
  lockedAt: cases.lockedAt,
  archivedAt: cases.archivedAt,
  stateRevision: cases.stateRevision,
  role: members.role,
};

const selectCases = (db: Database, membership: SQL | undefined) =>
  db
    .select(caseColumns)
    .from(cases)
    .innerJoin(members, membership)
    .leftJoin(users, eq(users.id, cases.creatorId))
    .$dynamic();

export type Case = Omit<Awaited<ReturnType<typeof readCase>>, 'role'>;

/** @throws resource.not-found */
export async function readCase(db: Database, actor: string, id: string) {
  const [row] = await visible(db, { actor, id });
  if (!row) throw notFound('case');
  return row;
}

const visible = statement((db, { actor, id }: Placeholders<{ actor: string; id: string }>) =>
  selectCases(db, asMember(cases.investigationId, actor)).where(
    and(eq(cases.id, id), isNull(cases.deletedAt), mayViewCase(db, actor)),
  ),
);

/** A page in order of creation, and one row more when more remain. One round trip. @throws resource.not-found */
export async function listCases(db: Database, actor: string, investigation: string, filter: ListFilter) {
  const values = { investigation, actor, ...listValues(filter) };
  const shape = listShape(filter);
  const [role, all, own] = await db.batch([
    selectRole(db, investigation, actor),
    pageOfAll(db, values, shape),
    pageOfOwn(db, values, shape),
  ]);
  if (!role[0]) throw notFound('investigation');
  return [...all, ...own];
}

type PageValues = ReturnType<typeof listValues> & { investigation: string; actor: string };

const pageOf = (
  membership: (values: Placeholders<PageValues>) => SQL | undefined,
  isSeen: (values: Placeholders<PageValues>) => SQL | undefined,
) =>
  statement((db, values: Placeholders<PageValues>, shape: ReturnType<typeof listShape>) =>
    selectCases(db, membership(values))
      .where(and(isSeen(values), inList(cases, cases.editedAt, values, shape)))
      .orderBy(cases.createdAt, cases.id)
      .limit(values.limit),
  );
const pageOfAll = pageOf(
  ({ investigation, actor }) =>
    and(asMember(cases.investigationId, actor), eq(cases.investigationId, investigation)),
  () => isStaff,
);
const pageOfOwn = pageOf(
  ({ investigation, actor }) => asMemberOf(investigation, cases.investigationId, actor),
  ({ investigation, actor }) => isOwnCase(investigation, actor),
);

export interface NewCase {
  label: string;
  hidden: boolean;
  identifier?: string | undefined;
}

/**
 * Any member creates, as long as the study has fewer than `most`. Repeating it with the same identifier and content finds the case again.
 * @throws resource.not-found, identifier.taken, study.full
 */
export async function createCase(
  db: Database,
  { actor, investigation, most }: { actor: string; investigation: string; most: number },
  given: NewCase,
  now: number,
) {
  const { label, hidden } = given;
  const id = given.identifier ?? newIdentifier(now);
  const createdWith = JSON.stringify({ investigation, creator: actor, label, hidden });
  const [[role], inserted, [row]] = await db.batch([
    selectRole(db, investigation, actor),
    db
      .insert(cases)
      .select(
        sql`select ${id}, ${investigation}, ${actor}, ${label}, ${Number(hidden)}, ${createdWith}, ${now}, ${now},
          ${newIdentifier(now)}, null, null, null, null
          from ${members} where ${members.investigationId} = ${investigation} and ${members.userId} = ${actor}
          and ${hasRoom(investigation, 'case_count', most)}`,
      )
      .onConflictDoNothing()
      .returning({ id: cases.id }),
    selectCreated(db, id),
  ]);
  if (!role) throw notFound('investigation');
  if (!row) throw studyFull('cases', most);
  if (row.createdWith !== createdWith || row.deletedAt !== null)
    throw new Problem('identifier.taken', 'Another case has this identifier: choose a new one.');
  return { case: row, created: inserted.length > 0 };
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
 * A change makes a new revision; a change of nothing does not. The lock is checked by the statement that
 * writes. @throws resource.not-found, action.forbidden, item.locked, revision.stale
 */
export async function updateCase(
  db: Database,
  actor: string,
  id: string,
  { ifMatch, ...change }: CaseChange & { ifMatch?: readonly string[] | undefined },
  now: number,
): Promise<Case> {
  return withOptimisticRetry({ outbox: [] }, async () => {
    const before = await readCase(db, actor, id);
    checkEdit('case', { ...before, owner: before.creatorId }, actor, ifMatch);
    const after = { label: change.label ?? before.label, hidden: change.hidden ?? before.hidden };
    if (after.label === before.label && after.hidden === before.hidden) return before;
    const revision = { revisionId: newIdentifier(now), editedAt: now };
    const written = await db
      .update(cases)
      .set({ ...after, ...revision })
      .where(stillEditable(cases, before, actor))
      .returning({ id: cases.id });
    if (written.length === 0) throw new ConflictError();
    return { ...before, ...after, ...revision };
  });
}
