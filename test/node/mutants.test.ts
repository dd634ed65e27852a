import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { groups } from '../../dev/mutants/groups.ts';
import { plant } from '../../dev/mutants/mutant.ts';

const all = Object.values(groups).flat();

test('each deliberate fault has a name of its own', () => {
  expect(new Set(all.map(({ fault }) => fault)).size).toBe(all.length);
});

describe.each(Object.entries(groups).filter(([, mutants]) => mutants.length > 0))('%s', (_, mutants) => {
  test.each(mutants)('$fault: still applies, and its tests exist', (mutant) => {
    expect(plant(mutant, readFileSync(mutant.file, 'utf8'))).not.toBe('');
    expect(mutant.tests.filter((file) => !existsSync(file))).toEqual([]);
  });
});
