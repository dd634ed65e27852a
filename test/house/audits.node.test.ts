import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRequirements } from '../../tools/validation/requirements.ts';

const project = join(import.meta.dirname, '../..');
const { rules, tests } = readRequirements();
const clauses = rules.flatMap(({ rows }) => rows);

test('each clause that Fieldbell helps with names tests, and each other says whose it is', () => {
  expect(rules.map(({ title }) => title.replace(/ .*/, ''))).toEqual(['21', 'EU', 'ICH', 'EMA', 'GDPR']);
  expect(clauses.length).toBeGreaterThan(80);
  for (const { clause, asks, does, shownBy, notCovered } of clauses) {
    expect(asks, clause).toMatch(/\w/);
    if (does) expect(shownBy.length, clause).toBeGreaterThan(0);
    else expect([shownBy, notCovered], clause).toEqual([[], expect.stringMatching(/\w/)]);
  }
});

test('the numbers are those of the list of tests, and each of them is used', () => {
  const numbers = tests.map(({ number }) => number);
  expect(numbers).toEqual(tests.map((_, n) => n + 1));
  const used = new Set(clauses.flatMap(({ shownBy }) => shownBy));
  expect([...used].sort((a, b) => a - b)).toEqual(numbers);
});

test.each(tests)('$number is a test of $file: $name', ({ file, name }) => {
  const path = join(project, file);
  expect(existsSync(path), file).toBe(true);
  const titles = [...readFileSync(path, 'utf8').matchAll(/^\s*(?:.*\b(?:test|it)\b.*\()?(['`])(.+)\1,/gm)];
  expect(titles.filter(([, , title = '']) => title.includes(name))).not.toEqual([]);
});
