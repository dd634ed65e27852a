import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';

/** The rows of the table of operations: its name, and what each cell allows. */
const operating = readFileSync('docs/operators/operating.md', 'utf8');
const documented = operating.split('\n').flatMap((line) => {
  const [, operation, ...cells] =
    /^\| ([a-z][^|]+) \| (\d+) \| (\d+(?: to \d+)?) \| (\d+) \|$/.exec(line) ?? [];
  return operation ? [[operation, cells] as const] : [];
});

let stdout = '';
beforeAll(async () => {
  ({ stdout } = await promisify(execFile)('npm', ['run', '-s', 'cost']));
});

test('the table of costs in docs/operators/operating.md is what npm run cost prints', () => {
  expect(documented.length).toBeGreaterThan(5);
  for (const [operation, cells] of documented) {
    const row = stdout.split('\n').find((line) => line.startsWith(`│ ${operation} `));
    const printed = row
      ?.split('│')
      .slice(2, 5)
      .map((cell) => cell.trim());
    expect(printed, operation).toHaveLength(cells.length);
    for (const [n, cell] of cells.entries()) {
      const [least, most = least] = cell.split(' to ').map(Number);
      expect(Number(printed?.[n]), operation).toBeGreaterThanOrEqual(least ?? 0);
      expect(Number(printed?.[n]), operation).toBeLessThanOrEqual(most ?? 0);
    }
  }
});

test('so is the table of a million reminders, and the sum in docs/operators/scale.md', () => {
  const printed = [...stdout.matchAll(/^ +(\d+\.\d\d) {2}(.+)$/gm)].map(([, dollars, what]) => [
    what,
    dollars,
  ]);
  const documented = [...operating.matchAll(/^\| (.+) \| (\d+\.\d\d) \|$/gm)].map(([, what, dollars]) => [
    what,
    dollars,
  ]);
  expect(printed.length).toBeGreaterThan(5);
  expect(documented).toEqual(printed);
  expect(readFileSync('docs/operators/scale.md', 'utf8')).toContain(
    `that of any million reminders, $${printed.at(-1)?.[1]} by`,
  );
});

test('npm run cost prints what was measured and the dollars that follow', () => {
  expect(stdout).toMatch(/deliver a reminder, plan the next\s*│ 2\s*│ [56]\d\s*│ 8\s*│/);
  expect(stdout).toMatch(/a sweep with nothing due\s*│ 1\s*│ [1-9]\s*│ [01]\s*│/);
  const parts = [...stdout.matchAll(/^ +(\d+\.\d\d) {2}(?!in all)/gm)].map(([, dollars]) => Number(dollars));
  const total = /(\d+\.\d\d) {2}in all/.exec(stdout)?.[1];
  expect(Number(total)).toBeCloseTo(
    parts.reduce((sum, part) => sum + part, 0),
    1,
  );
});
