import { describe, expect, test } from 'vitest';
import {
  changeable,
  changedIn,
  chosenIn,
  fieldOf,
  groupText,
  isBlinded,
  listFilter,
  patchOf,
  ruleIn,
  ruleOf,
  ruleText,
  valuesWithin,
} from '../../console/groups.ts';

const site = { name: 'site', values: ['Lyon', 'Paris'] };
const arm = { name: 'arm', values: ['a', 'b'], blinded: true };
const declared = [site, arm];

describe('the filter by properties', () => {
  test('is that of the address, without values that the study does not declare', () => {
    const chosen = chosenIn(declared, { 'property.site': 'Lyon', 'property.arm': 'z', 'property.ward': '3' });
    expect(chosen).toEqual({ site: 'Lyon' });
    expect(listFilter(chosen)).toEqual({ property: ['site:Lyon'] });
    expect(ruleOf(chosen)).toEqual({ site: ['Lyon'] });
    expect(listFilter({})).toEqual({});
    expect(ruleOf({})).toBeUndefined();
  });
});

describe('a rule', () => {
  test('is said in words', () => {
    expect(ruleText({ site: ['Lyon'] })).toBe('Lyon');
    expect(ruleText({ site: ['Lyon', 'Paris'] })).toBe('Lyon or Paris');
    expect(ruleText({ site: ['Lyon'], arm: ['a', 'b'] })).toBe('site Lyon and arm a or b');
  });

  test('is blinded if it names a blinded property', () => {
    expect(isBlinded({ arm: ['a'] }, declared)).toBe(true);
    expect(isBlinded({ site: ['Lyon'] }, declared)).toBe(false);
    expect(isBlinded(null, declared)).toBe(false);
  });

  test('has the ticked boxes of a form, and none is nobody’s limit', () => {
    const form = new FormData();
    expect(ruleIn(form, declared)).toBeNull();
    form.append('rule  site', 'Lyon');
    form.append('rule  site', 'Paris');
    expect(ruleIn(form, declared)).toEqual({ site: ['Lyon', 'Paris'] });
  });
});

describe('somebody who sees Lyon only', () => {
  const scope = { site: ['Lyon'] };
  test('gives Lyon, and changes no site', () => {
    expect(valuesWithin(site, scope)).toEqual(['Lyon']);
    expect(valuesWithin(arm, scope)).toEqual(['a', 'b']);
    expect(changeable(declared, scope)).toEqual([arm]);
    expect(changeable(declared, null)).toEqual(declared);
  });

  test('keeps what their form does not ask for', () => {
    const form = new FormData();
    form.set(fieldOf('arm'), '');
    const before = { site: 'Lyon', arm: 'a' };
    const after = changedIn(form, before, declared);
    expect(after).toEqual({ site: 'Lyon' });
    expect(patchOf(before, after)).toEqual({ arm: null });
    expect(patchOf(before, before)).toBeUndefined();
  });
});

test('the values of somebody stand in the order of the study', () => {
  expect(groupText({ arm: 'b', site: 'Lyon' }, declared)).toBe('Lyon · b');
  expect(groupText(undefined, declared)).toBe('');
});
