import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { members, type Role } from '../db/schema/investigations.ts';
import { cases } from '../db/schema/items.ts';
import { users } from '../db/schema/users.ts';
import { selectRow } from '../db/select-row.ts';
import { type Placeholders, statement } from '../db/statements.ts';
import { forbidden, notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { ConflictError, withOptimisticRetry } from './activities.ts';
import type { Context } from './context.ts';
import { checkEdit, isOpenStudy, requireOpen, stillEditable } from './edit-guards.ts';
import {
  inList,
  type ListFilter,
  listedBytes,
  listRanges,
  listShape,
  listValues,
  merged,
  requireReader,
  restorable,
} from './item-lists.ts';
import { initialState } from './item-states.ts';
import { bytesFull, bytesOf, hasBytes, hasRoom, rowBytes, selectSize, studyFull } from './limits.ts';
import { lockSignature } from './lock-signatures.ts';
import { asMember, asReader, isOwnCase, isStaff, mayViewCase, selectRole } from './visibility.ts';

/** A case as people read it. Columns of the same name have aliases, because a batch maps rows by column name. */
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

export type Case = Omit<Awaited<ReturnType<typeof readCase>>, 'role' | 'lockSignature'>;

/** @throws resource.not-found */
export async function readCase({ db, actor }: Context, id: string) {
  const [row] = await selectVisible(db, { actor, id });
  if (!row) throw notFound('case');
  return row;
}

const selectVisible = statement((db, { actor, id }: Placeholders<{ actor: string; id: string }>) =>
  db
    .select({ ...caseColumns, lockSignature: lockSignature(cases) })
    .from(cases)
    .innerJoin(members, asMember(cases.investigationId, actor))
    .leftJoin(users, eq(users.id, cases.creatorId))
    .where(and(eq(cases.id, id), isNull(cases.deletedAt), mayViewCase(db, actor))),
);

/**
 * A page in order of creation, with one extra row when there is another page. One round trip.
 * @throws resource.not-found, action.forbidden
 */
export async function listCases(context: Context, investigation: string, filter: ListFilter) {
  const { db, actor, now } = context;
  const values = { investigation, actor, now, ...listValues(filter) };
  const shape = listShape(filter);
  const [role, all, own] = await db.batch([
    selectRole(db, investigation, actor),
    selectPageOfAll(db, values, shape),
    selectPageOfOwn(db, values, shape),
  ]);
  requireReader(role[0]?.role, filter);
  return [...all, ...own];
}

type Values = Placeholders<
  ReturnType<typeof listValues> & { investigation: string; actor: string; now: number }
>;
type Shape = ReturnType<typeof listShape>;

const { role: _, ...shownColumns } = caseColumns;
const listedColumns = {
  ...shownColumns,
  lockSignature: lockSignature(cases),
  deletedAt: sql<number | null>`${cases.deletedAt}`.as('case_deleted_at'),
  bytes: sql<number>`(octet_length(study_case.label) + ${sql.raw(`${listedBytes}`)})`.as('case_bytes'),
};

const selectPage = (
  rolesOf: (shape: Shape) => readonly Role[],
  rangesOf: (values: Values, shape: Shape) => (SQL | undefined)[],
) =>
  statement((db, values: Values, shape: Shape) =>
    merged(
      rangesOf(values, shape).map((range) =>
        db
          .select(listedColumns)
          .from(cases)
          .innerJoin(members, asReader(values.investigation, values.actor, rolesOf(shape)))
          .leftJoin(users, eq(users.id, cases.creatorId))
          .where(range)
          .$dynamic(),
      ),
      'case_created_at, case_id',
      sql`${values.limit}`,
    ),
  );

const selectPageOfAll = selectPage(
  ({ deleted }) => (deleted ? ['owner'] : ['owner', 'editor']),
  (values, shape) => {
    const { investigation, now } = values;
    const scope = eq(cases.investigationId, investigation);
    const rest = shape.deleted ? restorable('study_case', now) : undefined;
    return listRanges(
      { table: 'study_case', revisedAt: 'edited_at', scope, investigation, rest },
      values,
      shape,
    );
  },
);

const selectPageOfOwn = selectPage(
  () => ['responder'],
  (values, shape) => [
    and(
      sql`+${cases.investigationId} = ${values.investigation}`,
      isOwnCase(values.investigation, values.actor),
      inList('study_case', 'edited_at', values, shape),
      shape.deleted ? sql`0` : undefined,
    ),
  ],
);

export interface NewCase {
  label: string;
  hidden: boolean;
  identifier?: string | undefined;
}

/**
 * Any member creates cases, up to `limits.cases` in a study, but only owners and editors hidden ones. A second call with
 * the same identifier and content finds the case of the first one, as long as the actor may see it.
 * @throws resource.not-found, action.forbidden, identifier.taken, study.archived, limit.reached
 */
export async function createCase(context: Context, investigation: string, given: NewCase) {
  const { db, actor, now, limits } = context;
  const { label, hidden } = given;
  const id = given.identifier ?? newIdentifier(now);
  const createdWith = JSON.stringify({ investigation, creator: actor, label, hidden });
  const columns = selectRow(cases, {
    id,
    investigationId: investigation,
    creatorId: actor,
    label,
    hidden,
    createdWith,
    editedAt: now,
    createdAt: now,
    revisionId: newIdentifier(now),
    ...initialState,
  });
  const [[me], [study], inserted, [row]] = await db.batch([
    selectRole(db, investigation, actor),
    selectSize(db, investigation),
    db
      .insert(cases)
      .select(
        sql`${columns} from ${members}
          where ${members.investigationId} = ${investigation} and ${members.userId} = ${actor}
          and (${hidden ? isStaff : sql`1`}) and ${isOpenStudy(investigation)}
          and ${hasRoom(investigation, 'case_count', limits.cases)}
          and ${hasBytes(investigation, rowBytes + bytesOf(createdWith), limits.studyBytes)}`,
      )
      .onConflictDoNothing()
      .returning({ id: cases.id }),
    selectCreated(db, actor, id),
  ]);
  if (!me) throw notFound('investigation');
  if (hidden && me.role === 'responder') throw forbidden('Only owners and editors create hidden cases.');
  if (!row) {
    requireOpen(study);
    throw study && study.caseCount < limits.cases
      ? bytesFull(limits.studyBytes)
      : studyFull('cases', limits.cases);
  }
  if (row.createdWith !== createdWith || !row.isVisible)
    throw new Problem('identifier.taken', 'Another case has this identifier: choose a new one.');
  return { case: row, created: inserted.length > 0 };
}

/** The case of this identifier, and whether the actor may see it: somebody may have hidden or deleted it meanwhile. */
const selectCreated = (db: Database, actor: string, id: string) =>
  db
    .select({
      ...caseColumns,
      createdWith: cases.createdWith,
      isVisible: sql<number>`(${and(isNull(cases.deletedAt), mayViewCase(db, actor))})`.as('is_visible'),
    })
    .from(cases)
    .leftJoin(members, asMember(cases.investigationId, actor))
    .leftJoin(users, eq(users.id, cases.creatorId))
    .where(eq(cases.id, id));

export interface CaseChange {
  label?: string | undefined;
  hidden?: boolean | undefined;
  /** Revisions that the change may be made to; any, when omitted. */
  ifMatch?: readonly string[] | undefined;
}

/**
 * A change makes a new revision, unless it changes nothing.
 * @throws resource.not-found, action.forbidden, item.locked, item.archived, revision.stale
 */
export async function updateCase(context: Context, id: string, change: CaseChange): Promise<Case> {
  const { db, actor, now } = context;
  return withOptimisticRetry(context, async () => {
    const before = await readCase(context, id);
    checkEdit(actor, { ...before, noun: 'case', owner: before.creatorId }, change.ifMatch);
    if (change.hidden && before.role === 'responder') throw forbidden('Only owners and editors hide cases.');
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
