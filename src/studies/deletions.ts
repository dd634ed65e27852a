import { and, eq, gte, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { notFound, Problem } from '../errors.ts';
import { logged } from '../log/logged.ts';
import { requireOwner } from '../permissions/visibility.ts';
import { wakeStudy } from '../reminders/wake.ts';
import { deletedRetentionMs } from '../schedule/retention.ts';
import {
  type InvestigationPage,
  isAfter,
  readInvestigation,
  selectInvestigation,
  studyColumns,
} from './investigations.ts';
import { allMembers, deletedStudies, investigations } from './schema.ts';

/**
 * Deletes an archived study; for owners. From this write on `members` shows no member of the study, so that no route
 * finds anything of it.
 * @throws resource.not-found, action.forbidden, study.active, study.frozen
 */
export async function deleteStudy(context: Context, investigation: string): Promise<void> {
  const { db, actor, now } = context;
  const read = () => [selectInvestigation(db, actor, investigation)] as const;
  await logged(context, investigation, read, async ([[study]], write) => {
    requireOwner(study, 'delete a study');
    if (study.frozenAt !== null)
      throw new Problem('study.frozen', 'The study is frozen: an owner has to end the freeze first.');
    if (study.archivedAt === null)
      throw new Problem('study.active', 'Only an archived study can be deleted: archive it first.');

    // Freezing and bringing back from the archive are logged too, and so conflict with this entry.
    await write({ investigation, action: 'study.deleted', details: moved('archived', 'deleted') }, [
      db.insert(deletedStudies).values({ investigationId: investigation, at: now }),
      ...wakeStudy(context, investigation),
    ]);
  });
}

const moved = (before: 'archived' | 'deleted', after: typeof before) => ({
  before: { status: before },
  after: { status: after },
});

/** The deleted studies that the actor owns and can bring back, in order of creation, with one extra row if more follow. */
export const listDeletedStudies = ({ db, actor, now }: Context, { after, limit }: InvestigationPage) =>
  db
    .select({
      ...studyColumns,
      // It may be long, and comes back with the study.
      information: sql<null>`null`.as('no_information'),
      role: allMembers.role,
      deletedAt: sql<number>`${deletedStudies.at}`.as('gone_at'),
    })
    .from(allMembers)
    .innerJoin(deletedStudies, eq(deletedStudies.investigationId, allMembers.investigationId))
    .innerJoin(investigations, eq(investigations.id, allMembers.investigationId))
    .where(
      and(
        eq(allMembers.userId, actor),
        eq(allMembers.role, 'owner'),
        gte(deletedStudies.at, now - deletedRetentionMs),
        isAfter(after),
      ),
    )
    .orderBy(investigations.createdAt, investigations.id)
    .limit(limit + 1);

/**
 * Brings back a deleted study, archived as before; for its owners, for 30 days. A study that is not deleted stays as it
 * is.
 * @throws resource.not-found, action.forbidden
 */
export async function restoreStudy(context: Context, investigation: string) {
  const { db, actor, now } = context;
  const read = () =>
    [
      db
        .select({ role: allMembers.role, deletedAt: deletedStudies.at })
        .from(allMembers)
        .leftJoin(deletedStudies, eq(deletedStudies.investigationId, allMembers.investigationId))
        .where(and(eq(allMembers.investigationId, investigation), eq(allMembers.userId, actor))),
    ] as const;
  await logged(context, investigation, read, async ([[me]], write) => {
    const isGone = me?.deletedAt != null && (me.role !== 'owner' || now - me.deletedAt > deletedRetentionMs);
    if (!me || isGone) throw notFound('investigation');
    requireOwner(me, 'restore a study');
    if (me.deletedAt === null) return;

    await write({ investigation, action: 'study.restored', details: moved('deleted', 'archived') }, [
      db.delete(deletedStudies).where(eq(deletedStudies.investigationId, investigation)),
      ...wakeStudy(context, investigation),
    ]);
  });
  return readInvestigation(context, investigation);
}
