import { and, eq, type SQL, sql } from 'drizzle-orm';
import { countsOfStudy } from '../compliance/attention.ts';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { isGuardViolation, isUniqueViolation } from '../db/errors.ts';
import { forbidden, limitReached, notFound } from '../errors.ts';
import { newIdentifier, participantIssuer } from '../identifiers.ts';
import { longDetailsBytes } from '../log/activities.ts';
import { changeOf } from '../log/details.ts';
import { logged } from '../log/logged.ts';
import { users } from '../people/schema.ts';
import { checkRevision, requireOpen } from '../permissions/edit-guards.ts';
import type { Property } from '../permissions/groups.ts';
import { grow } from '../permissions/growth.ts';
import { listedBytes, membershipCount, membershipsFull, pageBytes } from '../permissions/limits.ts';
import {
  defaultPolicy,
  policyOfAll,
  type Signing,
  selectPolicy,
  sign,
} from '../permissions/lock-policies.ts';
import { noteChange } from '../permissions/noted-changes.ts';
import { isAlive, requireUnscoped, selectAlive } from '../permissions/visibility.ts';
import { noteStudyZone } from '../reminders/effective-zone.ts';
import { wakeStudy } from '../reminders/wake.ts';
import { localDate } from '../schedule/civil.ts';
import { hashOfCreation, identifierTaken, nextRevision, selectCreation } from './creations.ts';
import { dateInUse, noCourse, selectUseOf } from './dates.ts';
import { requireLockGroups } from './lock-groups.ts';
import { findUseOfProperty, noteBlinded, propertyInUse } from './properties.ts';
import {
  allMembers,
  type Course,
  type Information,
  investigations,
  joinedOn,
  type LockPolicy,
  members,
} from './schema.ts';
import { requireBlindable } from './survey-groups.ts';

export interface NewInvestigation {
  name: string;
  timeZone: string;
  /** Today in the study's zone, if omitted. */
  startsOn?: string | undefined;
  /** Fields left out are as in {@link defaultPolicy}. */
  lockPolicy?: PartialPolicy | undefined;
  information?: Information | null | undefined;
  /** Names. */
  dates?: string[] | undefined;
  participationDays?: number | null | undefined;
  properties?: readonly Property[] | undefined;
  identifier?: string | undefined;
}

type PartialPolicy = { [K in keyof LockPolicy]?: LockPolicy[K] | undefined };

export interface InvestigationChange {
  name?: string | undefined;
  timeZone?: string | undefined;
  startsOn?: string | undefined;
  status?: 'active' | 'archived' | undefined;
  lockPolicy?: PartialPolicy | undefined;
  /** Null removes it. */
  information?: Information | null | undefined;
  /** All names. */
  dates?: string[] | undefined;
  participationDays?: number | null | undefined;
  /** All of them. */
  properties?: readonly Property[] | undefined;
  /** The signature of a change of the lock policy: needed while the policy asks for signatures. */
  signature?: Signing | undefined;
  /** The acceptable revisions, by `revisionOf`; any, if omitted. */
  ifMatch?: readonly string[] | undefined;
}

/**
 * The caller becomes the owner; a caller may create a limited number of studies. A second call with the same identifier
 * and content finds the study of the first one, as it is now, as long as the caller is a member.
 * @throws resource.not-found when the caller is deleted, identifier.taken, limit.reached
 */
export async function createInvestigation(context: Context, given: NewInvestigation) {
  const { db, actor, now, limits } = context;
  const { identifier: id = newIdentifier(now), ...study } = given;
  const { dates = [], participationDays = null, properties = [], ...columns } = study;
  const hasCourse = dates.length > 0 || participationDays !== null || properties.length > 0;
  requireLockGroups({ lockPolicy: null, frozenGroups: null }, study.lockPolicy, properties);
  const row = {
    id,
    ...columns,
    startsOn: study.startsOn ?? localDate(now, study.timeZone),
    createdAt: now,
    archivedAt: null,
    frozenAt: null,
    frozenGroups: null,
    lockPolicy: study.lockPolicy ? withPolicy(defaultPolicy, study.lockPolicy) : null,
    information: study.information ?? null,
    course: hasCourse
      ? { dates, participationDays, since: 0, ...(properties.length > 0 && { properties }) }
      : null,
    activeSince: now,
    revisionId: newIdentifier(now),
  };
  const createdHash = await hashOfCreation({ actor, given: study });
  const owner = sql`(select id from user where id = ${actor} and deleted_at is null and issuer is not ${participantIssuer}
    and study_count < ${limits.studies} and ${membershipCount} < ${limits.memberships})`;
  try {
    await db.batch([
      db.insert(investigations).values({ ...row, creatorId: actor, createdHash }),
      noteChange(db, { investigation: id, kind: 'study', identifier: id, at: now, revision: row.revisionId }),
      db.insert(allMembers).values({ investigationId: id, userId: owner, role: 'owner', createdAt: now }),
      db
        .update(users)
        .set({ studyCount: sql`${users.studyCount} + 1` })
        .where(eq(users.id, actor)),
    ]);
  } catch (error) {
    if (isUniqueViolation(error, 'investigation')) return findCreated(context, id, createdHash);
    if (!isGuardViolation(error)) throw error;
    throw await refusalOf(context);
  }
  const created: Investigation = {
    ...row,
    role: 'owner',
    scope: null,
    joinedOn: null,
    participation: null,
  };
  return { study: created, created: true };
}

/** The error that tells why the caller may not create a study. */
async function refusalOf({ db, actor, limits }: Context) {
  const [me] = await db
    .select({ studies: users.studyCount, issuer: users.issuer })
    .from(users)
    .where(isAlive(actor));
  if (!me) return notFound('user');
  if (me.issuer === participantIssuer)
    return forbidden('Participants who enrolled by a code create no studies.');
  if (me.studies < limits.studies) return membershipsFull(limits.memberships);
  return limitReached('MAX_STUDIES', `You have created ${limits.studies} studies, and may create no more.`);
}

async function findCreated({ db, actor }: Context, id: string, createdHash: string) {
  const [[creation], [study]] = await db.batch([
    selectCreation(db, investigations, id),
    selectInvestigation(db, actor, id),
  ]);
  if (!study || creation?.createdHash !== createdHash) throw identifierTaken('investigation');
  return { study, created: false };
}

/** The columns of a study as members see them, without the role. */
export const studyColumns = {
  id: investigations.id,
  name: investigations.name,
  timeZone: investigations.timeZone,
  startsOn: investigations.startsOn,
  createdAt: sql<number>`${investigations.createdAt}`.as('created'),
  archivedAt: investigations.archivedAt,
  frozenAt: investigations.frozenAt,
  frozenGroups: investigations.frozenGroups,
  lockPolicy: investigations.lockPolicy,
  information: investigations.information,
  course: investigations.course,
  activeSince: investigations.activeSince,
  revisionId: investigations.revisionId,
};

const selectInvestigations = (db: Database, actor: string) =>
  db
    .select({ ...studyColumns, ...ofMember })
    .from(members)
    .innerJoin(investigations, eq(investigations.id, members.investigationId))
    .where(eq(members.userId, actor))
    .$dynamic();

/** The actor's role and scope, and the bounds of their time. */
const ofMember = {
  role: members.role,
  scope: members.scope,
  joinedOn: joinedOn('current_member').as('joined_on'),
  participation: members.participation,
};

export interface InvestigationPage {
  /** The creation time and identifier of the last study of the previous page. */
  after?: readonly [number, string] | undefined;
  limit: number;
}

/** In SQL: the study comes after that place in the order of creation. */
export const isAfter = (place: InvestigationPage['after']) =>
  place && sql`(${investigations.createdAt}, ${investigations.id}) > (${place[0]}, ${place[1]})`;

const bytesOfStudy = sql<number>`(${sql.raw(`${listedBytes}`)}
  + coalesce(octet_length(${investigations.information}), 0))`;

const nothing = sql<null>`null`;

/** In SQL: as many of the actor's studies as fit `pageBytes`, one more if more follow. Information may be long. */
const fitting = (isAsked: SQL | undefined, limit: number) => sql`min(${limit + 1}, 1 + max(1, (
  select count(*) from (
    select sum(bytes) over (order by created_at, id) as total from (
      select ${investigations.createdAt} as created_at, ${investigations.id} as id, ${bytesOfStudy} as bytes
      from ${members} join ${investigations} on ${investigations.id} = ${members.investigationId}
      where ${isAsked} order by 1, 2 limit ${limit + 1}))
  where total <= ${sql.raw(`${pageBytes}`)})))`;

/**
 * The studies that the actor is a member of, in order of creation, with one extra row if more follow. One round trip.
 * @throws resource.not-found
 */
export async function listInvestigations(
  context: Context,
  { after, limit, withCounts }: InvestigationPage & { withCounts: boolean },
) {
  const { db, actor } = context;
  const studies = sql`(select count(*) from member mine where mine.user_id = ${actor})`;
  const counts = withCounts
    ? countsOfStudy(context, { role: sql`${members.role}`, scope: sql`${members.scope}` }, studies)
    : { participants: nothing, attention: nothing };
  const isAsked = and(eq(members.userId, actor), isAfter(after));
  const [[me], rows] = await db.batch([
    selectAlive(db, actor),
    db
      .select({
        ...studyColumns,
        ...ofMember,
        participants: counts.participants.as('participants'),
        attention: counts.attention.as('attention'),
        bytes: bytesOfStudy.as('bytes'),
      })
      .from(members)
      .innerJoin(investigations, eq(investigations.id, members.investigationId))
      .where(isAsked)
      .orderBy(investigations.createdAt, investigations.id)
      .limit(fitting(isAsked, limit) as unknown as number),
  ]);
  if (!me) throw notFound('user');
  return rows;
}

/** A study that the actor is a member of, with their role. */
export const selectInvestigation = (db: Database, actor: string, id: string) =>
  selectInvestigations(db, actor).where(and(eq(members.userId, actor), eq(members.investigationId, id)));

/** @throws resource.not-found */
export async function readInvestigation({ db, actor }: Context, id: string) {
  const [study] = await selectInvestigation(db, actor, id);
  if (!study) throw notFound('investigation');
  return study;
}

export type Investigation = Awaited<ReturnType<typeof readInvestigation>>;

/** The revision of a member's view, which includes their role and their time, which may be counted from the day of joining. */
export const revisionOf = ({ revisionId, role, scope, participation, joinedOn, course }: Investigation) =>
  [
    ...[revisionId, role],
    ...(scope ? [encodeURIComponent(JSON.stringify(scope))] : []),
    ...(participation ? [participation.at] : []),
    ...(course && course.participationDays !== null ? [joinedOn] : []),
  ].join('.');

/**
 * Changes a study, with its entry in the log; for owners, and its information for editors, too. A changed calendar or archival plans the reminders of all
 * members again. @throws resource.not-found, action.forbidden, revision.stale, study.archived, date.in-use, property.in-use,
 * limit.reached,
 * request.invalid and auth.sign-in-stale for its signature
 */
export async function updateInvestigation(
  context: Context,
  id: string,
  { ifMatch, signature: signing, ...change }: InvestigationChange,
): Promise<Investigation> {
  const { db, actor, now } = context;
  const read = () =>
    [
      selectInvestigation(db, actor, id),
      selectPolicy(db, id, actor),
      // Nothing uses a date that is not declared, and none is taken away by a list with all of them.
      ...(change.dates ? [selectUseOf(db, id, change.dates)] : []),
    ] as const;
  return logged(context, id, read, async ([[before], [policy], used], write) => {
    if (!before) throw notFound('investigation');
    requireChanger(before, change);
    checkRevision('study', revisionOf(before), ifMatch);
    if (used?.[0]) throw dateInUse(used[0]);
    const after = applyChange(before, change, now);
    requireLockGroups({ ...before, ...after }, change.lockPolicy, after.course?.properties);
    const details = changeOf(shown(before), shown(after));
    if (!details) return before;
    if (after.archivedAt !== null) requireOpen(before);
    const use = await findUseOfProperty(
      context,
      id,
      before.course?.properties ?? [],
      after.course?.properties ?? [],
    );
    if (use) throw propertyInUse(use);
    const revisionId = newIdentifier(now);
    const blinds = await requireBlindable(db, id, before.course, after.course);

    const movesReminders =
      blinds ||
      ['timeZone', 'startsOn', 'status', 'participationDays'].some((field) => field in details.after);
    const signature =
      'lockPolicy' in details.after ? sign(context, policy, signing, policyOfAll(policy)) : undefined;
    const entry = { investigation: id, action: 'study.changed', details: { ...details }, signature } as const;
    await write(entry, (chained) => [
      db
        .update(investigations)
        .set({ ...after, revisionId: nextRevision(investigations, before, revisionId) })
        .where(eq(investigations.id, id)),
      ...('timeZone' in details.after
        ? noteStudyZone(context, { ...before, before: before.timeZone, after: after.timeZone })
        : []),
      ...('properties' in details.after ? [noteBlinded(db, id)] : []),
      ...(movesReminders ? wakeStudy(context, id) : []),
      ...grow(context, id, { stored: longDetailsBytes(chained) }),
    ]);
    return { ...before, ...after, revisionId };
  });
}

/** @throws action.forbidden */
function requireChanger(me: Investigation, change: InvestigationChange): void {
  if (me.role === 'owner') return;
  requireUnscoped(me, 'change a study');
  if (Object.entries(change).some(([field, value]) => field !== 'information' && value !== undefined))
    throw forbidden('Only owners change a study; editors change its information.');
}

type Changeable = Pick<
  Investigation,
  'name' | 'timeZone' | 'startsOn' | 'archivedAt' | 'lockPolicy' | 'information' | 'course'
>;

/** The fields that may change, as the API names them. */
const shown = ({ archivedAt, name, timeZone, startsOn, lockPolicy, information, course }: Changeable) => ({
  name,
  timeZone,
  startsOn,
  status: archivedAt === null ? 'active' : 'archived',
  lockPolicy: lockPolicy ?? defaultPolicy,
  information,
  dates: (course ?? noCourse).dates,
  participationDays: (course ?? noCourse).participationDays,
  properties: (course ?? noCourse).properties ?? [],
});

function applyChange(before: Investigation, change: InvestigationChange, now: number) {
  const archived = change.status === undefined ? before.archivedAt !== null : change.status === 'archived';
  const policy = before.lockPolicy ?? defaultPolicy;
  const reactivated = before.archivedAt !== null && !archived;
  return {
    name: change.name ?? before.name,
    timeZone: change.timeZone ?? before.timeZone,
    startsOn: change.startsOn ?? before.startsOn,
    archivedAt: archived ? (before.archivedAt ?? now) : null,
    activeSince: reactivated ? now : before.activeSince,
    lockPolicy: change.lockPolicy ? withPolicy(policy, change.lockPolicy) : before.lockPolicy,
    information: change.information === undefined ? before.information : change.information,
    course: changedCourse(before.course, change, now),
  };
}

/** Days that fall into a longer time only now are not made up for. */
function changedCourse(
  before: Course | null,
  { dates, participationDays, properties }: InvestigationChange,
  now: number,
): Course | null {
  if (dates === undefined && participationDays === undefined && properties === undefined) return before;
  const course = before ?? noCourse;
  const days = participationDays === undefined ? course.participationDays : participationDays;
  return {
    dates: dates ?? course.dates,
    participationDays: days,
    since: days === course.participationDays ? course.since : now,
    ...((properties ?? course.properties ?? []).length > 0 && {
      properties: properties ?? course.properties,
    }),
  } as Course;
}

const withPolicy = (before: LockPolicy, { unlock, signature, groups }: PartialPolicy): LockPolicy => {
  const some = groups ?? before.groups ?? [];
  return {
    unlock: unlock ?? before.unlock,
    signature: signature ?? before.signature,
    ...(some.length > 0 && { groups: some }),
  };
};
