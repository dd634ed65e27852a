import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '../db/database.ts';
import { investigations, members, surveys, users } from '../db/schema.ts';
import { forbidden, notFound, Problem } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { appendActivity, headOf, inTurn, seal, selectHead } from './activities.ts';
import { insertReplan, replanJob } from './replans.ts';

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

export async function createInvestigation(db: Database, actor: string, study: NewInvestigation, now: number) {
  const id = newIdentifier(now);
  const row = { id, ...study, createdAt: now, archivedAt: null, activeSince: now };
  const [, member] = await db.batch([
    db.insert(investigations).values(row),
    db
      .insert(members)
      .select(
        sql`select ${id}, ${users.id}, 'owner', ${now} from ${users} where ${users.id} = ${actor} and ${users.deletedAt} is null`,
      )
      .returning({ role: members.role }),
  ]);
  if (!member[0]) throw new Problem('user.not-signed-up', 'Sign up first: POST /user.');
  return { ...row, role: member[0].role };
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
      activeSince: investigations.activeSince,
      role: members.role,
    })
    .from(members)
    .innerJoin(investigations, eq(investigations.id, members.investigationId))
    .where(eq(members.userId, actor))
    .$dynamic();

export const listInvestigations = (db: Database, actor: string) =>
  selectInvestigations(db, actor).orderBy(investigations.id);

const selectInvestigation = (db: Database, actor: string, id: string) =>
  selectInvestigations(db, actor).where(and(eq(members.userId, actor), eq(members.investigationId, id)));

/** @throws resource.not-found */
export async function readInvestigation(db: Database, actor: string, id: string) {
  const [study] = await selectInvestigation(db, actor, id);
  if (!study) throw notFound('investigation');
  return study;
}

/**
 * Changes a study, by an owner, with its entry in the log. A changed calendar or archival replaces the
 * pending notifications of all members: `job` is to be started. @throws resource.not-found, action.forbidden
 */
export async function updateInvestigation(
  db: Database,
  actor: string,
  id: string,
  change: InvestigationChange,
  now: number,
) {
  return inTurn(async () => {
    const [[before], head] = await db.batch([selectInvestigation(db, actor, id), selectHead(db, id)]);
    if (!before) throw notFound('investigation');
    if (before.role !== 'owner') throw forbidden('Only owners change a study.');
    const after = applyChange(before, change, now);
    const details = Object.fromEntries(
      Object.entries(after).filter(([field, value]) => before[field as keyof typeof after] !== value),
    );
    if (Object.keys(details).length === 0) return { investigation: before, job: null };

    const replanned = ['timeZone', 'startsOn', 'archivedAt'].some((field) => field in details);
    const job = replanned ? replanJob({ investigation: id }, now) : null;
    await db.batch([
      appendActivity(
        db,
        await seal(headOf(head), { investigation: id, actor, action: 'study.changed', details }, now),
      ),
      db.update(investigations).set(after).where(eq(investigations.id, id)),
      ...(job
        ? [
            db
              .update(surveys)
              .set({ planStamp: sql`${surveys.planStamp} + 1` })
              .where(eq(surveys.investigationId, id)),
            insertReplan(db, job, now),
          ]
        : []),
    ]);
    return { investigation: { ...before, ...after }, job };
  });
}

function applyChange(
  before: Awaited<ReturnType<typeof readInvestigation>>,
  change: InvestigationChange,
  now: number,
) {
  const archived = change.status === undefined ? before.archivedAt !== null : change.status === 'archived';
  const returns = before.archivedAt !== null && !archived;
  return {
    name: change.name ?? before.name,
    timeZone: change.timeZone ?? before.timeZone,
    startsOn: change.startsOn ?? before.startsOn,
    archivedAt: archived ? (before.archivedAt ?? now) : null,
    activeSince: returns ? now : before.activeSince,
  };
}
