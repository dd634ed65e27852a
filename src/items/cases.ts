import { and, type SQL, sql } from 'drizzle-orm';
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
import { knownTo } from '../permissions/declared-properties.ts';
import { checkEdit, isOpenStudy, requireOpen, stillEditable } from '../permissions/edit-guards.ts';
import { type GivenProperties, type OwnProperties, shownProperties } from '../permissions/groups.ts';
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
import { noteGroupedCase } from '../permissions/noted-changes.ts';
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
  changedProperties,
  isStillMaker,
  type Maker,
  noteRegroupedCase,
  propertiesOfNew,
  selectMaker,
} from './case-properties.ts';
import {
  allOf,
  counted,
  type Grouped,
  inList,
  isShown,
  keysOf,
  keysOfPart,
  type ListFilter,
  listRanges,
  listValues,
  lockBytesOf,
  lockColumns,
  merged,
  pageOf,
  type Reader,
  readersOfAll,
  requireReader,
  responders,
  restorable,
  type Signed,
  selectAsked,
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

/** In SQL: the properties of a case as its reader sees them. */
const shownWith = (investigation: SQL) =>
  `${textOf(shownProperties(sql`study_case.properties`, sql`current_member.role`, investigation))} as properties`;
const shownInList = shownWith(named('investigation'));
const shownAlone = shownWith(sql`study_case.investigation_id`);
const withCreator = `left join user on user.id = study_case.creator_id and ${textOf(maySeePerson(...creator))}`;

export interface Case extends Grouped {
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

const decoders = { hidden: Boolean, properties: JSON.parse, lockSignature: JSON.parse, lock: JSON.parse };

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
) => `select ${shownColumns}, ${shownAlone}, current_member.role, study_case.investigation_id as investigationId,
  ${lockColumns('study_case', withLock)}
  from study_case join ${asActor} ${withCreator} where study_case.id = :id and ${isVisible}`;

type ListedCase = Case & Signed & { deletedAt: number | null; bytes: number; isEnd?: number };

/**
 * A page in order of creation, with one extra row if more follow; of a part, `end` is the place at which the search for a full one
 * ended. One round trip.
 * @param isTable reads the properties that have a column
 * @throws resource.not-found, action.forbidden, request.invalid
 */
export async function listCases(
  context: Context,
  investigation: string,
  filter: ListFilter & { isTable?: boolean },
) {
  const { db, actor, now } = context;
  const values = { investigation, actor, now, ...listValues(filter) };
  const read = (text: string | undefined) =>
    text === undefined ? undefined : query<ListedCase>(db, text, values, decoders);
  const {
    role: [me] = [],
    asked: [study] = [],
    all = [],
    own = [],
    part = [],
  } = await namedBatch(db, {
    role: selectRole(db, investigation, actor),
    asked: selectAsked(context, investigation, filter),
    all: read(pageOfAll(filter)),
    own: read(filter.properties ? undefined : pageOfOwn(filter)),
    part: read(pageOfPart(filter)),
  });
  const declared = study?.declared ?? [];
  requireReader(me, filter, declared);
  const { rows, end } = pageOf(part, filter.after);
  return { rows: [...all, ...own, ...rows], end, columns: knownTo(me.role, declared) };
}

const listed = ({ withLock }: ListFilter) => `select ${shownColumns}, ${shownInList},
  ${lockColumns('study_case', withLock)}, study_case.deleted_at as deletedAt,
  octet_length(study_case.label) + coalesce(octet_length(study_case.properties), 0) + ${listedBytes}
    + ${lockBytesOf('study_case', { withLock })} as bytes`;

const page = (filter: ListFilter, ranges: readonly string[], reader: Reader) => {
  const select = `${listed(filter)} from study_case join ${reader.joined} ${withCreator}`;
  return merged(
    ranges.map((range) => `${select} where ${range}`),
    ':limit',
  );
};

function pageOfAll(filter: ListFilter) {
  const { all } = readersOfAll('study_case', filter);
  return all && page(filter, rangesOfAll(filter), all);
}

function pageOfPart(filter: ListFilter) {
  const { part } = readersOfAll('study_case', filter);
  if (!part) return undefined;
  const keys = keysOfPart(
    (limit) => keysOf('study_case', rangesOfAll(filter), limit),
    isShown.study_case(filter),
    { reader: part, limit: ':limit' },
  );
  return `${listed(filter)}, found.isEnd from (${keys}) found cross join study_case on study_case.id = found.id
    cross join ${part.joined} ${withCreator} order by found.createdAt, found.id, found.isEnd`;
}

function rangesOfAll(filter: ListFilter) {
  const isDeleted = filter.status === 'deleted';
  const scope = 'study_case.investigation_id = :investigation';
  return listRanges('study_case', filter, { scope, ...(isDeleted && { rest: restorable('study_case') }) });
}

/** Counts the cases that the actor, one of the staff, finds by a filter. */
export const countCases = (
  { db, actor, now }: Context,
  investigation: string,
  filter: Omit<ListFilter, 'limit' | 'after'>,
) =>
  countInSlices<NonNullable<ListFilter['after']>>((after) => {
    const slice = { ...filter, limit: sliceRows, after };
    const values = { investigation, actor, now, ...listValues(slice) };
    const text = counted('study_case', rangesOfAll(slice), {
      filter: slice,
      shown: isShown.study_case(slice),
    });
    return sliceOf(query(db, text, values));
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
  /** By owners and editors; a participant's case has those of their membership. */
  properties?: GivenProperties | undefined;
}

/**
 * All members but monitors create cases, up to `limits.cases` in a study; only owners and editors create hidden ones, and give
 * properties. A second call with the same identifier and content finds the case of the first one, as long as the actor may see it.
 * @throws resource.not-found, action.forbidden, identifier.taken, study.archived, limit.reached, request.invalid
 */
export async function createCase(context: Context, investigation: string, given: NewCase) {
  const { db, actor, now } = context;
  const id = given.identifier ?? newIdentifier(now);
  const made = { ...given, id, createdWith: createdWithOf(investigation, actor, given) };
  if (!given.properties) {
    const answer = await insertCase(context, investigation, made);
    if (answer) return answer;
  }
  // Staff who give properties, or see a part of the study only: the case is within it.
  return withOptimisticRetry(async () => {
    const [[maker], [found]] = await db.batch([
      selectMaker(context, { investigation }),
      query<Created>(db, createdCase, { actor, id }, decoders),
    ]);
    if (!maker) throw notFound('investigation');
    if (found) return foundCase(found, made, false);
    const properties = propertiesOfNew(maker, given.properties, now);
    const answer = await insertCase(context, investigation, { ...made, by: { maker, properties } });
    if (!answer) throw new ConflictError();
    return answer;
  });
}

interface MadeCase extends NewCase {
  id: string;
  createdWith: string;
  /** The properties, and the member of the staff who may give them. */
  by?: { maker: Maker; properties: OwnProperties | null };
}

/** The first content, so that a repeat is recognised. */
function createdWithOf(
  investigation: string,
  creator: string,
  { label, hidden, properties }: NewCase,
): string {
  const entries = properties && Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ investigation, creator, label, hidden, ...(entries && { properties: entries }) });
}

/** @throws identifier.taken */
function foundCase(row: Created, { createdWith }: Pick<MadeCase, 'createdWith'>, created: boolean) {
  if (row.createdWith !== createdWith || !row.isVisible)
    throw new Problem('identifier.taken', 'Another case has this identifier: choose a new one.');
  return { case: row, created };
}

/** Undefined: the actor sees a part of the study only, so that the case needs properties; or that has changed. */
async function insertCase(context: Context, investigation: string, made: MadeCase) {
  const { db, actor, now, limits } = context;
  const { id, label, hidden, createdWith, by } = made;
  const revision = newIdentifier(now);
  const columns = selectRow(cases, {
    id,
    investigationId: investigation,
    creatorId: actor,
    label: label ?? ownLabel(investigation, actor),
    hidden,
    createdWith,
    editedAt: now,
    properties: by ? by.properties : sql`iif(${members.role} = 'responder', ${members.properties}, null)`,
    createdAt: now,
    revisionId: revision,
    ...initialState,
  });
  const isMaker = by
    ? sql`${members.role} = ${by.maker.role} and ${isStillMaker(investigation, actor, by.maker)}`
    : sql`(${members.role} = 'responder' or ${members.scope} is null)`;
  const bytes = rowBytes + textBytes(createdWith) + (label === undefined ? ownLabelBytes : textBytes(label));
  const insert = db
    .insert(cases)
    .select(
      sql`${columns} from ${members}
        where ${members.investigationId} = ${investigation} and ${members.userId} = ${actor}
        and ${mayCreate(hidden)} and ${isMaker} and ${isOpenStudy(
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
  if (row) return foundCase(row, made, inserted.length > 0);
  requireNoMonitor(me);
  requireOpen(study);
  if (!by && me.scope !== null) return undefined;
  const [share] = await selectRoom(context, investigation);
  if (share) requireShare(context, share.room, writtenBytes);
  if (study && study.caseCount >= limits.cases) throw studyFull('cases', limits.cases);
  requireBytes(study, bytes, limits);
  if (by) return undefined;
  // It has room by now.
  throw new Problem('database.overloaded', 'Too many writers at once in this study.', {
    retryAfterSeconds: 1,
  });
}

/** In SQL: the actor's role creates such cases. */
const mayCreate = (hidden: boolean) =>
  sql`${members.role} in ${listOf(hidden ? editors : [...editors, 'responder'])}`;

/** Bytes that a participant writes with a case, whose label may grow. */
const writtenBytes = 2500;

/** The case with this identifier, and whether the actor may see it: somebody may have hidden or deleted it meanwhile. */
const createdCase = `select ${shownColumns}, ${shownAlone}, study_case.created_with as createdWith, ${isVisible} as isVisible
  from study_case left join ${asActor} ${withCreator} where study_case.id = :id`;

type Created = Case & { createdWith: string; isVisible: number | null };

export interface CaseChange {
  label?: string | undefined;
  hidden?: boolean | undefined;
  /** A merge patch: null takes a property away. */
  properties?: Readonly<Record<string, string | null>> | undefined;
  /** The acceptable revisions; any, if omitted. */
  ifMatch?: readonly string[] | undefined;
}

/**
 * A change makes a new revision, unless it changes nothing.
 * @throws resource.not-found, action.forbidden, item.locked, item.archived, revision.stale, request.invalid
 */
export async function updateCase(context: Context, id: string, change: CaseChange): Promise<Case> {
  const { db, actor, now, limits } = context;
  return withOptimisticRetry(async () => {
    const {
      found: [before] = [],
      size: [size] = [],
      maker: [maker] = [],
    } = await namedBatch(db, {
      found: selectCase(db, { actor, id }),
      size: selectSize(db, sql`(select c.investigation_id from study_case c where c.id = ${id})`),
      maker: change.properties ? selectMaker(context, { case: id }) : undefined,
    });
    if (!before) throw notFound('case');
    checkEdit(actor, { ...before, noun: 'case', owner: before.creatorId }, change.ifMatch);
    if (change.hidden) requireEditor(before, 'hide cases');
    const regrouped = change.properties && maker && changedProperties(maker, change.properties, now);
    const after = { label: change.label ?? before.label, hidden: change.hidden ?? before.hidden };
    if (after.label === before.label && after.hidden === before.hidden && !regrouped) return before;
    const revision = { revisionId: newIdentifier(now), editedAt: now };
    const stored = textBytes(after.label) - textBytes(before.label);
    requireBytes(size, stored, limits);
    const { investigationId: investigation } = before;
    const isStill = maker && isStillMaker(investigation, actor, maker, sql`${cases.properties}`);
    const [written, [changed]] = await db.batch([
      db
        .update(cases)
        .set({ ...after, ...regrouped, ...revision })
        .where(and(stillEditable(cases, before, actor), isStill))
        .returning({ id: cases.id }),
      selectCase(db, { actor, id }),
      ...grow(context, investigation, { stored }, { table: 'study_case', id, revision: revision.revisionId }),
      ...(regrouped
        ? [
            noteGroupedCase(db, { case: id, revision: revision.revisionId }),
            noteRegroupedCase(db, { investigation, case: id, revision: revision.revisionId }),
          ]
        : []),
    ]);
    if (written.length === 0) throw new ConflictError();
    return regrouped && changed ? changed : { ...before, ...after, ...revision };
  });
}
