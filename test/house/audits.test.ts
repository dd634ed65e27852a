import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const project = join(import.meta.dirname, '../..');
const [requirements = '', named = ''] = readFileSync(join(project, 'docs/audits.md'), 'utf8').split(
  '## The tests',
);

/** The cells of all tables' rows, but for their headings. */
const rowsOf = (text: string) =>
  [...text.matchAll(/^\|(?!---| clause \| | \| file )(.*)\|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim()),
  );
const required = rowsOf(requirements);
const tests = rowsOf(named);

test('each requirement that Fieldbell helps with names tests, and each other says whose it is', () => {
  expect(required.length).toBeGreaterThan(80);
  for (const [clause, asks, does, shown, left] of required) {
    expect(asks, clause).toMatch(/\w/);
    if (does) expect(shown, clause).toMatch(/^\d+(?:, \d+)*$/);
    else expect([shown, left], clause).toEqual(['', expect.stringMatching(/\w/)]);
  }
});

test('the numbers are those of the list of tests, and each of them is used', () => {
  const used = required.flatMap(([, , , shown = '']) => (shown === '' ? [] : shown.split(', ')));
  const numbers = tests.map(([number]) => number);
  expect(numbers).toEqual(tests.map((_, n) => `${n + 1}`));
  expect([...new Set(used)].sort()).toEqual(numbers.sort());
});

test.each(tests)('%s is a test of %s: %s', (_, file = '', name = '') => {
  const path = join(project, file.replaceAll('`', ''));
  expect(existsSync(path), file).toBe(true);
  const titles = [...readFileSync(path, 'utf8').matchAll(/^\s*(?:.*\b(?:test|it)\b.*\()?(['`])(.+)\1,/gm)];
  expect(titles.filter(([, , title = '']) => title.includes(name))).not.toEqual([]);
});
