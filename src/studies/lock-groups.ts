import { invalid } from '../errors.ts';
import { isKnownRule, knownTo, requireKnown } from '../permissions/declared-properties.ts';
import type { Property, PropertyRule } from '../permissions/groups.ts';
import type { LockPolicy } from './schema.ts';

interface Locking {
  lockPolicy: LockPolicy | null;
  frozenGroups: readonly PropertyRule[] | null;
}

/**
 * Policies and freezes by properties that the study declares, and that are not blinded: everybody would see who is in such a
 * group. @param given the policy of the request, if it has one @throws request.invalid
 */
export function requireLockGroups(
  { lockPolicy, frozenGroups }: Locking,
  given: { groups?: LockPolicy['groups'] } | undefined,
  declared: readonly Property[] | undefined,
): void {
  const known = knownTo('editor', declared);
  for (const [n, { properties }] of (given?.groups ?? []).entries())
    requireKnown(properties, known, `/lockPolicy/groups/${n}/properties`);
  const used = [...(lockPolicy?.groups ?? []).map(({ properties }) => properties), ...(frozenGroups ?? [])];
  if (!used.every((rule) => isKnownRule(rule, known)))
    throw invalid(
      '/properties',
      'Expected the properties of frozen groups and lock policies, with their values, and not blinded: end the freeze or change the policy first.',
    );
}
