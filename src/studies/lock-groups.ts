import { knownTo, requireKnown, unknownName } from '../permissions/declared-properties.ts';
import type { Property, PropertyRule } from '../permissions/groups.ts';
import { propertyInUse } from './properties.ts';
import type { LockPolicy } from './schema.ts';

interface Locking {
  lockPolicy: LockPolicy | null;
  frozenGroups: readonly PropertyRule[] | null;
}

/**
 * Policies and freezes by properties that the study declares, and that are not blinded: everybody would see who is in such a
 * group. @param given the policy of the request, if it has one @throws request.invalid, property.in-use
 */
export function requireLockGroups(
  { lockPolicy, frozenGroups }: Locking,
  given: { groups?: LockPolicy['groups'] } | undefined,
  declared: readonly Property[] | undefined,
): void {
  const known = knownTo('editor', declared);
  for (const [n, { properties }] of (given?.groups ?? []).entries())
    requireKnown(properties, known, `/lockPolicy/groups/${n}/properties`);
  const used = {
    freezes: frozenGroups ?? [],
    policies: (lockPolicy?.groups ?? []).map(({ properties }) => properties),
  };
  for (const by of ['freezes', 'policies'] as const)
    for (const rule of used[by]) {
      const name = unknownName(rule, known);
      if (name !== undefined) throw propertyInUse({ name, by });
    }
}
