import canonicalize from 'canonicalize';
import { eq, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { limitReached } from '../errors.ts';
import { newIdentifier } from '../identifiers.ts';
import { logged } from '../log/logged.ts';
import { knownTo, requireKnown, selectDeclared } from '../permissions/declared-properties.ts';
import { maxFrozenGroups } from '../permissions/frozen-groups.ts';
import type { PropertyRule } from '../permissions/groups.ts';
import {
  policyOfAll,
  policyOfGroup,
  type Signing,
  selectPolicy,
  sign,
} from '../permissions/lock-policies.ts';
import { requireOwner, selectRole } from '../permissions/visibility.ts';
import { investigations } from '../studies/schema.ts';

export interface Freeze {
  status: 'frozen' | 'active';
  reason: string;
  signature?: Signing | undefined;
  /** A group; the whole study, if omitted. */
  properties?: PropertyRule | undefined;
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
  if (freeze.properties)
    return freezeGroup(context, investigation, { ...freeze, properties: freeze.properties });
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
    const signature = sign(context, policy, freeze.signature, policyOfAll(policy));
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

/**
 * The same for a group: triggers refuse every statement that would change a case or a response of it, or bring one in or out, and
 * the rest of the study goes on. Groups of blinded properties are not frozen: everybody would see which people are in them.
 * @throws resource.not-found, action.forbidden, request.invalid, auth.sign-in-stale, limit.reached
 */
async function freezeGroup(
  context: Context,
  investigation: string,
  { status, reason, properties: group, ...freeze }: Freeze & { properties: PropertyRule },
) {
  const { db, actor, now } = context;
  const read = () =>
    [
      selectRole(db, investigation, actor),
      selectPolicy(db, investigation, actor),
      selectDeclared(db, investigation),
    ] as const;
  await logged(context, investigation, read, async ([[me], [policy], [declared]], write) => {
    requireOwner(me, 'freeze a study');
    requireKnown(group, knownTo('editor', declared?.properties), '/properties');
    const signature = sign(context, policy, freeze.signature, policyOfGroup(policy, group));
    const frozen = policy?.frozenGroups ?? [];
    const others = frozen.filter((one) => canonical(one) !== canonical(group));
    const isFrozen = others.length < frozen.length;
    if (isFrozen === (status === 'frozen')) return;
    if (status === 'frozen' && frozen.length >= maxFrozenGroups)
      throw limitReached(
        'frozenGroups',
        `The study has ${maxFrozenGroups} frozen groups, and may have no more: freeze several values at once.`,
      );

    const groups = status === 'frozen' ? [...others, group] : others;
    const entry = {
      investigation,
      action: status === 'frozen' ? ('study.frozen' as const) : ('study.unfrozen' as const),
      reason,
      signature,
      details: { properties: group, before: { frozen: isFrozen }, after: { frozen: !isFrozen } },
    };
    await write(entry, [
      db
        .update(investigations)
        .set({
          frozenGroups: groups.length > 0 ? groups : null,
          // The feed notes the study by this column.
          frozenAt: sql`${investigations.frozenAt}`,
          revisionId: newIdentifier(now),
        })
        .where(eq(investigations.id, investigation)),
    ]);
  });
}

/** A group, however its names and values are ordered. */
const canonical = (group: PropertyRule) =>
  canonicalize(Object.fromEntries(Object.entries(group).map(([name, values]) => [name, values.toSorted()])));

const shown = (frozenAt: number | null) => ({
  frozenAt: frozenAt === null ? null : new Date(frozenAt).toISOString(),
});
