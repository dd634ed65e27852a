import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { groups } from '../../dev/mutants/groups.ts';
import { plant } from '../../dev/mutants/mutant.ts';

const all = Object.values(groups).flat();

test('there are at least sixty deliberate faults, five of each kind, with a name of their own', () => {
  expect(all.length).toBeGreaterThanOrEqual(60);
  for (const [group, mutants] of Object.entries(groups))
    expect(mutants.length, group).toBeGreaterThanOrEqual(5);
  expect(new Set(all.map(({ fault }) => fault)).size).toBe(all.length);
});

describe.each(Object.entries(groups))('%s', (_, mutants) => {
  test.each(mutants)('$fault: still applies, and its tests exist', (mutant) => {
    expect(plant(mutant, readFileSync(mutant.file, 'utf8'))).not.toBe('');
    expect(mutant.tests.filter((file) => !existsSync(file))).toEqual([]);
  });
});
