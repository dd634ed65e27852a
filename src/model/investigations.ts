import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { isGuardViolation } from '../db/errors.ts';
import { investigations, members, users } from '../db/schema.ts';
import { forbidden, limitReached, notFound } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import {
  appendActivity,
  chainEntry,
  headOf,
  type NewActivity,
  selectHead,
  withOptimisticRetry,
} from './activities.ts';
import { changeOf } from './activity-details.ts';
import type { Context } from './context.ts';
import { replanStudy } from './reminders/outbox.ts';
import { selectAlive } from './users.ts';

export interface NewInvestigation {
  name: string;
  timeZone: string;
  startsOn: string;
}

export interface InvestigationChange {
  name?: string | undefined;
  timeZone?: string | undefined;
  startsOn?: string | undefined;
  status?: 'active' | 'archived' | undefined;
}

/**
 * The caller becomes the owner; a caller may create a limited number of studies.
 * @throws resource.not-found when the caller is deleted, limit.reached
 */
export async function createInvestigation({ db, actor, now, limits }: Context, study: NewInvestigation) {
  const max = limits.studies;
  const id = newIdentifier(now);
  const row = { id, ...study, createdAt: now, archivedAt: null, frozenAt: null, activeSince: now };
  const room = Number.isFinite(max) ? sql`study_count < ${max}` : sql`1`;
  const owner = sql`(select id from user where id = ${actor} and deleted_at is null and ${room})`;
  try {
    await db.batch([
      db.insert(investigations).values(row),
      db.insert(members).values({ investigationId: id, userId: owner, role: 'owner', createdAt: now }),
      db
        .update(users)
        .set({ studyCount: sql`${users.studyCount} + 1` })
        .where(eq(users.id, actor)),
    ]);
  } catch (error) {
    if (!isGuardViolation(error)) throw error;
    const [me] = await selectAlive(db, actor);
    if (!me) throw notFound('user');
    throw limitReached('MAX_STUDIES', `You have created ${max} studies, and may create no more.`);
  }
  return { ...row, role: 'owner' as const };
}

const selectInvestigations = (db: Database, actor: string) =>
  db
    .select({
      id: investigations.id,
      name: investigations.name,
      timeZone: investigations.timeZone,
      startsOn: investigations.startsOn,
      createdAt: sql<number>`${investigations.createdAt}`.as('created'),
      archivedAt: investigations.archivedAt,
      frozenAt: investigations.frozenAt,
      activeSince: investigations.activeSince,
      role: members.role,
    })
    .from(members)
    .innerJoin(investigations, eq(investigations.id, members.investigationId))
    .where(eq(members.userId, actor))
    .$dynamic();

/** The studies that the actor is a member of, in order of creation. @throws resource.not-found */
export async function listInvestigations({ db, actor }: Context) {
  const [[me], rows] = await db.batch([
    selectAlive(db, actor),
    selectInvestigations(db, actor).orderBy(investigations.id),
  ]);
  if (!me) throw notFound('user');
  return rows;
}

const selectInvestigation = (db: Database, actor: string, id: string) =>
  selectInvestigations(db, actor).where(and(eq(members.userId, actor), eq(members.investigationId, id)));

/** @throws resource.not-found */
export async function readInvestigation({ db, actor }: Context, id: string) {
  const [study] = await selectInvestigation(db, actor, id);
  if (!study) throw notFound('investigation');
  return study;
}

export type Investigation = Awaited<ReturnType<typeof readInvestigation>>;

/**
 * Changes a study, with its entry in the log; for owners. A changed calendar or archival plans the reminders of all
 * members again. @throws resource.not-found, action.forbidden
 */
export async function updateInvestigation(context: Context, id: string, change: InvestigationChange) {
  const { db, actor, now } = context;
  return withOptimisticRetry(context, async () => {
    const [[before], head] = await db.batch([selectInvestigation(db, actor, id), selectHead(db, id)]);
    if (!before) throw notFound('investigation');
    if (before.role !== 'owner') throw forbidden('Only owners change a study.');
    const after = applyChange(before, change, now);
    const details = changeOf(shown(before), shown(after));
    if (!details) return before;

    const movesReminders = ['timeZone', 'startsOn', 'status'].some((field) => field in details.after);
    const entry: NewActivity = { investigation: id, actor, action: 'study.changed', details: { ...details } };
    await db.batch([
      appendActivity(db, await chainEntry(headOf(head), entry, now)),
      db.update(investigations).set(after).where(eq(investigations.id, id)),
      ...(movesReminders ? replanStudy(context, id) : []),
    ]);
    return { ...before, ...after };
  });
}

type Changeable = Pick<Investigation, 'name' | 'timeZone' | 'startsOn' | 'archivedAt'>;

/** What owners may change, as the API names it. */
const shown = ({ archivedAt, name, timeZone, startsOn }: Changeable) => ({
  name,
  timeZone,
  startsOn,
  status: archivedAt === null ? 'active' : 'archived',
});

function applyChange(before: Investigation, change: InvestigationChange, now: number) {
  const archived = change.status === undefined ? before.archivedAt !== null : change.status === 'archived';
  const reactivated = before.archivedAt !== null && !archived;
  return {
    name: change.name ?? before.name,
    timeZone: change.timeZone ?? before.timeZone,
    startsOn: change.startsOn ?? before.startsOn,
    archivedAt: archived ? (before.archivedAt ?? now) : null,
    activeSince: reactivated ? now : before.activeSince,
  };
}
