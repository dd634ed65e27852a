import { eq } from 'drizzle-orm';
import { investigations } from '../db/schema.ts';
import { forbidden, notFound } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { appendActivity, chainEntry, headOf, selectHead, withOptimisticRetry } from './activities.ts';
import type { Context } from './context.ts';
import { selectRole } from './visibility.ts';

export interface Freeze {
  status: 'frozen' | 'active';
  reason: string;
}

/**
 * Freezes a study, or ends it; for owners. Of the study only this row changes: triggers refuse every statement that would
 * change a case, a response, a survey or a lock in a frozen study, whatever route it comes from. A freeze of what is
 * frozen changes nothing. @throws resource.not-found, action.forbidden
 */
export async function freezeStudy(context: Context, investigation: string, { status, reason }: Freeze) {
  const { db, actor, now } = context;
  await withOptimisticRetry(context, async () => {
    const [[me], head, [study]] = await db.batch([
      selectRole(db, investigation, actor),
      selectHead(db, investigation),
      db
        .select({ frozenAt: investigations.frozenAt })
        .from(investigations)
        .where(eq(investigations.id, investigation)),
    ]);
    if (!me || !study) throw notFound('investigation');
    if (me.role !== 'owner') throw forbidden('Only owners freeze a study.');
    if ((study.frozenAt !== null) === (status === 'frozen')) return;

    const frozenAt = status === 'frozen' ? now : null;
    const entry = {
      investigation,
      actor,
      action: status === 'frozen' ? ('study.frozen' as const) : ('study.unfrozen' as const),
      reason,
      details: { before: shown(study.frozenAt), after: shown(frozenAt) },
    };
    await db.batch([
      appendActivity(db, await chainEntry(headOf(head), entry, now)),
      db
        .update(investigations)
        .set({ frozenAt, revisionId: newIdentifier(now) })
        .where(eq(investigations.id, investigation)),
    ]);
  });
}

const shown = (frozenAt: number | null) => ({
  frozenAt: frozenAt === null ? null : new Date(frozenAt).toISOString(),
});
