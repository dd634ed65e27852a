import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { namedBatch } from '../db/named-batch.ts';
import { named, query, textOf } from '../db/query.ts';
import { selectRow } from '../db/select-row.ts';
import { notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { initialState } from '../locks/item-states.ts';
import { ConflictError, withOptimisticRetry } from '../log/activities.ts';
import { countInSlices, sliceRows } from '../log/recorded-downloads.ts';
import { checkEdit, isOpenStudy, requireOpen, stillEditable } from '../permissions/edit-guards.ts';
import { type Growth, grow } from '../permissions/growth.ts';
import {
  hasBytes,
  listedBytes,
  requireBytes,
  rowBytes,
  selectSize,
  studyFull,
  textBytes,
} from '../permissions/limits.ts';
import { editors, type Role } from '../permissions/roles.ts';
import { hasShare, requireShare, selectRoom, shareOf } from '../permissions/shares.ts';
import { maySeePerson, shownPerson } from '../permissions/shown-people.ts';
import {
  asMember,
  isOwnCase,
  listOf,
  mayViewCase,
  requireEditor,
  requireNoMonitor,
  selectRole,
} from '../permissions/visibility.ts';
import { members } from '../studies/schema.ts';
import {
  allOf,
  counted,
  inList,
  type ListFilter,
  listRanges,
  listValues,
  lockBytesOf,
  lockColumns,
  merged,
  type Reader,
  readersOfAll,
  requireReader,
  responders,
  restorable,
  type Signed,
  sliceOf,
} from './lists.ts';
import { numberMember, ownLabel, ownLabelBytes } from './own-label.ts';
import { cases } from './schema.ts';

const creator = [sql`${cases.investigationId}`, sql`${cases.creatorId}`, named('actor')] as const;

/** A case as people read it, in SQL. Needs `asMember` and {@link withCreator}. */
const shownColumns = `study_case.id as id, study_case.created_at as createdAt, study_case.label, study_case.hidden,
  study_case.revision_id as revisionId, study_case.edited_at as editedAt, ${textOf(shownPerson(...creator))} as creatorId,
  user.name as creatorName, user.named_at as creatorNamedAt, study_case.locked_at as lockedAt,
  study_case.archived_at as archivedAt, study_case.state_revision as stateRevision`;
const withCreator = `left join user on user.id = study_case.creator_id and ${textOf(maySeePerson(...creator))}`;

export interface Case {
  id: string;
  createdAt: number;
  label: string;
  hidden: boolean;
  revisionId: string;
  editedAt: number;
  /** `nobody`, if the reader does not see them. */
  creatorId: string;
  creatorName: string | null;
  creatorNamedAt: number | null;
  lockedAt: number | null;
  archivedAt: number | null;
  stateRevision: string | null;
}

const decoders = { hidden: Boolean, lockSignature: JSON.parse, lock: JSON.parse };

/** @param withLock reads who locked it, and why @throws resource.not-found */
export async function readCase({ db, actor }: Context, id: string, withLock = false) {
  const [row] = await selectCase(db, { actor, id }, withLock);
  if (!row) throw notFound('case');
  return row;
}

const selectCase = (db: Database, values: { actor: string; id: string }, withLock = false) =>
  query<Case & Signed & { role: Role; investigationId: string }>(db, visibleCase(withLock), values, decoders);

const isVisible = `(study_case.deleted_at is null and ${textOf(mayViewCase(named('actor')))})`;
const asActor = textOf(sql`${members} on ${asMember(cases.investigationId, named('actor'))}`);

const visibleCase = (
  withLock: boolean,
) => `select ${shownColumns}, current_member.role, study_case.investigation_id as investigationId,
  ${lockColumns('study_case', withLock)}
  from study_case join ${asActor} ${withCreator} where study_case.id = :id and ${isVisible}`;

type ListedCase = Case & Signed & { deletedAt: number | null; bytes: number };

/**
 * A page in order of creation, with one extra row if more follow. One round trip.
 * @throws resource.not-found, action.forbidden
 */
export async function listCases(context: Context, investigation: string, filter: ListFilter) {
  const { db, actor, now } = context;
  const values = { investigation, actor, now, ...listValues(filter) };
  const [role, all, own] = await db.batch([
    selectRole(db, investigation, actor),
    query<ListedCase>(db, pageOfAll(filter), values, decoders),
    query<ListedCase>(db, pageOfOwn(filter), values, decoders),
  ]);
  requireReader(role[0]?.role, filter);
  return [...all, ...own];
}

const page = (filter: ListFilter, ranges: readonly string[], reader: Reader) => {
  const select = `select ${shownColumns}, ${lockColumns('study_case', filter.withLock)},
    study_case.deleted_at as deletedAt,
    octet_length(study_case.label) + ${listedBytes} + ${lockBytesOf('study_case', filter)} as bytes
    from study_case join ${reader.joined} ${withCreator}`;
  return merged(
    ranges.map((range) => `${select} where ${range}`),
    ':limit',
  );
};

const pageOfAll = (filter: ListFilter) => page(filter, rangesOfAll(filter), readersOfAll(filter));

function rangesOfAll(filter: ListFilter) {
  const isDeleted = filter.status === 'deleted';
  const scope = 'study_case.investigation_id = :investigation';
  return listRanges('study_case', filter, { scope, ...(isDeleted && { rest: restorable('study_case') }) });
}

/** Counts the cases that owners and editors find by a filter. */
export const countCases = (
  { db, now }: Context,
  investigation: string,
  filter: Omit<ListFilter, 'limit' | 'after'>,
) =>
  countInSlices<NonNullable<ListFilter['after']>>((after) => {
    const slice = { ...filter, limit: sliceRows, after };
    const values = { investigation, now, ...listValues(slice) };
    return sliceOf(query(db, counted('study_case', rangesOfAll(slice)), values));
  });

const isOwn = textOf(isOwnCase(named('investigation'), named('actor')));

const pageOfOwn = (filter: ListFilter) =>
  page(
    filter,
    [
      allOf(
        '+study_case.investigation_id = :investigation',
        isOwn,
        inList('study_case', filter),
        filter.status === 'deleted' ? '0' : undefined,
      ),
    ],
    responders,
  );

export interface NewCase {
  /** Omitted: the actor's code in the study, else "Participant" and their number. It never holds a name. */
  label?: string | undefined;
  hidden: boolean;
  identifier?: string | undefined;
}

/**
 * All members but monitors create cases, up to `limits.cases` in a study; only owners and editors create hidden ones. A second call
 * with the same identifier and content finds the case of the first one, as long as the actor may see it.
 * @throws resource.not-found, action.forbidden, identifier.taken, study.archived, limit.reached
 */
export async function createCase(context: Context, investigation: string, given: NewCase) {
  const { db, actor, now, limits } = context;
  const { label, hidden } = given;
  const [id, revision] = [given.identifier ?? newIdentifier(now), newIdentifier(now)];
  const createdWith = JSON.stringify({ investigation, creator: actor, label, hidden });
  const columns = selectRow(cases, {
    id,
    investigationId: investigation,
    creatorId: actor,
    label: label ?? ownLabel(investigation, actor),
    hidden,
    createdWith,
    editedAt: now,
    properties: null,
    createdAt: now,
    revisionId: revision,
    ...initialState,
  });
  const bytes = rowBytes + textBytes(createdWith) + (label === undefined ? ownLabelBytes : textBytes(label));
  const insert = db
    .insert(cases)
    .select(
      sql`${columns} from ${members}
        where ${members.investigationId} = ${investigation} and ${members.userId} = ${actor}
        and ${mayCreate(hidden)} and ${isOpenStudy(
          investigation,
          sql`case_count < ${limits.cases}`,
          hasBytes(bytes, limits.studyBytes),
          hasShare(shareOf(context), writtenBytes),
        )}`,
    )
    .onConflictDoNothing()
    .returning({ id: cases.id });
  const [counter, number] = label === undefined ? numberMember(context, investigation) : [];
  const growth: Growth = { cases: 1, stored: bytes, written: writtenBytes };
  const [ofStudy, ofMember] = grow(context, investigation, growth, { table: 'study_case', id, revision });
  const answers = await namedBatch(db, {
    counter,
    number,
    role: selectRole(db, investigation, actor),
    size: selectSize(db, investigation),
    insert,
    found: query<Created>(db, createdCase, { actor, id }, decoders),
    ofStudy,
    ofMember,
  });
  const { role: [me] = [], size: [study] = [], found: [row] = [], insert: inserted = [] } = answers;
  if (!me) throw notFound('investigation');
  if (hidden) requireEditor(me, 'create hidden cases');
  if (!row) {
    requireNoMonitor(me);
    requireOpen(study);
    const [share] = await selectRoom(context, investigation);
    if (share) requireShare(context, share.room, writtenBytes);
    if (study && study.caseCount >= limits.cases) throw studyFull('cases', limits.cases);
    requireBytes(study, bytes, limits);
    // It has room by now.
    throw new Problem('database.overloaded', 'Too many writers at once in this study.', {
      retryAfterSeconds: 1,
    });
  }
  if (row.createdWith !== createdWith || !row.isVisible)
    throw new Problem('identifier.taken', 'Another case has this identifier: choose a new one.');
  return { case: row, created: inserted.length > 0 };
}

/** In SQL: the actor's role creates such cases. */
const mayCreate = (hidden: boolean) =>
  sql`${members.role} in ${listOf(hidden ? editors : [...editors, 'responder'])}`;

/** Bytes that a participant writes with a case, whose label may grow. */
const writtenBytes = 2500;

/** The case with this identifier, and whether the actor may see it: somebody may have hidden or deleted it meanwhile. */
const createdCase = `select ${shownColumns}, study_case.created_with as createdWith, ${isVisible} as isVisible
  from study_case left join ${asActor} ${withCreator} where study_case.id = :id`;

type Created = Case & { createdWith: string; isVisible: number | null };

export interface CaseChange {
  label?: string | undefined;
  hidden?: boolean | undefined;
  /** The acceptable revisions; any, if omitted. */
  ifMatch?: readonly string[] | undefined;
}

/**
 * A change makes a new revision, unless it changes nothing.
 * @throws resource.not-found, action.forbidden, item.locked, item.archived, revision.stale
 */
export async function updateCase(context: Context, id: string, change: CaseChange): Promise<Case> {
  const { db, actor, now, limits } = context;
  return withOptimisticRetry(async () => {
    const [[before], [size]] = await db.batch([
      selectCase(db, { actor, id }),
      selectSize(db, sql`(select c.investigation_id from study_case c where c.id = ${id})`),
    ]);
    if (!before) throw notFound('case');
    checkEdit(actor, { ...before, noun: 'case', owner: before.creatorId }, change.ifMatch);
    if (change.hidden) requireEditor(before, 'hide cases');
    const after = { label: change.label ?? before.label, hidden: change.hidden ?? before.hidden };
    if (after.label === before.label && after.hidden === before.hidden) return before;
    const revision = { revisionId: newIdentifier(now), editedAt: now };
    const stored = textBytes(after.label) - textBytes(before.label);
    requireBytes(size, stored, limits);
    const [written] = await db.batch([
      db
        .update(cases)
        .set({ ...after, ...revision })
        .where(stillEditable(cases, before, actor))
        .returning({ id: cases.id }),
      ...grow(
        context,
        before.investigationId,
        { stored },
        { table: 'study_case', id, revision: revision.revisionId },
      ),
    ]);
    if (written.length === 0) throw new ConflictError();
    return { ...before, ...after, ...revision };
  });
}
