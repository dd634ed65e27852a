import { expect, test } from 'vitest';
import { policyOf, policyOfGroup, someUnlock } from '../../console/features/items/lock-policy.ts';

const inLyon = { properties: { site: 'Lyon' } };
const inParis = { properties: { site: 'Paris' } };
const policy = {
  unlock: 'viewers' as const,
  signature: false,
  groups: [{ properties: { site: ['Lyon'] }, unlock: 'owners' as const, signature: true }],
};

test('the rules of Lyon hold for items of Lyon alone, and the strictest for both', () => {
  expect(policyOf(policy, [inLyon])).toEqual({ unlock: 'owners', signature: true });
  expect(policyOf(policy, [inParis, {}])).toEqual({ unlock: 'viewers', signature: false });
  expect(policyOf(policy, [inLyon, inParis])).toEqual({ unlock: 'owners', signature: true });
  expect(policyOf(policy, [])).toMatchObject({ unlock: 'viewers', signature: false });
});

test('a lock by filter asks for what some part of its group needs', () => {
  expect(policyOfGroup(policy, { site: ['Lyon', 'Nice'] }).signature).toBe(true);
  expect(policyOfGroup(policy, { arm: ['a'] }).signature).toBe(true);
  expect(policyOfGroup(policy).signature).toBe(true);
  expect(policyOfGroup(policy, { site: ['Paris'] }).signature).toBe(false);
});

test('a group may have milder rules than the study', () => {
  const strict = { unlock: 'owners' as const, signature: true };
  const mild = { ...strict, groups: [{ properties: { site: ['Paris'] }, unlock: 'viewers' as const }] };
  expect(policyOf(mild, [inParis])).toEqual({ unlock: 'viewers', signature: true });
  expect(someUnlock(mild)).toBe(true);
  expect(someUnlock(strict)).toBe(false);
});
