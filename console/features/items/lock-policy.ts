import type { Study } from '../../api.ts';
import type { Grouped, PropertyRule } from '../../groups.ts';

/* The rules for locks that hold for items, as the service has them: those of groups go before those of the study. */

type Policy = Study['lockPolicy'];
type GroupPolicy = NonNullable<Policy['groups']>[number];

export interface Applied {
  unlock: 'viewers' | 'owners';
  signature: boolean;
}

const fits = (rule: PropertyRule, { properties = {} }: Grouped) =>
  Object.entries(rule).every(([name, values]) => values.includes(properties[name] ?? ''));

/** Somebody may fit both. */
const overlap = (one: PropertyRule, other: PropertyRule) =>
  Object.entries(one).every(
    ([name, values]) => !other[name] || values.some((value) => other[name]?.includes(value)),
  );

function withGroups(policy: Policy, groups: readonly GroupPolicy[]): Applied {
  const unlocks = groups.flatMap(({ unlock = [] }) => unlock);
  const signatures = groups.flatMap(({ signature = [] }) => signature);
  return {
    unlock: unlocks.length === 0 ? policy.unlock : unlocks.includes('owners') ? 'owners' : 'viewers',
    signature: signatures.length === 0 ? policy.signature : signatures.includes(true),
  };
}

const strictest = (all: readonly Applied[]): Applied => ({
  unlock: all.some(({ unlock }) => unlock === 'owners') ? 'owners' : 'viewers',
  signature: all.some(({ signature }) => signature),
});

/** The rules for these items; of none, those of the study. */
export function policyOf(policy: Policy, items: readonly Grouped[]): Applied {
  const { groups = [] } = policy;
  if (groups.length === 0 || items.length === 0) return policy;
  return strictest(
    items.map((item) =>
      withGroups(
        policy,
        groups.filter(({ properties }) => fits(properties, item)),
      ),
    ),
  );
}

/** The strictest rules for items of a group, or of the whole study. */
export function policyOfGroup(policy: Policy, group: PropertyRule = {}): Applied {
  const parts = (policy.groups ?? []).filter(({ properties }) => overlap(properties, group));
  return strictest([policy, ...parts.map((part) => withGroups(policy, [part]))]);
}

/** Whether a viewer may unlock items of some group. */
export const someUnlock = ({ unlock, groups = [] }: Policy): boolean =>
  unlock === 'viewers' || groups.some((group) => group.unlock === 'viewers');
