import canonicalize from 'canonicalize';
import { invalid } from '../errors.ts';
import { knownTo, requireKnown } from '../permissions/declared-properties.ts';
import type { Property, PropertyRule } from '../permissions/groups.ts';
import type { Role } from '../permissions/roles.ts';

/** Roles that may see a part of a study: owners see all of it, and responders their own. */
const withScope: readonly Role[] = ['editor', 'monitor'];

/** No scope names a blinded property, which the members that have it would learn. @throws request.invalid */
export function requireScope(
  scope: PropertyRule | null | undefined,
  role: Role,
  declared: readonly Property[],
): void {
  if (!scope) return;
  if (!withScope.includes(role))
    throw invalid('/scope', 'Expected no scope: editors and monitors alone see a part of a study.');
  requireKnown(scope, knownTo('editor', declared), '/scope');
}

/** The scope of a member whose role may have changed: it ends with a role that has none. */
export const scopeIn = (role: Role, scope: PropertyRule | null): PropertyRule | null =>
  withScope.includes(role) ? scope : null;

export const isSame = (a: unknown, b: unknown): boolean =>
  canonicalize(a ?? null) === canonicalize(b ?? null);
