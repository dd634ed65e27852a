import { eq } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newIdentifier } from '../identifiers.ts';
import { logged } from '../log/logged.ts';
import { type Signing, selectPolicy, sign } from '../permissions/lock-policies.ts';
import { requireOwner, selectRole } from '../permissions/visibility.ts';
import { investigations } from '../studies/schema.ts';

export interface Freeze {
  status: 'frozen' | 'active';
  reason: string;
  signature?: Signing | undefined;
}

/**
 * Freezes a study, or ends the freeze; for owners. Only the study's own row changes: triggers refuse every statement that
 * would change a case, a response or a survey in a frozen study, on every route. Locks, archivals and deletions of items are
 * entries of the log, as the freeze is: one that began before the freeze finds its position taken, and reads again. Freezing
 * a frozen study changes nothing. @throws resource.not-found, action.forbidden, request.invalid, auth.sign-in-stale,
 * limit.reached
 */
export async function freezeStudy(context: Context, investigation: string, freeze: Freeze) {
  const { db, actor, now } = context;
  const { status, reason } = freeze;
  const read = () =>
    [
      selectRole(db, investigation, actor),
      selectPolicy(db, investigation, actor),
      db
        .select({ frozenAt: investigations.frozenAt })
        .from(investigations)
        .where(eq(investigations.id, investigation)),
    ] as const;
  await logged(context, investigation, read, async ([[me], [policy], [study]], write) => {
    requireOwner(me, 'freeze a study');
    const signature = sign(context, policy, freeze.signature);
    const before = study?.frozenAt ?? null;
    if ((before !== null) === (status === 'frozen')) return;

    const frozenAt = status === 'frozen' ? now : null;
    const entry = {
      investigation,
      action: status === 'frozen' ? ('study.frozen' as const) : ('study.unfrozen' as const),
      reason,
      signature,
      details: { before: shown(before), after: shown(frozenAt) },
    };
    await write(entry, [
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
